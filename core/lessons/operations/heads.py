"""Heads among all heads: the one with the largest weight, or the clearest pattern."""

from __future__ import annotations

import numpy as np

from ...measures.attention.patterns import PATTERNS, patterns
from ...records.frozen import Array
from ...records.trace import Trace
from ..expressions import BadExpression, Operation
from ..model_records import Records, tokens_of
from .arguments import IN_HEAD, SECOND, TEXT, Given, from_zero, head_of, layer_of, parameters, trace_of
from .attention import weights_of


def _strongest(trace: Trace, values: Array, layer: float | None) -> tuple[float, float]:
    """(layer, head) of the largest, the first of several; within one layer, if it is given."""
    kept = np.full_like(values, -np.inf)
    rows = slice(None) if layer is None else from_zero("layer", layer, trace.grid[0])
    kept[rows] = np.nan_to_num(values[rows], nan=-np.inf)
    best = int(kept.argmax())
    return float(best // values.shape[1] + 1), float(best % values.shape[1] + 1)


def _strongest_head(records: Records, given: Given) -> tuple[float, float]:
    trace = trace_of(records, given)
    queries, keys = (tokens_of(trace, given[name]) for name in ("from", "to"))
    values = weights_of(trace)[:, :, queries][:, :, :, keys].mean(axis=2, dtype=np.float64).sum(axis=-1)
    return _strongest(trace, values, given.get("layer"))


def _pattern(given: Given) -> int:
    if given["kind"] not in PATTERNS:
        raise BadExpression(
            f"There is no pattern “{given['kind']}”: choose one of {', '.join(PATTERNS)}."
        )
    return PATTERNS.index(given["kind"])


def _pattern_score(records: Records, given: Given) -> float:
    trace = trace_of(records, given)
    kind = _pattern(given)
    return float(patterns(trace).values[layer_of(trace, given), head_of(trace, given), kind])


def _strongest_pattern(records: Records, given: Given) -> tuple[float, float]:
    trace = trace_of(records, given)
    values = patterns(trace).values[:, :, _pattern(given)].astype(np.float64)
    return _strongest(trace, values, given.get("layer"))


OPERATIONS = (
    Operation(
        "layers",
        parameters(TEXT),
        "The number of layers that a text passes through.",
        lambda r, g: float(trace_of(r, g).grid[0]),
    ),
    Operation(
        "heads",
        parameters(TEXT),
        "The number of heads in a layer.",
        lambda r, g: float(trace_of(r, g).grid[1]),
    ),
    Operation(
        "strongest head",
        parameters(TEXT, "from: word", "to: word", "layer: whole?", SECOND),
        "The [layer, head] with the largest weight from one word to another, in all layers or in one.",
        _strongest_head,
    ),
    Operation(
        "pattern",
        parameters(TEXT, "kind: string", *IN_HEAD),
        f"How closely a head follows a pattern, from 0 to 1: {', '.join(PATTERNS)}.",
        _pattern_score,
    ),
    Operation(
        "strongest pattern",
        parameters(TEXT, "kind: string", "layer: whole?"),
        "The [layer, head] that follows a pattern most closely, in all layers or in one.",
        _strongest_pattern,
    ),
)
