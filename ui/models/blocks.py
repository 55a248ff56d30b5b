"""The attention of a result, and what is computed from it, cached by its query.

At 512 tokens, this takes long. No cache here holds a trace, which `answers` caches: one that is dropped
there is gone.
"""

from __future__ import annotations

from dataclasses import replace
from weakref import ReferenceType, WeakKeyDictionary, ref

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
from core.memory import cached
from core.records.seq2seq import Seq2SeqTrace
from core.records.trace import Array, Trace
from ui.models import answers, model_cache
from ui.query import TextQuery

# For each result, as long as it is cached: a block without its text, which would keep the result alive,
# and that text.
_Stored = dict[str, tuple[AttentionBlock, ReferenceType[Trace] | None]]
_stored: WeakKeyDictionary[Trace | Seq2SeqTrace, _Stored] = WeakKeyDictionary()


def named(text_query: TextQuery) -> dict[str, AttentionBlock]:
    """The model's `core.measures.blocks` by name, cached because each run of a page repeats the query.

    Raises:
        PolyseeError: see `answers.answer`.
    """
    answer = answers.answer(text_query)
    stored = _stored.get(answer)
    if stored is None:
        stored = _stored[answer] = {
            name: (replace(one, trace=None), None if one.trace is None else ref(one.trace))
            for name, one in blocks(answer).items()
        }
    return {
        name: one if trace is None else replace(one, trace=trace())
        for name, (one, trace) in stored.items()
    }


def block(text_query: TextQuery, index: int = 0) -> AttentionBlock:
    """One of the model's `core.measures.blocks`. Raises the errors of `named`."""
    return [*named(text_query).values()][index]


def head_map(
    text_query: TextQuery, layer: int | None, head: int | None, *, special: bool, index: int = 0
) -> HeadMap:
    """The weights of one head, or the mean of several, in one of the blocks: `core.measures.head_map`.

    Raises:
        PolyseeError: see `answers.answer` and `core.measures.head_map`.
    """
    every = layer is None and head is None
    of = mean(text_query, index, "", whole=False) if every else block(text_query, index)
    return measures.head_map(of, layer, head, special=special)


def words(text_query: TextQuery, index: int) -> AttentionBlock:
    """The whole words of one of the `blocks`. Raises as `block`."""
    model_cache.model(text_query.model)
    whole = block(text_query, index)
    return whole if whole.trace is None else replace(_words(text_query, index), trace=whole.trace)


def mean(text_query: TextQuery, index: int, which: str, *, whole: bool) -> AttentionBlock:
    """The mean of all heads: `core.measures.mean_of_all`.

    Args:
        text_query: the model and the text.
        index: the index of the block among the model's `blocks`, from 0.
        which: the part of a pair, one of `PARTS`; "" for all.
        whole: whether to average over whole words instead of word pieces.

    Raises:
        PolyseeError: see `block`.
    """
    model_cache.model(text_query.model)
    return _mean(text_query, index, which, whole)


@cached()
def _words(text_query: TextQuery, index: int) -> AttentionBlock:
    return replace(whole_words(block(text_query, index)), trace=None)


@cached()
def _mean(text_query: TextQuery, index: int, which: str, whole: bool) -> AttentionBlock:
    return mean_of_all(words(text_query, index) if whole else part(block(text_query, index), which))


def similarity(text_query: TextQuery, index: int, layer: int) -> Array:
    """`core.measures.head_similarity` of a layer, if the block has a text. Raises as `block`."""
    model_cache.model(text_query.model)
    return _similarity(text_query, index, layer)


@cached()
def _similarity(text_query: TextQuery, index: int, layer: int) -> Array:
    trace = block(text_query, index).trace
    assert trace is not None  # the caller shows patterns only where there is a text
    similarity = head_similarity(trace, layer)
    similarity.setflags(write=False)
    return similarity
