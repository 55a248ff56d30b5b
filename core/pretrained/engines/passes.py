"""Passes through large models take turns, on half of the processors.

Such a pass spends its time reading weights from memory: on two processors, two of them at once take as
long as one after the other, and meanwhile nobody else gets an answer from a small model. Texts of
several visitors in one pass would share that reading, but a class of them then keeps the other
processor busy with its pages, and a visitor of a small model waits.
"""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager

from torch import nn

from .. import cancellation

LARGE = 200_000_000  # bytes of weights; all caches of a processor are smaller
_PATIENCE = 0.1  # seconds after which one who waits is asked whether it is still wanted


class Turns:
    """Turns for so many at once, in the order in which they were asked for."""

    def __init__(self, at_once: int) -> None:
        self._free = at_once
        self._waiting: deque[threading.Event] = deque()
        self._lock = threading.Lock()

    def take(self) -> None:
        """Wait for a turn, and ask meanwhile whether the work is still wanted (`cancellation`)."""
        with self._lock:
            if self._free:
                self._free -= 1
                return
            mine = threading.Event()
            self._waiting.append(mine)
        try:
            while not mine.wait(_PATIENCE):
                cancellation.ask()
        except BaseException:
            self._leave(mine)
            raise

    def give_back(self) -> None:
        """Let the next one in."""
        with self._lock:
            if self._waiting:
                self._waiting.popleft().set()
            else:
                self._free += 1

    def _leave(self, mine: threading.Event) -> None:
        with self._lock:
            if not mine.is_set():
                self._waiting.remove(mine)
                return
        self.give_back()  # it was let in just then


_turns = Turns(max(1, (os.cpu_count() or 1) // 2))


def is_large(module: nn.Module) -> bool:
    """Whether its weights are more than the caches of a processor hold."""
    return sum(each.nbytes for each in module.parameters()) > LARGE


@contextmanager
def turn(large: bool) -> Iterator[None]:
    """Hold a turn for one pass; a small model needs none. See `Turns.take`."""
    if not large:
        yield
        return
    _turns.take()
    try:
        yield
    finally:
        _turns.give_back()
