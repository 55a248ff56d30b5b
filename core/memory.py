"""One budget of memory for all caches of the process (`POLYSEE_CACHE_MB`).

A cache is a `Cache`, or a function with the decorator `cached`. None has a size of its own: together,
their entries take no more bytes than the budget, and where room is needed, the least recently used
entries go, whichever cache they are in. Small entries, of which some take seconds to compute, do not
make room for large ones as long as they share an eighth of the budget.

An entry is weighed once, when it is stored, with its key; so a cached value must not grow afterwards.
"""

from __future__ import annotations

import sys
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Mapping, MutableMapping
from contextlib import suppress
from dataclasses import is_dataclass
from functools import partial
from pathlib import Path
from threading import Condition, RLock
from types import FunctionType, MethodType, ModuleType
from typing import Any, ParamSpec, Protocol, TypeVar, cast

import cachetools
import numpy as np
from cachetools import keys

from . import settings

SMALL = 256_000  # bytes of an entry
_SHARE_OF_SMALL = 8  # the small ones together may take one part in so many
_OVERHEAD = 300  # bytes of an entry, beside its key and its value
_NUMBER = 32  # bytes of a Python number, or less
_NUMBERS = frozenset((type(None), bool, int, float, complex))
_TEXTS = frozenset((str, bytes))
_NO_LIMIT = 2**60  # bytes that a control group has where it has no limit

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")
P = ParamSpec("P")
T_co = TypeVar("T_co", covariant=True)


class Budget:
    """What some caches may take together. Threads can share it.

    Args:
        limit: the bytes; None for `POLYSEE_CACHE_MB`, which is read when it is first needed.
    """

    def __init__(self, limit: int | None = None) -> None:
        self._limit = limit
        self._lock = RLock()
        # The least recently used first; an entry is in the one or the other.
        self._small: OrderedDict[_Entry, None] = OrderedDict()
        self._large: OrderedDict[_Entry, None] = OrderedDict()
        self._of_small = self._of_large = self._reserved = 0

    @property
    def limit(self) -> int:
        """The bytes that all entries may take, and what is reserved."""
        if self._limit is None:
            self._limit = settings.read().cache_bytes
        return self._limit

    @property
    def taken(self) -> int:
        """The bytes that all entries take, and what is reserved."""
        return self._of_small + self._of_large + self._reserved

    def reserve(self, count: int) -> bool:
        """Make room for a value that is only being computed; False if others have reserved too much.

        Args:
            count: bytes, no more than `limit`. `release` gives them back before the value is stored.
        """
        with self._lock:
            if self._reserved + count > self.limit:
                return False
            self._reserved += count
            gone = self._make_room(0)
        del gone
        return True

    def release(self, count: int) -> None:
        """Give reserved bytes back."""
        with self._lock:
            self._reserved -= count

    def forget(self) -> None:
        """Drop every entry of every cache, and read the limit anew, as in a new process."""
        with self._lock:
            gone = [*self._small, *self._large]
            for entry in gone:
                self._drop(entry)
            self._limit = None
        del gone

    def _make_room(self, count: int) -> list[_Entry]:
        """Drop entries until so many bytes are free; the caller lets go of them without the lock."""
        gone = []
        while self.taken + count > self.limit and (self._small or self._large):
            many = self._of_small * _SHARE_OF_SMALL > self.limit or not self._large
            entry = next(iter(self._small if many and self._small else self._large))
            self._drop(entry)
            gone.append(entry)
        return gone

    def _add(self, entry: _Entry) -> list[_Entry]:
        gone = self._make_room(entry.nbytes)
        entry.cache._entries[entry.key] = entry
        self._queue(entry)[entry] = None
        self._count(entry, entry.nbytes)
        return gone

    def _drop(self, entry: _Entry) -> None:
        del entry.cache._entries[entry.key]
        del self._queue(entry)[entry]
        self._count(entry, -entry.nbytes)

    def _use(self, entry: _Entry) -> None:
        self._queue(entry).move_to_end(entry)

    def _queue(self, entry: _Entry) -> OrderedDict[_Entry, None]:
        return self._small if entry.nbytes <= SMALL else self._large

    def _count(self, entry: _Entry, count: int) -> None:
        entry.cache._taken += count
        if entry.nbytes <= SMALL:
            self._of_small += count
        else:
            self._of_large += count


BUDGET = Budget()


class _Entry:
    __slots__ = ("cache", "key", "nbytes", "value")

    def __init__(self, cache: Cache[Any, Any], key: Hashable, value: object, size: int) -> None:
        self.cache, self.key, self.value, self.nbytes = cache, key, value, size


class Cache(MutableMapping[K, V]):
    """A mapping that keeps what it can within a budget; `currsize` and `maxsize` are for `cachetools`.

    Setting a value that is larger than the whole budget raises a ValueError, and keeps nothing.

    Args:
        weigh: returns the bytes of a value.
        budget: the budget that it shares.
        most: how many entries it has at most, the last ones; None for as many as there is room for.
    """

    def __init__(
        self,
        weigh: Callable[[V], int] | None = None,
        budget: Budget | None = None,
        most: int | None = None,
    ) -> None:
        self._weigh = weigh or nbytes
        self._budget = budget or BUDGET
        self._most = most
        self._entries: dict[K, _Entry] = {}
        self._taken = 0

    @property
    def currsize(self) -> int:
        """The bytes that its entries take."""
        return self._taken

    @property
    def maxsize(self) -> int:
        """The bytes that it could take if all others were empty."""
        return self._budget.limit

    def __getitem__(self, key: K) -> V:
        with self._budget._lock:
            entry = self._entries[key]
            self._budget._use(entry)
            return cast(V, entry.value)

    def __setitem__(self, key: K, value: V) -> None:
        size = self._weigh(value) + nbytes(key) + _OVERHEAD  # outside of the lock: it may take a while
        with self._budget._lock:
            former = self._entries.get(key)
            if former is not None:
                self._budget._drop(former)
            if size > self._budget.limit:
                raise ValueError("value too large")  # as `cachetools`, whose decorator expects it
            gone = self._budget._add(_Entry(self, key, value, size))
            if self._most is not None and len(self._entries) > self._most:
                gone.append(first := next(iter(self._entries.values())))
                self._budget._drop(first)
        # What they hold is freed here, since a destructor may take time, or use this cache.
        del gone, former

    def peek(self, key: K) -> V | None:
        """The value, without marking it as used; None if there is none."""
        with self._budget._lock:
            entry = self._entries.get(key)
            return None if entry is None else cast(V, entry.value)

    def __delitem__(self, key: K) -> None:
        with self._budget._lock:
            entry = self._entries[key]
            self._budget._drop(entry)
        del entry

    def __contains__(self, key: object) -> bool:
        return key in self._entries

    def __iter__(self) -> Iterator[K]:
        """The keys, without marking their values as used; the last stored is the last."""
        with self._budget._lock:
            return iter([*self._entries])

    def __len__(self) -> int:
        return len(self._entries)


class Cached(Protocol[P, T_co]):
    """A function whose results are cached: see `cached`."""

    cache: Cache[Any, Any]
    cache_key: Callable[..., Hashable]

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> T_co:
        """The result, from the cache or computed."""
        ...

    def cache_clear(self) -> None:
        """Drop its entries."""
        ...

    def cache_info(self) -> Any:
        """`hits` and `misses`, as of `functools.lru_cache`; `cache.currsize` is its size in bytes."""
        ...


class _Decorator(Protocol):
    def __call__(self, compute: Callable[P, T_co], /) -> Cached[P, T_co]: ...


def cached(
    *,
    key: Callable[..., Hashable] = keys.hashkey,
    weigh: Callable[[Any], int] | None = None,
    budget: Budget | None = None,
    most: int | None = None,
) -> _Decorator:
    """A decorator: each result is computed once, for all who ask for it at the same time, and cached.

    A result that is larger than the budget is returned and not kept. An error is not cached.

    Args:
        key: makes a key of the arguments; by default, of all of them.
        weigh: returns the bytes of a result; `nbytes` by default.
        budget: the budget; that of the process by default.
        most: how many results are kept at most, the last ones; None for as many as there is room for.
    """

    def decorate(compute: Callable[P, T_co], /) -> Cached[P, T_co]:
        cache: Cache[Any, Any] = Cache(weigh, budget, most)
        made = cachetools.cached(cache, key=key, condition=Condition(), info=True)(compute)
        return cast(Cached[P, T_co], made)

    return decorate


def nbytes(value: object) -> int:
    """About how many bytes of memory a value takes, with all that it refers to, each counted once.

    It follows containers and data classes; of arrays, tables and modules of torch it counts the
    numbers. What a data class computes and keeps later counts, too, where it says how much that is, by
    a property `nbytes_to_come`. An object of another kind counts as itself alone: give its cache a
    `weigh`.
    """
    total, seen, rest = 0, set[int](), [value]
    while rest:
        one = rest.pop()
        kind = type(one)
        if kind in _NUMBERS:
            total += _NUMBER
            continue
        if id(one) in seen:
            continue
        seen.add(id(one))
        if kind in _TEXTS:  # nearly all that there is: of these, nothing else is asked
            total += sys.getsizeof(one)
        elif isinstance(one, int | float | complex):
            total += _NUMBER
        elif isinstance(one, type | ModuleType):
            continue
        elif isinstance(one, FunctionType):  # what it closes over
            rest += [cell.cell_contents for cell in one.__closure__ or ()]
        elif isinstance(one, partial):
            rest += [one.func, one.args, one.keywords]
        elif isinstance(one, MethodType):
            rest += [one.__self__]
        elif isinstance(one, str | bytes | bytearray):
            total += sys.getsizeof(one)
        elif isinstance(one, np.ndarray):
            owner = one
            while isinstance(owner.base, np.ndarray):  # a view keeps all of its owner alive
                owner = owner.base
            if owner is one or id(owner) not in seen:
                total += owner.nbytes + _NUMBER
            seen.add(id(owner))
            if owner.dtype.hasobject:
                rest += owner.ravel().tolist()
        elif isinstance(one, Mapping):
            total += 100 * len(one)
            rest += one.keys()
            rest += one.values()
        elif isinstance(one, tuple | list | set | frozenset):
            total += sys.getsizeof(one)
            rest += one
        elif is_dataclass(one):
            total += sys.getsizeof(one) + getattr(one, "nbytes_to_come", 0)
            rest += vars(one).values() if hasattr(one, "__dict__") else _slots(one)
        else:
            total += _of_library(one)
    return total


def free_memory(root: Path = Path("/")) -> int | None:
    """The bytes that this process can still take before the system runs short; None where nobody says.

    Pages of files count as free: the system gives them back. In a container, the limits of its group
    and of those around it count as well.

    Args:
        root: where `proc` and `sys` are.
    """
    free: list[int] = []
    with suppress(OSError, ValueError, IndexError):
        lines = (root / "proc/meminfo").read_text().splitlines()
        free += [1024 * int(line.split()[1]) for line in lines if line.startswith("MemAvailable:")]
    with suppress(OSError, ValueError, IndexError):
        for line in (root / "proc/self/cgroup").read_text().splitlines():
            _, kinds, path = line.split(":", 2)
            version_1 = "memory" in kinds.split(",")
            if not kinds or version_1:
                top = root / "sys/fs/cgroup" / ("memory" if version_1 else "")
                free += _free_in(top, path.strip("/"), version_1=version_1)
    return min(free) if free else None


def _free_in(top: Path, path: str, *, version_1: bool) -> Iterator[int]:
    """What is free in a control group and in those around it, where they have a limit."""
    limit, usage = (
        ("memory.limit_in_bytes", "memory.usage_in_bytes")
        if version_1
        else ("memory.max", "memory.current")
    )
    group = top / path
    while True:
        with suppress(OSError, ValueError):  # in a container, its own group may be the top of the tree
            most = (group / limit).read_text().strip()
            if most.isdigit() and int(most) < _NO_LIMIT:
                named = dict(line.split() for line in (group / "memory.stat").read_text().splitlines())
                total = "total_" if version_1 else ""
                files = sum(int(named.get(f"{total}{kind}_file", 0)) for kind in ("active", "inactive"))
                yield max(0, int(most) - int((group / usage).read_text()) + files)
        if group == top or top not in group.parents:
            return
        group = group.parent


def _slots(one: object) -> list[object]:
    return [getattr(one, name) for name in one.__dataclass_fields__]  # type: ignore[attr-defined]


def _of_library(one: Any) -> int:
    """The numbers in an object of pandas, pyarrow or torch, or the object itself."""
    if callable(usage := getattr(one, "memory_usage", None)):
        return int(np.sum(usage(deep=True)))
    if callable(parameters := getattr(one, "parameters", None)):
        return int(sum(each.nbytes for each in parameters()))
    size = getattr(one, "nbytes", None)
    return size if isinstance(size, int) else sys.getsizeof(one)
