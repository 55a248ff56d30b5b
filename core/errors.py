"""What can go wrong, as sentences a person can act on.

Every message says what happened and what to do next; the app shows it as it stands.
"""


class PolyseeError(Exception):
    """The base of every error that Polysee raises on purpose."""


class SettingError(PolyseeError, ValueError):
    """An environment variable or an argument has a value that Polysee does not know."""


class ModelNotFound(PolyseeError, LookupError):
    """No model answers to this name, here or, where it was asked, on the model hub."""


class ModelBroken(PolyseeError, ValueError):
    """The model's files are there, but reading them would give no numbers or wrong ones."""


class NotSupported(PolyseeError, ValueError):
    """The model works, but cannot do what was asked of it."""


class TooLarge(PolyseeError, ValueError):
    """The answer would take more memory than the settings allow."""


class WordNotFound(PolyseeError, LookupError):
    """The word does not stand in the text as a whole word; the message names those that do."""


class TooMany(PolyseeError, RuntimeError):
    """Too many others wait for the same work; the message says when to try again."""


def in_short(error: BaseException, what: str = "", by: str = "") -> str:
    """The message of a library as one short sentence, with one text in it replaced by another."""
    text = " ".join(str(error).split()) or type(error).__name__
    text = text.replace(what, by) if what else text
    if isinstance(error, KeyError):  # it says the name alone
        text += " is missing"
    return text[:199] + "…" if len(text) > 200 else text.rstrip(".") + "."
