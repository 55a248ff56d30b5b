"""Step by step without a browser: trained models under a mask, and decoders, the paper's among them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import core
from core.walkthroughs.steps.descriptions import CROSS, STEPS
from pages.step_by_step.state import StepsState
from tests import sentences
from tests.pages.reading import text_box
from tests.pages.steps_reading import link, listed, picture, result, visit
from tests.visits import press, run, said

pytestmark = pytest.mark.check

TEXT = "On the river bank"


def above(n: int) -> np.ndarray:
    return np.triu(np.ones((n, n), bool), 1)


@pytest.mark.parametrize("layer", [1, 4])
def test_minilm_with_a_mask_and_without(minilm: Any, layer: int) -> None:
    app = visit(t=TEXT, st="weights", l=str(layer), h="3")
    free = result(app)
    assert (free > 0).all()
    app.toggle(key=StepsState.causal.control).set_value(True)
    run(app)
    assert link(app, "c") == "1"
    weights, trace = result(app), minilm.causal_trace(TEXT)
    assert (weights[above(len(weights))] == 0).all()
    np.testing.assert_allclose(weights.sum(axis=1), 1, atol=1e-6)
    np.testing.assert_allclose(weights, trace.attention.weights[layer - 1, 2], atol=1e-6)
    assert "trained without a mask" in said(app)
    before = {1: "hidden in layer 1.", 4: "hidden in layer 4 and in layers 1 to 3 before it"}[layer]
    assert before in said(app)
    press(app, "back steps step")
    header, matrices = picture(app)
    assert header["title"] == STEPS["mask"].title
    hidden = header["matrices"][-1]["hidden"]
    assert [tuple(cell) for cell in hidden] == [*zip(*np.nonzero(above(len(weights))), strict=True)]
    scores = trace.scores(layer - 1, 2).values
    seen = ~above(len(weights))
    np.testing.assert_allclose(matrices[-1][seen], scores[seen], atol=1e-4)


@pytest.mark.parametrize("layer", [1, 6])
def test_the_last_step_is_compared_with_an_equally_masked_pass(minilm: Any, layer: int) -> None:
    app = visit(t=TEXT, st="norm2", l=str(layer), c="1")
    np.testing.assert_allclose(result(app), minilm.causal_trace(TEXT).hidden[layer - 1], atol=1e-5)
    assert np.abs(result(app) - minilm.trace(TEXT).hidden[layer - 1]).max() > 1e-2
    assert "with the same mask" in said(app)
    apart = said(app).rpartition("with the same mask, ")[2]
    assert "exactly equal" in apart or sentences.numbers(apart)[0] < 1e-5


def test_the_csv_of_a_mask_has_no_finite_score_above() -> None:
    from core.walkthroughs.steps.record import LOWEST, Matrix
    from pages.step_by_step import shown_step

    hidden = above(3)
    values = np.where(hidden, LOWEST, 1).astype(np.float32)
    table = shown_step.table(
        Matrix("masked", values, ("a", "b", "c"), ("a", "b", "c"), hidden=hidden), "mask"
    )
    np.testing.assert_array_equal(np.isneginf(table.to_numpy()), hidden)


def test_a_decoder_shows_its_own_mask(
    made: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = made("gpt2")
    monkeypatch.setenv("POLYSEE_MODELS", str(folder.parent))
    trace = core.load(str(folder)).trace(TEXT)
    assert trace.attention is not None
    app = visit(m=folder.name, t=TEXT, st="weights", l="2", h="2")
    assert not [*app.error, *app.warning]
    (switch,) = [one for one in app.toggle if one.label == "Mask"]
    assert switch.value
    assert switch.disabled
    weights = result(app)
    assert (weights[above(len(weights))] == 0).all()
    np.testing.assert_allclose(weights, trace.attention.weights[1, 1], atol=1e-6)
    assert "does not run in our own transformer" not in said(app)
    header, _ = picture(app)
    press(app, "back steps step")
    masked, matrices = picture(app)
    assert len(masked["matrices"][-1]["hidden"]) == above(len(weights)).sum()
    seen = ~above(len(weights))
    np.testing.assert_allclose(matrices[-1][seen], trace.scores(1, 1).values[seen], atol=1e-5)
    assert header["titles"] == masked["titles"]
    # Whatever the link contains, the mask belongs to the model.
    np.testing.assert_array_equal(
        result(visit(m=folder.name, t=TEXT, st="weights", l="2", h="2", c="1")), weights
    )


def test_an_encoder_of_another_engine_shows_its_attention(
    made: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = made("electra", hidden_act="tanh")  # which our transformer does not know
    monkeypatch.setenv("POLYSEE_MODELS", str(folder.parent))
    app = visit(m=folder.name, t=TEXT, st="weights", c="1")
    assert not [*app.error, *app.warning]
    assert not [one for one in app.toggle if one.label == "Mask"]
    assert (result(app) > 0).all()


def test_the_decoder_of_the_papers_size() -> None:
    app = visit(ti="paper", t=TEXT, ts="Am Ufer", st="weights", l="6", h="8")
    encoder = result(app)
    app = visit(ti="paper", hf="decoder", t=TEXT, ts="Am Ufer", st="weights", l="6", h="8")
    weights = result(app)
    assert (weights[above(len(weights))] == 0).all()
    assert (encoder > 0).all()
    (switch,) = [one for one in app.toggle if one.label == "Mask"]
    assert switch.value
    assert switch.disabled
    header, _ = picture(app)
    assert len(header["titles"]) == 21 + len(CROSS)
    assert header["titles"][-1] == STEPS["norm2"].title


@pytest.mark.parametrize("name", [*CROSS, "mask", "inner", "norm2"])
def test_every_step_of_the_decoder(name: str) -> None:
    app = visit(ti="paper", hf="decoder", t=TEXT, ts="am Ufer", st=name, l="2", h="8", q="2", k="3")
    assert not [*app.error, *app.warning, *app.info]
    header, matrices = picture(app)
    assert all(np.isfinite(one).all() for one in matrices)
    if name in CROSS:
        assert header["title"] == CROSS[name].title
        assert CROSS[name].formula in said(app)
    if name == "cross-weights":
        assert matrices[-1].shape[0] != matrices[-1].shape[1]
        np.testing.assert_allclose(matrices[-1].sum(axis=1), 1, atol=1e-6)
    apart = said(app).rpartition("whole model ")[2]
    assert "exactly equal" in apart or sentences.numbers(apart)[0] < 1e-5


def test_another_source_changes_the_cross_attention_alone() -> None:
    url = {"ti": "paper", "hf": "decoder", "t": TEXT, "l": "1"}
    for name, changes in (("weights", False), ("cross-value", True), ("norm2", True)):
        app = visit(**url, ts="am Ufer", st=name)
        before = result(app)
        text_box(app, StepsState.source.control).set_value("am Fluss")
        after = result(run(app))
        assert (before.shape != after.shape or np.abs(before - after).max() > 1e-3) == changes, name


@pytest.mark.parametrize(
    ("url", "sentence"),
    [({"ts": " "}, "The source is empty"), ({"t": " "}, "The text is empty")],
)
def test_an_empty_half_is_said(url: dict[str, str], sentence: str) -> None:
    app = visit(**{"ti": "paper", "hf": "decoder", **url})
    assert sentence in said(app)
    assert not app.exception


def test_a_long_source_is_cut_and_it_is_said() -> None:
    app = visit(
        ti="paper", hf="decoder", t=TEXT, ts="the river bank is wide " * 120, st="cross-weights"
    )
    assert result(app).shape[1] == 16
    assert "cut" in sentences.saying(said(app), "source is", "“… ", "river bank is")
    assert sentences.numbers(sentences.saying(said(app), "[CLS", "[SEP")) == [16]


def test_without_its_mask_an_encoder_stays_at_the_scores() -> None:
    app = visit(t=TEXT, st="mask", c="1", l="2", h="3")
    masked = picture(app)[0]
    app.toggle(key=StepsState.causal.control).set_value(False)
    run(app)
    free = picture(app)[0]
    assert free["title"] == STEPS["scale"].title
    assert link(app, "st") == "scale"
    # The scores have one scale before and after the mask.
    before, after = masked["matrices"]
    assert before["bound"] == after["bound"] == free["matrices"][-1]["bound"]


def test_the_lines_of_the_mask_say_what_stands_for_infinity() -> None:
    app = visit(t=TEXT, st="mask", c="1", py="1")
    assert len(app.code) == 2
    assert all("−∞" in one.value for one in app.code)
    stands = sentences.saying(said(app), "lowest number", "32 bits")
    assert sentences.numbers(stands)[0] == pytest.approx(np.finfo(np.float32).min, rel=0.01)
    other = visit(t=TEXT, st="scale", c="1", py="1")
    assert not [one for one in other.code if "∞" in one.value]
    assert "In the code, the lowest" not in said(other)


def test_a_step_of_the_decoder_is_not_lost_on_the_encoder() -> None:
    """A missing step is replaced by a similar one."""
    for url in ({}, {"ti": "1"}, {"ti": "paper"}):
        app = visit(st="cross-weights", **url)
        assert picture(app)[0]["title"] == STEPS["weights"].title
        assert listed(app, "Step").value == "weights"


def test_links_of_other_sizes_have_no_half() -> None:
    for url in ({}, {"ti": "1"}, {"ti": "paper", "p": "plain"}, {"ti": "paper", "p": "what-if"}):
        app = visit(hf="decoder", ts="x", **url)
        assert not app.error
        assert not [one for one in app.toggle if one.disabled]
