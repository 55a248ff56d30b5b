"""Passes through large models take turns, on half of the processors.

Such a pass spends its time reading weights from memory: on two processors, two of them at once take as
long as one after the other, and meanwhile nobody else gets an answer from a small model. Texts that
are read as a whole share that reading (`Together`). What is typed on (`core.pretrained.prefixes`) does
not: a class would then keep the other processor busy with its pages.
"""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Generic, TypeVar

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from .. import cancellation

LARGE = 200_000_000  # bytes of weights; all caches of a processor are smaller
TOKENS = 128  # of all texts that go through a model together
_PATIENCE = 0.1  # seconds after which one who waits is asked whether it is still wanted


T = TypeVar("T")


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


class _Wanted(Generic[T]):
    """A text that waits for a pass, and what comes of it."""

    def __init__(self, ids_1L: Tensor) -> None:
        self.ids_1L = ids_1L
        self.output: T | None = None
        self.error: Exception | None = None
        self.called = threading.Event()  # its numbers are there, or it is to run the next pass

    @property
    def done(self) -> bool:
        """Whether its pass is over."""
        return self.output is not None or self.error is not None


class Together(Generic[T]):
    """Passes of a causal model over single texts: those that wait go through it together.

    The weights are then read once for all of them. A shorter text is padded behind its end, which no
    token before sees. A text that goes alone gives the same numbers to the last bit; together with
    others they differ by rounding alone.

    Args:
        read: runs the model on (B, L) ids, and returns for each of these lengths what belongs to so
            many tokens of its row.
    """

    def __init__(self, read: Callable[[Tensor, Sequence[int]], Sequence[T]]) -> None:
        self._read = read
        self._waiting: list[_Wanted[T]] = []
        self._runs = False  # whether somebody runs a pass, or was called to
        self._lock = threading.Lock()

    def __call__(self, ids_1L: Tensor) -> T:
        """What belongs to one text, (1, L) ids."""
        mine = _Wanted[T](ids_1L)
        with self._lock:
            self._waiting.append(mine)
            if not self._runs:
                self._runs = True
                mine.called.set()
        leads = False
        try:
            while not mine.called.wait(_PATIENCE):
                cancellation.ask()
            leads = not mine.done
            if leads:
                with turn(True):
                    self._pass(mine)
        except BaseException:
            with self._lock:
                if mine in self._waiting:
                    self._waiting.remove(mine)
                leads = mine.called.is_set() and not mine.done  # it may have been called just then
            raise
        finally:
            if leads:
                self._call_next()
        if mine.error is not None:
            raise mine.error
        assert mine.output is not None
        return mine.output

    def _call_next(self) -> None:
        """Have the first of those that wait run the next pass."""
        with self._lock:
            if self._waiting:
                self._waiting[0].called.set()
            else:
                self._runs = False

    def _pass(self, mine: _Wanted[T]) -> None:
        """Run the model on a text, and on as many of those that wait as fit beside it."""
        with self._lock:
            some, longest = [mine], mine.ids_1L.shape[1]
            for one in self._waiting:
                length = max(longest, one.ids_1L.shape[1])
                if one is not mine and (len(some) + 1) * length <= TOKENS:
                    some.append(one)
                    longest = length
            self._waiting = [one for one in self._waiting if one not in some]
        try:
            rows = [F.pad(one.ids_1L, (0, longest - one.ids_1L.shape[1])) for one in some]
            lengths = [one.ids_1L.shape[1] for one in some]
            for one, own in zip(some, self._read(torch.cat(rows), lengths), strict=True):
                one.output = own
        except Exception as error:
            for one in some:
                one.error = error
        for one in some:
            one.called.set()


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
