"""A choice, declared once: its key in a link, name in the session, default, and how it is parsed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Literal, Protocol, TypeVar

from ui import formats, permalink
from ui.session import SessionValue

T = TypeVar("T")
N = TypeVar("N", int, float)
Scope = Literal["page", "app"]


class Field(SessionValue[T]):
    """One choice. `ui.permalink` reads it from a link and writes it into one.

    Args:
        url: its key in a link.
        key: its name in the session.
        default: its value if nothing was chosen, or if the link cannot be parsed.
        parse: parses the text in a link, which anyone may have written; raises ValueError or KeyError.
        write: the inverse of `parse`; None for that of its format (`ui.formats`).
        scope: "app" if the choice is shared by all pages, like the model.
        default_in_link: its value in a link that says something else, but not this; None for the
            default. The page opens with the default where the address says nothing at all.
        stays: whether it stays as it is with a link that does not say it, and with Back and Forward.
    """

    def __init__(
        self,
        url: str,
        key: str,
        default: T,
        *,
        parse: Callable[[str], T],
        write: Callable[[T], str] | None = None,
        scope: Scope = "page",
        default_in_link: T | None = None,
        stays: bool = False,
    ) -> None:
        super().__init__(key, default)
        self.url, self.parse = url, parse
        self.write = formats.writer(parse) if write is None else write
        self.scope, self.stays = scope, stays
        self.default_in_link = default_in_link

    def set(self, value: T) -> None:
        """Choose a value: in a callback, or before its control is drawn."""
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
        default_in_link: str | None = None,
    ) -> None:
        words = tuple(words)
        super().__init__(
            url,
            key,
            default,
            parse=formats.Words(words),
            default_in_link=default_in_link,
        )
        self.words = words


class Bounded(Field[N]):
    """A number from `least` to `most`: the base of `Whole` and `Real`."""

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
        default_in_link: int | None = None,
    ) -> None:
        super().__init__(
            url, key, default, parse=formats.Whole(least, most), default_in_link=default_in_link
        )
        self.least, self.most = least, most


class Real(Bounded[float]):
    """A number from `least` to `most`, not necessarily whole."""

    def __init__(self, url: str, key: str, default: float, least: float, most: float) -> None:
        super().__init__(url, key, default, parse=formats.Real(least, most))
        self.least, self.most = least, most


class Switch(Field[bool]):
    """On or off."""

    def __init__(self, url: str, key: str, default: bool = False, *, scope: Scope = "page") -> None:
        super().__init__(url, key, default, parse=formats.Switch(), scope=scope)


# The choices shared by all pages. The model may be a visitor's own, so any name is accepted.
MODEL = Field("m", "model", "minilm", parse=formats.Name(), scope="app")
PROJECTOR = Switch("j", "projector", scope="app")  # whether letters and pictures are larger


class Part(SessionValue[T]):
    """A value that is stored elsewhere, for example one box of several that make up one field.

    Args:
        key: the name of its control.
        read: returns its current value.
        write: changes it; not called with the current value.
    """

    def __init__(self, key: str, read: Callable[[], T], write: Callable[[T], None]) -> None:
        super().__init__(key, read())
        self._read, self._write = read, write

    def get(self) -> T:
        """Its current value."""
        return self._read()

    def set(self, value: T) -> None:
        """Choose a value, if it differs from the current one."""
        if value != self.get():
            self._write(value)


class Reader(Protocol):
    """A function that reads a choice: `SessionValue.get`, or `published()`."""

    def __call__(self, chosen: SessionValue[T], /) -> T:
        """The value of the choice."""
        ...


def published() -> Reader:
    """Reads the choices of a page after its run has ended, for a file that is made on request.

    A choice counts as soon as it is made.
    """
    last = permalink.now()

    def read(chosen: SessionValue[T]) -> T:
        value: T = last.values[chosen.key]
        return value

    return read


def clamp(chosen: Whole, least: int, most: int) -> int:
    """A whole number; one out of bounds becomes the nearest bound."""
    value = min(max(chosen.get(), least), most)
    chosen.set(value)
    return value
