"""The editable numbers of the tiny model."""

from __future__ import annotations

from collections.abc import Sequence

from core.walkthroughs import tiny_numbers
from pages.step_by_step.state import StepsState
from ui import number_tables

_WHAT = {
    "E": "the embedding table",
    "P": "positions",
    "g_1": "first norm",
    "s_1": "first norm",
    "g_2": "second norm",
    "s_2": "second norm",
}


def edit(s: StepsState) -> None:
    """An editable table of one of the model's matrices, and a button to undo the edits."""
    titles = {name: _title(name) for name in tiny_numbers.NAMES}
    number_tables.edit(tiny_numbers.TABLES, s.edits, s.matrix, titles, _rows)


def _title(name: str) -> str:
    return f"{tiny_numbers.NAMES[name]}{', ' + _WHAT[name] if name in _WHAT else ''}"


def _rows(name: str) -> Sequence[str]:
    if name == "E":
        return tiny_numbers.WORDS
    return [str(i + 1) for i in range(len(tiny_numbers.NUMBERS[name]))]
