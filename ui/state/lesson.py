"""A visitor's position in a lesson, which goes along from page to page and is part of the link."""

from __future__ import annotations

from typing import NamedTuple

from core.lessons import Lesson, Step, find
from ui import permalink
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
        return cls(name, permalink.whole(1, len(lesson.steps))(number), bool(dot))

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


def _write(place: Place | None) -> str:
    return "" if place is None else str(place)


LESSON = Field[Place | None]("lesson", "lesson", None, parse=Place.read, write=_write, scope="app")
