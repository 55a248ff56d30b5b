"""A queue for long work: a limited number run at once; others wait and see their position.

Short work does not pass through here, so that it never waits behind a text of 512 tokens.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.runtime.scriptrunner import get_script_run_ctx

from core.errors import TooMany
from core.localization import N_, ngettext
from ui import callbacks

MOST_WAITING = 40  # per class of work; more visitors would wait for minutes
_LOOK = 0.2  # seconds between two checks of the position in the queue
FULL = N_(
    "Too many visitors are waiting for long computations. Try again in a minute, or use a shorter text."
)


class WorkQueue:
    """Runs at most `most` at once; the others wait in order of arrival.

    Raises:
        ValueError: if `most` is less than 1.
    """

    def __init__(self, most: int, most_waiting: int = MOST_WAITING) -> None:
        if most < 1:
            raise ValueError("A queue must let at least one visitor work.")
        self.most, self.most_waiting = most, most_waiting
        self._moved = threading.Condition()
        self._waiting: list[object] = []
        self._at_work = 0

    @property
    def waiting(self) -> int:
        """The number waiting."""
        return len(self._waiting)

    @property
    def at_work(self) -> int:
        """The number of tasks that are running."""
        return self._at_work

    @contextmanager
    def turn(self, tell: Callable[[int], None]) -> Iterator[None]:
        """Wait for one's turn, then hold it while the block runs.

        Args:
            tell: called with the position in the queue, from 1, when it changes; an exception that it
                raises ends the wait: a visitor who has left, or has made another request, leaves the
                queue.

        Raises:
            TooMany: if the queue is full.
        """
        me = object()
        with self._moved:
            if self._at_work + len(self._waiting) >= self.most + self.most_waiting:
                raise TooMany(FULL)
            self._waiting.append(me)
        try:
            self._wait(me, tell)
        except BaseException:
            with self._moved:
                self._waiting.remove(me)
                self._moved.notify_all()
            raise
        try:
            yield
        finally:
            with self._moved:
                self._at_work -= 1
                self._moved.notify_all()

    def _wait(self, me: object, tell: Callable[[int], None]) -> None:
        reported = 0
        while True:
            with self._moved:
                position = self._waiting.index(me) + 1
                if position == 1 and self._at_work < self.most:
                    self._waiting.pop(0)
                    self._at_work += 1
                    self._moved.notify_all()
                    return
                if position == reported:
                    self._moved.wait(_LOOK)
                    position = self._waiting.index(me) + 1
            # Report it even if unchanged: only this call lets Streamlit notice that the visitor has
            # left.
            tell(position)
            reported = position


@contextmanager
def waiting_room(queue: WorkQueue, what: str) -> Iterator[None]:
    """Wait in a queue; meanwhile the page shows how many are ahead. A callback only waits.

    Args:
        queue: the queue.
        what: the name of the work, as the start of a sentence.

    Raises:
        TooMany: see `WorkQueue.turn`.
    """
    # A warm-up, a file being saved, or a callback.
    if get_script_run_ctx(suppress_warning=True) is None or callbacks.running():
        with queue.turn(lambda position: None):
            yield
        return
    # created only for visitors who wait: others see no trace of the queue
    rooms: list[DeltaGenerator] = []

    def tell(position: int) -> None:
        if not rooms:
            rooms.append(st.empty())
        said = ngettext(
            "{what} takes a while, and one other is ahead of you. It starts by itself.",
            "{what} takes a while, and {count} others are ahead of you. It starts by itself.",
            position,
        )
        rooms[0].info(said.format(what=what, count=position))

    with queue.turn(tell):
        for room in rooms:
            room.empty()
        yield
