"""A prediction drawn on the answer: places on a line, who chose what, the heads of a grid."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from core.lessons import Answer, Choice, Click, Number, Step, Value, lessons
from core.lessons.parsing import Mark
from tests.ui.lessons.test_progress import run
from ui.lessons import drawn

STEP = lessons()[0].steps[0]
MARKS = (Mark(-1.0, "{low}"), Mark(1.0, "{high}"))
TEXTS = {"low": "money", "high": "<b>river"}
_RUN = """
import {{ {name} }} from {script};
process.stdout.write(JSON.stringify({name}({facts})));
"""


def placed(name: str, facts: dict[str, Any] | None) -> Any:
    """What the browser makes of the facts."""
    assert facts is not None
    code = _RUN.format(
        name=name, script=json.dumps(drawn.SCRIPT.as_uri()), facts=json.dumps(facts, default=list)
    )
    return json.loads(run(code))


def of_number(predicted: float, right: float, near: float = 0.25) -> dict[str, Any] | None:
    step = replace(STEP, prediction=Number(near), scale=MARKS)
    return drawn.facts_of(step, Answer(right, (), ""), predicted, TEXTS)


def test_the_prediction_and_the_answer_are_where_they_are() -> None:
    facts = of_number(0.5, -0.5)
    assert facts is not None
    at = placed("line", facts)
    assert (at["you"], at["model"]) == (75, 25)  # from −1 to 1
    assert at["near"] == {"left": 12.5, "width": 25}
    assert at["marks"] == [0, 100]
    assert (facts["own"], facts["key"]) == ("0.50", "−0.50")
    assert [one["name"] for one in facts["marks"]] == ["−1 money", "1 <b>river"]


def test_what_is_near_ends_at_0_where_nothing_is_below() -> None:
    asked = Number(0.25, positive=True)
    step = replace(STEP, prediction=asked, scale=(Mark(0.0, "nothing"), Mark(1.0, "all")))
    at = placed("line", drawn.facts_of(step, Answer(0.1, (), ""), 0.5, TEXTS))
    assert at["near"]["left"] == at["marks"][0] == 0
    high = placed("line", drawn.facts_of(step, Answer(0.9, (), ""), 0.5, TEXTS))
    assert (high["marks"], high["near"]) == ([0, 100], {"left": 65, "width": 35})
    assert at["near"]["width"] == pytest.approx(35)
    free = replace(step, prediction=Number(0.25))
    assert placed("line", drawn.facts_of(free, Answer(0.1, (), ""), 0.5, TEXTS))["marks"][0] > 0


@pytest.mark.parametrize(("predicted", "at", "beyond"), [(1e9, 100, 1), (-1e9, 0, -1)])
def test_a_prediction_far_away_is_at_the_edge(predicted: float, at: float, beyond: int) -> None:
    line = placed("line", of_number(predicted, 0.0))
    assert (line["you"], line["beyond"]) == (at, beyond)
    assert 20 < line["model"] < 80  # the rest is still to be seen


def test_a_whole_number_without_marks_has_a_line() -> None:
    step = replace(STEP, prediction=Number(0), scale=())
    line = placed("line", drawn.facts_of(step, Answer(8.0, (), ""), 8.0, TEXTS))
    assert (line["you"], line["model"], line["near"]) == (50, 50, None)


def test_a_count_is_written_in_groups() -> None:
    step = replace(STEP, prediction=Number(2000), scale=())
    facts = drawn.facts_of(step, Answer(34560.0, (), ""), 11520.0, TEXTS)
    assert facts is not None
    assert (facts["own"], facts["key"]) == ("11,520", "34,560")


def test_choices_say_who_chose_them() -> None:
    step = replace(STEP, prediction=Choice(("{low}", "{high}")))
    facts = drawn.facts_of(step, Answer("money", ("money", "<b>river"), ""), "<b>river", TEXTS)
    assert placed("choices", facts) == [
        {"text": "money", "you": False, "model": True},
        {"text": "<b>river", "you": True, "model": False},
    ]
    none = drawn.facts_of(step, Answer("neither", ("money", "river"), ""), "money", TEXTS)
    assert placed("choices", none)[-1] == {"text": "neither", "you": False, "model": True}


@pytest.mark.parametrize(
    ("predicted", "you"),
    [
        *((("1", "3"), [1, 3]), (("4", "11"), [4, 11]), (("", ""), None)),
        *((("0", "5"), None), (("1", "99999999"), None), (("a", "1"), None)),
    ],
)
def test_heads_are_cells_of_a_grid(predicted: Value, you: list[int] | None) -> None:
    step = replace(STEP, prediction=Click(("l", "h")))
    made = placed("grid", drawn.facts_of(step, Answer((4.0, 11.0), (), ""), predicted, TEXTS, (6, 12)))
    assert made == {"rows": 6, "columns": 12, "you": you, "model": [4, 11]}


@pytest.mark.parametrize(
    ("grid", "rows", "columns"), [((2, 4), 4, 11), ((12, 16), 12, 16), (None, 4, 11), ((99, 3), 40, 11)]
)
def test_the_grid_is_the_models(grid: tuple[int, int] | None, rows: int, columns: int) -> None:
    step = replace(STEP, prediction=Click(("l", "h")))
    made = placed("grid", drawn.facts_of(step, Answer((4.0, 11.0), (), ""), ("1", "3"), TEXTS, grid))
    assert (made["rows"], made["columns"]) == (rows, columns)


def test_what_cannot_be_drawn_is_left_out() -> None:
    step: Step = replace(STEP, prediction=Click(("q", "k")))
    assert drawn.facts_of(step, Answer((4.0, 11.0), (), ""), ("1", "2"), TEXTS) is None
    heads = replace(STEP, prediction=Click(("l", "h")))
    assert placed("grid", drawn.facts_of(heads, Answer((1.0, 1e9), (), ""), ("1", "2"), TEXTS)) is None
