"""A visitor's position in a lesson, which goes along from page to page and is part of the link."""

from __future__ import annotations

from typing import Any, NamedTuple

from core.lessons import Lesson, Step, find, readable, route
from ui import formats
from ui.state.fields import Field

SECOND = "second"  # the lesson with its second texts


class Place(NamedTuple):
    """A step of a lesson.

    Attributes:
        name: the name of the lesson.
        step: the step, from 1 as in the link.
        second: whether the second texts replace the first.
    """

    name: str
    step: int
    second: bool = False

    def __str__(self) -> str:
        return f"{self.name}.{self.step}" + (f".{SECOND}" if self.second else "")

    @classmethod
    def read(cls, typed: str) -> Place | None:
        """Parse the value in a link: "one-vector.3" or "one-vector.3.second"; None for an empty one.

        Raises:
            ValueError: there is no such lesson or step.
        """
        if not typed:
            return None
        name, _, rest = typed.partition(".")
        number, dot, which = rest.partition(".")
        lesson = find(name)
        if lesson is None or (dot and which != SECOND):
            raise ValueError(typed)
        return cls(name, formats.Whole(1, len(lesson.steps))(number), bool(dot))

    @property
    def lesson(self) -> Lesson:
        """The lesson."""
        lesson = find(self.name)
        assert lesson is not None  # `read` refuses others
        return lesson

    @property
    def its_step(self) -> Step:
        """The step."""
        return self.lesson.steps[self.step - 1]


class _Format:
    """A place in a link."""

    def __call__(self, text: str, /) -> Place | None:
        """The place; None for an empty text."""
        return Place.read(text)

    def write(self, place: Place | None) -> str:
        """The inverse."""
        return "" if place is None else str(place)

    def described(self) -> dict[str, Any]:
        """For JavaScript: the number of steps of each lesson, and of the route."""
        every = (*filter(None, [route()]), *readable()[0])
        steps = {one.name: len(one.steps) for one in every}
        return {"kind": "place", "steps": steps, "second": SECOND}


LESSON = Field[Place | None]("lesson", "lesson", None, parse=_Format(), scope="app")
