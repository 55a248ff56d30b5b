"""The errors of Polysee. Each says what happened and what to do next; the app shows it verbatim."""

import re


class PolyseeError(Exception):
    """The base of every error that Polysee raises on purpose."""


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

    def last(match: re.Match[str]) -> str:
        path = match[0].rstrip("/\\.")
        ends = "." if match[0].endswith(".") else ""
        return re.split(r"[/\\]", path)[-1] + ends

    return _PATH.sub(last, message)
