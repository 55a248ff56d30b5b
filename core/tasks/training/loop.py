"""The training loop: step by step, with a snapshot now and then.

A training advances only when its owner calls it: not calling it is a pause. It shares nothing with
other trainings: it has its own weights, examples and random generators. The same recipe gives the same
numbers, whatever runs beside it.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from types import MappingProxyType

from ...errors import NotSupported, SettingError
from ...localization import _, decimal
from ...records.frozen import frozen
from ..languages.catalogue import TASKS
from ..trained.trained import Trained
from .learner import Learner
from .measuring import held_out, measure
from .recipe import BOUNDS, Recipe
from .snapshot import Snapshot, snapshot

# The number of held-out examples on which each snapshot is measured: enough for shares to the
# hundredth.
HELD_OUT = 128
SNAPSHOTS = 40  # in a whole training, by default


class Training(Iterator[Snapshot]):
    """One training. Iterate over it for snapshots: one before the first step, then every `every` steps.

    Args:
        recipe: the settings of the training.
        every: the number of steps between snapshots; None for about 40 snapshots in all.

    Raises:
        SettingError: if `every` is below 1.
    """

    def __init__(self, recipe: Recipe, *, every: int | None = None) -> None:
        if every is not None and every < 1:
            raise SettingError(
                "A snapshot every {every} steps is impossible; take 1 or more.",
                every=every,
            )
        self.recipe = recipe
        self.task = TASKS[recipe.task]
        self.every = every or max(1, math.ceil(recipe.steps / SNAPSHOTS))
        self._learner: Learner | None = Learner(recipe)
        self._held_out = held_out(self.task, HELD_OUT)
        self._step = 0
        self._seconds = 0.0
        self._looked = False
        self._factor = 1.0
        self._last_rate = recipe.rate(1)
        self._changes: list[tuple[int, float]] = []

    @property
    def step(self) -> int:
        """The number of steps so far."""
        return self._step

    @property
    def seconds(self) -> float:
        """The time for all steps and snapshots so far, without pauses, in seconds."""
        return self._seconds

    @property
    def done(self) -> bool:
        """Whether no step is left: all are done, or the training was closed."""
        return self._learner is None or self._step >= self.recipe.steps

    @property
    def changes(self) -> tuple[tuple[int, float], ...]:
        """(step, learning rate) for each change of the rate by hand."""
        return tuple(self._changes)

    @property
    def learning_rate(self) -> float:
        """The peak learning rate, by which the schedule is scaled. It can be changed.

        Raises:
            SettingError: if the new rate is out of bounds.
        """
        return self.recipe.learning_rate * self._factor

    @learning_rate.setter
    def learning_rate(self, value: float) -> None:
        least, most = BOUNDS["learning_rate"]
        if not least <= value <= most:
            raise SettingError(
                _("The learning rate is {value}; it must be a number from {least} to {most}.").format(
                    value=decimal(f"{value}"), least=decimal(f"{least:g}"), most=decimal(f"{most:g}")
                )
            )
        self._changes.append((self._step, float(value)))
        self._factor = value / self.recipe.learning_rate

    def __iter__(self) -> Training:
        return self

    def __next__(self) -> Snapshot:
        if self._learner is None or (self._looked and self.done):
            raise StopIteration
        return self.advance(self.every if self._looked else 0)

    def advance(self, steps: int) -> Snapshot:
        """Make this number of steps, or all that are left, and take a snapshot.

        Raises:
            NotSupported: if the training was closed.
            SettingError: if the learning rate is so high that the loss is no longer a number. The
                training is then closed.
        """
        self.learn(steps)
        return self.look()

    def learn(self, steps: int) -> None:
        """Make this number of steps, or all that are left. Raises the errors of `advance`."""
        learner, started = self._open(), time.perf_counter()
        for _made in range(min(steps, self.recipe.steps - self._step)):
            self._last_rate = self.recipe.rate(self._step + 1) * self._factor
            loss = learner.learn(learner.batch(), self._last_rate)
            self._step += 1
            if not math.isfinite(loss):
                raise self._came_apart()
        self._seconds += time.perf_counter() - started

    def look(self) -> Snapshot:
        """A snapshot of the training as it is now. Raises the errors of `advance`."""
        learner, started = self._open(), time.perf_counter()
        measured = measure(learner.model, self.task, self._held_out)
        if not math.isfinite(measured.loss):
            raise self._came_apart()
        self._seconds += time.perf_counter() - started
        self._looked = True
        return snapshot(
            learner.model,
            self.task,
            measured,
            step=self._step,
            steps=self.recipe.steps,
            learning_rate=self._last_rate,
            seconds=self._seconds,
        )

    def trained(self) -> Trained:
        """The model as it is now; it does not change if the training continues.

        Raises:
            NotSupported: if the training was closed.
        """
        state = self._open().model.state_dict()
        # A copy: the weights keep changing.
        weights = {name: frozen(tensor.numpy().copy()) for name, tensor in state.items()}
        return Trained(
            self.recipe,
            self.task.source,
            self.task.target,
            MappingProxyType(weights),
            self._step,
            self.changes,
        )

    def close(self) -> None:
        """Stop, and release the model and everything needed to train it."""
        self._learner = None

    def _open(self) -> Learner:
        # A local name: another thread may close the training in the middle of a step.
        learner = self._learner
        if learner is None:
            raise NotSupported(_("This training was stopped. Start a new one with its recipe."))
        return learner

    def _came_apart(self) -> SettingError:
        self.close()
        return SettingError(
            _(
                "At step {step} the loss is no longer a number: the learning rate, {rate}, is too "
                "high. Start again with a lower one."
            ).format(step=decimal(f"{self._step:,}"), rate=decimal(f"{self.learning_rate:g}"))
        )


def train(recipe: Recipe, *, every: int | None = None) -> Training:
    """Create a training; see `Training`. Nothing is trained until it is advanced."""
    return Training(recipe, every=every)
