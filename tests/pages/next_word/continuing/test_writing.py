"""The text goes on a moment at a time: stop, stop words, and what is kept of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import core
from pages.next_word import reading
from pages.next_word.continuing import writing
from pages.next_word.state import MOST_WRITTEN
from tests.pages.next_word.test_page import TEXT, press, visit
from tests.visits import run, said
from ui.models import model_cache

Made = Callable[..., Path]


@pytest.fixture
def name(made: Made, monkeypatch: pytest.MonkeyPatch) -> str:
    """A decoder that the app offers."""
    folder = made("llama")
    monkeypatch.setenv("POLYSEE_MODELS", str(folder.parent))
    return folder.name


@pytest.fixture
def model(made: Made) -> core.Model:
    loaded: core.Model = core.load(str(made("llama")))
    return loaded


def written(app: AppTest) -> list[int]:
    found = app.query_params.get("g", "")
    ids = found[0] if isinstance(found, list) else found
    return [int(one) for one in ids.split(".")] if ids else []


@pytest.mark.parametrize(
    ("typed", "stops"),
    [
        ("", ()),
        (".", (".",)),
        (" . | ! |↵|", (".", "!", "\n")),
        ("␣and␣| end of ", (" and ", "end of")),
        ("|||", ()),
        (".|.", (".",)),
        ("|".join(map(str, range(99))), tuple(map(str, range(writing.MOST_STOPS)))),
    ],
)
def test_stop_words(typed: str, stops: tuple[str, ...]) -> None:
    assert writing.stops(typed) == stops


@pytest.mark.fuzz
@pytest.mark.check
def test_a_token_a_run_writes_the_same(
    name: str, model: core.Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writing, "SLICE", 0.0)  # every token ends a run of the page
    app = press(visit(m=name, t=TEXT, se="3"), "Write 20")
    assert written(app) == [one.id for one in model.generate(TEXT, 20, seed=3)]


@pytest.mark.check
def test_stop_keeps_what_is_written_and_says_how_much(
    name: str, model: core.Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writing, "SLICE", 0.0)
    again, asked = writing.again, []

    def stopped_by_a_visitor() -> None:
        asked.append(1)
        if len(asked) == 5:
            writing._stop()
        again()

    monkeypatch.setattr(writing, "again", stopped_by_a_visitor)
    app = press(visit(m=name, t=TEXT, se="3"), "Run")
    assert written(app) == [one.id for one in model.generate(TEXT, 5, seed=3)]
    assert "You stopped it after 5 tokens" in said(app)
    assert not any(button.label == "Stop" for button in app.button)
    # It goes on from there as if nothing had been stopped.
    monkeypatch.setattr(writing, "again", again)
    app = press(app, "Write 20")
    assert written(app) == [one.id for one in model.generate(TEXT, 25, seed=3)]


def test_another_text_ends_the_writing_of_the_first(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing, "SLICE", 0.0)
    again = writing.again
    asked: list[int] = []

    def types_another_text() -> None:
        import streamlit as st

        asked.append(1)
        if len(asked) == 2:
            st.session_state["next word text"] = "The river"
            st.session_state["next word written"] = ()
            st.session_state["next word tried"] = ()
        again()

    monkeypatch.setattr(writing, "again", types_another_text)
    app = press(visit(m=name, t=TEXT), "Run")
    assert written(app) == []
    assert len(asked) == 2


def test_run_ends_at_the_most(name: str) -> None:
    app = press(visit(m=name, t=TEXT, se="3", tm="1.5"), "Run")
    assert "as long as the model can read" in said(app) or len(written(app)) == MOST_WRITTEN


@pytest.mark.check
def test_a_stop_word_ends_it_and_is_named(name: str, model: core.Model) -> None:
    every = [*model.generate(TEXT, 20, seed=3)]
    at = next(i for i, one in enumerate(every[3:], 3) if one.added.strip(" ").isalnum())
    word = every[at].added.strip(" ")
    want = [one.id for one in model.generate(TEXT, 20, seed=3, stop=("qqqq", word))]
    app = press(visit(m=name, t=TEXT, se="3", st=f"qqqq|{word}"), "Write 20")
    assert written(app) == want
    assert f"It stopped behind “{word}”, after {len(want)} token" in said(app)


@pytest.mark.check
def test_an_end_at_once_is_said_and_can_be_passed(
    name: str, made: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = core.load(str(made("llama")))
    (expected,) = model.predict(TEXT)
    rules = model._rules._replace(ends=frozenset({expected.ids[0]}))
    loaded = model_cache.wait_for(name)
    for one in (loaded, loaded.untraced):
        monkeypatch.setitem(vars(one), "_rules", rules)
    app = visit(m=name, t=TEXT, tm="0")
    assert "the text ends here" in said(app)
    app = press(app, "Write 20")
    assert written(app) == [expected.ids[0]]
    assert "the sign with which it ends a text" in said(app)
    assert "The text has ended" in said(app)
    app = press(app, "Go on with the likeliest word")
    assert written(app) == [expected.ids[1]]


def test_writing_runs_nothing_twice(
    name: str, model: core.Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = visit(m=name, t=TEXT, se="5")

    def runs(*args: object, **more: object) -> None:
        pytest.fail("the model reads the text anew")

    monkeypatch.setattr(core.Model, "next_token", runs)
    app = press(app, "Write 20")
    ids = tuple(written(app))
    assert len(ids) == 20
    monkeypatch.undo()
    found = reading.kept(name, TEXT, ids)
    assert found is not None
    want = model.next_token(TEXT, more=ids)
    np.testing.assert_allclose(found.logits, want.logits, rtol=1e-4, atol=1e-5)


def test_back_after_writing_loses_nothing(name: str) -> None:
    """An older address does not hold what was written since; the tree does, and a button brings it."""
    app = visit(m=name, t=TEXT, se="3")
    before = dict(app.query_params)
    app = press(app, "Write 20")
    ids = written(app)
    app.query_params.clear()
    for key, value in before.items():
        app.query_params[key] = value[0] if isinstance(value, list) else value
    with patch("ui.permalink.by_history", lambda: True):
        app = run(app)
    assert dict(app.query_params) == before  # so that Forward still leads on, and Back further back
    assert "What was tried" in said(app)
    app = press(app, "Bring it back")
    assert written(app) == ids
    # A page that was reset has no past.
    app = press(app, "Reset the page")
    assert "What was tried" not in said(app)


def test_what_was_taken_back_can_be_brought_back(name: str) -> None:
    app = press(visit(m=name, t=TEXT, se="3"), "Write 20")
    ids = written(app)
    assert not any(button.label == "Bring it back" for button in app.button)
    app = press(press(app, "Undo one"), "Bring it back")
    assert written(app) == ids
    app = press(press(app, "Start over"), "Bring it back")
    assert written(app) == ids


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("link", "says"),
    [
        ({"g": "abc..99"}, "`g=abc..99`"),
        ({"g": ".".join(["1"] * (MOST_WRITTEN + 1))}, "cannot be read"),
        ({"g": "9999998"}, "goes on with token 9,999,998"),
        ({"g": "1", "br": "1.9999997_1.2"}, "goes on with token 9,999,997"),
        ({"tm": "99"}, "`tm=99`"),
    ],
)
def test_a_link_that_cannot_be_followed_says_so_and_the_rest_works(
    name: str, link: dict[str, str], says: str
) -> None:
    app = visit(m=name, t=TEXT, **link)
    assert says in said(app)
    assert not app.error
    assert len(written(press(app, "Write 20"))) == 20
