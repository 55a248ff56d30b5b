"""The editable numbers of the tiny model."""

from __future__ import annotations

from collections.abc import Sequence

from core.localization import N_, gettext
from core.walkthroughs import tiny_numbers
from pages.step_by_step.state import StepsState
from ui import number_tables

_WHAT = {
    "E": N_("the embedding table"),
    "P": N_("positions"),
    "g_1": N_("first norm"),
    "s_1": N_("first norm"),
    "g_2": N_("second norm"),
    "s_2": N_("second norm"),
}


# All that attention without weights reads; positions only where they are added.
_PLAIN = {"embedded": ("E", "P"), "learned": ("E",)}


def edit(s: StepsState) -> None:
    """An editable table of one of the matrices that the view reads, and a button to undo the edits."""
    plain = s.view.get() == "plain"
    titles = {name: _title(name) for name in (_PLAIN[s.vector.get()] if plain else tiny_numbers.NAMES)}
    number_tables.edit(tiny_numbers.TABLES, s.edits, s.matrix, titles, _rows)


def _title(name: str) -> str:
    what = f", {gettext(_WHAT[name])}" if name in _WHAT else ""
    return f"{tiny_numbers.NAMES[name]}{what}"


def _rows(name: str) -> Sequence[str]:
    if name == "E":
        return tiny_numbers.WORDS
    return [str(i + 1) for i in range(len(tiny_numbers.NUMBERS[name]))]
