"""Attention in one head: queries, keys, values, scores and weights."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from ...errors import NotSupported
from ...records.frozen import Array
from ...records.trace import Trace
from ..expressions import Operation
from ..model_records import Records, tokens_of
from .arguments import (
    AFTER,
    IN_HEAD,
    SECOND,
    TEXT,
    Given,
    floats,
    head_of,
    layer_of,
    parameters,
    trace_of,
)
from .probabilities import softmax


def weights_of(trace: Trace) -> Array:
    """(layers, heads, queries, keys)."""
    if trace.attention is None:
        raise NotSupported(f"“{trace.model}” provides no attention weights.")
    return trace.attention.weights


def _row(records: Records, given: Given) -> Array:
    """(tokens,): the weights of a word in one head, the mean over its tokens."""
    trace = trace_of(records, given)
    queries = tokens_of(trace, given["from"])
    rows = weights_of(trace)[layer_of(trace, given), head_of(trace, given), queries]
    mean: Array = rows.mean(axis=0, dtype=np.float64)
    return mean


def _weight(records: Records, given: Given) -> float:
    trace = trace_of(records, given)
    return float(_row(records, given)[tokens_of(trace, given["to"])].sum())


def _scores(records: Records, given: Given) -> tuple[float, ...]:
    trace = trace_of(records, given)
    values = trace.scores(layer_of(trace, given), head_of(trace, given)).values
    return floats(values[tokens_of(trace, given["from"])].mean(axis=0, dtype=np.float64))


def _of_head(what: str) -> Callable[[Records, Given], tuple[float, ...]]:
    def read(records: Records, given: Given) -> tuple[float, ...]:
        trace = trace_of(records, given)
        values = getattr(trace, what)
        if values is None or not trace.products:
            raise NotSupported(f"“{trace.model}” provides no queries, keys and values.")
        own = values[layer_of(trace, given), head_of(trace, given)]
        return floats(own[tokens_of(trace, given["word"])].mean(axis=0, dtype=np.float64))

    return read


def _unweighted(records: Records, given: Given) -> tuple[float, ...]:
    trace = trace_of(records, given)
    x = trace.embedded.astype(np.float64)
    own = x[tokens_of(trace, given["word"])].mean(axis=0)
    return softmax(floats(x @ own / math.sqrt(x.shape[1])))


OPERATIONS = (
    Operation(
        "query",
        parameters(TEXT, "word: word", *IN_HEAD),
        "The query of a word in one head.",
        _of_head("query"),
    ),
    Operation(
        "key",
        parameters(TEXT, "word: word", *IN_HEAD),
        "The key of a word in one head.",
        _of_head("key"),
    ),
    Operation(
        "value vector",
        parameters(TEXT, "word: word", *IN_HEAD),
        "The value of a word in one head.",
        _of_head("value"),
    ),
    Operation(
        "scores",
        parameters(TEXT, "from: word", *IN_HEAD),
        "The scores of a word in one head, scaled, before softmax; one for each token.",
        _scores,
    ),
    Operation(
        "weights",
        parameters(TEXT, "from: word", *IN_HEAD, AFTER, SECOND),
        "The attention weights of a word in one head, one for each token.",
        lambda r, g: floats(_row(r, g)),
    ),
    Operation(
        "weight",
        parameters(TEXT, "from: word", "to: word", *IN_HEAD, AFTER, SECOND),
        "The weight from one word to another: the mean over its pieces, the sum over the other’s.",
        _weight,
    ),
    Operation(
        "unweighted",
        parameters(TEXT, "word: word"),
        "Attention without learned weights: the softmax of x·Xᵀ / √d_model over the input of layer 1.",
        _unweighted,
    ),
)
