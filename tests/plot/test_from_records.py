"""Figures for papers contain the numbers of their records, and names without markup for Plotly."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import core
from core import plot
from core.language import Sampling
from core.measures import Projection, head_map
from core.records.attention import Attention
from core.records.contributions import Contributions
from core.records.prediction import Expectation

WEIGHTS = np.random.default_rng(0).dirichlet(np.ones(5), (2, 3, 4)).astype("f4")
OWN = Attention(("<s>", "&", "a", "a"), ("b", "<i>b", "c", "d", "e"), WEIGHTS)


def test_a_head_is_a_heatmap_of_its_weights() -> None:
    (cells,) = plot.attention(OWN, 1, 2).data
    np.testing.assert_array_equal(cells.z, WEIGHTS[1, 2])
    figure = plot.attention(OWN, 1, 2)
    assert figure.layout.yaxis.ticktext == ("&lt;s&gt;", "&amp;", "a", "a")
    assert figure.layout.yaxis.tickvals == (0, 1, 2, 3)  # two tokens of one name are two rows
    assert figure.layout.yaxis.autorange == "reversed"
    assert cells.customdata[0][1].tolist() == ["&lt;s&gt;", "&lt;i&gt;b"]
    assert "Layer 2, head 3" in figure.layout.meta["sentence"]


def test_the_mean_of_heads_and_a_map_are_drawn_too() -> None:
    np.testing.assert_allclose(plot.attention(OWN, 0).data[0].z, WEIGHTS[0].mean(axis=0), atol=1e-6)
    one = head_map(OWN, 0, 1, special=True)
    np.testing.assert_array_equal(plot.attention(one).data[0].z, WEIGHTS[0, 1])
    with pytest.raises(IndexError):
        plot.attention(OWN, 2, 0)


def test_what_a_causal_head_may_not_see_is_no_number(minilm: core.Model) -> None:
    trace = minilm.trace("On the river bank")
    assert not np.isnan(plot.attention(trace, 0, 0).data[0].z).any()
    masked = np.triu(np.ones((4, 4), bool), k=1)
    lower = np.tril(np.ones((4, 4), np.float32))
    shown = head_map(OWN, 0, 0, special=True)
    causal = type(shown)(
        shown.queries, shown.queries, lower / lower.sum(axis=1, keepdims=True), False,
        np.zeros(4), np.arange(4), masked=masked,
    )  # fmt: skip
    np.testing.assert_array_equal(np.isnan(plot.attention(causal).data[0].z), masked)


def test_a_path_has_a_curve_a_sentence() -> None:
    figure = plot.path({"A": [0.2, 0.9], "third": [-0.1, -1.4]}, low="money", high="river")
    assert [curve.name for curve in figure.data] == ["A", "third"]
    np.testing.assert_allclose(figure.data[1].y, [-0.1, -1.4], atol=1e-6)
    assert figure.layout.yaxis.ticktext == ("money −1", "halfway 0", "river +1")
    assert figure.layout.yaxis.range[0] < -1.4
    with pytest.raises(ValueError, match="at least one"):
        plot.path({}, low="a", high="b")


@pytest.mark.parametrize("depth", [-1, 1])
def test_a_move_ends_at_the_depth_that_is_drawn(depth: int) -> None:
    at = np.random.default_rng(2).normal(size=(2, 4, 3)).astype("f4")
    at[1, 0] = at[0, 0]
    projection = Projection(at, np.array([0.5, 0.3, 0.1]))
    flat = {trace.name: trace for trace in plot.plane(projection, ["A", "B"], depth=depth).data}
    assert (flat["A"].x[0], flat["A"].y[0]) == pytest.approx(at[0, depth, :2])
    assert (flat["learned"].x[0], flat["learned"].y[0]) == pytest.approx(at[0, 0, :2])
    trails = [t for t in plot.plane(projection, ["A", "B"], depth=depth).data if t.mode == "lines"]
    assert [len(trail.x) for trail in trails] == [depth % 4 + 1] * 2
    deep = plot.space(projection, ["A", "B"], depth=depth)
    named = [trace for trace in deep.data if trace.text]
    found = {text: point for t in named for text, *point in zip(t.text, t.x, t.y, t.z, strict=True)}
    assert found["B"] == pytest.approx(at[1, depth])


def test_an_accuracy_starts_at_the_learned_vectors() -> None:
    figure = plot.accuracy([0.5, 0.75, 1], chance=0.5)
    np.testing.assert_allclose(figure.data[0].y, [0.5, 0.75, 1])
    assert figure.layout.xaxis.ticktext == ("learned", "1", "2")
    assert "guess 0.50" in figure.layout.yaxis.ticktext


def test_contributions_add_up_to_the_whole() -> None:
    parts = np.array([[0.5, -0.25, 1.0]])
    record = Contributions(
        ("a", "b", "c"), (2,), -1 + 0, np.ones(3), 1.5, parts, np.array([0.25]),
        np.zeros((0, 1, 3)), np.zeros((0, 1, 3)),
    )  # fmt: skip
    (shown,) = plot.contributions(record, unit="towards river").data
    assert sum(shown.x) == pytest.approx(1.5)
    assert [*shown.text] == ["+0.50", "−0.25", "+1.00", "+0.25"]
    assert len(set(shown.marker.color)) == 2
    assert len(plot.contributions(record, bias=False).data[0].x) == 3
    apart = plot.contributions(replace(record, sink=True)).layout.yaxis.ticktext
    assert apart == ("a, first token (sink)", "b", "c", "(bias)")


def test_the_next_word_as_its_temperature_and_cuts_leave_it() -> None:
    logits = np.log(np.array([0.1, 0.4, 0.2, 0.05, 0.25], "f4"))
    ids = (1, 4, 2, 0, 3)
    names = tuple(f" {i}" for i in ids)
    found = Expectation(3, "next", logits, ids, names, names)
    figure = core.plot.next_word(found, ends={4})
    np.testing.assert_allclose(figure.data[0].x, [0.4, 0.25, 0.2, 0.1, 0.05], rtol=1e-5)
    assert figure.data[0].customdata[:2] == ("␣1", "end of text")
    cut = core.plot.next_word(found, Sampling(top_k=2))
    np.testing.assert_allclose(cut.data[0].x, [0.4 / 0.65, 0.25 / 0.65, 0, 0, 0], rtol=1e-5)
    hot = core.plot.next_word(found, Sampling(2.0)).data[0].x
    roots = np.sqrt([0.4, 0.25, 0.2, 0.1, 0.05])
    np.testing.assert_allclose(hot, roots / roots.sum(), rtol=1e-5)
    many = np.sort(np.random.default_rng(0).normal(size=37).astype("f4"))[::-1]
    some = tuple(range(37))
    wide = Expectation(0, "next", many, some, tuple(map(str, some)), tuple(map(str, some)))
    bars = core.plot.next_word(wide).data[0]
    assert len(bars.x) == 11
    assert bars.customdata[-1] == "27 others"
    assert sum(bars.x) == pytest.approx(1, rel=1e-5)
