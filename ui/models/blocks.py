"""Attention of an answer, and what is worked out of it, cached by its query: at 512 tokens it is dear.

No cache here holds a trace: those are bounded where they are cached, in `answers`.
"""

from __future__ import annotations

from dataclasses import replace
from threading import Condition

import cachetools

from core import measures
from core.measures import (
    AttentionBlock,
    HeadMap,
    blocks,
    head_similarity,
    mean_of_all,
    part,
    whole_words,
)
from core.records.trace import Array
from ui.models import answers, model_cache
from ui.query import TextQuery

WORDS_BYTES = 160 * 10**6  # of 12 × 12 heads at 512 tokens, 150 MB
MEANS_BYTES = 32 * 10**6  # of 512 tokens, 2 MB
MOST_SIMILAR = 256  # of a few kB each


def block(asked: TextQuery, index: int = 0) -> AttentionBlock:
    """One of the model's `core.measures.blocks`.

    Raises:
        PolyseeError: as `answers.answer`.
    """
    return [*blocks(answers.answer(asked)).values()][index]


def head_map(
    asked: TextQuery, layer: int | None, head: int | None, *, special: bool, index: int = 0
) -> HeadMap:
    """The weights of one head, or the mean of several: `core.measures.head_map` of one of the `blocks`.

    Raises:
        PolyseeError: as `answers.answer` and `core.measures.head_map`.
    """
    every = layer is None and head is None
    of = mean(asked, index, "", whole=False) if every else block(asked, index)
    return measures.head_map(of, layer, head, special=special)


def words(asked: TextQuery, index: int) -> AttentionBlock:
    """The whole words of one of the `blocks`. Raises as `block`."""
    model_cache.model(asked.model)
    whole = block(asked, index)
    return whole if whole.within is None else replace(_words(asked, index), within=whole.within)


def mean(asked: TextQuery, index: int, which: str, *, whole: bool) -> AttentionBlock:
    """The mean of all heads, see `core.measures.mean_of_all`.

    Args:
        asked: of whom, and of which text.
        index: of the block among the model's `blocks`, from 0.
        which: the part of a pair, one of `PARTS`; "" for all.
        whole: whether words are counted, not pieces.

    Raises:
        PolyseeError: as `block`.
    """
    model_cache.model(asked.model)
    return _mean(asked, index, which, whole)


def _bytes_of(made: AttentionBlock) -> int:
    return made.attention.nbytes + (0 if made.bare is None else made.bare.nbytes)


@cachetools.cached(cachetools.LRUCache(WORDS_BYTES, getsizeof=_bytes_of), condition=Condition())
def _words(asked: TextQuery, index: int) -> AttentionBlock:
    return replace(whole_words(block(asked, index)), within=None)


@cachetools.cached(cachetools.LRUCache(MEANS_BYTES, getsizeof=_bytes_of), condition=Condition())
def _mean(asked: TextQuery, index: int, which: str, whole: bool) -> AttentionBlock:
    return mean_of_all(words(asked, index) if whole else part(block(asked, index), which))


def similarity(asked: TextQuery, index: int, layer: int) -> Array:
    """`core.measures.head_similarity` of a layer; of what has a text alone. Raises as `block`."""
    model_cache.model(asked.model)
    return _similarity(asked, index, layer)


@cachetools.cached(cachetools.LRUCache(MOST_SIMILAR), condition=Condition())
def _similarity(asked: TextQuery, index: int, layer: int) -> Array:
    within = block(asked, index).within
    assert within is not None  # the caller shows patterns only where there is a text
    found = head_similarity(within, layer)
    found.setflags(write=False)
    return found
