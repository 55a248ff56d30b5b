from __future__ import annotations

import json
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

from core.figures import sense_paths, style
from core.trace import frozen

A = frozen([-0.62, -0.58, 0.25, 0.5, 0.75])  # learned, + position, three layers
B = frozen([-0.62, -0.58, -0.5, -0.75, -1.25])


def draw(a: Any = A, b: Any = B, low: str = "money", high: str = "river") -> go.Figure:
    return sense_paths(frozen(a), frozen(b), low=low, high=high)


def named(figure: go.Figure) -> dict[str, Any]:
    return {line.name: line for line in figure.data}


def test_a_line_for_each_sentence() -> None:
    lines = named(draw())
    assert list(lines) == ["Sentence A", "Sentence B", "Learned"]
    for name, places, colour in (("A", A, style.SENTENCE_A), ("B", B, style.SENTENCE_B)):
        line = lines[f"Sentence {name}"]
        np.testing.assert_array_equal(line.y, places)
        assert list(line.x) == [0, 1, 2, 3, 4]
        assert line.line.color == colour
    # Never by colour alone.
    assert lines["Sentence A"].marker.symbol != lines["Sentence B"].marker.symbol


def test_hover_names_the_depth_and_the_place() -> None:
    line = named(draw())["Sentence B"]
    assert [list(row) for row in line.customdata] == [
        ["learned", "−.620"],
        ["+ position", "−.580"],
        ["Layer 1", "−.500"],
        ["Layer 2", "−.750"],
        ["Layer 3", "−1.250"],
    ]
    assert "%{customdata[0]}: %{customdata[1]}" in line.hovertemplate


def test_both_start_at_one_grey_point() -> None:
    start = named(draw())["Learned"]
    assert (list(start.x), start.y[0]) == ([0], A[0])
    assert start.marker.color == style.LEARNED


def test_words_that_start_apart_have_no_common_start() -> None:
    assert list(named(draw(b=[-0.1, *B[1:]]))) == ["Sentence A", "Sentence B"]


def test_depth_runs_to_the_right_and_the_high_sense_is_up() -> None:
    figure = draw()
    assert list(figure.layout.xaxis.tickvals) == [0, 1, 2, 3, 4]
    assert list(figure.layout.xaxis.ticktext) == ["◆", "+pos", "1", "2", "3"]
    low, high = figure.layout.yaxis.range
    assert low < -1.25 < 1 < high
    ends = dict(zip(figure.layout.yaxis.tickvals, figure.layout.yaxis.ticktext, strict=True))
    assert ends[-1] == "money −1"
    assert ends[1] == "river +1"
    guides = [shape.y0 for shape in figure.layout.shapes]
    assert guides == [-1, 1, 0]


@pytest.mark.parametrize("far", [-7.0, 7.0])
def test_a_place_far_out_is_still_in_the_picture(far: float) -> None:
    low, high = draw(b=[*B[:-1], far]).layout.yaxis.range
    assert low < far < high
    assert (low, high) != (-1.2, 1.2)


def test_names_of_senses_are_text() -> None:
    figure = draw(low="<b>", high="&")
    assert figure.layout.yaxis.ticktext[0] == "&lt;b&gt; −1"
    assert figure.layout.yaxis.ticktext[-1] == "&amp; +1"


def tops_and_bottoms(figure: go.Figure) -> list[tuple[float, float]]:
    """Where the labels at the line ends lie, in pixels upwards, in a picture as a page draws it."""
    margin = figure.layout.margin
    pixels = figure.layout.height - margin.t - margin.b - 50  # 50: ticks and title of the x axis
    low, high = figure.layout.yaxis.range
    found = []
    for note in figure.layout.annotations:
        middle = (note.y - low) / (high - low) * pixels + note.yshift
        half = note.font.size * 0.6
        found.append((middle - half, middle + half))
    return found


@pytest.mark.parametrize("far", [1, 10, 100])
@pytest.mark.parametrize("gap", [0.0, 1e-4, -1e-4, 0.05, -0.05, 0.17, -0.17, 0.19, -0.19, 0.4, -0.4, 2])
def test_labels_at_line_ends_do_not_overlap(gap: float, far: float) -> None:
    figure = draw(a=[0, 0.1 * far, 0.3], b=[0, -far, 0.3 - gap])
    (a_low, a_high), (b_low, b_high) = tops_and_bottoms(figure)
    if gap >= 0:
        assert b_high <= a_low + 0.5
    else:
        assert a_high <= b_low + 0.5
    texts = [note.text for note in figure.layout.annotations]
    assert texts[0] == "<b>A .30</b>"
    assert texts[1] == f"<b>B {style.signed(0.3 - gap)}</b>"


def test_every_label_sits_right_of_the_last_point_in_its_colour() -> None:
    a, b = draw().layout.annotations
    assert a.x == b.x == 4
    assert a.xanchor == b.xanchor == "left"
    assert (a.font.color, b.font.color) == (style.SENTENCE_A, style.SENTENCE_B)


def test_what_travels_is_float32_and_small() -> None:
    sent = draw().to_json()
    lines = {line["name"]: line for line in json.loads(sent)["data"]}
    assert lines["Sentence A"]["y"]["dtype"] == "f4"
    assert len(sent) < 12_000
