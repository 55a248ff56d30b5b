"""How the time of a function grows with its text: a ratio, which a busy machine does not decide."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import suppress

from core.errors import PolyseeError

# Four times the text takes four times as long; with its square, sixteen times.
MOST = 8.0
_REFUSALS = (PolyseeError, ValueError, KeyError, IndexError)  # they answer as well
_TRIES = 4  # with longer texts each time, where a ratio may have been chance
_CERTAIN = 1.0  # seconds: so much is not, nor a step from one way of reading to another


def grows_with_its_square(read: Callable[[str], object], shape: Callable[[int], str], n: int) -> str:
    """Where the time of `read` grows faster than its text, the times that show it; "" elsewhere.

    Args:
        read: the function.
        shape: a text of any length.
        n: how many characters the shorter text has, at first.
    """
    found = ""
    for size in _sizes(n):
        short, long = shape(size), shape(4 * size)
        once = seconds(read, short, 1), seconds(read, long, 1)
        if _fits(*once):
            return ""
        several = min(once[0], seconds(read, short, 5)), min(once[1], seconds(read, long, 3))
        if _fits(*several):
            return ""
        found = f"{len(short):,} characters {several[0]:.4f} s, {len(long):,} {several[1]:.4f} s"
        if several[1] > _CERTAIN:
            break
    return found


def seconds(read: Callable[[str], object], text: str, times: int) -> float:
    """The least processor time of this thread for a text."""
    least = float("inf")
    for _ in range(times):
        began = time.thread_time()
        with suppress(*_REFUSALS):
            read(text)
        least = min(least, time.thread_time() - began)
    return least


def _sizes(n: int) -> Iterator[int]:
    for i in range(_TRIES):
        yield n * 2**i


def _fits(short: float, long: float) -> bool:
    return long <= MOST * max(short, time.get_clock_info("thread_time").resolution)
