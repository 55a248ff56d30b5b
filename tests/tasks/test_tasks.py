"""The examples of each task, by hand; and no held-out example occurs in training."""

from __future__ import annotations

from itertools import islice
from typing import Any

import numpy as np
import pytest

from core.tasks import TASKS, Task
from core.tasks.languages.induction import INDUCTION, SIGNS
from core.tasks.languages.letters import COPY, LETTERS, REVERSE, SORT
from core.tasks.languages.task import aligned, each, whole
from core.tasks.languages.vocabulary import PAD_ID
from core.tasks.training.batches import NOWHERE, UNKNOWABLE, Example, collate

EVERY = pytest.mark.parametrize("task", TASKS.values(), ids=lambda task: task.name)


def shown(task: Task, count: int, seed: int = 0) -> list[Example]:
    return list(islice(task.examples(np.random.default_rng(seed)), count))


def key(task: Task, example: Example) -> tuple[Any, ...]:
    """The key by which two examples count as the same."""
    return example.source or example.reads


@pytest.mark.parametrize(
    ("task", "target", "looks"),
    [
        (COPY, "dbca", (0, 1, 2, 3)),
        (REVERSE, "acbd", (3, 2, 1, 0)),
        (SORT, "abcd", (3, 1, 2, 0)),
    ],
)
def test_letters(task: Any, target: str, looks: tuple[int, ...]) -> None:
    example = task.example(LETTERS.ids("dbca"))
    assert example.source == LETTERS.ids("dbca")
    assert example.reads == LETTERS.ids(["[START]", *target])
    assert example.labels == LETTERS.ids([*target, "[END]"])
    assert example.attend_to == (*looks, NOWHERE)
    assert example.counts == (1.0,) * 5


def test_induction() -> None:
    example = INDUCTION.example(SIGNS.ids("x4y"))
    assert example.source == ()
    assert example.reads == SIGNS.ids("x4yx4")
    # The first half cannot be known, and whether it is over cannot either.
    assert example.labels == (*SIGNS.ids("4y"), PAD_ID, *SIGNS.ids("4y"))
    # At the second x, it attends to the 4, which followed the first x.
    assert example.attend_to == (NOWHERE,) * 3 + (1, 2)
    assert [*example.counts] == [UNKNOWABLE, UNKNOWABLE, 0, 1, 1]
    assert each(np.array([[0, 0, 0, *SIGNS.ids("4y")]]), collate([example])) == 1


@pytest.mark.few(3)
@EVERY
def test_nothing_held_out_is_shown(task: Task) -> None:
    held_out = {key(task, example) for example in (*task.held_out(500), task.probe())}
    assert len(held_out) > 400
    if task.name == "bank":
        return  # its pairs are held out, not its sentences: see test_senses
    for seed in (0, 1):
        assert not held_out & {key(task, example) for example in shown(task, 4000, seed)}


@EVERY
def test_held_out_examples_are_always_the_same(task: Task) -> None:
    assert task.held_out(40) == task.held_out(60)[:40]
    assert task.probe() == task.probe()


@EVERY
def test_examples_follow_the_seed_alone(task: Task) -> None:
    np.random.seed(1)
    first = shown(task, 50)
    np.random.seed(2)
    assert shown(task, 50) == first
    assert shown(task, 50, seed=1) != first


@EVERY
def test_examples_are_well_formed(task: Task) -> None:
    columns = 0 if task.source is None else len(task.source)
    for example in (*shown(task, 300), *task.held_out(100), task.probe()):
        n = len(example.reads)
        assert len(example.labels) == len(example.attend_to) == len(example.counts) == n
        assert PAD_ID not in (*example.reads, *example.source)
        assert max(example.reads + example.labels) < len(task.target)
        assert all(i < columns for i in example.source)
        assert bool(example.source) == (task.kind == "pair")
        seen = len(example.source) if example.source else n
        assert max(example.attend_to) < seen
        assert any(label != PAD_ID for label in example.labels)
        for label, counts in zip(example.labels, example.counts, strict=True):
            assert (counts > 0) == (label != PAD_ID)


@EVERY
def test_a_batch_is_filled_up(task: Task) -> None:
    examples = shown(task, 7)
    batch = collate(examples)
    assert (batch.source_BS is None) == (task.source is None)
    longest = max(len(example.reads) for example in examples)
    assert batch.reads_BL.shape == batch.attend_to_BL.shape == (7, longest)
    for row, example in enumerate(examples):
        n = len(example.reads)
        assert tuple(batch.reads_BL[row, :n]) == example.reads
        assert tuple(batch.labels_BL[row, :n]) == example.labels
        assert tuple(batch.attend_to_BL[row, :n]) == example.attend_to
        assert (batch.reads_BL[row, n:] == PAD_ID).all()
        assert (batch.labels_BL[row, n:] == PAD_ID).all()
        assert (batch.attend_to_BL[row, n:] == NOWHERE).all()
        assert not batch.counts_BL[row, n:].any()


def test_shares_by_hand() -> None:
    batch = collate([COPY.example(LETTERS.ids("abcd")), COPY.example(LETTERS.ids("efghij"))])
    right = batch.labels_BL.copy()
    assert whole(right, batch) == each(right, batch) == 1
    right[0, 6:] = 9  # behind the end: nobody asks
    assert whole(right, batch) == each(right, batch) == 1
    right[1, 2] = 3
    assert whole(right, batch) == 0.5
    assert each(right, batch) == pytest.approx(11 / 12)


def test_alignment_by_hand() -> None:
    batch = collate([REVERSE.example(LETTERS.ids("abcd")), REVERSE.example(LETTERS.ids("efg"))])
    # (2 layers, 2 examples, 3 heads, 5 rows, 4 columns). Head 1 of the last layer is right except for
    # one row of 7; rows of END and of padding attend elsewhere, and do not count.
    weights = np.full((2, 2, 3, 5, 4), 0.1)
    weights[..., 3] = 0.2
    for row, column in enumerate((3, 2, 1, 0)):
        weights[1, 0, 1, row, column] = 0.7
    for row, column in enumerate((2, 1, 1)):
        weights[1, 1, 1, row, column] = 0.7
    assert aligned(weights, batch) == pytest.approx(6 / 7)
    assert aligned(weights[:1], batch) == pytest.approx(1 / 7)
