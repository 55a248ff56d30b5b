"""What every task has: a small language, examples, and measures of having learned it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple, Protocol

import numpy as np

from ...records.frozen import Array
from ..training.batches import NOWHERE, Batch, Example
from ..training.recipe import Recipe, TaskName
from .vocabulary import PAD_ID, Vocabulary

# What a model does: write a target for a source, go on with a text, or fill what is masked in it.
Kind = Literal["pair", "next", "masked"]


class Goal(NamedTuple):
    """From when on a task counts as learned: two shares, each from 0 to 1."""

    accuracy: float
    pattern: float

    def met(self, accuracy: float, pattern: float) -> bool:
        """Whether both are reached."""
        return accuracy >= self.accuracy and pattern >= self.pattern


class Task(Protocol):
    """A thing to learn that shows in the attention. Tasks hold no state: chance comes from outside."""

    @property
    def name(self) -> TaskName:
        """Short, for links and files."""
        ...

    @property
    def title(self) -> str:
        """For people."""
        ...

    @property
    def look_for(self) -> str:
        """In words: which pattern the attention should show, and what `pattern` measures of it."""
        ...

    @property
    def kind(self) -> Kind:
        """What its model does."""
        ...

    @property
    def goal(self) -> Goal:
        """What its default recipe reaches."""
        ...

    @property
    def recipe(self) -> Recipe:
        """The default recipe."""
        ...

    @property
    def source(self) -> Vocabulary | None:
        """The words that an encoder–decoder's encoder reads."""
        ...

    @property
    def target(self) -> Vocabulary:
        """The words that the model predicts, and that whatever predicts them reads."""
        ...

    def examples(self, rng: np.random.Generator) -> Iterator[Example]:
        """Training examples without end; none of them is held out."""
        ...

    def held_out(self, count: int) -> tuple[Example, ...]:
        """Examples that training never shows: always the same ones, the first `count` of them."""
        ...

    def probe(self) -> Example:
        """The example whose attention is watched; training never shows it, or says that it does."""
        ...

    def accuracy(self, predicted_BL: Array, batch: Batch) -> float:
        """Accuracy: the share of positions whose most probable token is right."""
        ...


def whole(predicted_BL: Array, batch: Batch) -> float:
    """The share of examples in which every label is predicted.

    The decoder reads the true target here. All its tokens are right just when greedy decoding, which
    reads its own, writes the target: until the first mistake both read the same.
    """
    right_BL = (predicted_BL == batch.labels_BL) | (batch.labels_BL == PAD_ID)
    return float(right_BL.all(axis=1).mean())


def each(predicted_BL: Array, batch: Batch) -> float:
    """The share of labels that are predicted."""
    return float((predicted_BL == batch.labels_BL)[batch.labels_BL != PAD_ID].mean())


def aligned(weights_NBHM: Array, batch: Batch) -> float:
    """The share of rows that attend where they should, in the best head of the last layer.

    A row counts if there is a token that it should attend to (`Example.attend_to`); where its weight is
    largest is where it attends.

    Args:
        weights_NBHM: (layers, B, heads, L, columns): the attention block that the task is about.
        batch: the examples that were read.
    """
    rows_BL = batch.attend_to_BL != NOWHERE
    attended_BHL = weights_NBHM[-1].argmax(axis=-1)
    right_BHL = attended_BHL == batch.attend_to_BL[:, None]
    return max(float(right_BL[rows_BL].mean()) for right_BL in right_BHL.swapaxes(0, 1))
