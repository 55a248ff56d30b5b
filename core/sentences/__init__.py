"""The sentences that two languages write: Python on the server, JavaScript in a visitor's own tab.

`table.json` has them as templates, each under a name; `{word}` is filled in. What a template says, and
which of several it is, is decided by the code that fills it in; a template holds only words. The
JavaScript reads the same file: `core/figures/web/src/derive/sentences.js`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from types import MappingProxyType

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
    return _table()[name].format_map(values)


def listed(words: Sequence[str]) -> str:
    """Words in a row, as a sentence has them: "A", "A and B", "A, B and C"."""
    *others, last = words
    return sentence("list.and", others=", ".join(others), last=last) if others else last


@cache
def _table() -> Mapping[str, str]:
    return MappingProxyType(json.loads(FILE.read_text("utf-8")))
