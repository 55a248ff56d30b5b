"""The sentences that two languages write: Python on the server, JavaScript in a visitor's own tab.

`table.json` has them as templates, each under a name; `{word}` is filled in. What a template says, and
which of several it is, is decided by the code that fills it in; a template holds only words. The
JavaScript reads the same file: `core/figures/web/src/derive/sentences.js`. Here a sentence is in the
language of the context where that has it; in the browser, in that of the page
(`core/localization/browser.py`).
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from types import MappingProxyType

from ..localization import decimal, gettext

FILE = Path(__file__).with_name("table.json")
# Characters of what a visitor typed that a sentence quotes: of a word, of a text.
MOST_OF_WORD, MOST_OF_TEXT = 40, 60


def sentence(name: str, /, **values: str) -> str:
    """A sentence of the table, filled in.

    Args:
        name: its name in the table.
        **values: what takes the place of each `{name}`, as it shall appear.

    Raises:
        KeyError: there is no such sentence, or it needs another value.
    """
    return gettext(_table()[name]).format_map(values)


def listed(words: Sequence[str]) -> str:
    """Words in a row, as a sentence has them: "A", "A and B", "A, B and C"."""
    *others, last = words
    return sentence("list.and", others=", ".join(others), last=last) if others else last


def percent(share: float, digits: int = 1, *, down: bool = False) -> str:
    """A share from 0 to 1 as every sentence has it: 97.3 %, 73.0 %, 100 %.

    One rule for the decimals of a page: a share is rounded to one, and has none where it is a whole
    percentage, not only near one, as 1 of 2 is. What is not all is never 100 %, and what is not
    nothing never 0 %: without decimals, a share below 1 % or above 99 % has one.

    Args:
        share: the share.
        digits: the most decimals, 0 or 1.
        down: round down, so that a goal that is not reached does not look so.
    """
    if 0 < share < 0.0005:
        return gettext("less than 0.1 %")
    if 0.9995 <= share < 1 and not down:
        return gettext("more than 99.9 %")
    if 0 < share < 0.01 or 0.99 < share < 1:
        digits = 1
    shown = math.floor(100 * share * 10**digits + 1e-6) / 10**digits if down else 100 * share
    written = f"{shown:.{digits}f}"
    exact = abs(100 * share - round(100 * share)) < 1e-5  # as 1 of 2 is, in 32 bits too
    return decimal(f"{written.removesuffix('.0') if digits and exact else written} %")


def signed(value: float, digits: int = 2, *, plus: bool = False) -> str:
    """A number as on every screen, with a true minus sign: −0.62.

    Args:
        value: the number.
        digits: the number of decimals; a number that rounds to 0 has no sign.
        plus: whether positive numbers have a sign too.
    """
    text = f"{abs(value):.{digits}f}"
    if float(text) == 0:
        return decimal(text)
    return decimal(f"{'−' if value < 0 else '+' if plus else ''}{text}")


@cache
def _table() -> Mapping[str, str]:
    return MappingProxyType(json.loads(FILE.read_text("utf-8")))
