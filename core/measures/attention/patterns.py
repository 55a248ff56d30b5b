"""Seven simple patterns of attention that do not depend on meaning, each scored from 0 to 1.

Clark et al. 2019, "What Does BERT Look At?", section 3, describes most of them. A score says what a
head does in the given texts, not why.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...records.indices import index
from ...records.trace import Array, Record, Trace
from .require_attention import weights_of
from .visible import missing

PATTERNS = ("previous", "next", "itself", "first", "separators", "same", "broad")


@dataclass(frozen=True, eq=False)
class PatternScores(Record):
    """How much each head follows each of `PATTERNS`.

    Attributes:
        values: (layers, heads, patterns) float32, 0 to 1; NaN if the text has no position for the
            pattern (such as `same` without a repeated token), or if the head is missing. All but the
            last are a row's weight on certain tokens, averaged over the rows that have such tokens:
            the token before it (`previous`), after it (`next`), itself (`itself`), the first token
            (`first`), special tokens other than the first (`separators`), the same token elsewhere
            (`same`). `broad` is the entropy of a row as a share of its maximum, ln(visible columns);
            a sink counts as one more visible column.
    """

    values: Array

    def __post_init__(self) -> None:
        self._freeze("values")

    def strongest(self, thresholds: Sequence[float]) -> tuple[tuple[str | None, ...], ...]:
        """For each head, the pattern that exceeds its threshold by the largest share of 1 − threshold.

        None if no pattern reaches its threshold.
        """
        limits = np.asarray(thresholds, np.float64)
        above = (np.nan_to_num(self.values, nan=-1.0) - limits) / (1 - limits)
        best = above.argmax(axis=-1)
        return tuple(
            tuple(PATTERNS[b] if above[i, j, b] >= 0 else None for j, b in enumerate(row))
            for i, row in enumerate(best)
        )


def patterns(trace: Trace) -> PatternScores:
    """The scores of every head on one text.

    Raises:
        NotSupported: the trace has no attention.
    """
    weights, n = weights_of(trace), len(trace.tokens)
    assert trace.attention is not None
    here = np.arange(n)
    special = np.array(trace.special)
    same = np.array(trace.tokens)[:, None] == np.array(trace.tokens)
    same[here, here] = False
    same[special] = False
    same[:, special] = False
    separators = np.zeros((n, n), bool)
    separators[:, special & (here > 0)] = True
    attended = {
        "previous": here[:, None] - 1 == here,
        "next": here[:, None] + 1 == here,
        "itself": np.eye(n, dtype=bool),
        "first": (here[:, None] > 0) & (here == 0),
        "separators": separators,
        "same": same,
    }
    there = ~missing(weights)
    scores = [_spent(weights, attended[name], there) for name in PATTERNS[:-1]]
    scores.append(_breadth(weights, trace.attention.sink, there))
    return PatternScores(np.stack(scores, axis=-1))


def mean_patterns(scores: Sequence[PatternScores]) -> PatternScores:
    """The mean over several texts of equal weight; NaN if no text has a position for the pattern.

    Raises:
        ValueError: there are no scores, or they come from models of different shapes.
    """
    values = np.stack([one.values for one in scores]).astype(np.float64)
    there = np.isfinite(values)
    counts = there.sum(axis=0)
    sums = np.where(there, values, 0).sum(axis=0)
    mean = np.divide(sums, counts, out=np.full(sums.shape, np.nan), where=counts > 0)
    return PatternScores(mean)


def head_similarity(trace: Trace, layer: int) -> Array:
    """The similarity of a layer's heads to every head: the cosine of their maps, cell by cell, 0 to 1.

    Args:
        trace: one text through one stack of layers.
        layer: from 0.

    Returns:
        (heads of that layer, layers, heads); NaN where one of the two is missing.

    Raises:
        NotSupported: the trace has no attention.
    """
    weights = weights_of(trace)
    layers, heads = weights.shape[:2]
    layer = index(layer, layers, "layer")
    if missing(weights).any():
        weights = np.nan_to_num(weights, nan=0.0)
    maps = weights.reshape(layers * heads, -1)
    lengths = np.sqrt([one @ one for one in maps]).reshape(layers, heads)
    # The tall matrix comes first: in the other order, the same product takes twice as long.
    inner = (maps @ weights[layer].reshape(heads, -1).T).T.reshape(heads, layers, heads)
    both = lengths * lengths[layer][:, None, None]
    cosines: Array = np.divide(inner, both, out=np.full(both.shape, np.nan), where=both > 0)
    return np.clip(cosines, 0, 1)


def _spent(weights: Array, attended: Array, there: Array) -> Array:
    """The weight on `attended` (queries, keys), averaged over the rows that have any such key."""
    rows = attended.any(axis=1)
    if not rows.any():
        return np.full(weights.shape[:2], np.nan)
    spent = np.einsum("lhqk,qk->lhq", weights[:, :, rows], attended[rows].astype(np.float32))
    return _mean(spent, there[:, :, rows])


def _mean(values: Array, there: Array) -> Array:
    """The mean along the last axis, ignoring NaN; NaN if there is nothing else."""
    counts = there.sum(axis=-1)
    total = np.where(there, values, 0).sum(axis=-1, dtype=np.float64)
    mean: Array = np.divide(total, counts, out=np.full(total.shape, np.nan), where=counts > 0)
    return mean


def _breadth(weights: Array, sink: Array | None, there: Array) -> Array:
    """The entropy of the rows, as a share of that of a uniform row over the visible columns."""
    if weights.shape[-1] < 2:
        return np.full(weights.shape[:2], np.nan)
    seen = (weights > 0).sum(axis=-1)
    logs = np.log(weights, out=np.zeros_like(weights), where=weights > 0)
    entropy = -(weights * logs).sum(axis=-1, dtype=np.float64)
    counted = seen > 1
    if sink is not None:
        entropy -= sink * np.log(sink, out=np.zeros_like(sink), where=sink > 0)
        seen = seen + (sink > 0)
    share = np.divide(entropy, np.log(np.maximum(seen, 2)))
    # Rows that see only one column are neither broad nor narrow; a head with no other rows is narrow.
    mean = _mean(share, counted & there)
    return np.where(there.any(axis=-1) & np.isnan(mean), 0.0, mean)
