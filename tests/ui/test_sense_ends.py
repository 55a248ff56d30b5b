"""The fields of the two ends: what they hold, and what an old link leaves in them."""

from __future__ import annotations

from typing import Any

import pytest
import streamlit as st

from core.comparison import Ends
from core.comparison.ends import settle
from ui.contributions import state as why_state
from ui.models import session_models
from ui.sense_ends import ENDS, adopt, ends_for, unnamed


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    state: dict[str, Any] = {p.key: p.default for p in (*ENDS, *why_state.BETWEEN)}
    monkeypatch.setattr(st, "session_state", state)
    return state


def choose() -> Ends | None:
    return settle([one.get() for one in ENDS], "bank", ends_for("minilm", "bank", ()))


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


LINES = "x | A tall bank of grass.\ny | The bank lends money.\nz | Bank on it.\nx | no such word"


@pytest.mark.parametrize(
    ("wanted", "low", "high"),
    [
        ({}, "x:\nA tall bank of grass.", "y:\nThe bank lends money."),
        ({"to": "z"}, "x:\nA tall bank of grass.", "z:\nBank on it."),
        ({"from": "y"}, "y:\nThe bank lends money.", "x:\nA tall bank of grass."),
        ({"from": "nobody", "to": "x"}, "y:\nThe bank lends money.", "x:\nA tall bank of grass."),
    ],
)
def test_an_old_link_with_labelled_sentences(
    session: dict[str, Any], wanted: dict[str, str], low: str, high: str
) -> None:
    session[why_state.AXIS.key] = "labels"
    session[why_state.LINES.key] = LINES
    session[why_state.FROM.key] = wanted.get("from", "")
    session[why_state.TO.key] = wanted.get("to", "")
    adopt(ENDS, "bank")
    assert (session[ENDS.low.key], session[ENDS.high.key]) == (low, high)
    found = choose()
    assert found is not None
    assert found.names == (low[0], high[0])
    # Only once: what a visitor types afterwards stays.
    assert [session[p.key] for p in why_state.BETWEEN] == [p.default for p in why_state.BETWEEN]
    session[ENDS.low.key] = "cash"
    adopt(ENDS, "bank")
    assert session[ENDS.low.key] == "cash"


def test_old_links_without_sentences_of_their_own_leave_the_ends(session: dict[str, Any]) -> None:
    for axis, lines in (("labels", ""), ("anchors", LINES)):
        session[why_state.AXIS.key], session[why_state.LINES.key] = axis, lines
        adopt(ENDS, "bank")
        assert choose() == ends_for("minilm", "bank", ())


def test_of_one_label_alone_the_other_end_is_our_own(session: dict[str, Any]) -> None:
    session[why_state.AXIS.key] = "labels"
    session[why_state.LINES.key] = "x | A tall bank of grass.\ny | no such word"
    adopt(ENDS, "bank")
    found = choose()
    assert found is not None
    assert found.names == ("x", "river")
