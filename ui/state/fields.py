"""A choice, declared once: its key in a link, its name in the session, its default, how it is read."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Literal, Protocol, TypeVar

from ui import permalink
from ui.session import SessionValue

T = TypeVar("T")
N = TypeVar("N", int, float)
Scope = Literal["page", "app"]


class Field(SessionValue[T]):
    """One choice. `ui.permalink` reads it from a link, and writes it there.

    Args:
        url: its key in a link.
        key: its name in the session.
        default: its value where nothing was chosen, and where a link cannot be read.
        parse: reads what a link has, by whomever it was written; raises ValueError or KeyError.
        write: the other way round; what it writes, `parse` reads.
        scope: "app" of one that goes along from page to page, as the model does.
        default_in_v1: its default in links of the first version; None: the same.
    """

    def __init__(
        self,
        url: str,
        key: str,
        default: T,
        *,
        parse: Callable[[str], T],
        write: Callable[[T], str] = permalink.written,
        scope: Scope = "page",
        default_in_v1: T | None = None,
    ) -> None:
        super().__init__(key, default)
        self.url, self.parse, self.write = url, parse, write
        self.scope, self.default_in_v1 = scope, default_in_v1

    def set(self, value: T) -> None:
        """Choose it: in a callback, or before its control is drawn."""
        super().set(value)
        permalink.note(self.key, value)


class Choice(Field[str]):
    """One of several words."""

    def __init__(
        self,
        url: str,
        key: str,
        default: str,
        words: Iterable[str],
        *,
        default_in_v1: str | None = None,
    ) -> None:
        super().__init__(url, key, default, parse=permalink.one_of(*words), default_in_v1=default_in_v1)


class Bounded(Field[N]):
    """A number from `least` to `most`: `Whole` or `Real`."""

    least: N
    most: N


class Whole(Bounded[int]):
    """A whole number from `least` to `most`."""

    def __init__(
        self,
        url: str,
        key: str,
        default: int,
        least: int,
        most: int,
        *,
        default_in_v1: int | None = None,
    ) -> None:
        super().__init__(
            url, key, default, parse=permalink.whole(least, most), default_in_v1=default_in_v1
        )
        self.least, self.most = least, most


class Real(Bounded[float]):
    """A number from `least` to `most`, not only a whole one."""

    def __init__(self, url: str, key: str, default: float, least: float, most: float) -> None:
        super().__init__(url, key, default, parse=permalink.real(least, most))
        self.least, self.most = least, most


class Switch(Field[bool]):
    """On or off."""

    def __init__(self, url: str, key: str, default: bool = False, *, scope: Scope = "page") -> None:
        super().__init__(url, key, default, parse=permalink.switch, scope=scope)


# What goes along from page to page. The model may be one of a visitor's own, so any name is read.
MODEL = Field("m", "model", "minilm", parse=str, scope="app")
PROJECTOR = Switch("j", "projector", scope="app")  # whether letters and pictures are larger


class Part(SessionValue[T]):
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


class Reader(Protocol):
    """Reads what is chosen: `SessionValue.get`, or `published()`."""

    def __call__(self, chosen: SessionValue[T], /) -> T:
        """What it is."""
        ...


def published() -> Reader:
    """Reads the choices of the page that is shown after it has run: for a file made when asked for.

    A choice is there as soon as it is made.
    """
    last = permalink.now()

    def read(chosen: SessionValue[T]) -> T:
        value: T = last.values[chosen.key]
        return value

    return read


def clamp(chosen: Whole, least: int, most: int) -> int:
    """A whole number, which becomes the nearest within these bounds."""
    value = min(max(chosen.get(), least), most)
    chosen.set(value)
    return value
