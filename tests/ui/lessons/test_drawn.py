"""A prediction drawn on the answer: the places on the line, who chose what, and nobody's HTML."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from core.lessons import Answer, Choice, Click, Number, Step, Value, lessons
from core.lessons.parsing import Mark
from ui.lessons import drawn

STEP = lessons()[0].steps[0]
MARKS = (Mark(-1.0, "{low}"), Mark(1.0, "{high}"))
TEXTS = {"low": "money", "high": "<b>river"}


def of_number(predicted: float, right: float, near: float = 0.25) -> str:
    step = replace(STEP, prediction=Number(near), scale=MARKS)
    return drawn.answer(step, Answer(right, (), ""), predicted, TEXTS)


def place(html: str, kind: str) -> float:
    found = re.search(rf'class="{kind}" style="left:([\d.]+)%', html)
    assert found, html
    return float(found[1])


def test_the_prediction_and_the_answer_are_where_they_are() -> None:
    html = of_number(0.5, -0.5)
    assert place(html, "dot you") == 75  # from −1 to 1
    assert place(html, "dot model") == 25
    assert place(html, "near") == 12.5
    assert "width:25.0%" in html
    assert "you 0.50" in html
    assert "the model −0.50" in html
    assert "−1 money" in html
    assert 'aria-label="You predicted 0.50; the model’s answer is −0.50."' in html


def test_what_is_near_ends_at_0_where_nothing_is_below() -> None:
    asked = Number(0.25, positive=True)
    step = replace(STEP, prediction=asked, scale=(Mark(0.0, "nothing"), Mark(1.0, "all")))
    html = drawn.answer(step, Answer(0.1, (), ""), 0.5, TEXTS)
    assert place(html, "near") == place(html, "mark from") == 0
    assert "width:35.0%" in html
    free = drawn.answer(replace(step, prediction=Number(0.25)), Answer(0.1, (), ""), 0.5, TEXTS)
    assert place(free, "mark from") > 0


def test_a_text_is_no_html() -> None:
    assert "<b>river" not in of_number(0.5, -0.5)
    assert "&lt;b&gt;river" in of_number(0.5, -0.5)


@pytest.mark.parametrize(("predicted", "at", "said"), [(1e9, 100, "→"), (-1e9, 0, "←")])
def test_a_prediction_far_away_is_at_the_edge(predicted: float, at: float, said: str) -> None:
    html = of_number(predicted, 0.0)
    assert place(html, "dot you") == at
    assert said in html
    assert 20 < place(html, "dot model") < 80  # the rest is still to be seen


def test_a_whole_number_without_marks_has_a_line() -> None:
    step = replace(STEP, prediction=Number(0), scale=())
    html = drawn.answer(step, Answer(8.0, (), ""), 8.0, TEXTS)
    assert place(html, "dot you") == place(html, "dot model") == 50


def test_a_count_is_written_in_groups() -> None:
    step = replace(STEP, prediction=Number(2000), scale=())
    html = drawn.answer(step, Answer(34560.0, (), ""), 11520.0, TEXTS)
    assert "you 11,520" in html
    assert "the model 34,560" in html


def test_choices_say_who_chose_them() -> None:
    step = replace(STEP, prediction=Choice(("{low}", "{high}")))
    html = drawn.answer(step, Answer("money", ("money", "<b>river"), ""), "<b>river", TEXTS)
    assert re.search(r"<li class=model>money<b>← the model</b></li>", html)
    assert re.search(r"<li>&lt;b&gt;river<b class=\"you\">← you</b></li>", html)
    none = drawn.answer(step, Answer("neither", ("money", "river"), ""), "money", TEXTS)
    assert re.search(r"<li class=model>neither<b>← the model</b></li>", none)


@pytest.mark.parametrize(
    ("predicted", "cells"),
    [(("1", "3"), 2), (("4", "11"), 1), (("", ""), 1), (("0", "5"), 1), (("1", "99999999"), 1)],
)
def test_heads_are_cells_of_a_grid(predicted: Value, cells: int) -> None:
    step = replace(STEP, prediction=Click(("l", "h")))
    html = drawn.answer(step, Answer((4.0, 11.0), (), ""), predicted, TEXTS, (6, 12))
    found = re.findall(r'<i class="([a-z ]*)"></i>', html)
    assert len(found) == 72
    assert sum(map(bool, found)) == cells
    assert "model" in found[3 * 12 + 10]


@pytest.mark.parametrize(
    ("grid", "rows", "columns"), [((2, 4), 4, 11), ((12, 16), 12, 16), (None, 4, 11), ((99, 3), 40, 11)]
)
def test_the_grid_is_the_models(grid: tuple[int, int] | None, rows: int, columns: int) -> None:
    step = replace(STEP, prediction=Click(("l", "h")))
    html = drawn.answer(step, Answer((4.0, 11.0), (), ""), ("1", "3"), TEXTS, grid)
    found = re.findall(r'<i class="([a-z ]*)"></i>', html)
    assert len(found) == rows * columns
    assert f"repeat({columns}," in html
    assert found[3 * columns + 10] == "model"
    assert found[2] == "you"


def test_what_cannot_be_drawn_is_left_out() -> None:
    step: Step = replace(STEP, prediction=Click(("q", "k")))
    assert drawn.answer(step, Answer((4.0, 11.0), (), ""), ("1", "2"), TEXTS) == ""
    heads = replace(STEP, prediction=Click(("l", "h")))
    assert drawn.answer(heads, Answer((1.0, 1e9), (), ""), ("1", "2"), TEXTS) == ""
