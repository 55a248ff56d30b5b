"""The wait of a lesson's answer for a training: its steps, and that nobody waits for ever."""

from __future__ import annotations

import pytest

from core.errors import PolyseeError
from core.lessons import TaskRecords
from core.lessons.model_records import looks
from ui.models import lesson_records
from ui.models.lesson_records import Learning, learning

TRAINED = "task induction~n4"


def test_a_training_beside_the_page_says_how_far_it_is() -> None:
    records = lesson_records._training("induction~n4")
    waits = Learning(TRAINED, lambda: records.snapshot(4))
    assert waits.wait(60)
    assert (waits.step, waits.steps) == (4, 4)
    assert waits.seconds_left is None or waits.seconds_left == 0


def test_an_answer_that_cannot_be_reached_is_waited_for_once() -> None:
    asked = "it-copies", 3, TRAINED, ()  # which asks for step 300 of 4
    waits = learning(*asked)
    assert waits is not None
    assert waits.wait(60)
    assert learning(*asked) is None
    with pytest.raises(PolyseeError):
        lesson_records.answer_of(*asked)


def test_a_model_that_is_not_trained_answers_at_once() -> None:
    assert learning("it-copies", 0, "smollm2", ()) is None


def test_what_a_model_computes_for_one_step_is_there_for_all_of_them() -> None:
    key = "a record", "of this test"
    one, other = lesson_records._OfApp("minilm"), lesson_records._OfApp("minilm")
    assert one.once(key, lambda: 1.5) == 1.5
    assert other.once(key, lambda: 2.5) == 1.5
    assert lesson_records._OfApp("smollm2").once(key, lambda: 2.5) == 2.5


def test_the_curve_of_an_answer_does_not_train_again() -> None:
    records = lesson_records._training("induction~n9")
    assert records.snapshot(9).step == 9
    training = records._training
    assert [records.snapshot(step).step for step in looks(9)] == [0, 1, 2, 3, 4, 6, 7, 8, 9]
    assert records._training is training
    alone = TaskRecords("induction~n9")  # asked for each step alone, it says the same
    assert alone.snapshot(4).loss == records.snapshot(4).loss
