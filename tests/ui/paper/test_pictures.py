"""The pictures of a sheet: black, with each number in words, and no answer before the key."""

from __future__ import annotations

import re

from core.lessons import lessons
from core.lessons.pictured import Bars, Lines
from ui.paper import pictures

STEP = next(one for lesson in lessons() for one in lesson.steps if len(one.scale) == 2)


def test_a_line_to_mark_has_both_ends_with_their_names() -> None:
    drawn = pictures.line(STEP, {"low": "money", "high": "river"})
    first, last = (float(one) for one in re.findall(r'd="M([\d.]+) 0\.5', drawn))
    assert first < last
    assert "−1 money" in drawn
    assert "1 river" in drawn
    choice = next(one for one in lessons()[0].steps if not one.scale)
    assert pictures.line(choice, {}) == ""


def test_bars_are_as_long_as_their_numbers() -> None:
    drawn = pictures.of(Bars(("one <", "two"), (0.5, 0.25)))
    first, second = (float(one) for one in re.findall(r'width="([\d.]+)"', drawn))
    assert first == 2 * second
    assert "one &lt;" in drawn
    assert "0.25" in drawn
    assert ">Share of the attention<" in drawn
    assert ">Probability of the next word<" in pictures.of(Bars(("one",), (0.5,), expected=True))


def test_of_many_bars_the_largest_stay_in_their_order() -> None:
    values = tuple(one / 40 for one in range(20))
    drawn = pictures.of(Bars(tuple(f"w{i}" for i in range(20)), values))
    assert re.findall(r">(w\d+)<", drawn) == [f"w{i}" for i in range(14, 20)]


def test_lines_end_at_their_numbers_with_the_names_of_both_ends() -> None:
    shown = Lines((1, 2, 3), (("A", (0.0, 0.5, 1.25)), ("B", (0.0, -0.5, -1.0)), ("", (0, 0, 0.1))))
    drawn = pictures.of(shown, ("money", "river"))
    for words in ("A 1.25", "B −1", "alone 0.10", "money −1", "river 1"):
        assert words in drawn
    assert drawn.count("stroke-dasharray") == 2  # told apart without a colour
    assert not re.search(r"#(?!000|555)", drawn)


def test_nothing_is_drawn_of_nothing() -> None:
    assert pictures.of(None) == ""
