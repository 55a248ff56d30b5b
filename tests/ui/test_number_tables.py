"""Editable tables of numbers: typed numbers are accepted, or refused with a sentence."""

from __future__ import annotations

from typing import Any
from unittest.mock import MagicMock

import pandas as pd
import pytest

from core.walkthroughs import tiny_numbers, word_and_position
from core.walkthroughs.editable import Tables
from tests.sentences import numbers
from ui import number_tables
from ui.state import Choice, Field


class Drawn:
    """A table drawn with Streamlit's editor, and typed values."""

    def __init__(self, tables: Tables, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
        self.streamlit = MagicMock(session_state={})
        self.streamlit.columns.return_value = (MagicMock(), MagicMock())
        for module in (
            "state.controls.editable_table",
            "state.control_sync",
            "session",
            "permalink",
            "number_tables",
        ):
            monkeypatch.setattr(f"ui.{module}.st", self.streamlit)
        monkeypatch.setattr(number_tables, "select", lambda *_, **__: name)
        self.tables, self.name = tables, name
        self.typed: dict[str, dict[int, dict[str, str | None]]] = {}
        self.edits = Field("ed", "edits", "", parse=tables.readable)
        self.draw()

    def draw(self) -> None:
        which, titles = Choice("mx", "matrix", self.name, (self.name,)), {self.name: self.name}
        rows = [str(i) for i in range(len(self.tables.numbers[self.name]))]
        self.streamlit.warning.reset_mock()
        number_tables.edit(self.tables, self.edits, which, titles, lambda _: rows)

    @property
    def editor(self) -> Any:
        return self.streamlit.data_editor.call_args

    @property
    def shown(self) -> pd.DataFrame:
        return self.editor.args[0]

    def type(self, row: int, column: str, text: str | None) -> str:
        """Type into a cell; returns the warning of the next run."""
        key = self.editor.kwargs["key"]
        self.typed.setdefault(key, {}).setdefault(row, {})[column] = text
        self.streamlit.session_state[key] = {"edited_rows": self.typed[key]}
        self.editor.kwargs["on_change"]()
        self.draw()
        calls = self.streamlit.warning.call_args_list
        return str(calls[0].args[0]) if calls else ""


@pytest.fixture(params=[(tiny_numbers.TABLES, "W_Q"), (word_and_position.TABLES, "E")])
def drawn(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Drawn:
    tables, name = request.param
    return Drawn(tables, name, monkeypatch)


def test_a_number_is_taken(drawn: Drawn) -> None:
    assert drawn.type(0, "1", "−5.125") == ""
    assert drawn.edits.get() == f"{drawn.name}.0.0.-5.125"
    key = drawn.editor.kwargs["key"]
    assert drawn.type(1, "2", "7") == ""
    assert drawn.editor.kwargs["key"] == key  # the same table: it keeps the keyboard
    assert drawn.edits.get() == f"{drawn.name}.0.0.-5.125~{drawn.name}.1.1.7"


@pytest.mark.parametrize("typed", ["1e9", "abc", "−5.55555", "0,5", "", None, "<b>" * 50])
def test_what_is_not_taken_is_said_with_what_would_be(drawn: Drawn, typed: str | None) -> None:
    drawn.type(0, "1", "3")
    key = drawn.editor.kwargs["key"]
    said = drawn.type(0, "1", typed)
    *_, least, most, decimals = numbers(said)
    assert (least, most, decimals) == (-100, 100, 3)
    if typed:
        assert typed[:3] in said.replace("\\", "")
    assert len(said) < 300
    assert drawn.edits.get() == f"{drawn.name}.0.0.3"  # as it was before
    assert drawn.editor.kwargs["key"] != key  # the browser forgets what was refused
    assert float(str(drawn.shown.iat[0, 0])) == 3
    drawn.draw()
    assert not drawn.streamlit.warning.called  # said once


def test_what_is_right_beside_it_is_taken(drawn: Drawn) -> None:
    key = drawn.editor.kwargs["key"]
    drawn.typed[key] = {0: {"1": "abc", "2": "4"}}
    assert "abc" in drawn.type(1, "1", "5")
    assert drawn.edits.get() == f"{drawn.name}.0.1.4~{drawn.name}.1.0.5"


def test_a_cell_that_stays_as_it_was_is_no_change(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = Drawn(word_and_position.TABLES, "P", monkeypatch)
    text = str(drawn.shown.iat[1, 0])
    assert text == "0.841"  # and there are more decimals behind it
    assert drawn.type(1, "1", text) == ""
    assert drawn.edits.get() == ""


def test_all_cells_have_the_same_decimals(drawn: Drawn) -> None:
    def decimals() -> set[int]:
        return {len(text.partition(".")[2]) for text in drawn.shown.to_numpy().ravel()}

    (before,) = decimals()
    drawn.edits.set(f"{drawn.name}.0.0.0.125")
    drawn.draw()
    assert decimals() == {3}
    assert before < 3
