"""The records of the Positions page, each computed once for all visitors; bounded in bytes."""

from __future__ import annotations

from threading import Condition
from typing import Any

import cachetools

from core.records.frozen import Array
from core.walkthroughs import positions
from core.walkthroughs.positions import Distances, Moved, Turned, Waves
from ui.models import model_cache

_BYTES = 24_000_000  # of each kind; the largest takes 6 MB


def _cache() -> cachetools.LRUCache[Any, Any]:
    return cachetools.LRUCache(_BYTES, getsizeof=lambda record: 1 if record is None else record.nbytes)


@cachetools.cached(_cache(), condition=Condition())
def waves(length: int, width: int, base: int) -> Waves:
    """Sinusoidal positions."""
    return positions.waves(length, width, float(base))


def _same(table: Waves, *more: int) -> tuple[float, ...]:
    return (*table.table.shape, table.base, *more)


@cachetools.cached(_cache(), key=_same, condition=Condition())
def moved(table: Waves, offset: int) -> Moved:
    """The same, moved on."""
    return positions.moved(table, offset)


@cachetools.cached(_cache(), key=_same, condition=Condition())
def distances(table: Waves) -> Distances:
    """Their dot products."""
    return positions.distances(table.table)


@cachetools.cached(_cache(), condition=Condition())
def turned(query: tuple[float, ...], key: tuple[float, ...], length: int, base: int) -> Turned:
    """A query and a key, turned by their positions."""
    return positions.turned(query, key, length, float(base))


def learned(model: str) -> Array | None:
    """A model's own table of positions; None where it learned none.

    Raises:
        PolyseeError: as `core.load`.
    """
    model_cache.model(model)  # first, so that its progress is drawn for this visitor
    return _learned(model)


@cachetools.cached(_cache(), condition=Condition())
def _learned(model: str) -> Array | None:
    return model_cache.model(model).position_table()


@cachetools.cached(_cache(), condition=Condition())
def cosines(model: str) -> Distances:
    """The cosine similarities of its rows. Only of a model that has them."""
    table = learned(model)
    assert table is not None
    return positions.distances(table, cosine=True)
