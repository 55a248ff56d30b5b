"""Unicode's normal forms of any text, in time in proportion to it.

Python sorts the marks of a letter by insertion: a "letter" with 50,000 accents in alternation takes 2
seconds, and with a million, a quarter of an hour. Here the marks of such a letter are sorted first.
"""

from __future__ import annotations

import unicodedata
from typing import Literal

import regex

# No language puts so many on a letter. Two Japanese signs become marks in compatibility forms.
_MARKS = regex.compile(r"[\p{M}\uff9e\uff9f]{32,}+")


def normalized(form: Literal["NFC", "NFD", "NFKC", "NFKD"], text: str) -> str:
    """What `unicodedata.normalize` returns.

    Args:
        form: the name of the form.
        text: any text.
    """
    if not text.isascii():
        apart: Literal["NFD", "NFKD"] = "NFKD" if "K" in form else "NFD"
        text = _MARKS.sub(lambda found: _in_order(found[0], apart), text)
    return unicodedata.normalize(form, text)


def _in_order(marks: str, form: Literal["NFD", "NFKD"]) -> str:
    """Marks in the order that every normal form has; those without an order divide the others."""
    done: list[str] = []
    group: list[str] = []
    for sign in marks:
        for mark in unicodedata.normalize(form, sign):
            if not unicodedata.combining(mark):
                done += sorted(group, key=unicodedata.combining)
                group.clear()
                done.append(mark)
            else:
                group.append(mark)
    done += sorted(group, key=unicodedata.combining)
    return "".join(done)
