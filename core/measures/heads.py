"""One head's weights as a picture needs them: with or without the special tokens."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.errors import NotSupported
from core.measures.kept import weights_of
from core.trace import Array, Record, Trace, frozen


@dataclass(frozen=True, eq=False)
class HeadMap(Record):
    """One head: who looks (rows) at whom (columns).

    Attributes:
        queries: row labels.
        keys: column labels.
        weights: (queries, keys) float32, 0 to 1; each row sums to 1.
        renormalised: whether special tokens were left out and each row divided by what remained.
        dropped: the share of its weight that each row spent on what was left out, (queries,).
        tokens: which tokens of the trace the columns (and mostly the rows) are, (keys,) int64.
    """

    queries: tuple[str, ...]
    keys: tuple[str, ...]
    weights: Array
    renormalised: bool
    dropped: Array
    tokens: Array

    def __post_init__(self) -> None:
        self._freeze("weights", "dropped")
        object.__setattr__(self, "tokens", frozen(self.tokens, np.int64))

    def rows(self, tokens: Array) -> tuple[int, ...]:
        """The rows (and columns) of these tokens of the trace, as far as they are shown."""
        return tuple(int(row) for row in np.flatnonzero(np.isin(self.tokens, tokens)))


def head_map(trace: Trace, layer: int | None, head: int | None, *, special: bool) -> HeadMap:
    """The weights of one head; without `special` tokens, the rest of each row is made to sum to 1.

    A row that spent all its weight on special tokens has nothing to share out and stays 0.

    Args:
        trace: the text.
        layer: from 0; None for the mean over all layers.
        head: from 0; None for the mean over all heads. The mean is taken first, then special tokens
            are left out.
        special: whether special tokens keep their rows and columns.

    Raises:
        NotSupported: the trace kept no attention, or the text has nothing but special tokens.
    """
    weights = weights_of(trace)[
        slice(None) if layer is None else layer, slice(None) if head is None else head
    ]
    weights = weights.reshape(-1, *weights.shape[-2:]).mean(axis=0, dtype=np.float32)
    kept = _kept(trace, special)
    labels = tuple(trace.tokens[i] for i in kept)
    inner, dropped = _rescaled(weights[np.ix_(kept, kept)], special)
    return HeadMap(labels, labels, inner, renormalised=not special, dropped=dropped, tokens=kept)


def word_map(trace: Trace, tokens: Array, *, special: bool) -> HeadMap:
    """Where one word looks in every layer: the mean over the heads, and over the word's pieces.

    Args:
        trace: the text.
        tokens: the word's, from `trace.find`.
        special: as in `head_map`.

    Returns:
        A row for each layer, its query the layer's number from 0; `tokens` are those of the columns.

    Raises:
        NotSupported: as `head_map`.
    """
    weights = weights_of(trace)[:, :, tokens].mean(axis=(1, 2), dtype=np.float32)
    kept = _kept(trace, special)
    inner, dropped = _rescaled(weights[:, kept], special)
    layers = tuple(map(str, range(len(weights))))
    keys = tuple(trace.tokens[i] for i in kept)
    return HeadMap(layers, keys, inner, renormalised=not special, dropped=dropped, tokens=kept)


def _kept(trace: Trace, special: bool) -> Array:
    """The tokens that are shown."""
    kept = np.flatnonzero(np.ones(len(trace.tokens), bool) if special else ~np.array(trace.special))
    if not kept.size:
        raise NotSupported("This text has no tokens of its own, only special ones.")
    return kept


def _rescaled(inner: Array, special: bool) -> tuple[Array, Array]:
    """The rows, made to sum to 1 where `special` tokens are hidden; and what each spent on those."""
    rest = inner.sum(axis=1, keepdims=True)
    if not special:
        inner = np.divide(inner, rest, out=np.zeros_like(inner), where=rest > 0)
    return inner, np.clip(1 - rest[:, 0], 0, 1)
