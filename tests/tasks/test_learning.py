"""One seed of each task is learned within its budget of steps; `make bench` trains five."""

from __future__ import annotations

import numpy as np
import pytest

from core.records.trace import Trace
from core.tasks import TASKS, Snapshot, TaskName, Trained, Training, train
from core.tasks.languages import senses
from core.tasks.languages.senses import SENSES
from core.tasks.training.measuring import held_out, measure


def reaches(name: TaskName) -> tuple[Training, Snapshot]:
    """Train by the default recipe to the end, or until two snapshots in a row have met the goal."""
    task = TASKS[name]
    training = train(task.recipe)
    met, last = 0, next(training)
    for last in training:
        met = met + 1 if task.goal.met(last.accuracy, last.pattern) else 0
        if met == 2:
            break
    return training, last


# `make check` learns a task of order and the one of senses; `make fuzz` the others too.
CHECKED = ("reverse", "bank")
NAMES = [pytest.param(name, marks=[pytest.mark.fuzz] * (name not in CHECKED)) for name in TASKS]


@pytest.mark.fuzz
@pytest.mark.check
@pytest.mark.parametrize("name", NAMES)
def test_each_task_is_learned(name: TaskName) -> None:
    task = TASKS[name]
    training, last = reaches(name)
    assert task.goal.met(last.accuracy, last.pattern), last
    # On more examples than in a snapshot, a little less if the training was stopped early.
    found = measure(training.trained().net, task, held_out(task, 400))
    assert found.accuracy >= task.goal.accuracy - 0.03, found
    assert found.pattern >= task.goal.pattern - 0.03, found
    if name == "bank":
        assert nearest_sense(training.trained()) >= 0.95


def nearest_sense(model: Trained) -> float:
    """The share of held-out pairs in which the word's vector is nearest to the mean of its sense.

    The means are over pairs in the training data. The verb is masked in both.
    """

    def vectors(held_out: bool, count: int) -> list[tuple[str, str, np.ndarray]]:
        rng, found = np.random.default_rng(1), list[tuple[str, str, np.ndarray]]()
        while len(found) < count:
            sentence = senses.sentence(rng, held_out=held_out)
            if sentence.verb_at is not None:
                words = [*sentence.words]
                words[sentence.verb_at] = "[MASK]"
                trace = model.trace(" ".join(words))
                assert isinstance(trace, Trace)
                vector = trace.contextual[trace.find(sentence.word)[0]]
                found.append((sentence.word, sentence.topic, vector))
        return found

    shown = vectors(held_out=False, count=600)
    means = {
        (word, topic): np.mean([v for w, t, v in shown if (w, t) == (word, topic)], axis=0)
        for word, topics in SENSES.items()
        for topic in topics
    }
    unseen = vectors(held_out=True, count=200)
    right = [
        topic == min(SENSES[word], key=lambda t: float(np.linalg.norm(vector - means[word, t])))
        for word, topic, vector in unseen
    ]
    return sum(right) / len(right)
