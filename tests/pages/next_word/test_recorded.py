"""The answer that stands there while the model is read, or where it cannot be had."""

from __future__ import annotations

import numpy as np
import pytest

import core
from core.errors import ModelNotFound
from pages.next_word import recorded
from pages.next_word.state import MODEL_NAME, OPENING
from tests.pages.next_word.test_page import shown, visit
from tests.visits import said
from tools.recorded_answers import recorded as answer_of
from tools.recorded_answers import texts
from ui.models import model_cache


def test_there_is_one_for_each_example_of_the_page() -> None:
    assert {*recorded.answers()} == {*texts()}
    assert recorded.FILE.stat().st_size < 20_000


@pytest.fixture
def not_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """No model can be loaded."""

    def cannot(name: str, *more: object) -> None:
        raise ModelNotFound(f"“{name}” is not on this machine.")

    monkeypatch.setattr(model_cache, "_slots", {})
    monkeypatch.setattr(model_cache, "load", cannot)
    monkeypatch.setattr(model_cache, "model", cannot)
    monkeypatch.setattr(model_cache, "reader", cannot)


@pytest.mark.parametrize("text", [OPENING, "Two plus two equals", "Hello 😀", "word " * 600])
def test_without_the_model_the_page_says_why_and_shows_what_was_recorded(
    not_here: None, text: str
) -> None:
    app = visit(t=text)
    one = recorded.answers().get(text) or recorded.answers()[OPENING]
    assert "is not on this machine" in said(app)
    assert "A recorded answer" in said(app)
    assert ("Of your text nothing was recorded" in said(app)) == (text not in recorded.answers())
    _, sent = shown(app, "recorded-next-word")
    found = np.frombuffer(sent, "<f4")
    np.testing.assert_allclose(found[:10], one.shares, rtol=1e-5)
    assert found.sum() == pytest.approx(1, abs=1e-5)
    assert shown(app, "recorded-surprise")[0]["labels"][0] == one.pieces[0]


def test_a_class_sees_the_recorded_bars_and_that_they_are_recorded(not_here: None) -> None:
    app = visit(present="1")
    assert "It gives **Mary** 92.3 %. (a recorded answer" in said(app)
    assert shown(app, "recorded-next-word")
    assert not any("recorded-surprise" in str(one) for one in app.get("bidi_component"))


@pytest.mark.check
def test_it_is_what_the_model_says() -> None:
    model = core.load(MODEL_NAME)
    for text, one in recorded.answers().items():
        found = answer_of(model, text)
        for name in ("pieces", "ids", "tokens", "texts", "written", "others"):
            want = found[name]
            assert getattr(one, name) == (tuple(want) if isinstance(want, list) else want), name
        np.testing.assert_allclose(one.shares, found["shares"], atol=1e-4)
        np.testing.assert_allclose(np.array(one.bits[1:], float), found["bits"][1:], atol=1e-3)
        assert one.entropy == pytest.approx(found["entropy"], abs=1e-3)
