"""The numbers of a transformer so small that they fit the screen, and what a visitor changed in them.

Four positions, d_model 6, 2 heads of 3, d_ff 8; chosen by hand, with one decimal. No torch here.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from ..errors import NotSupported
from ..records.frozen import Array, frozen

WORDS = ("the", "more", "less", "merrier", "better")
LONGEST = 4
D_MODEL, N_HEADS, D_FF, EPS = 6, 2, 8, 1e-5
LEAST, MOST = -100.0, 100.0

# What each matrix is called in a link, and how a formula writes it.
NAMES: Mapping[str, str] = {
    "E": "E",
    "P": "P",
    "W_Q": "W_Q",
    "W_K": "W_K",
    "W_V": "W_V",
    "W_O": "W_O",
    "g_1": "γ_1",
    "s_1": "β_1",
    "W_1": "W_1",
    "b_1": "b_1",
    "W_2": "W_2",
    "b_2": "b_2",
    "g_2": "γ_2",
    "s_2": "β_2",
}
_TABLES = {
    "E": """
        0.2 -0.1  0.3  0.0  0.1 -0.2
        1.0  0.4 -0.6  0.8  0.0  0.5
       -1.0  0.4 -0.6 -0.8  0.0  0.5
        0.7 -0.9  0.2  0.9  1.1 -0.3
        0.3 -0.8  0.4  0.6  1.2  0.6""",
    "P": """
        0.0  0.5  0.0  0.5  0.0  0.5
        0.4  0.3  0.1  0.5  0.0  0.5
        0.5 -0.2  0.2  0.4  0.1  0.5
        0.1 -0.5  0.3  0.4  0.1  0.4""",
    "W_Q": """
        1.2  0.0 -0.4  0.3  0.0  0.5
        0.0  0.9  0.2 -0.6  0.4  0.0
       -0.3  0.1  1.1  0.0  0.8 -0.2
        0.8 -0.5  0.0  1.0  0.1  0.0
        0.0  0.4  0.6 -0.2  1.3  0.3
        0.5  0.0 -0.1  0.4  0.0  0.9""",
    "W_K": """
        0.9  0.3  0.0  0.0 -0.7  0.2
       -0.2  1.0  0.5  0.8  0.0  0.1
        0.0 -0.4  0.8  0.3  0.6  0.0
        1.1  0.0  0.2 -0.9  0.2  0.4
        0.3  0.6  0.0  0.5  1.0 -0.3
        0.0  0.2 -0.5  0.0  0.1  0.7""",
    "W_V": """
        0.6  0.0  0.2 -0.5  0.3  0.0
        0.1  0.7  0.0  0.4  0.0 -0.2
        0.0 -0.3  0.9  0.0  0.5  0.1
       -0.4  0.2  0.0  0.8  0.0  0.6
        0.5  0.0  0.3  0.1  0.7  0.0
        0.0  0.4 -0.1  0.0  0.2  0.9""",
    "W_O": """
        0.8  0.0  0.1 -0.3  0.0  0.2
        0.0  0.6  0.0  0.4 -0.2  0.0
        0.3  0.0  0.7  0.0  0.1 -0.4
       -0.1  0.5  0.0  0.9  0.0  0.3
        0.2  0.0 -0.6  0.0  0.8  0.0
        0.0  0.1  0.3  0.2  0.0  0.5""",
    "W_1": """
        0.7 -0.3  0.0  0.5  0.1  0.0 -0.6  0.2
        0.0  0.8 -0.4  0.0  0.3  0.6  0.0 -0.1
       -0.5  0.0  0.9  0.2  0.0 -0.7  0.4  0.0
        0.3  0.4  0.0 -0.8  0.6  0.0  0.1  0.5
        0.0 -0.2  0.6  0.0  0.9  0.3  0.0 -0.4
        0.2  0.0  0.1  0.7  0.0 -0.5  0.8  0.0""",
    "W_2": """
        0.6  0.0 -0.2  0.3  0.0  0.1
        0.0  0.5  0.1  0.0 -0.4  0.2
       -0.3  0.0  0.7  0.0  0.2  0.0
        0.1 -0.6  0.0  0.8  0.0 -0.1
        0.0  0.2  0.4  0.0  0.9  0.0
        0.5  0.0  0.0 -0.3  0.1  0.6
        0.0 -0.1  0.3  0.2  0.0  0.7
        0.2  0.4  0.0 -0.5  0.0  0.0""",
    "b_1": "0.1 0.0 -0.1 0.2 0.0 0.1 0.0 -0.2",
    "b_2": "0.0 0.1 0.0 -0.1 0.2 0.0",
    "g_1": "1.0 1.2 0.9 1.0 1.1 0.8",
    "s_1": "0.0 0.1 0.0 -0.1 0.0 0.2",
    "g_2": "1.1 1.0 1.0 0.9 1.0 1.2",
    "s_2": "0.1 0.0 -0.1 0.0 0.2 0.0",
}
Edits = Mapping[tuple[str, int, int], float]


def _table(text: str) -> Array:
    return frozen([[float(number) for number in line.split()] for line in text.strip().split("\n")])


NUMBERS: Mapping[str, Array] = {name: _table(text) for name, text in _TABLES.items()}


def changed(edits: Edits) -> dict[str, Array]:
    """All numbers with some of them changed, (rows, columns) each; a vector has one row.

    Raises:
        ValueError: there is no such cell, or the number is not finite or beyond ±100.
    """
    tables = {name: table.copy() for name, table in NUMBERS.items()}
    for (name, row, column), value in edits.items():
        if name not in tables or not _is_cell(tables[name], row, column) or not _is_fit(value):
            raise ValueError(f"{name}[{row}, {column}] = {value} cannot be.")
        tables[name][row, column] = value
    return {name: frozen(table) for name, table in tables.items()}


def written(edits: Edits) -> str:
    """The edits as a link carries them: "W_Q.0.1.2.5", "~" between them; without what is as usual."""
    there = {
        cell: float(f"{value:.6g}")
        for cell, value in edits.items()
        if np.float32(value) != NUMBERS[cell[0]][cell[1], cell[2]]
    }
    return "~".join(f"{n}.{r}.{c}.{v:g}" for (n, r, c), v in sorted(there.items()))


def read_edits(text: str) -> dict[tuple[str, int, int], float]:
    """The edits of a link.

    Raises:
        ValueError: it cannot be read, or as `changed`.
    """
    edits: dict[tuple[str, int, int], float] = {}
    for part in text.split("~") if text else []:
        name, row, column, value = part.split(".", 3)
        if not (row.isascii() and row.isdigit() and column.isascii() and column.isdigit()):
            raise ValueError(part)
        edits[name, int(row), int(column)] = float(value)
    changed(edits)
    return edits


def words_of(text: str) -> list[str]:
    """What stands in a text between spaces, small, without the punctuation around it."""
    words = [word.strip(".,;:!?…\"'“”‘’()-–—") for word in text.lower().split()]
    return [word for word in words if word]


def read_words(text: str) -> tuple[int, ...]:
    """The ids of the words of a text, by their indices in `WORDS`; at most the first four.

    Raises:
        NotSupported: there is none, or one that it does not know.
    """
    typed = words_of(text)
    unknown = [word for word in typed if word not in WORDS]
    if unknown or not typed:
        # A word of any length, of any script, may stand there.
        what = f"“{unknown[0][:30]}” is not one of them" if unknown else "Type one of them"
        raise NotSupported(f"The tiny model knows five words: {', '.join(WORDS)}. {what}.")
    return tuple(WORDS.index(word) for word in typed[:LONGEST])


def _is_cell(table: Array, row: int, column: int) -> bool:
    return 0 <= row < len(table) and 0 <= column < len(table[0])


def _is_fit(value: float) -> bool:
    return math.isfinite(value) and LEAST <= value <= MOST


def clipped(value: object) -> float | None:
    """A number that somebody typed, within the bounds; None if it is none."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return None
    return float(min(MOST, max(LEAST, value)))


def names_of(ids: Sequence[int]) -> tuple[str, ...]:
    """The words of some ids."""
    return tuple(WORDS[i] for i in ids)
