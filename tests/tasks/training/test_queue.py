"""Trainings in threads: the queue, the ways to end, and the results."""

from __future__ import annotations

import dataclasses
import threading
import time
from collections.abc import Callable, Iterator

import numpy as np
import pytest
import torch

from core.errors import NotSupported, SettingError
from core.tasks import train
from core.tasks.training import queue
from core.tasks.training.loop import Training
from core.tasks.training.queue import THREAD, TrainingQueue
from core.tasks.training.queued import AWAY
from core.tasks.training.recipe import Recipe
from core.tasks.training.run import Run, every
from core.tasks.training.threads import one_thread_here
from tests.tasks.conftest import brief

# More steps than any test waits for, all of them short.
LONG = dataclasses.replace(brief("copy", 10_000), d_model=8, n_heads=1, d_ff=0, batch=1)
SHORT = dataclasses.replace(LONG, steps=12)


def until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not true():
        assert time.monotonic() < end
        time.sleep(0.005)


def threads() -> int:
    return sum(thread.name == THREAD for thread in threading.enumerate())


@pytest.fixture
def trainings() -> Iterator[TrainingQueue]:
    made = TrainingQueue(2)
    yield made
    made.close()
    assert threads() == 0


def made(recipe: Recipe = LONG, name: str = "a") -> Run:
    return Run(recipe, name, lambda: True)


def test_who_comes_later_waits_and_begins_when_it_is_time(trainings: TrainingQueue) -> None:
    runs = [made(name=name) for name in "abcd"]
    for run in runs:
        trainings.go(run)
    assert [run.state for run in runs] == ["training", "training", "waiting", "waiting"]
    assert [trainings.queue_position(run) for run in runs] == [0, 0, 1, 2]
    trainings.stop(runs[2])  # who leaves the queue makes room in it
    assert runs[2].state == "stopped"
    assert trainings.queue_position(runs[3]) == 1
    trainings.pause(runs[0])
    until(lambda: runs[3].state == "training")
    until(lambda: runs[0].state == "paused")
    assert trainings.at_work == 2
    until(lambda: threads() == 2)
    trainings.go(runs[0])
    assert trainings.queue_position(runs[0]) == 1  # at the end of the queue again


@pytest.mark.check
def test_side_by_side_each_is_as_it_is_alone(trainings: TrainingQueue) -> None:
    recipes = [SHORT, dataclasses.replace(SHORT, seed=1), SHORT]
    runs = [made(recipe, str(i)) for i, recipe in enumerate(recipes)]
    for run in runs:
        trainings.go(run)
    until(lambda: all(run.state == "done" for run in runs))
    for run in runs:
        alone = train(run.recipe)
        seen = [alone.look(), *(alone.advance(run.every) for _ in run.planned[1:])]
        assert [one.step for one in run.snapshots] == [*run.planned] == [one.step for one in seen]
        assert [one.loss for one in run.snapshots] == [one.loss for one in seen]
        trained = run.trained()
        assert trained.steps == 12
        for name, weights in alone.trained().weights.items():
            assert np.array_equal(trained.weights[name], weights)
        assert len(run.planes) == len(run.snapshots)


@pytest.mark.check
def test_pause_one_snapshot_stop(trainings: TrainingQueue) -> None:
    run = made()
    trainings.go(run, snapshots=1)
    until(lambda: run.state == "paused")
    assert [one.step for one in run.snapshots] == [0]
    trainings.go(run, snapshots=1)
    until(lambda: run.state == "paused")
    assert run.step == run.every == 320 == run.snapshots[-1].step
    assert run.trained().steps == 320
    assert run.seconds_left is not None
    trainings.go(run)
    with pytest.raises(NotSupported, match="Pause"):
        run.trained()
    trainings.stop(run)
    until(lambda: run.state == "stopped" and threads() == 0)
    assert run.trained() is run.trained()
    assert run.trained().steps == run.step >= 320
    trainings.go(run)
    assert run.state == "stopped"


@pytest.mark.parametrize("owner_is_there", [True, False])
def test_a_stop_during_the_last_step_before_a_pause_is_a_stop(
    trainings: TrainingQueue, monkeypatch: pytest.MonkeyPatch, owner_is_there: bool
) -> None:
    """During the step that ends "One snapshot", or after which the owner turns out to have left."""
    monkeypatch.setattr(queue, "_LOOK", 0.0)
    monkeypatch.setattr(queue, "_GONE", 60.0 if owner_is_there else 1e-9)
    there = threading.Event()
    there.set()
    run = Run(LONG, "a", there.is_set)
    advance = run._advance

    def stopped_meanwhile() -> None:
        advance()
        trainings.stop(run)
        if not owner_is_there:
            there.clear()

    monkeypatch.setattr(run, "_advance", stopped_meanwhile)
    trainings.go(run, snapshots=1 if owner_is_there else None)
    until(lambda: not run.active)
    assert (run.state, run.why) == ("stopped", "")
    assert run.trained().steps == 0


def test_what_is_stopped_between_two_snapshots_is_looked_at_a_last_time(
    trainings: TrainingQueue,
) -> None:
    for paused in (False, True):
        run = made()
        trainings.go(run)
        until(lambda run=run: run.step % run.every > 0 and bool(run.snapshots))  # type: ignore[misc]
        if paused:
            trainings.pause(run)
            until(lambda run=run: run.state == "paused")  # type: ignore[misc]
        trainings.stop(run)
        until(lambda run=run: run.state == "stopped")  # type: ignore[misc]
        assert run.snapshots[-1].step == run.step == run.trained().steps
        assert len(run.planes) == len(run.snapshots)
        assert np.array_equal(
            run.snapshots[-1].learned, run.trained().weights["embeddings.tokens.weight"]
        )


def test_the_rate_is_changed_between_two_steps(trainings: TrainingQueue) -> None:
    run = made(SHORT)
    run.learning_rate = 0.01
    assert run.learning_rate == 0.01
    for bad in (0.0, 2.0, float("nan")):
        with pytest.raises(SettingError, match="The learning rate is"):
            run.learning_rate = bad
    trainings.go(run)
    until(lambda: run.state == "done")
    assert run.trained().changes == ((0, 0.01),)


def test_without_its_owner_no_thread_runs(
    trainings: TrainingQueue, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queue, "_LOOK", 0.0)
    monkeypatch.setattr(queue, "_GONE", 1e-9)
    there = threading.Event()
    there.set()
    runs = [Run(LONG, name, there.is_set) for name in "abc"]
    monkeypatch.setattr(trainings, "most", 1)
    for run in runs:
        trainings.go(run)
    until(lambda: len(runs[0].snapshots) > 0)
    there.clear()
    until(lambda: threads() == 0)
    assert [(run.state, run.why) for run in runs] == [("paused", AWAY)] * 3
    there.set()
    monkeypatch.setattr(queue, "_GONE", 60.0)
    trainings.go(runs[0])
    assert (runs[0].state, runs[0].why) == ("training", "")


def test_what_goes_wrong_is_said(trainings: TrainingQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    def learn(self: Training, steps: int) -> None:
        raise SettingError("The learning rate is too high.")

    monkeypatch.setattr(Training, "learn", learn)
    run, after = made(), made(name="b")
    trainings.go(run)
    until(lambda: run.state == "failed")
    assert run.why == "The learning rate is too high."
    with pytest.raises(NotSupported):
        run.trained()
    monkeypatch.undo()
    trainings.go(after)
    until(lambda: after.step > 0)


@pytest.mark.parametrize("steps", [1, 7, 40, 41, 300, 1200, 10_000])
def test_snapshots_of_two_runs_fall_together(steps: int) -> None:
    apart = every(steps)
    assert steps / apart <= 40
    for other in (1, 100, 400, 5000):
        few, many = sorted((apart, every(other)))
        assert many % few == 0


def test_one_thread_for_a_training_and_all_of_theirs_for_the_others() -> None:
    found: dict[str, int] = {}

    def training() -> None:
        one_thread_here()
        found["training"] = torch.get_num_threads()

    def other(name: str) -> None:
        found[name] = torch.get_num_threads()

    before = torch.get_num_threads()
    try:
        torch.set_num_threads(3)
        for act in (training, lambda: other("later")):
            thread = threading.Thread(target=act)
            thread.start()
            thread.join()
        other("here")
    finally:
        torch.set_num_threads(before)
    assert found == {"training": 1, "later": 3, "here": 3}
