"""The errors of Polysee. Each says what happened and what to do next; the app shows it verbatim."""


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


def in_short(error: BaseException, what: str = "", by: str = "") -> str:
    """A library's error message as one short sentence, with one text in it replaced by another."""
    text = " ".join(str(error).split()) or type(error).__name__
    text = text.replace(what, by) if what else text
    if isinstance(error, KeyError):  # its message is only the missing key
        text += " is missing"
    return text[:199] + "…" if len(text) > 200 else text.rstrip(".") + "."
