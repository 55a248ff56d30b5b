"""Long work, in a queue: so much of it at once, whoever comes later waits and is told the position.

Short work does not pass through here, so that none of it stands behind a text of 512 tokens.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.runtime.scriptrunner import get_script_run_ctx

from core.errors import TooMany
from ui import callbacks

MOST_WAITING = 40  # a class; more of them would wait for minutes
_LOOK = 0.2  # seconds between two looks at the position in the queue
FULL = (
    "Too many visitors are waiting for long computations. Try again in a minute, or use a shorter text."
)


class WorkQueue:
    """So much at once, `most`; the others wait in the order in which they came.

    Raises:
        ValueError: `most` is not 1 or more.
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
        """How many wait."""
        return len(self._waiting)

    @property
    def at_work(self) -> int:
        """How many are at work."""
        return self._at_work

    @contextmanager
    def turn(self, tell: Callable[[int], None]) -> Iterator[None]:
        """Wait for one's turn, then hold it as long as the block lasts.

        Args:
            tell: called with the position in the queue, from 1, whenever it is another; what it raises
                ends the
                waiting: so a visitor who has gone, or has asked something else, leaves the queue.

        Raises:
            TooMany: the queue is full.
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
            # Also where it is the same: only so Streamlit can say that the visitor has left.
            tell(position)
            reported = position


@contextmanager
def waiting_room(queue: WorkQueue, what: str) -> Iterator[None]:
    """One's turn in a queue; while one waits, the page says how many are ahead. A callback only waits.

    Args:
        queue: which one.
        what: what is waited for, as a sentence begins with it.

    Raises:
        TooMany: as `WorkQueue.turn`.
    """
    # A warm-up, or a file that is saved; or a callback.
    if get_script_run_ctx(suppress_warning=True) is None or callbacks.running():
        with queue.turn(lambda position: None):
            yield
        return
    rooms: list[DeltaGenerator] = []  # only for who waits: others see no trace of the queue

    def tell(position: int) -> None:
        if not rooms:
            rooms.append(st.empty())
        before = "one other is" if position == 1 else f"{position} others are"
        rooms[0].info(f"{what} takes a while, and {before} ahead of you. It starts by itself.")

    with queue.turn(tell):
        for room in rooms:
            room.empty()
        yield
