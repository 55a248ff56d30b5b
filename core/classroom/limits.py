"""A rate limit for each address: a token bucket that refills at a steady rate."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock


class Buckets:
    """Thread-safe token buckets, bounded in number: the least recently used is forgotten first.

    Args:
        clock: returns seconds, which never decrease.
        burst: how many requests a full bucket holds.
        rate: how many requests a bucket regains per second.
        most: the largest number of addresses remembered.
    """

    def __init__(self, clock: Callable[[], float], burst: float, rate: float, most: int = 2000) -> None:
        self._clock, self._burst, self._rate, self._most = clock, burst, rate, most
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()  # address: (left, when)
        self._lock = Lock()

    def take(self, address: str) -> bool:
        """Take one request from the address's bucket; return False if it holds none."""
        with self._lock:
            now = self._clock()
            left, when = self._left.pop(address, (self._burst, now))
            left = min(self._burst, left + (now - when) * self._rate)
            granted = left >= 1
            self._left[address] = (left - 1 if granted else left, now)
            # A full bucket equals a new one, therefore the address need not be kept.
            full = self._burst / self._rate
            while self._left:
                _, (_, oldest) = next(iter(self._left.items()))
                if len(self._left) <= self._most and now - oldest < full:
                    break
                self._left.popitem(last=False)
            return granted

    def __len__(self) -> int:
        return len(self._left)
