"""The errors of Polysee. Each says what happened and what to do next.

To a program, an error is English. It also keeps its template and what fills it in,
`NotSupported("“{name}” has no mask.", name=name)`, so that a screen can say the same in another
language (`core.localization.said`).
"""

from __future__ import annotations

import re
from typing import Any


class Filled(str):
    """English text that a screen can say in another language.

    Attributes:
        template: the message as catalogues have it, with places in braces.
        values: what takes the place of each; another message is translated as well.
    """

    template: str
    values: dict[str, Any]

    def __new__(cls, template: str, /, **values: Any) -> Filled:
        """The template, filled in."""
        made = super().__new__(cls, template.format(**values))
        made.template, made.values = template, values
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        return _filled, (self.template, self.values)


def _filled(template: str, values: dict[str, Any]) -> Filled:
    return Filled(template, **values)


class PolyseeError(Exception):
    """The base of every error that Polysee raises on purpose.

    Args:
        message: what happened; with values, a template that they fill in.
        **values: what takes the place of each `{name}` in it.
    """

    def __init__(self, message: str = "", /, **values: Any) -> None:
        super().__init__(Filled(message, **values) if values else message)


class SettingError(PolyseeError, ValueError):
    """An environment variable or an argument has a value that Polysee does not accept."""


class ModelNotFound(PolyseeError, LookupError):
    """No model has this name, here or on the model hub."""


class ModelBroken(PolyseeError, ValueError):
    """The model's files exist, but they are damaged, incomplete or contradictory."""


class NotSupported(PolyseeError, ValueError):
    """The model works, but it does not support this request."""


class OutOfRange(PolyseeError, IndexError):
    """There is no such layer, head, token or occurrence, or the index is no whole number."""


class TooLarge(PolyseeError, ValueError):
    """The result would take more memory than the settings allow."""


class WordNotFound(PolyseeError, LookupError):
    """The text does not contain this whole word; the message lists the words that it contains."""


class CorpusError(PolyseeError, ValueError):
    """A corpus cannot be built, opened, searched or changed this way."""


class TooMany(PolyseeError, RuntimeError):
    """Too many visitors are waiting for this kind of work; the message says when to try again."""


class ModelNote(UserWarning):
    """Something about how a model was loaded that a reader of its numbers should know."""


def in_short(error: BaseException, what: str = "", by: str = "") -> str:
    """A library's error message as one short sentence, with one text in it replaced by another."""
    text = " ".join(str(error).split()) or type(error).__name__
    text = text.replace(what, by) if what else text
    if isinstance(error, KeyError):  # its message is only the missing key
        text += " is missing"
    return text[:199] + "…" if len(text) > 200 else text.rstrip(".") + "."


# A path from the root with at least two names. In an address of the web, the slashes follow a colon.
_PATH = re.compile(r"(?<![\w:/.“])(?:[A-Za-z]:[\\/]|/)(?:[^\s/\\,;:()'\"“”]+[\\/])+[^\s/\\,;:()'\"“”]*")


def without_paths(message: str) -> str:
    """A message with the last name of each path in place of the path, for the screen of the app."""
    if isinstance(message, Filled):
        return Filled(message.template, **{name: _bare(one) for name, one in message.values.items()})

    def last(match: re.Match[str]) -> str:
        path = match[0].rstrip("/\\.")
        ends = "." if match[0].endswith(".") else ""
        return re.split(r"[/\\]", path)[-1] + ends

    return _PATH.sub(last, message)


def _bare(value: Any) -> Any:
    return value if isinstance(value, int | float) else without_paths(_text(value))


def _text(value: Any) -> str:
    if isinstance(value, PolyseeError) and value.args:
        return _text(value.args[0])
    return value if isinstance(value, str) else str(value)
