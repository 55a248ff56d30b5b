"""One weight of a text that is worth a look: a head in which one word attends far to another one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ...records.trace import Array, Trace
from ..function_words import FUNCTION_WORDS
from .require_attention import weights_of

LEAST = 0.2  # a smaller weight strikes nobody, if another kind of pair has a larger one
# Function words that stand for a thing, so that what they attend to is of interest.
STAND_FOR = frozenset(("he", "her", "him", "it", "she", "them", "they", "who"))


class StrikingWeight(NamedTuple):
    """The weight of one head on one pair of tokens, all counted from 0.

    Attributes:
        layer: the layer of the head.
        head: its number within the layer.
        query: the token that attends.
        key: the token that is attended to.
        weight: the attention weight, 0 to 1, as the model computes it.
    """

    layer: int
    head: int
    query: int
    key: int
    weight: float


def striking(trace: Trace) -> StrikingWeight | None:
    """The largest weight from one word of the text to another; None if there are no two.

    Pairs are taken by kind, the first kind that has a weight of at least `LEAST`: a content word, or a
    pronoun, and another content word that is not beside it; any two words that are not neighbours;
    any two words. Special tokens, punctuation, two tokens of one word and two equal words never count:
    a head that attends to them says little about this text. Neither does the first token of a model
    that reads from left to right, on which its heads rest.

    Raises:
        NotSupported: if the trace has no attention.
    """
    weights = weights_of(trace)
    # Of a layer without attention, all rows are missing.
    best: Array = np.nan_to_num(np.fmax.reduce(weights, axis=(0, 1)))
    found = [_largest(best, pairs) for pairs in _kinds(trace)]
    there = [pair for pair in found if pair is not None]
    pair = next((pair for pair in there if best[pair] >= LEAST), there[0] if there else None)
    if pair is None:
        return None
    own = np.nan_to_num(weights[:, :, *pair])
    layer, head = np.unravel_index(own.argmax(), own.shape)
    return StrikingWeight(int(layer), int(head), *pair, float(best[pair]))


def _largest(best: Array, pairs: Array) -> tuple[int, int] | None:
    """The pair with the largest weight above 0 among some, the first of equal ones."""
    among = np.where(pairs, best, 0)
    query, key = np.unravel_index(among.argmax(), among.shape)
    return (int(query), int(key)) if among[query, key] > 0 else None


def _kinds(trace: Trace) -> tuple[Array, Array, Array]:
    """Which pairs of tokens are of each kind, (queries, keys) bool, the most telling kind first."""
    count = len(trace.tokens)
    texts = [
        trace.texts[segment][start:end].strip().casefold()
        for segment, (start, end) in zip(trace.segments, trace.offsets, strict=True)
    ]
    words = np.array([-1 if word is None else word for word in trace.word_ids])
    pieces = Counter(words.tolist())

    def each(holds: Callable[[int], bool]) -> Array:
        return np.fromiter((holds(i) for i in range(count)), bool, count)

    counts = each(lambda i: not trace.special[i] and words[i] >= 0 and any(map(str.isalnum, texts[i])))
    key_counts = counts.copy()
    if trace.causal:
        key_counts[:1] = False
    whole = each(lambda i: pieces[int(words[i])] == 1)
    content = whole & each(lambda i: texts[i] not in FUNCTION_WORDS)
    attends = content | (whole & each(lambda i: texts[i] in STAND_FOR))
    _, same = np.unique(np.array(texts), return_inverse=True)
    apart = np.abs(words[:, None] - words[None])
    two = counts[:, None] & key_counts[None] & (apart > 0) & (same[:, None] != same[None])
    far = two & (apart > 1)
    return far & attends[:, None] & content[None], far, two
