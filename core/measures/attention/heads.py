"""One head's weights, or the mean of several, as a picture needs them: special tokens or not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...errors import NotSupported
from ...records.attention import Outside
from ...records.trace import Array, Record, Trace, frozen
from .require_attention import weights_of
from .visible import mean_of_heads, mean_of_rows, missing, scaled
from .visible_keys import unseen


@dataclass(frozen=True, eq=False)
class HeadMap(Record):
    """One head, or the mean of several: queries (rows), keys (columns).

    Attributes:
        queries: row labels.
        keys: column labels.
        weights: (queries, keys) float32, 0 to 1; each row sums to 1, or is missing: NaN.
        renormalised: whether special tokens were left out and each head's rows scaled to 1 over the
            others.
        dropped: the share of its weight that each row spent on what was left out, (queries,), in the
            mean of the heads; NaN where no head has the row at all.
        tokens: which tokens of the trace the columns (and mostly the rows) are, (keys,) int64.
        averaged: whether it is the mean of several heads.
        masked: (queries, keys) bool, what no head that is shown may see; None where all is seen.
        sink: (queries,), the share of each row that goes to none of the text's tokens, in the mean of
            the heads; None where all of it does.
        outside: where that share goes, as in `core.Attention`.
    """

    queries: tuple[str, ...]
    keys: tuple[str, ...]
    weights: Array
    renormalised: bool
    dropped: Array
    tokens: Array
    averaged: bool = False
    masked: Array | None = None
    sink: Array | None = None
    outside: Outside = "sink"

    def __post_init__(self) -> None:
        self._freeze("weights", "dropped", "sink")
        if self.masked is not None:
            object.__setattr__(self, "masked", frozen(self.masked, bool))
        object.__setattr__(self, "tokens", frozen(self.tokens, np.int64))

    @property
    def missing(self) -> Array:
        """(queries,) bool: the rows of which nothing is left, or that no head has."""
        return missing(self.weights)

    def rows(self, tokens: Array) -> tuple[int, ...]:
        """The rows (and columns) of these tokens of the trace, as far as they are shown."""
        return tuple(int(row) for row in np.flatnonzero(np.isin(self.tokens, tokens)))


def head_map(trace: Trace, layer: int | None, head: int | None, *, special: bool) -> HeadMap:
    """The weights of one head, or the mean of several.

    Without `special` tokens each head's rows are scaled to 1 over the others, and averaged after that;
    see `core.measures.attention.visible`.

    Args:
        trace: the text.
        layer: from 0; None for the mean over all layers.
        head: from 0; None for the mean over all heads.
        special: whether special tokens keep their rows and columns.

    Raises:
        NotSupported: the trace kept no attention, or the text has nothing but special tokens.
    """
    every = weights_of(trace)
    special = special or not any(trace.special)  # or there is nothing to leave out
    layers = every if layer is None else every[layer][None]
    heads = layers if head is None else layers[:, head][:, None]
    kept = _kept(trace, special)
    masks = _masks(trace, range(len(every)) if layer is None else [layer])
    maps = [*heads.reshape(-1, *heads.shape[2:])]
    sinks = _sinks(trace)
    if sinks is not None:
        sinks = sinks if layer is None else sinks[layer][None]
        sinks = sinks if head is None else sinks[:, head][:, None]
    labels = tuple(trace.tokens[i] for i in kept)
    if special:
        shown, dropped = mean_of_heads(maps), np.zeros(len(kept))
    else:
        shown = mean_of_heads(scaled(one[np.ix_(kept, kept)]) for one in maps)
        dropped = mean_of_heads(_dropped(one[kept], kept) for one in maps)[:, 0]
    return HeadMap(
        labels,
        labels,
        shown,
        renormalised=not special,
        dropped=dropped,
        tokens=kept,
        averaged=len(maps) > 1,
        masked=None if masks is None else np.asarray(masks.all(axis=0))[np.ix_(kept, kept)],
        sink=None if sinks is None else mean_of_rows(sinks.reshape(-1, sinks.shape[-1]))[kept],
        outside=_outside(trace),
    )


def word_map(trace: Trace, tokens: Array, *, special: bool) -> HeadMap:
    """What one word attends to in every layer: the mean over the heads.

    The row of a word in a head is the mean of those of its pieces, as `core.measures.whole_words` has
    it; what is left of it without `special` tokens is scaled to 1, and heads are averaged after that.

    Args:
        trace: the text.
        tokens: the word's, from `trace.find`.
        special: as in `head_map`.

    Returns:
        A row for each layer, its query the layer's number from 0; `tokens` are those of the columns.

    Raises:
        NotSupported: as `head_map`.
    """
    rows = mean_of_rows(weights_of(trace)[:, :, tokens])  # (layers, heads, keys)
    special = special or not any(trace.special)
    kept = _kept(trace, special)
    masks = _masks(trace, range(len(rows)))
    sinks = _sinks(trace)
    if special:
        shown, dropped = mean_of_rows(rows), np.zeros(len(rows))
    else:
        shown = mean_of_rows(scaled(rows[..., kept]))
        dropped = mean_of_rows(_dropped(rows, kept))[:, 0]
    return HeadMap(
        tuple(map(str, range(len(rows)))),
        tuple(trace.tokens[i] for i in kept),
        shown,
        renormalised=not special,
        dropped=dropped,
        tokens=kept,
        averaged=rows.shape[1] > 1,
        masked=None if masks is None else np.asarray(masks[:, tokens].all(axis=1))[:, kept],
        sink=None if sinks is None else mean_of_rows(mean_of_rows(sinks[:, :, tokens, None]))[:, 0],
        outside=_outside(trace),
    )


def _kept(trace: Trace, special: bool) -> Array:
    """The tokens that are shown."""
    kept = np.flatnonzero(np.ones(len(trace.tokens), bool) if special else ~np.array(trace.special))
    if not kept.size:
        raise NotSupported("This text has no tokens of its own, only special ones.")
    return kept


def _masks(trace: Trace, layers: Sequence[int]) -> Array | None:
    """(layers, tokens, tokens) bool, what is not seen in those of these layers that have attention."""
    shape = len(trace.tokens), len(trace.tokens)
    masks = [unseen(trace.masked, trace.causal, layer, shape) for layer in layers]
    if all(one is None for one in masks):
        return None
    return np.stack([np.zeros(shape, bool) if one is None else one for one in masks])


def _sinks(trace: Trace) -> Array | None:
    """(layers, heads, tokens), what goes to sinks; NaN in rows that are missing."""
    if trace.attention is None or trace.attention.sink is None:
        return None
    return np.where(trace.attention.missing, np.float32(np.nan), trace.attention.sink)


def _outside(trace: Trace) -> Outside:
    return "sink" if trace.attention is None else trace.attention.outside


def _dropped(rows: Array, kept: Array) -> Array:
    """(…, 1): what rows of (…, keys) spend on keys that are not kept."""
    left_out = np.delete(rows, kept, axis=-1)
    found: Array = left_out.sum(axis=-1, keepdims=True)
    found[missing(rows)] = np.nan  # or, with no key left out, it would be 0
    return found
