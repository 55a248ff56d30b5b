"""The records of the Positions page, each computed once for all visitors."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from core.errors import NotSupported
from core.localization import _
from core.memory import cached
from core.records.frozen import Array
from core.walkthroughs import positions
from core.walkthroughs.positions import Distances, Moved, Turned, Waves
from core.walkthroughs.word_and_position import PAD
from ui.models import model_cache
from ui.state import MODEL

if TYPE_CHECKING:
    from core.walkthroughs.padding import InBatch


ORDERS = ("the cat ate the mouse", "the mouse ate the cat")  # the same words


def in_two_orders() -> tuple[float, float]:
    """How far the vectors of the same words in two orders differ in the first model.

    Returns: the largest difference after the last layer with positions, and without.

    Raises:
        PolyseeError: see `core.load`.
    """
    model_cache.model(str(MODEL.default))  # first, so that its progress is shown to this visitor
    return _in_two_orders()


@cached()
def _in_two_orders() -> tuple[float, float]:
    from core.walkthroughs.steps import queries

    model = model_cache.model(str(MODEL.default))
    encoder = model.scratch_encoder
    assert encoder is not None
    one, other = map(model.read, ORDERS)
    order = queries.in_two_orders(encoder, one.ids, other.ids, one.tokens, model.shape.n_layers - 1)
    return float(order.with_positions.max()), float(order.without.max())


@cached()
def waves(length: int, width: int, base: int) -> Waves:
    """Sinusoidal positions."""
    return positions.waves(length, width, float(base))


def _same(table: Waves, *more: int) -> tuple[float, ...]:
    return (*table.table.shape, table.base, *more)


@cached(key=_same)
def moved(table: Waves, offset: int) -> Moved:
    """The same, shifted."""
    return positions.moved(table, offset)


@cached(key=_same)
def distances(table: Waves) -> Distances:
    """Their dot products."""
    return positions.distances(table.table)


@cached()
def turned(query: tuple[float, ...], key: tuple[float, ...], length: int, base: int) -> Turned:
    """A query and a key, rotated by their positions."""
    return positions.turned(query, key, length, float(base))


def learned(model: str) -> Array | None:
    """A model's learned position table; None if it has none.

    Raises:
        PolyseeError: see `core.load`.
    """
    model_cache.model(model)  # first, so that its progress is shown to this visitor
    return _learned(model)


@cached()
def _learned(model: str) -> Array | None:
    return model_cache.model(model).position_table()


@cached()
def cosines(model: str) -> Distances:
    """The cosine similarities of its rows. Only for a model with a table."""
    table = learned(model)
    assert table is not None
    return positions.distances(table, cosine=True)


@cached()
def clearest(model: str) -> tuple[int, float, float] | None:
    """The dimension of a model's table that is most of a wave. Only for a model with a table."""
    table = learned(model)
    assert table is not None
    return positions.clearest_wave(table)


def angles(model: str) -> positions.Angles | None:
    """The rotations of a model's positions; None if it has none, or ours does not run it.

    Raises:
        PolyseeError: see `core.load`.
    """
    decoder = model_cache.model(model).scratch_decoder
    return None if decoder is None else positions.angles_of(decoder)


MOST_TOKENS = 32  # of a text in a batch: more would not fit beside each other


class Batch(NamedTuple):
    """The shorter of two texts in one batch with the longer one, with and the run without the mask.

    Attributes:
        tokens: its own tokens.
        pad: the name of the padding token.
        padding: the number of padding tokens.
        masked: the usual run, with the mask.
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
    """Run two texts in one batch.

    Raises:
        PolyseeError: see `core.load` and `Model.read`; NotSupported: if the model does not run in our
            own transformer, or a text is too long.
    """
    model_cache.model(model)  # first, so that its progress is shown to this visitor
    return _batch(model, one, other)


@cached()
def _batch(name: str, one: str, other: str) -> Batch:
    from core.walkthroughs.padding import in_batch  # imports torch

    model = model_cache.model(name)
    encoder = model.scratch_encoder
    if encoder is None:
        raise NotSupported(
            _(
                "Only our own transformer can leave out the mask, and “{name}” does not run in it. "
                "Choose MiniLM, another BERT or DistilBERT."
            ).format(name=name)
        )
    read = [model.read(text) for text in (one, other)]
    longest = max(map(len, read))
    if longest > MOST_TOKENS:
        raise NotSupported(
            _("One text has {count} tokens; at most {most} fit. Shorten it.").format(
                count=longest, most=MOST_TOKENS
            )
        )
    shorter = min(read, key=len)
    pieces = [(of.ids, of.types) for of in read]
    with_mask, without = (in_batch(encoder, pieces, model.pad_id, masked=m) for m in (True, False))
    return Batch(tuple(shorter.tokens), PAD, longest - len(shorter), with_mask, without)
