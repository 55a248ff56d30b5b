"""One head's weights as a picture needs them: with or without the special tokens."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.errors import NotSupported
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
        tokens: which tokens of the trace the rows and columns are, (queries,) int64.
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
    if trace.attention is None:
        raise NotSupported("This trace kept no attention. Ask for keep='attention' or keep='all'.")
    weights = trace.attention.weights[
        slice(None) if layer is None else layer, slice(None) if head is None else head
    ]
    weights = weights.reshape(-1, *weights.shape[-2:]).mean(axis=0, dtype=np.float32)
    kept = np.ones(len(trace.tokens), bool) if special else ~np.array(trace.special)
    if not kept.any():
        raise NotSupported("This text has no tokens of its own, only special ones.")
    inner = weights[np.ix_(kept, kept)]
    rest = inner.sum(axis=1, keepdims=True)
    labels = tuple(token for token, keep in zip(trace.tokens, kept, strict=True) if keep)
    return HeadMap(
        labels,
        labels,
        inner if special else np.divide(inner, rest, out=np.zeros_like(inner), where=rest > 0),
        renormalised=not special,
        dropped=np.clip(1 - rest[:, 0], 0, 1),
        tokens=np.flatnonzero(kept),
    )
