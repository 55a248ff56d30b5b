"""Tables with editable cells."""

from __future__ import annotations

from unittest.mock import MagicMock

import pandas as pd
import pytest

from tests.ui.state.small_pages import by
from ui import state
from ui.state import Field


def test_a_table_takes_all_changes_since_it_began(monkeypatch: pytest.MonkeyPatch) -> None:
    streamlit = MagicMock(session_state={})
    by(streamlit, monkeypatch)
    cells = Field("c", "cells", "", parse=str)

    def changed(now: str, more: list[tuple[int, str, object]]) -> str:
        return now + "".join(f"{row}{name}={typed};" for row, name, typed in more)

    def draw() -> str:
        state.table(cells, "A", lambda now: pd.DataFrame({"x": [now]}), take=changed, columns={})
        return str(streamlit.data_editor.call_args.kwargs["key"])

    def type_in(key: str, rows: dict[int, dict[str, int]]) -> None:
        streamlit.session_state[key] = {"edited_rows": rows}
        streamlit.data_editor.call_args.kwargs["on_change"]()

    key = draw()
    type_in(key, {0: {"x": 3}})
    assert cells.get() == "0x=3;"
    assert draw() == key  # the same table: it keeps the keyboard
    type_in(key, {0: {"x": 3}, 1: {"y": 4}})
    assert cells.get() == "0x=3;1y=4;"
    cells.set("")  # all back: what was typed is forgotten
    assert draw() != key
