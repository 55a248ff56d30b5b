"""Which languages there are, which one this context has, and the catalogue of each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

from babel import Locale, UnknownLocaleError
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.support import Translations

FOLDER = Path(__file__).with_name("locales")
ENGLISH = "en"  # the language of the code, which needs no catalogue
MOST_ACCEPTED = 200  # characters that are read of what a browser says it prefers
_CURRENT: ContextVar[str] = ContextVar("language")


class Language(NamedTuple):
    """A language that the screen can have.

    Attributes:
        code: its code, "de", as in a link and as HTML has it.
        name: its name in itself, "Deutsch".
    """

    code: str
    name: str


@cache
def languages() -> tuple[Language, ...]:
    """English, and each language that has a catalogue, in the order of their codes."""
    codes = (ENGLISH, *sorted(path.stem for path in FOLDER.glob("*.po")))
    return tuple(
        Language(code, (Locale.parse(code).display_name or code).capitalize()) for code in codes
    )


@cache
def catalogue(code: str) -> Translations:
    """The translations into a language; those into English are empty.

    Raises:
        ValueError: there is no such language.
    """
    if code == ENGLISH:
        return Translations()
    if code not in {one.code for one in languages()}:
        raise ValueError(code)
    binary = BytesIO()
    with (FOLDER / f"{code}.po").open("rb") as file:
        write_mo(binary, read_po(file, locale=code))
    binary.seek(0)
    return Translations(binary)


def use(code: str) -> None:
    """Set the language of this context: of a run of a page, of a request.

    Raises:
        ValueError: there is no such language.
    """
    catalogue(code)
    _CURRENT.set(code)


@contextmanager
def spoken(code: str) -> Iterator[None]:
    """The language of all that runs inside."""
    catalogue(code)
    token = _CURRENT.set(code)
    try:
        yield
    finally:
        _CURRENT.reset(token)


class _Asked:
    """Who knows the language of a visitor where the context has none, as in a callback."""

    who: Callable[[], str] = staticmethod(lambda: ENGLISH)


def look_up(who: Callable[[], str]) -> None:
    """Ask this function for the language where the context has none."""
    _Asked.who = staticmethod(who)


def current() -> str:
    """The code of the language of this context."""
    found = _CURRENT.get("")
    return found or _Asked.who()


def preferred(accepted: str | None) -> str:
    """The language that a browser prefers among ours; English if it prefers none of them.

    Args:
        accepted: what it says, as in the header `Accept-Language`: "de-AT", "fr,de;q=0.8,en;q=0.5".
    """
    ranked: list[tuple[float, str]] = []
    for part in (accepted or "")[:MOST_ACCEPTED].split(","):
        tag, _, quality = part.partition(";")
        try:
            weight = float(quality.strip().removeprefix("q=") or 1)
            ranked.append((weight, Locale.parse(tag.strip(), sep="-").language))
        except (ValueError, UnknownLocaleError):
            continue
    known = {one.code for one in languages()}
    ranked.sort(key=lambda one: -one[0])  # stable: of equals, the first
    return next((code for weight, code in ranked if code in known and weight > 0), ENGLISH)
