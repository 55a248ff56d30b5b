"""The training loop: snapshots, pauses, ends; and two independent trainings."""

from __future__ import annotations

import dataclasses
import gc
import threading
import weakref

import numpy as np
import pytest
import torch

from core.errors import NotSupported, SettingError
from core.tasks import TASKS, TaskName, Training, train
from tests.tasks.conftest import brief


def weights(training: Training) -> list[np.ndarray]:
    return list(training.trained().weights.values())


def same(first: Training, second: Training) -> bool:
    return all(map(np.array_equal, weights(first), weights(second)))


@pytest.mark.fuzz
@pytest.mark.check
def test_snapshots_come_before_the_first_step_and_after_the_last() -> None:
    training = train(brief("sort", steps=7), every=3)
    snapshots = list(training)
    assert [snapshot.step for snapshot in snapshots] == [0, 3, 6, 7]
    assert {snapshot.steps for snapshot in snapshots} == {7}
    assert training.done
    assert list(training) == []
    seconds = [snapshot.seconds for snapshot in snapshots]
    assert seconds == sorted(seconds)
    assert snapshots[-1].learning_rate == pytest.approx(training.recipe.rate(7))
    assert len(list(train(brief("sort", steps=55)))) == 29  # every 2 steps


@pytest.mark.parametrize("every", [0, -1])
def test_a_snapshot_every_no_steps_is_refused(every: int) -> None:
    with pytest.raises(SettingError, match="take 1 or more"):
        train(brief("sort"), every=every)


SHAPES: dict[TaskName, tuple[tuple[int, ...] | None, ...]] = {
    # layers, heads, rows, columns: encoder, decoder, cross
    "reverse": ((1, 4, 10, 10), (1, 4, 11, 11), (1, 1, 11, 10)),
    "induction": (None, (2, 1, 19, 19), None),
    "bank": ((1, 1, 9, 9), None, None),
    "translation": ((2, 4, 4, 4), (1, 4, 4, 4), (1, 1, 4, 4)),
}


@pytest.mark.parametrize("name", SHAPES)
def test_what_a_snapshot_holds(name: TaskName) -> None:
    training = train(brief(name))
    seen = next(training)
    blocks = (seen.encoder, seen.decoder, seen.cross)
    assert tuple(None if block is None else block.weights.shape for block in blocks) == SHAPES[name]
    task = TASKS[name]
    assert seen.learned.shape == (len(task.target), 64)
    assert not seen.learned.flags.writeable
    own = task.source is not None and task.source != task.target
    assert (seen.learned_source is not None) == own
    # Before the first step, the table has its initial values; it is a copy, and does not change.
    before = seen.learned.copy()
    training.advance(3)
    assert np.array_equal(seen.learned, before)
    assert not np.array_equal(training.advance(0).learned, before)


def test_rows_across_are_labelled_by_the_word_that_they_predict() -> None:
    seen = next(train(brief("translation")))
    assert seen.cross is not None
    assert seen.decoder is not None
    assert seen.encoder is not None
    assert seen.cross.keys == seen.encoder.queries == ("i", "am", "a", "student")
    assert seen.cross.queries == seen.wanted == ("je", "suis", "étudiant", "[END]")
    assert seen.decoder.queries == ("[START]", "je", "suis", "étudiant")
    seen = next(train(brief("bank")))
    assert seen.encoder is not None
    assert seen.encoder.queries == tuple(
        ["[START]", "near", "the", "river", "the", "old", "bank", "[MASK]", "."]
    )
    assert seen.wanted == ("",) * 6 + ("flooded", "flooded", "")
    assert len(seen.predicted) == 9


def test_one_recipe_is_one_model_whatever_else_draws() -> None:
    first = train(brief("bank"))
    first.advance(6)
    torch.manual_seed(1)
    np.random.seed(1)
    second = train(brief("bank"))
    for _ in range(6):
        torch.rand(3)
        np.random.rand(3)
        second.advance(1)  # looking more often changes nothing
    assert same(first, second)
    third = train(dataclasses.replace(brief("bank"), seed=1))
    third.advance(6)
    assert not same(first, third)


@pytest.mark.fuzz
@pytest.mark.check
def test_threads_do_not_disturb_each_other() -> None:
    recipes = [
        brief("copy", 12),
        brief("translation", 12),
        dataclasses.replace(brief("copy", 12), seed=5),
    ]
    alone = [train(recipe) for recipe in recipes]
    for training in alone:
        training.advance(12)
    together = [train(recipe) for recipe in recipes]
    turns = threading.Barrier(len(recipes), timeout=60)
    failed: list[BaseException] = []

    def run(training: Training) -> None:
        try:
            torch.set_num_threads(1)
            for _ in range(12):
                turns.wait()  # so that their steps fall together
                training.advance(1)
        except BaseException as error:
            failed.append(error)
            turns.abort()

    threads = [threading.Thread(target=run, args=(training,)) for training in together]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    for first, second in zip(alone, together, strict=True):
        assert same(first, second)


def test_a_training_trains_where_gradients_are_off() -> None:
    training = train(brief("copy"))
    with torch.no_grad():
        training.advance(2)
    other = train(brief("copy"))
    other.advance(2)
    assert same(training, other)


def test_pause_changes_nothing_and_the_rate_can_be_changed() -> None:
    recipe = dataclasses.replace(brief("copy"), decay="none", warm_up=0, learning_rate=2e-3)
    training = train(recipe)
    assert training.learning_rate == training.advance(1).learning_rate == 2e-3
    training.learning_rate = 0.01
    assert training.advance(1).learning_rate == pytest.approx(0.01)
    assert training.trained().changes == ((1, 0.01),)
    for bad in (0.0, float("nan"), 2.0):
        with pytest.raises(SettingError, match="The learning rate is"):
            training.learning_rate = bad
    untouched = train(recipe)
    untouched.advance(2)
    assert not same(training, untouched)


def test_what_was_taken_does_not_change_when_the_training_goes_on() -> None:
    training = train(brief("copy"))
    training.advance(1)
    taken = training.trained()
    before = {name: array.copy() for name, array in taken.weights.items()}
    training.advance(3)
    assert taken.steps == 1
    assert all(np.array_equal(taken.weights[name], array) for name, array in before.items())


def test_close_frees_the_model() -> None:
    training = train(brief("copy"))
    training.advance(2)
    learner = training._learner
    assert learner is not None
    parts: list[weakref.ref] = [weakref.ref(learner)]
    parts += [weakref.ref(learner.model), weakref.ref(learner.optimizer)]
    del learner
    training.close()
    gc.collect()
    assert [part() for part in parts] == [None] * 3
    assert training.done
    assert list(training) == []
    with pytest.raises(NotSupported, match="stopped"):
        training.advance(1)
    with pytest.raises(NotSupported, match="stopped"):
        training.trained()
    training.close()


def test_a_rate_that_is_too_high_is_said() -> None:
    training = train(brief("copy"))
    learner = training._learner
    assert learner is not None
    with torch.no_grad():
        learner.model.embeddings.tokens.weight.fill_(torch.inf)
    with pytest.raises(SettingError, match="At step 1 the loss is no longer a number"):
        training.advance(1)
    assert training.done


def test_the_highest_rate_ends_in_a_snapshot_or_a_sentence() -> None:
    recipe = dataclasses.replace(brief("copy", 40), learning_rate=1.0, warm_up=0, decay="none")
    try:
        assert train(recipe).advance(40).step == 40
    except SettingError as error:
        assert "too high" in str(error)  # noqa: PT017
