"""One of several options."""

from __future__ import annotations

from unittest.mock import MagicMock

import pytest

from tests.pages.reading import text_box
from tests.ui.state.small_pages import by, form, found, more_of, visit
from tests.visits import run
from ui import state
from ui.state import Field, Whole


def test_an_option_that_is_not_offered_falls_back() -> None:
    app = visit(p="two", c="c")
    assert found(app) == ["two", False, "b"]
    app.toggle(key="marked control").set_value(True)
    run(app)
    assert found(app) == ["two", True, "a"]  # the default is not offered either
    assert app.query_params["c"] == "a"


def test_an_option_can_be_taken_again_and_again() -> None:
    app = form()
    for typed in ("y", "yy"):
        app.button_group(key="letters control").set_value("y")
        run(app)
        run(app)
        assert app.query_params["t"] == typed
        assert app.button_group(key="letters control").value is None


def test_a_list_of_other_names_is_another_list_and_a_number_beyond_it_becomes_the_last() -> None:
    app = more_of(q="7")
    assert found(app)[0] == 2
    before = app.selectbox[0]
    text_box(app, "words control").set_value("two dogs")
    run(app)
    assert found(app)[:2] == [1, []]
    assert app.selectbox[0].options == ["two (1)", "dogs (2)"]
    assert app.selectbox[0].id != before.id
    assert "q" not in app.query_params  # the default again


def test_a_list_that_comes_back_with_another_ones_name_changes_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    streamlit = MagicMock(session_state={"at": 0})
    by(streamlit, monkeypatch)
    monkeypatch.setattr("ui.models.attempt.st", streamlit)
    at = Whole("q", "at", 1, 0, 999)
    state.select(at, {0: "the (1)", 1: "dog (2)"}, "Word", by_names=True)
    drawn = streamlit.selectbox.call_args.kwargs
    for said, chosen in (("cat (3)", 0), (5, 0), (1, 1)):
        streamlit.session_state[drawn["key"]] = said
        drawn["on_change"]()
        assert at.get() == chosen


@pytest.mark.parametrize(("more", "expected"), [(True, "a/b"), (False, "dog")])
def test_a_list_takes_what_is_typed_only_where_it_may(
    monkeypatch: pytest.MonkeyPatch, more: bool, expected: str
) -> None:
    streamlit = MagicMock(session_state={})
    by(streamlit, monkeypatch)
    other = Field("m2", "other", "", parse=str)
    state.select(other, {"": "none", "dog": "Dog"}, "Other", more=more)
    drawn = streamlit.selectbox.call_args.kwargs
    assert drawn["accept_new_options"] is more
    for typed, chosen in (("dog", "dog"), ("a/b", expected), (None, expected), (5, expected)):
        streamlit.session_state[drawn["key"]] = typed
        drawn["on_change"]()
        assert other.get() == chosen
