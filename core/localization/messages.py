"""A message in the language of this context, and a number as that language writes it."""

from __future__ import annotations

import string
from collections.abc import Mapping
from functools import cache
from typing import Any, TypeVar

from babel.numbers import get_decimal_symbol

from ..errors import Filled, PolyseeError
from .catalogues import ENGLISH, catalogue, current

K = TypeVar("K")
NARROW = "\u202f"  # the narrow no-break space between groups of digits (ISO 80000-1, DIN 5008)
_POINT, _GROUP = ".", ","  # as the code writes numbers


def gettext(message: str) -> str:
    """The message in the language of this context; itself where there is no translation.

    Args:
        message: as in the code, with places in braces that are filled in afterwards.
    """
    code = current()
    if code == ENGLISH or not message:  # to gettext, the empty message is its file's head
        return message
    return str(catalogue(code).gettext(message))


def said(message: str | BaseException) -> str:
    """An error, or a message that was filled in where it arose, in the language of this context.

    Numbers in it are written as that language does, and messages in it are translated as well. What has
    no template is looked up as it is, and stays English where no catalogue has it.
    """
    text: Any = message
    if isinstance(message, PolyseeError) and message.args:
        text = message.args[0]
    if current() == ENGLISH or not isinstance(text, Filled):
        return gettext(str(text))
    return _Said().vformat(gettext(text.template), (), text.values)


class _Said(string.Formatter):
    """Fills a translation in, with what was to fill in the English message."""

    def format_field(self, value: Any, format_spec: str) -> str:
        if isinstance(value, Filled | PolyseeError):
            return said(value)
        text = format(value, format_spec)
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        return decimal(text) if is_number else text


def ngettext(one: str, many: str, count: int) -> str:
    """The form of a message for a count, by the language's rule; the count is filled in afterwards."""
    return str(catalogue(current()).ngettext(one, many, count))


def pgettext(context: str, message: str) -> str:
    """The message where it means one thing of several: “key” of attention, or of a lesson’s answers."""
    code = current()
    return message if code == ENGLISH else str(catalogue(code).pgettext(context, message))


def decimal(written: str) -> str:
    """A number as the language of this context writes it: 0,48 and 30 522 in German.

    Groups of digits are set apart by a space in every language but English: a point between them would
    be read as the decimal one, which numbers in pictures have.

    Args:
        written: the number as the code writes it, "−1,234.50", with a sign or a unit if it has one.
    """
    code = current()
    if code == ENGLISH:
        return written
    return written.translate({ord(_POINT): decimal_symbol(code), ord(_GROUP): NARROW})


@cache
def decimal_symbol(code: str) -> str:
    """The sign before the decimals of a number: "," in German."""
    return str(get_decimal_symbol(code))


def N_(message: str) -> str:
    """The message as it is: marks one that is looked up later, since its module is read only once."""
    return message


def each(labels: Mapping[K, str]) -> dict[K, str]:
    """The labels of choices, each marked with `N_` where it stands, in the language of this context."""
    return {key: gettext(label) for key, label in labels.items()}


_ = gettext  # the name that everybody gives it, and by which messages are extracted
