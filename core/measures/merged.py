"""Attention between words in the place of attention between their pieces."""

from __future__ import annotations

import numpy as np

from core.measures.kept import weights_of
from core.trace import Attention, Trace


def merged(trace: Trace) -> Attention:
    """The attention of a text with the pieces of each word made one: columns added, rows averaged.

    What all pieces of a word receive is added up, what they give is the mean of their rows, so that
    each row still sums to 1. A word is what `Trace.occurrences` says it is; special tokens, and pieces
    that belong to no word, stay as they are.

    Raises:
        NotSupported: the trace kept no attention.
    """
    weights = weights_of(trace)
    names, first = [], np.zeros(len(trace.tokens), int)
    words = {int(token): word for word in trace.occurrences() for token in word.tokens}
    at = 0
    while at < len(trace.tokens):
        word = words.get(at)
        # A piece that two words share (a byte of each) goes with the first of them.
        count = 1 if word is None else sum(words.get(t) is word for t in range(at, len(trace.tokens)))
        one = word is None or count == 1
        names.append(trace.tokens[at] if one else word.word)  # type: ignore[union-attr]
        first[at : at + count] = len(names) - 1
        at += count
    into = np.zeros((len(names), len(trace.tokens)), np.float32)
    into[first, np.arange(len(trace.tokens))] = 1
    mean = into / into.sum(axis=1, keepdims=True)
    return Attention(tuple(names), tuple(names), mean @ weights @ into.T)
