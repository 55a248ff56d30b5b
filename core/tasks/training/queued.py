"""What the queue trains: anything that goes on in small steps, and has an owner who may leave."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from threading import Lock
from typing import Any, Literal

from ...localization import current

State = Literal["new", "waiting", "training", "paused", "done", "stopped", "failed"]
AWAY = "away"  # a run was paused because its owner had left
_ADOPTING = Lock()


class Queued(ABC):
    """One training of a visitor; `TrainingQueue` starts, pauses and stops it.

    Attributes:
        name: unique among all runs, and impossible to guess.
        state: "training" with a thread; "waiting" in the queue; and so on.
        why: why it failed, in a sentence; `AWAY` if it was paused because its owner had left.
        language: that of its owner when it was made.
        snapshots: what was seen of it so far; the first is before the first step.
        recipe: how it trains, and for how many steps.
        every: steps between two snapshots.
    """

    snapshots: tuple[Any, ...] = ()
    recipe: Any
    every: int
    _training: Any = None  # what trains: it counts its steps and seconds

    def __init__(self, name: str, present: Callable[[], bool]) -> None:
        """`present` returns whether the owner of this run is still there; the thread calls it."""
        self.name = name
        self.state: State = "new"
        self.why = ""
        self.language = current()
        self._present = present
        self._wanted: State = "training"
        self._until: int | None = None

    @property
    def active(self) -> bool:
        """Whether it is training, or will do so without further action."""
        return self.state in ("training", "waiting")

    @property
    def is_ending(self) -> bool:
        """Whether it was paused or stopped, but its thread has not yet heard of it."""
        return self.state == "training" and self._wanted != "training"

    @property
    def planned(self) -> tuple[int, ...]:
        """The steps at which there is a snapshot, or will be."""
        return (*range(0, self.recipe.steps, self.every), self.recipe.steps)

    @property
    def seconds_left(self) -> float | None:
        """The remaining time at the mean speed so far, in seconds; None before the first step."""
        training = self._training
        if training is None or not training.step:
            return None
        left: float = training.seconds / training.step * (self.recipe.steps - training.step)
        return left

    @property
    def speed(self) -> float | None:
        """Steps a second, the mean so far; None before the first step."""
        training = self._training
        return training.step / training.seconds if training is not None and training.step else None

    def adopt(self, present: Callable[[], bool]) -> bool:
        """Give the run to another owner, if its own has left; returns whether it did."""
        with _ADOPTING:  # two visitors may open one link at once
            if self._present():
                return False
            self._present = present
            return True

    @property
    @abstractmethod
    def _complete(self) -> bool:
        """Whether it has come to its end."""

    @abstractmethod
    def _advance(self) -> None:
        """Make one step, and take a snapshot if one is due."""

    @abstractmethod
    def _close(self) -> None:
        """Store the model and its results; release what was needed to train it."""
