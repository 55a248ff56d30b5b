"""Patched runs computed in a thread, which a visitor can stop, and which ends if the visitor leaves.

A part of a page that runs alone does not interrupt itself: whatever takes seconds would hold back every
click in it. After each row, the thread looks whether it is still wanted; its rows are kept.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Literal

from core.errors import PolyseeError
from core.localization import N_
from core.records.patching import Patching
from pages.next_word.prompts import computed
from pages.next_word.prompts.computed import Query

State = Literal["waiting", "working", "done", "stopped", "failed"]
_BROKE = N_("An error in Polysee stopped the patching. Please reload the page.")


class _EndError(Exception):
    """The visitor has stopped the job, or has left."""


class Job:
    """One query in progress.

    Attributes:
        query: what is computed; its rows go to `computed.begun`, its result to `computed.known`.
        state: "waiting" in the queue, "working" on the model; in any other state, the job is over.
        queue_position: from 1; 0 if it does not wait.
        error: why it failed.
    """

    def __init__(self, query: Query, present: Callable[[], bool]) -> None:
        """`present` returns whether the visitor is still there; the thread calls it."""
        self.query = query
        self.state: State = "working"
        self.queue_position = 0
        self.error: PolyseeError | None = None
        self._present, self._ended = present, False
        self._thread = threading.Thread(target=self._run, name="polysee patching", daemon=True)
        self._thread.start()

    @property
    def active(self) -> bool:
        """Whether it continues without further action."""
        return self.state in ("waiting", "working")

    def stop(self) -> None:
        """End the job after the row that it is at."""
        self._ended = True

    def join(self, seconds: float) -> None:
        """Wait until it is over, but no longer than this."""
        self._thread.join(seconds)

    def _run(self) -> None:
        state: State = "failed"
        try:
            computed.patching(self.query, self._on_part, self._on_wait)
            state = "done"
        except _EndError:
            state = "stopped"
        except PolyseeError as error:
            self.error = error
        except BaseException:
            self.error = PolyseeError(_BROKE)
            raise
        finally:
            self.state = state

    def _on_part(self, part: Patching) -> None:
        self.queue_position, self.state = 0, "working"
        self._look()

    def _on_wait(self, position: int) -> None:
        self.queue_position, self.state = position, "waiting"
        self._look()

    def _look(self) -> None:
        if self._ended or not self._present():
            raise _EndError
