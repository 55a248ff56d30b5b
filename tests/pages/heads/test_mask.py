"""Heads without a browser: a causal mask on an encoder, for any sentence; and a decoder's own."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import core
from pages.heads import difference, export, pattern_captions, zoom
from pages.heads.displayed import panel_of
from pages.heads.state import HeadsState
from tests.pages.heads.test_export import chosen
from tests.pages.heads.test_page import visit
from tests.visits import said
from ui.query import TextQuery

TEXT = "On the river bank"
MASKED = TextQuery("minilm", TEXT, causal=True)
FREE = TextQuery("minilm", TEXT)


def above(n: int) -> np.ndarray:
    return np.triu(np.ones((n, n), bool), 1)


def test_the_switch_masks_every_layer(minilm: Any) -> None:
    app = visit(t=TEXT, l="2", h="9", r="head")
    switch = app.toggle(key=HeadsState.sides[0].causal.control)
    assert not switch.value
    switch.set_value(True).run()
    assert not app.exception
    assert app.query_params["c"] in ("1", ["1"])
    words = said(app)
    assert "trained without a mask" in words
    assert "−∞" in words


@pytest.mark.parametrize("text", [TEXT, "I ate some of Bob's cake!", "unbelievable 😀", "a"])
@pytest.mark.parametrize("layer", ["1", "6"])
def test_scores_are_infinite_before_and_weights_nothing_after(
    minilm: Any, text: str, layer: str
) -> None:
    one = panel_of(TextQuery("minilm", text, causal=True), chosen(l=layer, h="3", r="head", s="1"))
    weights = one.drawn.attention.weights
    later = above(weights.shape[-1])
    assert (weights[..., later] == 0).all()
    np.testing.assert_allclose(weights.sum(axis=-1), 1, atol=1e-5)
    np.testing.assert_array_equal(one.drawn.mask(int(layer) - 1), later)
    picture = zoom.drawn([one])
    assert picture.header["causal"]
    assert picture.header["file"].endswith("-masked")
    assert "causal mask" in picture.header["sentence"]
    # Computed by hand from the scores of this run.
    scores = minilm.causal_trace(text).scores(int(layer) - 1, 2)
    powers = np.exp(np.where(later, -np.inf, scores.values.astype(float)))
    np.testing.assert_allclose(
        weights[int(layer) - 1, 2], powers / powers.sum(axis=1, keepdims=True), atol=1e-5
    )


def test_every_picture_says_that_it_is_masked() -> None:
    for link in ({"l": "0"}, {"l": "3"}, {"l": "mean"}, {"l": "3", "u": "1"}):
        masked, free = (zoom.drawn([panel_of(one, chosen(**link))]).header for one in (MASKED, FREE))
        assert "causal mask" in masked["sentence"]
        assert masked["file"] == f"{free['file']}-masked"
        assert "causal mask" not in free["sentence"]


@pytest.mark.parametrize("part", ["", "aa", "bb", "ab", "ba"])
@pytest.mark.parametrize("layer", ["0", "2", "mean"])
def test_a_pair_under_a_mask(part: str, layer: str) -> None:
    """The second text comes later: the first cannot attend to it, and the page says so."""
    app = visit(t="a river", t2="a bank", c="1", l=layer, n=part, s="1")
    assert not app.exception
    assert not app.error
    one = panel_of(
        TextQuery("minilm", "a river", "a bank", causal=True), chosen(l=layer, n=part, s="1")
    )
    weights = one.drawn.attention.weights
    if part == "ab":
        assert np.isnan(weights).all()
        if layer != "0":
            assert "comes later" in zoom.drawn([one]).header["whyNoScores"]
    else:
        np.testing.assert_allclose(
            np.nan_to_num(weights, nan=1 / weights.shape[-1]).sum(axis=-1), 1, atol=1e-5
        )


def test_files_have_the_mask(minilm: Any) -> None:
    one = panel_of(MASKED, chosen(l="2", h="9", s="1"))
    found = np.load(io.BytesIO(export.npz(one)))
    np.testing.assert_array_equal(found["masked"][0], above(6))
    np.testing.assert_array_equal(found["weights"], minilm.causal_trace(TEXT).attention.weights[1:2])
    rows = [line.split(",") for line in export.csv(one).strip().splitlines()[1:]]
    assert [float(rows[i][j + 1]) for i in range(6) for j in range(i + 1, 6)] == [0.0] * 15
    page = export.offline([MASKED], [chosen(l="2", h="9")], "")
    assert "causal mask" in page
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pages.heads.export.state.published", lambda: lambda field: field.default)
        saved = export.saved_as(HeadsState(), [MASKED], 0, one, "")
    assert {file.name for file in saved} >= {
        "polysee-layer-2-masked-head-9.csv",
        "polysee-layer-2-masked.npz",
    }


def test_the_lines_of_python_give_the_masked_weights(
    minilm: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(core, "load", lambda name: minilm)
    one = panel_of(MASKED, chosen(l="2", h="9", s="1"))
    lines = [line for line in export.python(one, one).splitlines() if not line.startswith("layer_of")]
    there: dict[str, Any] = {}
    exec("\n".join(lines[:-1]), there)
    np.testing.assert_array_equal(
        eval(lines[-1], there), minilm.causal_trace(TEXT).attention.weights[1, 8]
    )


def test_a_model_beside_itself_under_a_mask(minilm: Any) -> None:
    panels = [
        panel_of(one, chosen(side, l="2", l2="2", h="9", h2="9", s="1"))
        for side, one in enumerate((FREE, MASKED))
    ]
    less = difference.less(*panels)
    assert less.difference is not None
    expected = (
        minilm.trace(TEXT).attention.weights[1, 8] - minilm.causal_trace(TEXT).attention.weights[1, 8]
    )
    np.testing.assert_allclose(less.difference.values, expected, atol=1e-6)
    assert "causal mask" in less.names[1]
    assert "causal mask" not in less.names[0]
    app = visit(t=TEXT, m2="minilm", c2="1", l="2", l2="2")
    assert "with a causal mask" in said(app)


def test_what_is_asked_of_the_model_as_it_was_trained_says_so() -> None:
    app = visit(t=TEXT, c="1", l="2", yo="1")
    assert "switch the causal mask off" in said(app)
    assert "usual patterns are those" in repr(pattern_captions.why_not(panel_of(MASKED, chosen(l="2"))))


def test_a_decoder_has_the_mask_by_itself(
    made: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = made("gpt2")
    monkeypatch.setenv("POLYSEE_MODELS", str(folder.parent))
    for url in ({}, {"c": "1"}, {"c": "0"}):
        app = visit(m=folder.name, t=TEXT, l="1", h="1", r="head", **url)
        (switch,) = [one for one in app.toggle if one.label.startswith("Causal mask")]
        assert switch.value
        assert switch.disabled
    one = panel_of(TextQuery(folder.name, TEXT), chosen(l="1", h="1", r="head", s="1"))
    assert zoom.drawn([one]).header["causal"]
    n = one.drawn.attention.weights.shape[-1]
    assert (one.drawn.attention.weights[..., above(n)] == 0).all()


@pytest.mark.parametrize("kind", ["mpnet", "t5"])
def test_others_have_no_switch_to_turn(
    made: Callable[..., Path], monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    folder = made(kind)
    monkeypatch.setenv("POLYSEE_MODELS", str(folder.parent))
    app = visit(m=folder.name, t=TEXT, c="1", l="1")
    (switch,) = [one for one in app.toggle if one.label.startswith("Causal mask")]
    assert not switch.value
    assert switch.disabled
    assert not app.exception
    assert not app.error


def test_masked_words_and_the_causal_mask_go_together(
    made: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = made("bert")
    monkeypatch.setenv("POLYSEE_MODELS", str(folder.parent))
    app = visit(m=folder.name, t=TEXT, c="1", mk="3", l="1")
    assert not app.exception
    assert "without the causal mask" in said(app)
