"""The state of a page: its fields determine its link, its examples and its reset."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from ui import permalink
from ui.state import control_sync, language, thread
from ui.state.fields import PROJECTOR, Field
from ui.state.lesson import LESSON
from ui.state.location import Location
from ui.state.present import AT, CHECK, MINE, PRESENT
from ui.state.thread import Strand


def _fields_in(value: object) -> Iterator[Field[Any]]:
    """The fields among some attributes, in their order."""
    if isinstance(value, Field):
        yield value
    elif isinstance(value, Mapping | tuple):
        for one in value.values() if isinstance(value, Mapping) else value:
            yield from _fields_in(one)


class PageState:
    """The fields of a page: the attributes of a subclass, in the order of its link.

    An attribute may also be a mapping or a tuple of fields, for example all choices inside one picture.
    """

    fields: ClassVar[permalink.Fields] = ()

    def __init_subclass__(cls) -> None:
        cls.fields = tuple(_fields_in(tuple(vars(cls).values())))
        for names in ([one.url for one in cls.fields], [one.key for one in cls.fields]):
            if len({*names}) < len(names):
                raise TypeError(f"{cls.__name__} has two fields of one name: {names}")

    @classmethod
    def link(cls) -> permalink.Fields:
        """All fields that a link holds, and that a reset clears."""
        return (*cls.fields, PROJECTOR, LESSON, PRESENT, CHECK, AT, MINE, language.LANGUAGE)

    @classmethod
    def examples(cls) -> permalink.Fields:
        """The fields that an example of “Try this” sets: all that belong to this page alone."""
        return tuple(one for one in cls.fields if one.scope == "page")

    @classmethod
    def thread(cls) -> Mapping[str, Strand]:
        """Which fields hold the sentence, word, layer and head that go along from page to page."""
        return {}

    @classmethod
    def locations(cls) -> Sequence[Location]:
        """Where in the transformer the page is, for the drawing in the sidebar: the first that fits."""
        return ()

    def enter(self, along: Mapping[str, Any]) -> None:
        """Take what has come along from another page, by the names in `thread`."""
        thread.take(self.thread(), along)

    def complete(self) -> None:
        """Complete the state from the link before any control is drawn; most pages need nothing."""


def begin(state: type[PageState]) -> None:
    """At the start of a run, read the link and complete the state."""
    control_sync.begin_run()
    permalink.restore(state.link())
    language.settle()
    thread.follow(state.link(), state.thread(), state().enter)
    state().complete()


def end(state: type[PageState]) -> bool:
    """At the end of a run, put the state into the link; False if it is too long for a link."""
    fits = permalink.publish(state.link())
    control_sync.end_run()
    return fits
