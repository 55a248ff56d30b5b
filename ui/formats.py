"""How the value of a choice stands in a link: parsed, written, and described for JavaScript.

A format is declared here once. Python calls it; a browser without Python reads its description, which
`python -m tools.constants` writes into `fields.json`, and `core/figures/web/src/links/formats.js`
interprets. Numbers are ASCII: `int` and `float` would also take "+3", "1_0", " 3" and other scripts'
digits, and each language would take others.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

import numpy as np

T = TypeVar("T")
V = TypeVar("V", covariant=True)

# More digits than any number of ours; Python itself refuses a few thousand.
WHOLE = r"-?[0-9]{1,15}"
REAL = r"-?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
_WHOLE = re.compile(WHOLE)
_REAL = re.compile(REAL)


class Parser(Protocol[V]):
    """A function from the text in a link to a value; raises ValueError or KeyError."""

    def __call__(self, text: str, /) -> V:
        """The value."""
        ...


def written(value: Any) -> str:
    """A value in the form of a URL: a switch as 0 or 1."""
    return str(int(value) if isinstance(value, bool) else value)


def writer(parse: Parser[Any]) -> Callable[[Any], str]:
    """The inverse of a parser: its own, if it is one of these formats."""
    own: Callable[[Any], str] = getattr(parse, "write", written)
    return own


def described(parse: Parser[Any]) -> dict[str, Any]:
    """A parser as plain JSON values; of one that is no format, that its texts are kept as they are."""
    describe = getattr(parse, "described", None)
    own: dict[str, Any] = {"kind": "text"} if describe is None else describe()
    return own


@dataclass(frozen=True)
class Whole:
    """A whole number from `least` to `most`."""

    least: int
    most: int

    def __call__(self, text: str, /) -> int:
        """The number."""
        if not _WHOLE.fullmatch(text) or not self.least <= (value := int(text)) <= self.most:
            raise ValueError(text)
        return value

    def write(self, value: int) -> str:
        """The inverse."""
        return str(int(value))

    def described(self) -> dict[str, Any]:
        """For JavaScript."""
        return {"kind": "whole", "least": self.least, "most": self.most}


@dataclass(frozen=True)
class Real:
    """A number from `least` to `most`; written as 1 and 0.00001, not 1.0 and 1e-05."""

    least: float
    most: float

    def __call__(self, text: str, /) -> float:
        """The number."""
        if not _REAL.fullmatch(text) or not self.least <= (value := float(text)) <= self.most:
            raise ValueError(text)
        return value + 0.0  # no −0

    def write(self, value: float) -> str:
        """The inverse, in as few digits as tell the number."""
        return np.format_float_positional(float(value), trim="-")

    def described(self) -> dict[str, Any]:
        """For JavaScript."""
        return {"kind": "real", "least": self.least, "most": self.most}


@dataclass(frozen=True)
class Words:
    """One of several words."""

    words: tuple[str, ...]

    def __call__(self, text: str, /) -> str:
        """The word."""
        if text not in self.words:
            raise ValueError(text)
        return text

    def write(self, value: str) -> str:
        """The inverse."""
        return value

    def described(self) -> dict[str, Any]:
        """For JavaScript."""
        return {"kind": "words", "words": list(self.words)}


@dataclass(frozen=True)
class Switch:
    """On or off: 1 or 0."""

    def __call__(self, text: str, /) -> bool:
        """Whether it is on."""
        return {"0": False, "1": True}[text]

    def write(self, value: bool) -> str:
        """The inverse."""
        return str(int(value))

    def described(self) -> dict[str, Any]:
        """For JavaScript."""
        return {"kind": "switch"}


@dataclass(frozen=True)
class Name:
    """The name of a model, in one line; what shows nothing at all is none."""

    def __call__(self, text: str, /) -> str:
        """The name."""
        named = " ".join(text.split())
        if not any(sign.isprintable() and not sign.isspace() for sign in named):
            raise ValueError(text)
        return named

    def write(self, value: str) -> str:
        """The inverse."""
        return value

    def described(self) -> dict[str, Any]:
        """For JavaScript."""
        return {"kind": "name"}


@dataclass(frozen=True)
class Counted:
    """A position: from 1 to `most` in the link, from 0 in the state."""

    most: int

    def __call__(self, text: str, /) -> int:
        """The position."""
        return Whole(1, self.most)(text) - 1

    def write(self, value: int) -> str:
        """The inverse."""
        return str(int(value) + 1)

    def described(self) -> dict[str, Any]:
        """For JavaScript."""
        return {"kind": "counted", "most": self.most}


@dataclass(frozen=True)
class Either:
    """One word with a meaning of its own, or a value of another format."""

    word: str
    value: Any
    of: Parser[Any]

    def __call__(self, text: str, /) -> Any:
        """The value."""
        return self.value if text == self.word else self.of(text)

    def write(self, value: Any) -> str:
        """The inverse."""
        return self.word if value == self.value else writer(self.of)(value)

    def described(self) -> dict[str, Any]:
        """For JavaScript."""
        return {"kind": "either", "word": self.word, "value": self.value, "of": described(self.of)}


@dataclass(frozen=True)
class Listed(Generic[T]):
    """Values with dots between them; `none` stands for no value at all.

    `between` stands between two of them in place of a dot; of more than `most`, none is read.
    """

    of: Parser[T]
    none: str = ""
    between: str = "."
    most: int | None = None

    def __call__(self, text: str, /) -> tuple[T, ...]:
        """The values."""
        found = () if text == self.none else tuple(map(self.of, text.split(self.between)))
        if self.most is not None and len(found) > self.most:
            raise ValueError(text)
        return found

    def write(self, value: Sequence[T]) -> str:
        """The inverse."""
        return self.between.join(map(writer(self.of), value)) or self.none

    def described(self) -> dict[str, Any]:
        """For JavaScript."""
        own = {"between": self.between, "most": self.most}
        said = {name: one for name, one in own.items() if one not in (".", None)}
        return {"kind": "list", "none": self.none, **said, "of": described(self.of)}


@dataclass(frozen=True)
class Maybe(Generic[T]):
    """A value, or None for an empty text."""

    of: Parser[T]

    def __call__(self, text: str, /) -> T | None:
        """The value."""
        return self.of(text) if text else None

    def write(self, value: T | None) -> str:
        """The inverse."""
        return "" if value is None else writer(self.of)(value)

    def described(self) -> dict[str, Any]:
        """For JavaScript."""
        return {"kind": "maybe", "of": described(self.of)}


@dataclass(frozen=True)
class AsText:
    """The text of a value, as the format writes it."""

    of: Parser[Any]

    def __call__(self, text: str, /) -> str:
        """The text."""
        return writer(self.of)(self.of(text))

    def write(self, value: str) -> str:
        """The inverse."""
        return value

    def described(self) -> dict[str, Any]:
        """For JavaScript, which keeps the texts of a link anyway."""
        return described(self.of)


@dataclass(frozen=True)
class Dotted:
    """So many values of different formats, with dots between them."""

    parts: tuple[Parser[Any], ...]

    def __call__(self, text: str, /) -> tuple[Any, ...]:
        """The values."""
        texts = text.split(".")
        if len(texts) != len(self.parts):
            raise ValueError(text)
        return tuple(part(one) for part, one in zip(self.parts, texts, strict=True))

    def write(self, value: Sequence[Any]) -> str:
        """The inverse."""
        return ".".join(writer(part)(one) for part, one in zip(self.parts, value, strict=True))

    def described(self) -> dict[str, Any]:
        """For JavaScript."""
        return {"kind": "dotted", "parts": [described(part) for part in self.parts]}
