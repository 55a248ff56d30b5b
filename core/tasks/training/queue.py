"""Trainings in separate threads: a limited number at once; the others wait; none outlives its owner.

A run in training has a thread; a waiting, paused or finished run has none. The holder of a run can
read it at any time; only its thread changes it. The app has one queue for all visitors, created in
`ui.models.session_models`.
"""

from __future__ import annotations

import atexit
import threading
import time

from ...errors import PolyseeError
from ...localization import N_, gettext, spoken
from .queued import AWAY, Queued, State
from .threads import one_thread_here

THREAD = "polysee training"  # the name of each training thread
_LOOK = 0.5  # seconds between two checks for the owner
_GONE = 2.0  # seconds without the owner after which a run is paused
_LAST = 10.0  # seconds that a thread is given at the end of the program
_BROKE = N_("An error in Polysee stopped the training. Start it again with the same recipe.")


class TrainingQueue:
    """At most `most` trainings at once; later ones wait for their turn, and then start."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._lock = threading.Lock()
        self._queue: list[Queued] = []
        self._at_work: list[Queued] = []
        self._threads: list[threading.Thread] = []
        # torch crashes if its thread is killed in the middle of a step.
        atexit.register(self.close)

    def close(self) -> None:
        """End all trainings, and wait for their threads."""
        with self._lock:
            self._queue.clear()
            for run in self._at_work:
                run._wanted = "stopped"
        for thread in self._threads:
            thread.join(_LAST)

    @property
    def at_work(self) -> int:
        """The number of runs in training."""
        return len(self._at_work)

    @property
    def waiting(self) -> int:
        """The number of runs in the queue."""
        return len(self._queue)

    def queue_position(self, run: Queued) -> int:
        """The position of a run in the queue, from 1; 0 if it does not wait."""
        with self._lock:
            return self._queue.index(run) + 1 if run in self._queue else 0

    def go(self, run: Queued, snapshots: int | None = None) -> None:
        """Start a run, or continue it.

        Args:
            run: the run; nothing happens if it is done, stopped or failed.
            snapshots: the number of further snapshots after which to pause; None to train to the end.
        """
        with self._lock:
            if run.state in ("done", "stopped", "failed"):
                return
            run._wanted, run.why = "training", ""
            run._until = None if snapshots is None else len(run.snapshots) + snapshots
            if run not in self._at_work and run not in self._queue:
                run.state = "waiting"
                self._queue.append(run)
                self._next()

    def pause(self, run: Queued) -> None:
        """Pause a run, and let the next in the queue start."""
        self._want(run, "paused")

    def stop(self, run: Queued) -> None:
        """Stop a run for good; its model stays as it is."""
        self._want(run, "stopped")

    def _want(self, run: Queued, state: State) -> None:
        with self._lock:
            run._wanted = state
            if run in self._queue:
                self._queue.remove(run)
            if run not in self._at_work and run.state not in ("done", "stopped", "failed"):
                if state == "stopped":
                    one_thread_here()
                    run._close()
                run.state = state

    def _next(self) -> None:
        """Start the first runs in the queue while there is room, unless their owner has left."""
        while self._queue and len(self._at_work) < self.most:
            run = self._queue.pop(0)
            if not run._present():
                run.state, run.why = "paused", AWAY
                continue
            run.state = "training"
            self._at_work.append(run)
            thread = threading.Thread(target=self._spoken, args=(run,), name=THREAD, daemon=True)
            self._threads = [*(one for one in self._threads if one.is_alive()), thread]
            thread.start()

    def _spoken(self, run: Queued) -> None:
        """Work in the language of the visitor, in which a run says why it failed."""
        with spoken(run.language):
            self._work(run)

    def _work(self, run: Queued) -> None:
        one_thread_here()
        seen = looked = time.monotonic()
        try:
            while True:
                now = time.monotonic()
                if now - looked >= _LOOK:
                    looked = now
                    seen = now if run._present() else seen
                if now - seen >= _GONE:
                    self._pause_if_training(run, AWAY)
                if self._leaves(run):
                    return
                run._advance()
        except PolyseeError as error:
            self._failed(run, str(error))
        except BaseException:
            self._failed(run, gettext(_BROKE))
            raise

    def _pause_if_training(self, run: Queued, why: str) -> None:
        """Pause a run, unless it has been stopped or paused in the meantime."""
        with self._lock:
            if run._wanted == "training":
                run._wanted, run.why = "paused", why

    def _leaves(self, run: Queued) -> bool:
        """Whether the thread ends here; if so, set the run's new state, and start the next run."""
        with self._lock:
            if run._complete:
                run._wanted = "done"
            elif run._until is not None and len(run.snapshots) >= run._until:
                run._until = None
                if run._wanted == "training":  # otherwise it was stopped during its last step
                    run._wanted = "paused"
            if run._wanted == "training":
                return False
            if run._wanted != "paused":
                run._close()
            self._leave(run, run._wanted)
            return True

    def _failed(self, run: Queued, why: str) -> None:
        with self._lock:
            run.why = why
            self._leave(run, "failed")
            run._close()

    def _leave(self, run: Queued, state: State) -> None:
        run.state = state
        self._at_work.remove(run)
        self._next()
