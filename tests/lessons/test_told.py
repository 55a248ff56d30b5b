"""The verdict on a prediction: by hand, and each answer said once."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.lessons import Answer, Choice, Click, Number, readable
from core.lessons.keys import says_key
from core.lessons.told import told

STEP = next(
    step
    for lesson in readable()[0]
    for step in lesson.steps
    if isinstance(step.prediction, Choice) and not says_key(step)
)
ANSWER = Answer("river", ("money", "river"), "It learned it.")


def test_a_choice() -> None:
    assert isinstance(STEP.prediction, Choice)
    assert not says_key(STEP)
    assert told(STEP, ANSWER, "river") == "The answer is **river**."
    right = told(STEP, ANSWER, "river", "river", right=True)
    assert right == "You predicted **river**, and that is right."
    wrong = told(STEP, ANSWER, "river", "money", right=False)
    assert wrong == "You predicted **money**, and the model answers otherwise. The answer is **river**."
    none = told(STEP, replace(ANSWER, key="neither"), "neither", "money", right=False)
    assert none == "None of the answers offered is right here. The answer is **neither**."


def test_a_number_says_its_tolerance() -> None:
    step = replace(STEP, prediction=Number(0.5))
    answer = Answer(-1.23, (), "It stands there.")
    assert "within 0.50 of the answer" in told(step, answer, "−1.23", "−1", right=True)
    assert "within" not in told(step, answer, "−1.23", "3", right=False)
    exact = told(step, answer, "−1.23", "−1.23", right=True, exact=True)
    assert exact.startswith("You predicted **−1.23**, and that is exactly right.")


@pytest.mark.parametrize("right", [True, False, None])
def test_no_answer_is_said_twice(right: bool | None) -> None:
    for lesson in readable()[0]:
        for step in lesson.steps:
            if not isinstance(step.prediction, Choice):
                continue
            answer = Answer("x", ("x",), "x" if says_key(step) else "")
            said = f"{told(step, answer, 'x', 'x', right=right)} {answer.reveal}"
            assert ("The answer is **x**." in said) is not (says_key(step) or right is True)


def test_a_click_is_always_named() -> None:
    step = replace(STEP, prediction=Click(("l", "h")))
    answer = Answer(("1", "3"), (), "It does.")
    assert told(step, answer, "layer 1, head 3") == "The answer is **layer 1, head 3**."
