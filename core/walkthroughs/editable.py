"""Small tables of numbers that a visitor may change, and the changes as stored in a link.

No torch here.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from ..records.frozen import Array, frozen

LEAST, MOST, DECIMALS = -100.0, 100.0, 3  # of a number that is typed

Edits = Mapping[tuple[str, int, int], float]


class Tables:
    """Tables by their names in a link; a vector has one row.

    Args:
        numbers: (rows, columns) float32 each.
    """

    def __init__(self, numbers: Mapping[str, Array]) -> None:
        self.numbers = numbers

    def changed(self, edits: Edits) -> dict[str, Array]:
        """All tables with the edits applied, (rows, columns) each.

        Raises:
            ValueError: if there is no such cell, or the number is not finite or beyond ±100.
        """
        tables = {name: table.copy() for name, table in self.numbers.items()}
        for (name, row, column), value in edits.items():
            if name not in tables or not _is_cell(tables[name], row, column) or not _is_fit(value):
                raise ValueError(f"{name}[{row}, {column}] = {value} is not allowed.")
            tables[name][row, column] = value
        return {name: frozen(table) for name, table in tables.items()}

    def checked(self, edits: Edits) -> Edits:
        """The same edits.

        Raises:
            ValueError: see `changed`.
        """
        self.changed(edits)
        return edits

    def written(self, edits: Edits) -> str:
        """The edits as text for a link: "W_Q.0.1.2.5", joined by "~"; unchanged cells are omitted."""
        there = {
            cell: float(f"{value:.6g}")
            for cell, value in edits.items()
            if np.float32(value) != self.numbers[cell[0]][cell[1], cell[2]]
        }
        return "~".join(f"{n}.{r}.{c}.{v:g}" for (n, r, c), v in sorted(there.items()))

    def read(self, text: str) -> dict[tuple[str, int, int], float]:
        """The edits in a link.

        Raises:
            ValueError: if it cannot be parsed; or see `changed`.
        """
        edits: dict[tuple[str, int, int], float] = {}
        for part in text.split("~") if text else []:
            name, row, column, value = part.split(".", 3)
            if not (row.isascii() and row.isdigit() and column.isascii() and column.isdigit()):
                raise ValueError(part)
            edits[name, int(row), int(column)] = float(value)
        self.changed(edits)
        return edits

    def readable(self, text: str) -> str:
        """The edits of a link, unchecked; ValueError if they cannot be parsed."""
        self.read(text)
        return text


def typed_number(typed: object) -> float | None:
    """A number as people type it: "-0.5", "−0.5", ".25".

    Returns:
        None if it is not a number, is out of bounds, or has more than `DECIMALS` decimals.
    """
    if not isinstance(typed, str) or "_" in typed:
        return None
    try:
        value = float(typed.strip().replace("−", "-"))
    except ValueError:
        return None
    return value + 0.0 if _is_fit(value) and round(value, DECIMALS) == value else None


def decimals(table: Array) -> int:
    """The number of decimals shown in a table: 1 to `DECIMALS`, as its longest number needs."""
    return next(
        (n for n in range(1, DECIMALS) if np.allclose(table, np.round(table, n), rtol=0, atol=1e-6)),
        DECIMALS,
    )


def _is_cell(table: Array, row: int, column: int) -> bool:
    return 0 <= row < len(table) and 0 <= column < len(table[0])


def _is_fit(value: float) -> bool:
    return math.isfinite(value) and LEAST <= value <= MOST
