"""Fit a lens in a thread that its visitor can stop: a click cannot interrupt a part of a page."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Literal

from core.errors import PolyseeError
from core.language.lens import FittedLens
from core.localization import N_, _
from core.pretrained import Model
from ui.models.long_texts import queue

BROKE = N_("An error in Polysee stopped the fit. Please reload the page, and try again.")
State = Literal["waiting", "working", "done", "stopped", "failed"]


class _EndError(Exception):
    """The visitor has stopped the job, or has left."""


class Job:
    """One fit in progress.

    Attributes:
        name: the name of the model on the page.
        state: "waiting" in the queue, "working" on the model; in any other state, the job is over.
        before: how many others wait before it.
        done, total: the tokens read, and all of them; 0 before the first.
        lens: the lens, once it is fitted.
        error: why it failed.
        waited_for: whether the page has waited for it.
    """

    def __init__(
        self, name: str, model: Model, content: str, about: str, present: Callable[[], bool]
    ) -> None:
        """Begin.

        Args:
            name: the name of the model on the page.
            model: the model.
            content: the text.
            about: what it is, in words.
            present: whether the visitor is still there; the thread calls it.
        """
        self.name = name
        self.state: State = "waiting"
        self.before = self.done = self.total = 0
        self.lens: FittedLens | None = None
        self.error: PolyseeError | None = None
        self._model, self._content, self._about, self._present = model, content, about, present
        self._ended = self.waited_for = False
        self._thread = threading.Thread(target=self._run, name="polysee lens", daemon=True)
        self._thread.start()

    @property
    def active(self) -> bool:
        """Whether it continues without further action."""
        return self.state in ("waiting", "working")

    def stop(self) -> None:
        """End it soon."""
        self._ended = True

    def join(self, seconds: float) -> None:
        """Wait until it is over, but no longer than this."""
        self._thread.join(seconds)

    def _look(self) -> None:
        if self._ended or not self._present():
            raise _EndError

    def _wait(self, position: int) -> None:
        self.before = position
        self._look()

    def _told(self, done: int, total: int) -> None:
        self.done, self.total = done, total
        self._look()

    def _run(self) -> None:
        try:
            with queue().turn(self._wait):
                self.state = "working"
                self.lens = self._model.fit_lens(
                    [self._content], fitted_on=self._about, on_progress=self._told
                )
            self.state = "done"
        except _EndError:
            self.state = "stopped"
        except PolyseeError as error:
            self.error, self.state = error, "failed"
        except Exception:
            logging.getLogger(__name__).exception(_("A lens could not be fitted."))
            self.error, self.state = PolyseeError(BROKE), "failed"
