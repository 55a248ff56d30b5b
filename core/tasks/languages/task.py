"""The interface of a task: a toy language, examples, and measures of success."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple, Protocol

import numpy as np

from ...records.frozen import Array
from ..training.batches import NOWHERE, Batch, Example
from ..training.recipe import Recipe, TaskName
from .vocabulary import PAD_ID, Vocabulary

# What a model does: write a target for a source, continue a text, or fill in masks.
Kind = Literal["pair", "next", "masked"]


class Goal(NamedTuple):
    """The thresholds from which a task counts as learned: two shares, each from 0 to 1."""

    accuracy: float
    pattern: float

    def met(self, accuracy: float, pattern: float) -> bool:
        """Whether both thresholds are reached."""
        return accuracy >= self.accuracy and pattern >= self.pattern


class Task(Protocol):
    """A task whose solution shows in the attention. It holds no state, not even a random generator."""

    @property
    def name(self) -> TaskName:
        """A short name, for links and files."""
        ...

    @property
    def title(self) -> str:
        """The title on the screen."""
        ...

    @property
    def look_for(self) -> str:
        """In words: the pattern that the attention should show, and what `pattern` measures."""
        ...

    @property
    def kind(self) -> Kind:
        """What its model does."""
        ...

    @property
    def goal(self) -> Goal:
        """The thresholds that its default recipe reaches."""
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
        """The words that the model predicts, and that a decoder reads."""
        ...

    def examples(self, rng: np.random.Generator) -> Iterator[Example]:
        """An endless stream of training examples, none of them held out."""
        ...

    def held_out(self, count: int) -> tuple[Example, ...]:
        """The first `count` held-out examples, always the same."""
        ...

    def probe(self) -> Example:
        """The example whose attention is shown; it is held out, unless the task says otherwise."""
        ...

    def accuracy(self, predicted_BL: Array, batch: Batch) -> float:
        """Accuracy: the share of positions whose most probable token is right."""
        ...


def whole(predicted_BL: Array, batch: Batch) -> float:
    """The share of examples in which every label is predicted correctly.

    The decoder reads the true target here. All its predictions are right exactly if greedy decoding,
    which reads its own output, writes the target: until the first error, both read the same tokens.
    """
    right_BL = (predicted_BL == batch.labels_BL) | (batch.labels_BL == PAD_ID)
    return float(right_BL.all(axis=1).mean())


def each(predicted_BL: Array, batch: Batch) -> float:
    """The share of labels that are predicted correctly, of those that can be known."""
    return float((predicted_BL == batch.labels_BL)[batch.knowable_BL].mean())


def aligned(weights_NBHM: Array, batch: Batch) -> float:
    """The share of rows that attend to the right token, in the best head of the last layer.

    A row counts if there is a token that it should attend to (`Example.attend_to`); it attends to the
    token with its largest weight.

    Args:
        weights_NBHM: (layers, B, heads, L, columns): the attention block that the task is about.
        batch: the examples that were read.
    """
    rows_BL = batch.attend_to_BL != NOWHERE
    attended_BHL = weights_NBHM[-1].argmax(axis=-1)
    right_BHL = attended_BHL == batch.attend_to_BL[:, None]
    return max(float(right_BL[rows_BL].mean()) for right_BL in right_BHL.swapaxes(0, 1))
