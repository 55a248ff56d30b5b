"""The records of the Positions page, each computed once for all visitors; bounded in bytes."""

from __future__ import annotations

from threading import Condition
from typing import TYPE_CHECKING, Any, NamedTuple

import cachetools

from core.errors import NotSupported
from core.records.frozen import Array
from core.walkthroughs import positions
from core.walkthroughs.positions import Distances, Moved, Turned, Waves
from core.walkthroughs.word_and_position import PAD
from ui.models import model_cache

if TYPE_CHECKING:
    from core.walkthroughs.padding import InBatch

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
        PolyseeError: see `core.load`.
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


MOST_TOKENS = 32  # of a text in a batch: more do not stand beside each other


class Batch(NamedTuple):
    """The shorter of two texts, run in one batch with the longer one, with the mask and without.

    Attributes:
        tokens: its own.
        pad: the token that fills it up, by its name.
        padding: how many of them there are.
        masked: as models run a batch.
        unmasked: without the mask.
    """

    tokens: tuple[str, ...]
    pad: str
    padding: int
    masked: InBatch
    unmasked: InBatch

    @property
    def nbytes(self) -> int:
        """The bytes of both runs."""
        return self.masked.nbytes + self.unmasked.nbytes


def batch(model: str, one: str, other: str) -> Batch:
    """Two texts in one batch.

    Raises:
        PolyseeError: see `core.load` and `Model.read`; NotSupported: the model does not run in our own
            transformer, or a text is too long.
    """
    model_cache.model(model)  # first, so that its progress is drawn for this visitor
    return _batch(model, one, other)


@cachetools.cached(_cache(), condition=Condition())
def _batch(name: str, one: str, other: str) -> Batch:
    from core.walkthroughs.padding import in_batch  # brings torch

    model = model_cache.model(name)
    encoder = model.scratch_encoder
    if encoder is None:
        raise NotSupported(
            f"“{name}” does not run in our own transformer, and only there the mask can be left out. "
            "Choose MiniLM, another BERT or DistilBERT."
        )
    read = [model.read(text) for text in (one, other)]
    longest = max(map(len, read))
    if longest > MOST_TOKENS:
        raise NotSupported(f"A text has {longest} tokens, and {MOST_TOKENS} fit. Shorten it.")
    shorter = min(read, key=len)
    pieces = [(of.ids, of.types) for of in read]
    with_mask, without = (in_batch(encoder, pieces, model.pad_id, masked=m) for m in (True, False))
    return Batch(tuple(shorter.tokens), PAD, longest - len(shorter), with_mask, without)
