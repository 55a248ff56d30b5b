"""The weights of one head, or the mean of several, for heatmaps, captions and files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...errors import NotSupported
from ...records.attention import Attention, Outside
from ...records.trace import Array, Record, Trace, frozen
from .blocks import AttentionBlock, as_block, in_every_layer, mean_of_all, remaining
from .visible import missing


@dataclass(frozen=True, eq=False)
class HeadMap(Record):
    """One head, or the mean of several: queries (rows), keys (columns).

    Attributes:
        queries: row labels.
        keys: column labels.
        weights: (queries, keys) float32, 0 to 1; each row sums to 1, or is missing: NaN.
        renormalised: whether special tokens were left out and each head's rows rescaled to 1 over the
            others.
        dropped: (queries,), the share of each row that went to tokens left out, averaged over the
            heads; NaN if no head has the row.
        tokens: (keys,) int64, the indices of the columns (and usually of the rows) among the tokens of
            the trace or block.
        averaged: whether it is the mean of several heads.
        masked: (queries, keys) bool, the cells that are masked in every head shown; None if there are
            none.
        sink: (queries,), the share of each row that goes to none of the text's tokens, averaged over
            the heads; None if there is no such share.
        outside: the destination of that share, as in `core.Attention`.
        first_is_sink: whether what is left out, if anything, is the first token of a decoder, its sink.
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
    first_is_sink: bool = False

    def __post_init__(self) -> None:
        self._freeze("weights", "dropped", "sink")
        if self.masked is not None:
            object.__setattr__(self, "masked", frozen(self.masked, bool))
        object.__setattr__(self, "tokens", frozen(self.tokens, np.int64))

    @property
    def missing(self) -> Array:
        """(queries,) bool: the missing rows, with no weight left or in no head."""
        return missing(self.weights)

    def rows(self, tokens: Array) -> tuple[int, ...]:
        """The rows (and columns) of these tokens of the trace, without those that are left out."""
        return tuple(int(row) for row in np.flatnonzero(np.isin(self.tokens, tokens)))


def head_map(
    shown: Trace | AttentionBlock | Attention, layer: int | None, head: int | None, *, special: bool
) -> HeadMap:
    """The weights of one head, or the mean of several, as a single map.

    Without `special` tokens, each head's rows are rescaled to 1 over the others before the heads are
    averaged; see `core.measures.attention.visible`.

    Args:
        shown: a trace of an encoder or decoder; one of `core.measures.blocks`, or a block derived from
            it; or an `Attention`.
        layer: from 0; None for the mean over all layers.
        head: from 0; None for the mean over all heads.
        special: whether special tokens keep their rows and columns.

    Raises:
        NotSupported: the trace has no attention, or the text has only special tokens.
        IndexError: there is no such layer or head.
    """
    block = as_block(shown)
    hidden = not special and any(block.special)
    if not hidden:
        # otherwise the weights without special tokens would be computed
        block = replace(block, special=((), ()))
    rows, columns = remaining(block)
    if hidden and not (len(rows) and len(columns)):
        raise NotSupported("This text has only special tokens, no tokens of its own.")
    one = mean_of_all(block, layer, head)
    attention, mask = one.attention, one.mask(0)
    weights = attention.weights[0, 0]
    shown_weights, dropped = weights, np.zeros(len(rows))
    if hidden:
        assert one.bare is not None  # something is hidden, and something remains
        shown_weights = one.bare[0, 0].take(rows, axis=0).take(columns, axis=1)
        dropped = _spent(weights.take(rows, axis=0), block.special[1])
    return HeadMap(
        tuple(attention.queries[i] for i in rows),
        tuple(attention.keys[i] for i in columns),
        shown_weights,
        renormalised=hidden,
        dropped=dropped,
        tokens=columns,
        averaged=one.of > 1,
        masked=None if mask is None else mask[np.ix_(rows, columns)],
        sink=None if attention.sink is None else attention.sink[0, 0, rows],
        outside=attention.outside,
        first_is_sink=block.first_is_sink,
    )


def word_map(shown: Trace | AttentionBlock, tokens: Array, *, special: bool) -> HeadMap:
    """The attention of one word in every layer: the mean over the heads of `in_every_layer`.

    Without `special` tokens, the word's row in each head is rescaled to 1 before heads are averaged.

    Args:
        shown: see `head_map`.
        tokens: the tokens of the word, from `trace.find`.
        special: see `head_map`.

    Returns:
        A map with a row for each layer, labelled with its number from 0; `tokens` are the columns'.

    Raises:
        NotSupported: see `head_map`.
    """
    return head_map(in_every_layer(as_block(shown), tokens), None, None, special=special)


def _spent(rows: Array, left_out: Sequence[int]) -> Array:
    """(rows,): the share of each row that goes to the keys left out; NaN for a missing row."""
    spent: Array = rows[:, list(left_out)].sum(axis=-1)
    spent[missing(rows)] = np.nan  # without keys left out, it would otherwise be 0
    return spent
