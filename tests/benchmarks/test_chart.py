"""Charts of what was measured: where a number stands, and what is too large for the frame."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from benchmarks import chart

SVG = "{http://www.w3.org/2000/svg}"


def test_equal_ratios_are_equal_steps_where_powers_are_counted() -> None:
    axis = chart.Axis("texts", (1, 10, 100), powers=True)
    assert axis.place(10, 0, 200) == 100
    assert axis.place(1, 0, 200) == 0
    assert axis.place(1_000, 0, 200) == 200  # at the end, not beyond it


def test_equal_differences_are_equal_steps_else() -> None:
    axis = chart.Axis("texts", (0, 50, 100))
    assert axis.place(25, 400, 0) == 300
    assert axis.place(-5, 400, 0) == 400


def drawn(asked: float | None = None) -> ElementTree.Element:
    lines = [
        chart.Line("ours & theirs", "blue", False, {1: 10, 2: 20}),
        chart.Line("other", "orange", True, {1: 20, 2: None}),
    ]
    axes = chart.Axis("visitors", (1, 2)), chart.Axis("seconds", (0, 10, 20))
    return ElementTree.fromstring(chart.draw(lines, *axes, "Title <b>", asked=asked))


def test_each_number_is_a_dot_and_what_was_not_measured_is_a_ring_at_the_top() -> None:
    circles = drawn().findall(f"{SVG}circle")
    at = [(float(one.get("cx", 0)), float(one.get("cy", 0)), one.get("r")) for one in circles]
    middle = (chart.TOP + chart.BOTTOM) / 2
    assert at == [
        (chart.LEFT, middle, "4"),
        (chart.RIGHT, chart.TOP, "4"),
        (chart.LEFT, chart.TOP, "4"),
        (chart.RIGHT, chart.TOP, "5.5"),
    ]


def test_names_at_the_ends_stand_apart_and_markup_is_text() -> None:
    root = drawn()
    texts = {one.text: one for one in root.iter(f"{SVG}text")}
    assert "Title <b>" in texts
    names = [float(texts[name].get("y", 0)) for name in ("ours & theirs", "other")]
    assert abs(names[0] - names[1]) >= chart.APART


@pytest.mark.parametrize("asked", [None, 5.0])
def test_a_target_is_drawn_where_there_is_one(asked: float | None) -> None:
    rules = [one for one in drawn(asked=asked).iter(f"{SVG}line") if one.get("class") == "asked"]
    assert len(rules) == (asked is not None)
    for rule in rules:
        assert float(rule.get("y1", 0)) == chart.BOTTOM - (chart.BOTTOM - chart.TOP) / 4
