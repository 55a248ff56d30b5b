"""A choice, declared once: where it stands, its default, how a link has it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Generic, Literal, Protocol, TypeVar

import streamlit as st

from ui import permalink, widgets
from ui.state import telling

T = TypeVar("T")
N = TypeVar("N", int, float)


class Visit(Generic[T]):
    """What lasts for one visit: under its name in the session, and, where it is no field, in no link.

    Args:
        key: its name in the session.
        default: its value until it is set.
    """

    def __init__(self, key: str, default: T) -> None:
        self.key = key
        self._default = default

    @property
    def control(self) -> str:
        """The name of the control that shows it."""
        return f"{self.key} control"

    @property
    def default(self) -> T:
        """Its value where nothing was chosen."""
        return self._default

    def get(self) -> T:
        """What it is now."""
        value: T = st.session_state.get(self.key, self.default)
        return value

    def set(self, value: T) -> None:
        """Choose it: in a callback, or before its control is drawn."""
        st.session_state[self.key] = value

    def take(self) -> T:
        """What it is now; it then is as by default again."""
        value = self.get()
        self.set(self.default)
        return value

    def hear(self, then: Callable[[], None] | None = None) -> None:
        """What a visitor has done to its control: called before the run that follows from it.

        Args:
            then: called when it has what was chosen.
        """
        self.set(telling.heard(self.control))
        if then is not None:
            then()


class Part(Visit[T]):
    """A value that is kept elsewhere, in its own words: one box of many whose values make up one field.

    Args:
        key: what its control is named after.
        read: what it is now.
        write: changes it; not called with what it is already.
    """

    def __init__(self, key: str, read: Callable[[], T], write: Callable[[T], None]) -> None:
        super().__init__(key, read())
        self._read, self._write = read, write

    def get(self) -> T:
        """What it is now."""
        return self._read()

    def set(self, value: T) -> None:
        """Choose it, where it is something else."""
        if value != self.get():
            self._write(value)


class Field(Visit[T]):
    """One choice: its places in the link and in the session, its default, how it is read and written.

    Args:
        url: its key in a link.
        key: its name in the session.
        default: its value where nothing was chosen, and where a link cannot be read.
        parse: reads what a link has, by whomever it was written; raises ValueError or KeyError.
        write: the other way round; what it writes, `parse` reads.
        scope: "app" of one that goes along from page to page, as the model does.
        before: its default in links of the first version; None: the same.
    """

    def __init__(
        self,
        url: str,
        key: str,
        default: T,
        *,
        parse: Callable[[str], T],
        write: Callable[[T], str] = permalink.written,
        scope: Literal["page", "app"] = "page",
        before: T | None = None,
    ) -> None:
        super().__init__(key, default)
        self.parameter = permalink.Parameter(
            url, key, default, parse, along=scope == "app", before=before, write=write
        )

    def set(self, value: T) -> None:
        """Choose it: in a callback, or before its control is drawn."""
        super().set(value)
        permalink.note(self.key, value)


class Choice(Field[str]):
    """One of several words."""

    def __init__(
        self, url: str, key: str, default: str, words: Iterable[str], *, before: str | None = None
    ) -> None:
        super().__init__(url, key, default, parse=permalink.one_of(*words), before=before)


class Bounded(Field[N]):
    """A number from `least` to `most`: `Whole` or `Real`."""

    least: N
    most: N


class Whole(Bounded[int]):
    """A whole number from `least` to `most`."""

    def __init__(
        self, url: str, key: str, default: int, least: int, most: int, *, before: int | None = None
    ) -> None:
        super().__init__(url, key, default, parse=permalink.whole(least, most), before=before)
        self.least, self.most = least, most


class Real(Bounded[float]):
    """A number from `least` to `most`, not only a whole one."""

    def __init__(self, url: str, key: str, default: float, least: float, most: float) -> None:
        super().__init__(url, key, default, parse=permalink.real(least, most))
        self.least, self.most = least, most


class Switch(Field[bool]):
    """On or off."""

    def __init__(self, url: str, key: str, default: bool = False) -> None:
        super().__init__(url, key, default, parse=permalink.switch)


_M = widgets.MODEL
MODEL: Field[str] = Field(_M.short, _M.key, _M.default, parse=_M.parse, scope="app")


class Read(Protocol):
    """Reads what is chosen: `Visit.get`, or `published()`."""

    def __call__(self, chosen: Visit[T], /) -> T:
        """What it is."""
        ...


def published() -> Read:
    """Reads the choices of the page that is shown after it has run: for a file made when asked for.

    A choice is there as soon as it is made.
    """
    last = permalink.now()

    def read(chosen: Visit[T]) -> T:
        value: T = last.values[chosen.key]
        return value

    return read


def within(chosen: Whole, least: int, most: int) -> int:
    """A whole number, which becomes the nearest within these bounds."""
    value = min(max(chosen.get(), least), most)
    chosen.set(value)
    return value
