"""The vectors that a model has for a word or a text."""

from __future__ import annotations

import numpy as np

from ...errors import NotSupported
from ..expressions import BadExpression, Operation
from ..model_records import Records, tokens_of
from .arguments import (
    AFTER,
    TEXT,
    Given,
    floats,
    from_zero,
    head_of,
    layer_of,
    parameters,
    tokens_at,
    trace_of,
)


def _vector(records: Records, given: Given) -> tuple[float, ...]:
    trace, tokens = trace_of(records, given), tokens_at(records, given)
    layer = given.get("layer")
    if layer is None:
        vectors = trace.contextual
    elif layer == 0:
        vectors = trace.embedded
    else:
        if trace.hidden is None:
            raise NotSupported(f"“{trace.model}” provides no vectors between its layers.")
        vectors = trace.hidden[from_zero("layer", layer, len(trace.hidden))]
    return floats(vectors[tokens].mean(axis=0, dtype=np.float64))


def _nearest(records: Records, given: Given) -> tuple[str, ...]:
    if not 1 <= given["most"] <= 4096:
        raise BadExpression("“nearest” gives 1 to 4,096 words.")
    return records.nearest(np.array(given["of"], np.float32), int(given["most"]))


def _step(records: Records, given: Given) -> tuple[float, ...]:
    trace = trace_of(records, given)
    layer, head = layer_of(trace, {"layer": 1.0, **given}), head_of(trace, {"head": 1.0, **given})
    values = records.step(given["text"], given["step"], layer, head)
    return floats(values[tokens_of(trace, given["word"])].mean(axis=0, dtype=np.float64))


OPERATIONS = (
    Operation(
        "learned",
        parameters(TEXT, "word: word", AFTER),
        "The learned vector of a word: its row of the table, or the mean over the rows of its pieces.",
        lambda r, g: floats(trace_of(r, g).learned[tokens_at(r, g)].mean(axis=0, dtype=np.float64)),
    ),
    Operation(
        "vector",
        parameters(TEXT, "word: word", "layer: whole?", AFTER),
        "The vector of a word after a layer: 0 for the input of layer 1; the last layer by default.",
        _vector,
    ),
    Operation(
        "sentence",
        parameters(TEXT),
        "The vector of a text: the mean of the final vectors of all its tokens.",
        lambda r, g: floats(trace_of(r, g).contextual.mean(axis=0, dtype=np.float64)),
    ),
    Operation(
        "nearest",
        parameters("of: numbers", "most: whole"),
        "The words whose learned vectors are nearest to a vector, by cosine.",
        _nearest,
    ),
    Operation(
        "step row",
        parameters(TEXT, "step: string", "word: word", "layer: whole?", "head: whole?"),
        "The row of a word in a step of Step by step, as a link names it; layer and head 1 by default.",
        _step,
    ),
)
