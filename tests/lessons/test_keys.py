"""A step's answer: texts bound to the page, right and wrong predictions, keys of the wrong kind."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.lessons import (
    Answer,
    BadExpression,
    Choice,
    Click,
    Lesson,
    Number,
    Value,
    answer,
    holds,
    lessons,
    read,
)
from core.lessons.expressions import used_in
from core.lessons.keys import options, says_key, sentences, state, texts_on
from tests.lessons.small_records import Small
from tests.lessons.test_parsing import GOOD, written


@pytest.fixture
def lesson(tmp_path: Path) -> Lesson:
    return read(written(tmp_path, GOOD))


def test_a_link_has_the_texts_of_the_lesson(lesson: Lesson) -> None:
    assert state(lesson.steps[0], lesson.texts) == {"a": "the cat", "w": "cat"}
    assert state(lesson.steps[0], lesson.with_second()) == {"a": "the dog", "w": "dog"}


def test_a_text_follows_the_page(lesson: Lesson) -> None:
    page = {"a": "a cow", "w": "", "t": "x"}
    assert texts_on(lesson, lesson.steps[0], page, lesson.texts) == {"a": "a cow", "word": "cat"}
    assert texts_on(lesson, lesson.steps[1], page, lesson.texts) == lesson.texts


def test_the_answer_is_computed_and_filled_in(lesson: Lesson) -> None:
    made = answer(lesson.steps[0], Small(), {"a": "the cat sat", "word": "[CLS]"} | {"word": "the"})
    assert made.key == 0.0
    assert made.reveal == "It is 0, or 0 %.\nAnd more."
    assert made.options == ()
    made = answer(lesson.steps[1], Small(), lesson.texts, lambda text: f"<{text}>")
    assert (made.key, made.options) == ("one", ("one", "cat"))
    assert options(lesson.steps[1].prediction, lesson.with_second()) == ("one", "dog")


@pytest.mark.parametrize(
    ("prediction", "key", "predicted", "right"),
    [
        (Number(0.1), 0.5, 0.6, True),
        (Number(0.1), 0.5, 0.61, False),
        (Number(0.1), 0.5, "0.5", False),
        (Choice(("a", "b")), "a", "a", True),
        (Choice(("a", "b")), "a", "b", False),
        (Click(("l", "h")), (4.0, 11.0), ("4", "11"), True),
        (Click(("l", "h")), (4.0, 11.0), ("4", "1"), False),
        (Click(("l",)), 4.0, ("4",), True),
    ],
)
def test_a_prediction_holds(
    prediction: Choice | Number | Click, key: Value, predicted: Value, right: bool
) -> None:
    assert holds(prediction, Answer(key, (), ""), predicted) is right


@pytest.mark.parametrize(
    ("at", "old", "new"),
    [
        (0, 'key: {"value": "share"}', 'key: "much"'),
        (0, 'key: {"value": "share"}', "key: true"),
        (1, 'key: "one"', "key: 1"),
        (2, 'key: {"list": [1, 2]}', 'key: {"list": [1]}'),
    ],
)
def test_a_key_that_answers_another_question_is_refused(
    tmp_path: Path, at: int, old: str, new: str
) -> None:
    bad = read(written(tmp_path, GOOD.replace(old, new)))
    step = bad.steps[at]
    with pytest.raises(BadExpression):
        answer(step, Small(), {"a": "the cat sat", "word": "the"})


def test_a_reveal_that_names_its_key_is_known() -> None:
    """By the name of the key, or by that of the value that is the key."""
    steps = {f"{one.name}.{i}": step for one in lessons() for i, step in enumerate(one.steps, 1)}
    for step in steps.values():
        named = used_in(step.reveal)
        assert not ("key" in named and not says_key(step))
        if not named & {"key", *(name for name, _ in step.values)}:
            assert not says_key(step)


def test_the_sentences_of_a_step_are_named_as_its_boxes() -> None:
    first, nearness = lessons()[0], lessons()[2]
    a, b = first.texts["a"], first.texts["b"]
    assert sentences(first, first.steps[0], first.texts) == (f"A: “{a}”", f"B: “{b}”")
    assert sentences(nearness, nearness.steps[3], nearness.texts) == tuple(
        f"“{nearness.texts[name]}”" for name in ("s1", "s2", "s3")
    )
    assert sentences(first, first.steps[0], {**first.texts, "a": "🎣", "b": ""}) == ()
