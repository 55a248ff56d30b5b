"""Parts missing in every layer, on the page: links, switches, captions."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import core
from core.walkthroughs import depth
from core.walkthroughs.depth import Without
from pages.step_by_step.depth import captions
from pages.step_by_step.depth.results import PARTS
from pages.step_by_step.depth.view import LOG
from pages.step_by_step.state import StepsState
from tests import sentences
from tests.pages.reading import drawn
from tests.pages.steps_reading import link, visit
from tests.visits import run, said

pytestmark = pytest.mark.check

TEXT = "the cat ate the mouse"
VIEW = {"p": "what-if", "wi": "depth"}
SWITCHES = {
    "residual": StepsState.no_residual,
    "norm": StepsState.no_norm,
    "positions": StepsState.no_positions,
    "scale": StepsState.no_scale,
    "heads": StepsState.one_head,
}


def curves(app: AppTest) -> list[dict[str, np.ndarray]]:
    """The numbers of each picture, line by line; for the second, their logarithms."""
    found = []
    for header, sent in drawn(app):
        rows = np.frombuffer(sent, "<f4").reshape(-1, len(header["steps"]))
        assert [one["label"] for one in header["lines"]][: len(rows)]
        names = [one["name"] for one in header["lines"]]
        found.append(dict(zip(names, rows, strict=True)))
    return found


def test_the_view_opens_without_residual_connections(minilm: Any) -> None:
    app = visit(**VIEW)
    assert link(app, "p") == "what-if"
    read = minilm.read(TEXT)
    similarity, gradient = curves(app)
    for without, name in (
        (Without(), "complete"),
        (Without(residual=True), "without residual connections"),
    ):
        expected = depth.of_encoder(minilm.scratch_encoder, read.ids, read.types, without)
        np.testing.assert_allclose(similarity[name], expected.similarity, atol=1e-5)
        np.testing.assert_allclose(gradient[name], np.log10(expected.gradient), atol=1e-4)
    assert [header["log"] for header, _ in drawn(app)] == [False, True]
    assert f"**{similarity['complete'][-1]:.3f}**" in said(app)
    assert f"**{captions.number(10 ** float(gradient['complete'][1]))}**" in said(app)
    for term in ("Rank collapse", "residual connection", "Layer norm", "Vanishing gradient"):
        assert term in said(app)
    assert not [*app.error, *app.warning, *app.info]


@pytest.mark.parametrize("part", PARTS)
def test_each_switch_leaves_one_part_out(part: str) -> None:
    app = visit(**VIEW, sk="fresh", n="3", nr="0")
    assert all([*one] == ["complete"] for one in curves(app))
    app.toggle(key=SWITCHES[part].control).set_value(True)
    run(app)
    ids = _ids(app)
    expected = depth.fresh(ids, 3, Without(**{part: True}))
    name = f"without {captions.NAMES[part]}"
    similarity, gradient = curves(app)
    np.testing.assert_allclose(similarity[name], expected.similarity, atol=1e-6)
    np.testing.assert_allclose(gradient[name], np.log10(expected.gradient), atol=1e-5)
    assert np.abs(similarity[name] - similarity["complete"]).max() > 1e-4
    key = SWITCHES[part].url
    assert link(app, key) == (None if part == "residual" else "1")


def _ids(app: AppTest) -> tuple[int, ...]:
    from ui.models import model_cache

    return tuple(model_cache.model("minilm").read(TEXT).ids)


def test_all_parts_at_once_and_a_link_that_says_so() -> None:
    app = visit(**VIEW, sk="fresh", n="4", nn="1", np="1", ns="1", nh="1", nf="1")
    similarity, _ = curves(app)
    (_, name) = similarity
    assert all(one in name for one in captions.NAMES.values())
    expected = depth.fresh(_ids(app), 4, Without(*[True] * 5), norm_first=True)
    np.testing.assert_allclose(similarity[name], expected.similarity, atol=1e-6)
    assert {"nn", "np", "ns", "nh", "nf", "n", "sk"} < {*app.query_params}


def test_a_logarithmic_scale_shows_how_far_a_collapse_goes_on() -> None:
    app = visit(**VIEW, sk="fresh", n="4")
    (switch,) = [one for one in app.toggle if one.label == LOG]
    assert switch.disabled  # a cosine has no logarithm
    app.segmented_control(key=StepsState.measure.control).set_value("difference")
    run(app)
    assert (link(app, "ms"), link(app, "lg")) == ("difference", None)
    expected = depth.fresh(_ids(app), 4, Without(residual=True)).difference
    assert [header["log"] for header, _ in drawn(app)] == [False, True]
    np.testing.assert_allclose(curves(app)[0]["without residual connections"], expected, atol=1e-6)
    app.toggle(key=StepsState.log.control).set_value(True)
    run(app)
    assert (link(app, "ms"), link(app, "lg")) == ("difference", "1")
    assert [header["log"] for header, _ in drawn(app)] == [True, True]
    shown, _ = curves(app)
    np.testing.assert_allclose(
        shown["without residual connections"][:4], np.log10(expected[:4]), atol=1e-4
    )
    assert expected[3] < 1e-3  # where a cosine is 1.000
    app.segmented_control(key=StepsState.measure.control).set_value("similarity")
    run(app)
    assert (link(app, "ms"), link(app, "lg")) == (None, None)
    assert [header["log"] for header, _ in drawn(app)] == [False, True]


def test_a_link_of_before_that_asks_for_the_scale_alone_shows_the_difference() -> None:
    app = visit(**VIEW, sk="fresh", n="4", lg="1")
    assert [header["log"] for header, _ in drawn(app)] == [True, True]
    assert link(app, "ms") == "difference"


@pytest.mark.fuzz
def test_curves_stop_where_only_rounding_is_left() -> None:
    app = visit(**VIEW, sk="fresh", n="48", ms="difference", lg="1")
    shown, gradient = curves(app)
    found = depth.fresh(_ids(app), 48, Without(residual=True))
    assert found.difference[-1] < 1e-15  # that is where it ends
    cut = np.isfinite(shown["without residual connections"])
    assert np.flatnonzero(cut)[-1] == found.distinct < 15
    assert np.isfinite(shown["complete"]).all()
    assert np.isfinite(gradient["without residual connections"]).all()
    assert (
        sentences.numbers(sentences.saying(said(app), "rounding of numbers"))[0] == found.distinct + 1
    )
    assert "Noci" in said(app)


def test_the_number_of_layers() -> None:
    app = visit(**VIEW, sk="fresh")
    assert all(len(row) == 13 for one in curves(app) for row in one.values())
    app.number_input(key=StepsState.depth.control).set_value(48)
    run(app)
    assert all(len(row) == 49 for one in curves(app) for row in one.values())
    collapsed = sentences.saying(said(app), "one vector")
    assert sentences.numbers(collapsed)[-1] == captions.COLLAPSED


def test_the_papers_six_layers() -> None:
    app = visit(**VIEW, ti="paper")
    similarity, _ = curves(app)
    expected = depth.of_paper(_ids(app), Without())
    np.testing.assert_allclose(similarity["complete"], expected.similarity, atol=1e-5)
    assert "random" in said(app)


def test_in_place_of_the_tiny_models_one_layer_there_is_a_fresh_stack() -> None:
    app = visit(**VIEW, ti="1", tt="the more the merrier")
    similarity, _ = curves(app)
    assert len(similarity["complete"]) == 13
    assert "only one layer" in said(app)
    one = visit(**VIEW, ti="1", tt="more")
    assert "only one token" in said(one)
    assert len(curves(one)) == 1  # a gradient there is


def test_a_model_that_does_not_run_in_our_transformer_has_a_fresh_stack(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(core.Model, "scratch_encoder", None)
    app = visit(**VIEW)
    assert not [*app.error, *app.info]
    assert "does not run in our own transformer" in said(app)
    similarity, _ = curves(app)
    assert len(similarity["complete"]) == 13
    assert link(app, "sk") is None  # for the next model


@pytest.mark.parametrize(
    "url",
    [
        {"nr": "2", "nn": "x", "np": "", "ns": "-1", "nh": "<b>", "nf": "yes", "sk": "?", "n": "1"},
        {"sk": "fresh", "n": "49"},
        {"sk": "fresh", "n": "nan", "l": "999", "h": "0"},
        {"sk": "own", "n": "1e9", "ti": "9"},
    ],
)
def test_links_by_strangers_fall_back(url: dict[str, str]) -> None:
    app = visit(**VIEW, **url)
    assert not [*app.error, *app.warning]
    similarity, _ = curves(app)
    assert len(similarity["complete"]) == (13 if url["sk"] == "fresh" else 7)
    assert [*similarity] == ["complete", "without residual connections"]
    for key in ("nr", "nn", "np", "ns", "nh", "nf", "n"):
        assert link(app, key) is None


def test_the_other_questions_are_as_they_were() -> None:
    app = visit(p="what-if", wi="one-head", n="7", nn="1")
    assert [header["title"] for header, _ in drawn(app)] == ["One head"]
    assert link(app, "nn") == "1"


def test_numbers_that_are_none_are_not_on_the_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    nothing = depth.Depth(np.array([0.5, np.nan]), np.array([0.5, np.nan]), np.full(2, np.nan), 0)
    monkeypatch.setattr(depth, "fresh", lambda *_, **__: nothing)
    app = visit(**VIEW, sk="fresh", n="2", t="numbers that overflow in this test alone")
    everything = said(app) + json.dumps([header for header, _ in drawn(app)])
    assert "nan" not in everything.lower().replace("tinan", "")
    assert "too large" in everything
