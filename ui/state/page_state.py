"""All that is chosen on a page: its fields are its link, its examples and its reset."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from ui import layout, permalink
from ui.state import telling
from ui.state.fields import Field


def _fields_in(value: object) -> Iterator[Field[Any]]:
    """The fields among some attributes, in their order."""
    if isinstance(value, Field):
        yield value
    elif isinstance(value, Mapping | tuple):
        for one in value.values() if isinstance(value, Mapping) else value:
            yield from _fields_in(one)


class PageState:
    """The fields of a page: the attributes of a subclass, in the order that its link has them.

    An attribute may also be a mapping or a tuple of fields, as of all that is chosen in one picture.
    """

    fields: ClassVar[tuple[Field[Any], ...]] = ()

    def __init_subclass__(cls) -> None:
        cls.fields = tuple(_fields_in(tuple(vars(cls).values())))
        for names in ([one.parameter.short for one in cls.fields], [one.key for one in cls.fields]):
            if len({*names}) < len(names):
                raise TypeError(f"{cls.__name__} has two fields of one name: {names}")

    @classmethod
    def link(cls) -> tuple[permalink.Parameter, ...]:
        """All that a link holds, and that a reset sets back."""
        return (*(one.parameter for one in cls.fields), layout.PROJECTOR)

    @classmethod
    def examples(cls) -> tuple[permalink.Parameter, ...]:
        """What an example of “Try this” sets: all that belongs to this page alone."""
        return tuple(one.parameter for one in cls.fields if not one.parameter.along)

    def complete(self) -> None:
        """What follows from what the link says, before any control is drawn: nothing for most pages."""


def begin(state: type[PageState]) -> None:
    """At the start of a run: what the link says, and what follows from it."""
    telling.start()
    permalink.restore(state.link())
    state().complete()


def end(state: type[PageState]) -> None:
    """At the end of a run: the whole state into the link."""
    layout.publish(state.link())
    telling.end()
