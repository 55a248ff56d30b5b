"""How often one address may ask: a bucket for each, filled at a steady rate."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock


class Buckets:
    """Thread-safe buckets, bounded in number: the one that rested longest is forgotten first.

    Args:
        clock: seconds that never go back.
        burst: requests that a full bucket holds.
        rate: requests that come back in a second.
        most: addresses that are remembered.
    """

    def __init__(self, clock: Callable[[], float], burst: float, rate: float, most: int = 2000) -> None:
        self._clock, self._burst, self._rate, self._most = clock, burst, rate, most
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()  # address: (left, when)
        self._lock = Lock()

    def take(self, address: str) -> bool:
        """Take one; False if the address has none left."""
        with self._lock:
            now = self._clock()
            left, when = self._left.pop(address, (self._burst, now))
            left = min(self._burst, left + (now - when) * self._rate)
            granted = left >= 1
            self._left[address] = (left - 1 if granted else left, now)
            # A full bucket says nothing: addresses are not kept for longer than they matter.
            full = self._burst / self._rate
            while self._left:
                _, (_, oldest) = next(iter(self._left.items()))
                if len(self._left) <= self._most and now - oldest < full:
                    break
                self._left.popitem(last=False)
            return granted

    def __len__(self) -> int:
        return len(self._left)
