"""The view It copies: on a small random decoder, and its examples' numbers on SmolLM2."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import core
from core.language.repetition import repeated
from core.measures import copying_heads
from core.records.trace import Trace
from tests import left_to_right, visits
from tests.pages.reading import drawn
from tests.visits import said

Made = Callable[..., Path]


@pytest.fixture
def name(made: Made, monkeypatch: pytest.MonkeyPatch) -> str:
    """A decoder that the app offers."""
    folder = made("llama")
    monkeypatch.setenv("POLYSEE_MODELS", str(folder.parent))
    return folder.name


@pytest.mark.check
def test_the_view_shows_the_model_s_own_numbers() -> None:
    app = visits.visit("next_word", v="2", p="copying", il="5", iz="7", ia="2", ik="1", iq="1")
    assert not app.exception, app.exception
    assert not app.error, [one.value for one in app.error]
    model = left_to_right.real()
    text = repeated(lambda some: model.read(some).ids, 5, 7)
    trace: Trace = model.trace(text)
    assert trace.attention is not None
    found = copying_heads(trace.attention.weights, 5)
    pictures = {header["file"]: np.frombuffer(sent, "<f4") for header, sent in drawn(app)}
    np.testing.assert_allclose(
        pictures["polysee-copying-induction"], found.induction.ravel(), rtol=1e-4, atol=1e-6
    )
    before = model.score(text).bits
    without = model.score_changed(text, *(core.Ablate(*one) for one in found.ranked()[:2])).bits
    halves = pictures["polysee-copying-halves"]
    each = len(halves) // 2
    assert halves[[0, each]] == pytest.approx([before[-10:-5].mean(), before[-5:].mean()], rel=1e-4)
    assert halves[[1, each + 1]] == pytest.approx(
        [without[-10:-5].mean(), without[-5:].mean()], rel=1e-4
    )
    assert f"{before[-5:].mean():.1f} the second" in said(app)


def test_a_model_that_knows_too_few_of_our_words_says_so(name: str) -> None:
    app = visits.visit("next_word", v="2", p="copying", m=name, il="5")
    assert not app.exception, app.exception
    (error,) = app.error
    assert "of our words as one token" in error.value


@pytest.mark.check
def test_own_pairs_and_what_is_none() -> None:
    url = {"v": "2", "p": "copying", "il": "5", "ia": "0", "ix": "1"}
    app = visits.visit("next_word", **url, ip="hot : cold\nbig : small\nup : down")
    assert not app.exception, app.exception
    assert "of 3, by the examples" in said(app)
    app = visits.visit("next_word", **url, ip="<b>river</b>")
    assert not app.exception, app.exception
    assert len(app.error) == 1


@pytest.mark.check
def test_the_numbers_of_the_examples() -> None:
    """Also those of the literature: second half easy, three heads carry it, random ones do not."""
    model = left_to_right.real()
    text = repeated(lambda some: model.read(some).ids, 25, 1)
    trace = model.trace(text, keep="attention")
    assert trace.attention is not None
    found = copying_heads(trace.attention.weights, 25)
    bits = model.score(text).bits
    best = [core.Ablate(*one) for one in found.ranked()[:3]]
    without = model.score_changed(text, *best).bits
    page = (Path(__file__).parents[3] / "pages/next_word/page.copying.md").read_text("utf-8")
    numbers = (bits[-50:-25].mean(), bits[-25:].mean(), without[-25:].mean())
    assert all(f"{number:.1f}" in page for number in numbers)
    assert found.ranked()[0] == (18, 6)
    assert found.ranked("previous")[0] == (16, 0)
    assert f"{found.previous[16, 0]:.2f}".lstrip("0") in page
    assert {(14, 3), (8, 0)} <= {*found.ranked("duplicate")[:2]}
    assert found.ranked("sink")[0] == (18, 8)
