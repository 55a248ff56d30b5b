"""What follows from one cached value, such as its maps and groups, each computed once for all."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from contextlib import suppress
from itertools import count
from threading import RLock
from typing import Any, TypeVar

from core.memory import Cache

T = TypeVar("T")
_numbers = count()
# In the budget like all others. Those of a value that is gone are never asked for, and go in turn.
_results: Cache[tuple[int, Hashable], Any] = Cache()


class Results:
    """The results that follow from one value."""

    def __init__(self) -> None:
        self._number = next(_numbers)
        self._lock = RLock()

    def once(self, key: Hashable, make: Callable[[], T]) -> T:
        """The result of `make`, cached under this key; `make` may ask for others of the same value."""
        own = (self._number, key)
        with self._lock:
            with suppress(KeyError):
                known: T = _results[own]
                return known
            made = make()
            with suppress(ValueError):  # larger than the budget
                _results[own] = made
            return made
