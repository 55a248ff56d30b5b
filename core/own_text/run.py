"""One training of a visitor on a text, in the queue of all trainings."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from ..errors import NotSupported, SettingError
from ..localization import _
from ..tasks.training.plane import Plane, plane
from ..tasks.training.queued import Queued
from .files import Learned
from .learning import Pause, TextTraining, between
from .ngram import bits_per_letter
from .recipe import TextRecipe, parted, unfit


@dataclass(frozen=True, eq=False)
class TextFinished:
    """What a run has left that came to its end.

    Attributes:
        learned: its model, with its pauses and its text.
        planes: for each pause, the plane of the shown tokens.
        shown: those tokens.
        gram: bits a letter of a 5-gram of the same text.
        title: what the text is called.
    """

    learned: Learned
    planes: tuple[Plane, ...]
    shown: tuple[str, ...]
    gram: float
    title: str


class TextRun(Queued):
    """One training on a text and all its pauses; `core.tasks.training.queue` starts and stops it.

    Attributes:
        text: what is learned.
        title: what the text is called on the screen.
        recipe: the settings.
        snapshots: the pauses so far; the first is before the first step.
        planes: for each pause, the plane of the tokens in `shown`.
        shown: the tokens that the text has most often.
        gram: bits a letter of the held-out text by a 5-gram of the rest; NaN before the first pause.

    Raises:
        SettingError: the text is too short or too long.
    """

    def __init__(
        self, text: str, title: str, recipe: TextRecipe, name: str, present: Callable[[], bool]
    ) -> None:
        super().__init__(name, present)
        if why := unfit(text):
            raise SettingError(why)
        self.text, self.title, self.recipe = text, title, recipe
        self.snapshots: tuple[Pause, ...] = ()
        self.planes: tuple[Plane, ...] = ()
        self.shown: tuple[str, ...] = ()
        self.gram = float("nan")
        self.every = between(recipe.steps)
        self._training: TextTraining | None = None
        self._learned: Learned | None = None

    @classmethod
    def again(
        cls, name: str, title: str, finished: TextFinished, present: Callable[[], bool]
    ) -> TextRun:
        """A run that has already ended, with what another of the same text and recipe has left."""
        learned = finished.learned
        run = cls(learned.text, title, learned.recipe, name, present)
        run.state = run._wanted = "done"
        run._fill(finished)
        run._learned = learned
        return run

    def _fill(self, finished: TextFinished) -> None:
        self.planes, self.shown, self.gram = finished.planes, finished.shown, finished.gram
        self.snapshots = finished.learned.pauses

    @property
    def finished(self) -> TextFinished | None:
        """What it leaves; None if it has not come to its end."""
        if self.state != "done" or self._learned is None:
            return None
        return TextFinished(self._learned, self.planes, self.shown, self.gram, self.title)

    @property
    def step(self) -> int:
        """The number of steps so far."""
        training = self._training
        if training is not None:
            return training.step
        return self.snapshots[-1].step if self.snapshots else 0

    def learned(self) -> Learned:
        """The model as it is now.

        Raises:
            NotSupported: it is being trained, or was never started.
        """
        if self._learned is None and self._training is not None and self.state == "paused":
            return self._training.result(self.snapshots)
        if self._learned is None:
            raise NotSupported(_("This model does not exist yet. Pause its training first, or wait."))
        return self._learned

    @property
    def _complete(self) -> bool:
        return bool(self.snapshots) and self.snapshots[-1].step == self.recipe.steps

    def _advance(self) -> None:
        if self._training is None:
            self._training = TextTraining(self.text, self.recipe)
            self.shown = self._training.shown
            self.gram = bits_per_letter(*parted(self.text))
        training = self._training
        if self.snapshots:
            training.learn(1)
        if training.step % self.every == 0 or training.done:
            self._look(training)

    def _look(self, training: TextTraining) -> None:
        """Pause: measure it, and let it write."""
        seen = training.look()
        before = self.planes[-1] if self.planes else None
        # The plane comes first: a reader who sees a pause can then rely on its plane.
        self.planes = (*self.planes, plane(seen.vectors, before))
        self.snapshots = (*self.snapshots, seen)

    def _close(self) -> None:
        training = self._training
        if training is None:
            return
        if self.snapshots and self.state != "failed":
            if self.snapshots[-1].step < training.step:
                with suppress(SettingError):
                    self._look(training)
            self._learned = training.result(self.snapshots)
        self._training = None


def untrained(text: str, title: str, recipe: TextRecipe) -> TextRun:
    """A run as it is before its first step, with its first pause: what the page shows before Start.

    Raises:
        SettingError: see `TextTraining`.
    """
    run = TextRun(text, title, recipe, "", lambda: False)
    run._advance()
    run._training = None
    return run
