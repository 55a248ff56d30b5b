"""Attention between whole words instead of their pieces."""

from __future__ import annotations

import numpy as np

from ...records.trace import Attention, Trace
from ...records.words import Occurrence
from .require_attention import weights_of
from .token_names import names


def merged(trace: Trace) -> tuple[Attention, tuple[tuple[int, ...], ...]]:
    """The attention of a text with the pieces of each word merged: columns summed, rows averaged.

    A word receives the sum of what its pieces receive, and gives the mean of their rows, so that each
    row still sums to 1. Words are those of `Trace.occurrences`; special tokens, and pieces that belong
    to no word, stay as they are.

    Returns:
        The attention, and for each of its rows the tokens merged in it.

    Raises:
        NotSupported: if the trace has no attention.
    """
    weights = weights_of(trace)
    words: dict[int, Occurrence] = {}
    for word in trace.occurrences():
        for token in word.tokens.tolist():
            words.setdefault(token, word)  # one that two words share counts towards the first
    single, labels = names(trace), []
    pieces: list[tuple[int, ...]] = []
    at = 0
    while at < len(trace.tokens):
        own = words.get(at)
        count = 1
        # A first token that is the sink stays apart from the rest of its word.
        while (at or not trace.first_is_sink) and own is not None and words.get(at + count) is own:
            count += 1
        if own is None or count == 1:
            labels.append(single[at])
        elif at in (0, own.tokens[0]):
            labels.append(own.word)
        else:  # the rest of the first word
            labels.append(f"##{trace.texts[0][trace.offsets[at][0] : own.end]}")
        pieces.append(tuple(range(at, at + count)))
        at += count
    first = [of[0] for of in pieces]  # the pieces of a word are consecutive
    counts = np.array([len(of) for of in pieces], np.float32)[:, None]
    columns = np.add.reduceat(weights, first, axis=-1)
    rows = np.add.reduceat(columns, first, axis=-2) / counts
    assert trace.attention is not None
    sink = trace.attention.sink
    if sink is not None:
        sink = np.add.reduceat(sink, first, axis=-1) / counts[:, 0]
    return Attention(tuple(labels), tuple(labels), rows, sink, trace.attention.outside), tuple(pieces)
