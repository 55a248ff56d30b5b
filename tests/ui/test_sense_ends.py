"""The fields of the two ends: what they hold."""

from __future__ import annotations

from typing import Any

import pytest
import streamlit as st

from ui import sense_ends
from ui.models import session_models
from ui.sense_ends import ENDS, ends_for, unnamed


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    state: dict[str, Any] = {p.key: p.default for p in ENDS}
    monkeypatch.setattr(st, "session_state", state)
    return state


def test_a_model_that_was_trained_here_is_asked_for_no_spelling(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(session_models, "is_own", lambda name: True)
    found = ends_for("yours-1", "Bank", ())
    assert found is not None
    assert found.names == ("wild", "office")
    assert ends_for("yours-1", "lamp", ()) is None


def test_what_names_no_meaning_in_a_box_is_said(session: dict[str, Any]) -> None:
    assert unnamed(ENDS) == ""
    session[ENDS.low.key] = ","
    assert unnamed(ENDS).startswith("“\\,”")
    session[ENDS.high.key] = ",,"
    assert unnamed(ENDS).startswith("“\\,” and “\\,\\,” ")


def test_the_chips_of_the_two_ends_have_their_colours_and_marks() -> None:
    style = sense_ends._colours(["paint", "fur", "garment"], ("garment", "paint"))
    low, high = (rule for rule in style.split("}") if "--end:" in rule)
    assert ":nth-child(3)" in low  # garment, at −1
    assert "rgb(118 42 131)" in low
    assert ":nth-child(1)" in high
    assert "rgb(27 120 55)" in high
    assert style.index('"▼"') < style.index('"▲"')
    assert sense_ends._colours(["paint", "fur"], ()) == "<style></style>"
