"""A model in training: its weights, its examples, and one step of Adam at a time."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import numpy as np
import torch

from ..languages.catalogue import TASKS
from ..trained import models
from ..trained.models import Net
from .batches import Batch, Example, collate
from .loss import cross_entropy, guidance
from .recipe import Recipe

BETAS = (0.9, 0.98)  # Vaswani et al. (2017), section 5.3
WEIGHT_DECAY = 0.01
MOST_GRADIENT = 1.0  # the norm to which longer gradients are clipped


class Learner:
    """A model at the start of a recipe, with its own random generators."""

    def __init__(self, recipe: Recipe) -> None:
        task = TASKS[recipe.task]
        self.recipe = recipe
        self.model: Net = models.build(
            recipe,
            len(task.target),
            models.n_source(task.source, task.target),
            torch.Generator().manual_seed(recipe.seed),
        )
        self.optimizer = torch.optim.AdamW(
            self.model.parameters(),
            lr=recipe.learning_rate,
            betas=BETAS,
            weight_decay=WEIGHT_DECAY,
            fused=True,  # one call for all weights takes a fifth of the time of one call for each
        )
        self.examples: Iterator[Example] = task.examples(np.random.default_rng(recipe.seed))

    def batch(self) -> Batch:
        """The next batch of examples."""
        return collate(list(islice(self.examples, self.recipe.batch)))

    def learn(self, batch: Batch, rate: float) -> float:
        """One step: compute the loss of a batch, and update the weights against its gradient.

        Returns:
            The loss before the step: the cross-entropy plus the guidance of attention.
        """
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        with torch.enable_grad():
            out = models.answer(self.model, batch, need_weights=self.recipe.guidance > 0)
            loss = cross_entropy(out, batch)
            if self.recipe.guidance:
                loss = loss + self.recipe.guidance * guidance(out, batch)
            self.optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), MOST_GRADIENT)
        self.optimizer.step()
        return float(loss.detach())
