"""How well a model does its task on held-out examples."""

from __future__ import annotations

from typing import NamedTuple

import torch

from ..languages.task import Task, aligned
from ..trained import models
from ..trained.models import Net
from .batches import Batch, collate
from .loss import cross_entropy


class Measured(NamedTuple):
    """Shares from 0 to 1, and a loss in nats; each `Task` defines its shares."""

    accuracy: float
    pattern: float
    loss: float


@torch.no_grad()
def measure(model: Net, task: Task, batch: Batch) -> Measured:
    """Accuracy, pattern and cross-entropy of a model on a batch of held-out examples."""
    out = models.answer(model, batch)
    predicted_BL = out.logits_BLV.argmax(dim=-1).numpy()
    return Measured(
        task.accuracy(predicted_BL, batch),
        aligned(models.weights(out.shown), batch),
        float(cross_entropy(out, batch)),
    )


def held_out(task: Task, count: int) -> Batch:
    """The first `count` held-out examples of a task, as one batch."""
    return collate(task.held_out(count))
