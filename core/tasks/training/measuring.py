"""How well a model does its task on held-out examples."""

from __future__ import annotations

import math
from typing import NamedTuple

import torch

from ..languages.task import Task, aligned
from ..trained import models
from ..trained.models import Net
from .batches import Batch, collate
from .loss import cross_entropy


class Measured(NamedTuple):
    """Shares from 0 to 1, and losses in nats; each `Task` defines its shares.

    Attributes:
        accuracy: see `Task.accuracy`.
        pattern: see `Task.look_for`.
        loss: the cross-entropy at the labels that can be known.
        random_loss: the same at those that nobody can know; NaN if there are none.
    """

    accuracy: float
    pattern: float
    loss: float
    random_loss: float


@torch.no_grad()
def measure(model: Net, task: Task, batch: Batch) -> Measured:
    """Accuracy, pattern and cross-entropy of a model on a batch of held-out examples."""
    out = models.answer(model, batch)
    predicted_BL = out.logits_BLV.argmax(dim=-1).numpy()
    return Measured(
        task.accuracy(predicted_BL, batch),
        aligned(models.weights(out.shown), batch),
        float(cross_entropy(out, batch, batch.counts_BL * batch.knowable_BL)),
        float(cross_entropy(out, batch, batch.random_BL)) if batch.random_BL.any() else math.nan,
    )


def held_out(task: Task, count: int) -> Batch:
    """The first `count` held-out examples of a task, as one batch."""
    return collate(task.held_out(count))
