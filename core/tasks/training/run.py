"""One training of a visitor: all its snapshots, and its state. See `queue`."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace

from ...errors import NotSupported, SettingError
from ...localization import _, decimal
from ..languages import readable
from ..trained.trained import Trained
from .loop import Training
from .plane import Plane, plane
from .queued import Queued
from .recipe import BOUNDS, Recipe
from .snapshot import Snapshot

# Each divides all that follow: of two runs, the snapshots of one are among those of the other.
_EVERY = (1, 5, 10, 20, 40, 80, 160, 320)
_MOST_SNAPSHOTS = 40


def every(steps: int) -> int:
    """The number of steps between snapshots, for about 40 in a whole training."""
    return next((n for n in _EVERY if steps <= n * _MOST_SNAPSHOTS), _EVERY[-1])


@dataclass(frozen=True, eq=False)
class Finished:
    """What a run has left that came to its end, and that its recipe alone reproduces.

    Attributes:
        snapshots: all its snapshots.
        planes: for each, the plane of the words.
        trained: its model.
    """

    snapshots: tuple[Snapshot, ...]
    planes: tuple[Plane, ...]
    trained: Trained


class Run(Queued):
    """One training and all its snapshots; `TrainingQueue` starts, pauses and stops it.

    Attributes:
        recipe: the settings of the training.
        snapshots: the snapshots so far; the first is before the first step.
        planes: for each snapshot, the plane of the words of `readable.words`.
    """

    def __init__(self, recipe: Recipe, name: str, present: Callable[[], bool]) -> None:
        """`present` returns whether the owner of this run is still there; the thread calls it."""
        super().__init__(name, present)
        self.recipe = recipe
        self.snapshots: tuple[Snapshot, ...] = ()
        self.planes: tuple[Plane, ...] = ()
        self.every = every(recipe.steps)
        self._rate: float | None = None
        self._training: Training | None = None
        self._trained: Trained | None = None

    @classmethod
    def again(cls, name: str, finished: Finished, present: Callable[[], bool]) -> Run:
        """A run of its own that has already ended, with what another of the same recipe has left."""
        run = cls(finished.trained.recipe, name, present)
        run.state = run._wanted = "done"
        run.snapshots, run.planes = finished.snapshots, finished.planes
        run._trained = replace(finished.trained)  # each has a module of its own, if it needs one
        return run

    @property
    def finished(self) -> Finished | None:
        """What it leaves; None if it has not come to its end, or if its rate was changed by hand."""
        trained = self._trained
        if self.state != "done" or trained is None or trained.changes:
            return None
        return Finished(self.snapshots, self.planes, replace(trained))

    @property
    def changes(self) -> tuple[tuple[int, float], ...]:
        """(step, learning rate) for each change of the rate by hand."""
        training, trained = self._training, self._trained
        made = training.changes if training is not None else trained.changes if trained else ()
        return made if self._rate is None else (*made, (self.step, self._rate))

    @property
    def step(self) -> int:
        """The number of steps so far."""
        training, trained = self._training, self._trained
        if training is not None:
            return training.step
        if trained is not None:
            return trained.steps
        return self.snapshots[-1].step if self.snapshots else 0

    @property
    def learning_rate(self) -> float:
        """The peak learning rate, which can be changed during training.

        Raises:
            SettingError: if the new rate is out of bounds.
        """
        if self._rate is not None:
            return self._rate
        return self._training.learning_rate if self._training else self.recipe.learning_rate

    @learning_rate.setter
    def learning_rate(self, value: float) -> None:
        least, most = BOUNDS["learning_rate"]
        if not least <= value <= most:
            raise SettingError(
                _("The learning rate is {value}; it must be a number from {least} to {most}.").format(
                    value=decimal(f"{value:g}"), least=decimal(f"{least:g}"), most=decimal(f"{most:g}")
                )
            )
        if value != self.learning_rate:
            self._rate = float(value)

    def trained(self) -> Trained:
        """The model as it is now.

        Raises:
            NotSupported: if it is being trained, or was never started.
        """
        if self._trained is None and self._training is not None and self.state == "paused":
            return self._training.trained()
        if self._trained is None:
            raise NotSupported(_("This model does not exist yet. Pause its training first, or wait."))
        return self._trained

    def _advance(self) -> None:
        """Make one step, and take a snapshot if one is due."""
        if self._training is None:
            self._training = Training(self.recipe, every=self.every)
        training = self._training
        if self._rate is not None:
            training.learning_rate, self._rate = self._rate, None
        if self.snapshots:
            training.learn(1)
        if training.step % self.every == 0 or training.done:
            self._look(training)

    def _look(self, training: Training) -> None:
        """Take one more snapshot."""
        seen = training.look()
        before = self.planes[-1] if self.planes else None
        # The plane comes first: a reader who sees a snapshot can then rely on its plane.
        self.planes = (*self.planes, plane(readable.table(training.task, seen), before))
        self.snapshots = (*self.snapshots, seen)

    @property
    def _complete(self) -> bool:
        return bool(self.snapshots) and self.snapshots[-1].step == self.recipe.steps

    def _close(self) -> None:
        """Store the model and its results; release what was needed to train it."""
        if self._training is not None:
            if self.snapshots and self.state != "failed":
                self._trained = self._training.trained()
                if self.snapshots[-1].step < self._training.step:
                    with suppress(SettingError):  # the loss of its last step was not finite
                        self._look(self._training)
            self._training.close()
            self._training = None
