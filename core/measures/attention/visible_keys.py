"""The keys that the queries of a layer may see, in words: all, earlier ones, a window, a chunk."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from ...localization import _
from ...records.trace import Array


@dataclass(frozen=True)
class Reach:
    """How far the queries of a layer see.

    Attributes:
        kind: "all"; "causal": no key after the query; "window": a limited number before and after it;
            "chunks": those in the same chunk of tokens; "padding": all but the last ones; "other".
        before: for a window, the number of keys before the query, None for all; for chunks, None.
        after: for a window, the number after it, None for all; for chunks, 0 if later keys are hidden.
        size: for chunks, the number of tokens in each.
    """

    kind: Literal["all", "causal", "window", "chunks", "padding", "other"]
    before: int | None = None
    after: int | None = None
    size: int | None = None

    @property
    def sentence(self) -> str:
        """The reach in words, without a full stop; "" if every query sees all keys."""
        if self.kind == "window":
            return _of_window(self.before, self.after)
        if self.kind == "chunks":
            said = (
                _("chunked attention: each token sees itself and earlier tokens in its chunk of {size}")
                if self.after == 0
                else _("chunked attention: each token sees the tokens of its chunk of {size}")
            )
            return said.format(size=self.size)
        return {
            "causal": _("each token sees itself and earlier tokens"),
            "padding": _("no token sees the padding"),
            "other": _("this layer has its own mask"),
        }.get(self.kind, "")


def _of_window(before: int | None, after: int | None) -> str:
    if before == after == 0:
        return _("each token sees only itself")
    if after == 0:
        return _("sliding window: each token sees itself and the {before} before it").format(
            before=before
        )
    sides = [
        _("all before it") if before is None else _("{count} before it").format(count=before),
        _("all after it") if after is None else _("{count} after it").format(count=after),
    ]
    return _("local attention: each token sees itself, {sides}").format(sides=_(" and ").join(sides))


def later(queries: int, keys: int) -> Array:
    """(queries, keys) bool: the keys that come after their query; the last query is at the last key."""
    is_later: Array = np.arange(keys) > np.arange(queries)[:, None] + (keys - queries)
    return is_later


def unseen(masked: Array | None, causal: bool, layer: int, shape: tuple[int, ...]) -> Array | None:
    """(queries, keys) bool, the keys that the queries of a layer may not see; None if they see all.

    Args:
        masked: (layers, queries, keys) bool, the hidden keys; None if `causal` describes all layers.
        causal: whether later keys are hidden, if `masked` is None.
        layer: from 0.
        shape: the numbers of queries and keys.
    """
    if masked is not None:
        of_layer: Array = masked[layer]
        return of_layer if of_layer.any() else None
    return later(*shape) if causal else None


def runs(masked: Array) -> tuple[Array, Array] | None:
    """Where the keys that each query sees begin and end; None if they are not consecutive.

    Args:
        masked: (queries, keys) bool, the hidden keys.

    Returns:
        (queries,) and (queries,) int64: the first key, and the one after the last.
    """
    seen = ~masked
    counts = seen.sum(axis=1)
    first = seen.argmax(axis=1)
    ends = np.where(counts > 0, masked.shape[1] - seen[:, ::-1].argmax(axis=1), 0)
    return (first, ends) if (ends - first == counts).all() else None


def reach(masked: Array) -> Reach:
    """The kind of a mask, inferred from its cells alone.

    A window wider than the text cannot be recognised, because it hides nothing.

    Args:
        masked: (queries, keys) bool, the hidden keys; the last query is at the last key.
    """
    if not masked.any():
        return Reach("all")
    spans = runs(masked)
    if spans is None or (spans[0] == spans[1]).any():
        return Reach("other")
    first, ends = spans
    queries, keys = masked.shape
    at = np.arange(queries) + (keys - queries)
    before, after = _width(at - first, first > 0), _width(ends - 1 - at, ends < keys)
    starts = np.zeros_like(at) if before is None else np.maximum(0, at - before)
    stops = np.full_like(at, keys) if after is None else np.minimum(keys, at + after + 1)
    if min(before or 0, after or 0) >= 0 and _same(spans, (starts, stops)):
        return Reach("causal") if (before, after) == (None, 0) else Reach("window", before, after)
    size = int(first[first > 0].min(initial=keys))
    starts = at // size * size
    for stops, last in ((np.minimum(keys, starts + size), None), (at + 1, 0)):
        if _same(spans, (starts, stops)):
            return Reach("chunks", after=last, size=size)
    if not first.any() and (ends == ends[0]).all():
        return Reach("padding")
    return Reach("other")


def _width(distances: Array, cut: Array) -> int | None:
    """The common reach of the rows whose view is cut off; None if there are no such rows."""
    return int(distances[cut][0]) if cut.any() else None


def _same(spans: tuple[Array, Array], other: tuple[Array, Array]) -> bool:
    return all(np.array_equal(a, b) for a, b in zip(spans, other, strict=True))
