"""Where a model has attention: one place in an encoder or decoder, three in an encoder–decoder.

And what can be made of one place: whole words, one part of a pair, the mean over all its heads.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np

from core.attention import Attention
from core.measures.kept import weights_of
from core.measures.merged import merged
from core.measures.names import names
from core.seq2seq import Seq2SeqTrace
from core.trace import Array, Trace

# Who looks at whom in a pair of texts: the text that looks, the one that is looked at, from 0.
PARTS = {"aa": (0, 0), "bb": (1, 1), "ab": (0, 1), "ba": (1, 0)}

# What tells a token from all others of the same texts, whichever tokenizer cut them: its text and
# its characters there, or the name of a special token; and which of several such it is.
Mark = tuple[object, ...]
T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Site:
    """One place where tokens look at tokens.

    Attributes:
        attention: who looks at whom, in every layer and head.
        special: which queries and which keys the model's template added.
        marks: of each query and of each key, what it is in the texts, for another model's `shared`.
        query: (layers, heads, queries, d_head); None where the weights alone are known.
        key: (layers, heads, keys, d_head).
        scale: of each layer; None for 1/√d_head.
        bias: (heads, queries, keys), added to the scores.
        causal: whether a query sees no later key.
        within: the text, where all of it looks at itself: patterns are known of that alone.
        bare: (layers, heads, queries, keys), the weights once special tokens are left out, 0 on those;
            None where they are the weights divided by what remains of each row.
        place: which of an encoder–decoder's places it is, as a title says it; "" of other models.
    """

    attention: Attention
    special: tuple[tuple[int, ...], tuple[int, ...]]
    marks: tuple[tuple[Mark, ...], tuple[Mark, ...]]
    query: Array | None = None
    key: Array | None = None
    scale: tuple[float, ...] | None = None
    bias: Array | None = None
    causal: bool = False
    within: Trace | None = None
    bare: Array | None = None
    place: str = ""


def sites(trace: Trace | Seq2SeqTrace) -> dict[str, Site]:
    """The places of a trace by their names.

    Raises:
        NotSupported: the trace kept no attention.
    """
    if isinstance(trace, Trace):
        return {"Self-attention": _own(trace, 0)}
    encoder, decoder = (
        replace(_own(half, text), place=place)
        for text, (half, place) in enumerate([(trace.encoder, "Encoder"), (trace.decoder, "Decoder")])
    )
    assert trace.cross is not None  # kept, or not, as the other two are
    rows, columns = decoder.attention.queries, encoder.attention.keys
    cross = Site(
        Attention(rows, columns, trace.cross.weights),
        (decoder.special[0], encoder.special[1]),
        (decoder.marks[0], encoder.marks[1]),
        trace.query,
        trace.key,
        trace.scale,
        place="Cross-attention",
    )
    return {"Encoder": encoder, "Decoder": decoder, "Cross: decoder at encoder": cross}


def _own(trace: Trace, text: int) -> Site:
    """A text that looks at itself; `text` is 1 for what a decoder reads of a target."""
    weights_of(trace)  # says what to ask for
    assert trace.attention is not None
    attention, tokens = trace.attention, names(trace)
    if tokens != trace.tokens:  # or it would check its rows once more at every look
        attention = Attention(tokens, tokens, attention.weights)
    added = tuple(i for i, special in enumerate(trace.special) if special)
    marks = _marks(trace, text)
    given = (trace.query, trace.key) if trace.products else (None, None)
    return Site(
        attention,
        (added, added),
        (marks, marks),
        *given,
        trace.scale,
        trace.bias,
        trace.causal,
        trace,
    )


def _marks(trace: Trace, first: int) -> tuple[Mark, ...]:
    found: list[Mark] = []
    for token, special, segment, (start, end) in zip(
        trace.tokens, trace.special, trace.segments, trace.offsets, strict=True
    ):
        if special or start == end:
            found.append((token,))
            continue
        # Some tokenizers count the space before a word as a part of it.
        piece = trace.texts[segment][start:end]
        start += len(piece) - len(piece.lstrip())
        found.append((first + segment, start, end))
    return _numbered(found)


def _numbered(marks: Sequence[Mark]) -> tuple[Mark, ...]:
    """Equal ones told apart by their order."""
    seen: Counter[Mark] = Counter()
    found = []
    for mark in marks:
        found.append((*mark, seen[mark]))
        seen[mark] += 1
    return tuple(found)


def whole_words(site: Site) -> Site:
    """The same with the pieces of each word made one; between two texts nothing is merged."""
    trace = site.within
    if trace is None:
        return site
    attention, pieces = merged(trace)
    added = tuple(i for i, own in enumerate(pieces) if trace.special[own[0]])
    marks = tuple(_word(site.marks[0][own[0]], site.marks[0][own[-1]]) for own in pieces)
    return Site(
        attention, (added, added), (marks, marks), causal=site.causal, within=trace, place=site.place
    )


def _word(first: Mark, last: Mark) -> Mark:
    """A word is its first and its last character, however many pieces it came in."""
    return first if first is last else (*first[:2], *last[2:])


def part(site: Site, which: str) -> Site:
    """What one text of a pair has to do with itself or with the other; "" for all.

    The weights of each row are divided by what it spends on the columns that remain, as a softmax over
    those alone would give them.

    Args:
        site: the attention of a pair, by pieces.
        which: one of `PARTS`.
    """
    if not which or site.within is None:
        return site
    looks, seen = PARTS[which]
    segments = np.array(site.within.segments)
    return _cut(site, np.flatnonzero(segments == looks), np.flatnonzero(segments == seen))


def without_special(site: Site) -> Site:
    """The same without the tokens that the model's template added; the site itself if none remains."""
    rows, columns = _remaining(site)
    if not len(rows) or not len(columns):
        return site
    return _cut(site, rows, columns)


def _remaining(site: Site) -> tuple[Array, Array]:
    """The places of the queries and of the keys that are tokens of the text."""
    rows, columns = (
        np.setdiff1d(np.arange(n), added)
        for n, added in zip(site.attention.weights.shape[2:], site.special, strict=True)
    )
    return rows, columns


def _cut(site: Site, rows: Array, columns: Array) -> Site:
    # Taken axis by axis, what comes out lies in order: a picture goes through it several times.
    given = site.attention.weights if site.bare is None else site.bare
    weights = given.take(rows, axis=2).take(columns, axis=3)
    sums = weights.sum(axis=-1, keepdims=True)
    # A row that spends nothing there has nothing to share out: it is shown as even.
    even = np.full_like(weights, 1 / len(columns))
    weights = np.divide(weights, sums, out=even, where=sums > 0)
    queries, keys = site.attention.queries, site.attention.keys
    return Site(
        Attention(_taken(queries, rows), _taken(keys, columns), weights),
        (_places(site.special[0], rows), _places(site.special[1], columns)),
        (_taken(site.marks[0], rows), _taken(site.marks[1], columns)),
        None if site.query is None else site.query[:, :, rows],
        None if site.key is None else site.key[:, :, columns],
        site.scale,
        None if site.bias is None else site.bias[:, rows][..., columns],
        place=site.place,
    )


def _taken(some: tuple[T, ...], kept: Array) -> tuple[T, ...]:
    return tuple(some[i] for i in kept)


def _places(some: tuple[int, ...], kept: Array) -> tuple[int, ...]:
    return tuple(np.flatnonzero(np.isin(kept, some)).tolist())


def mean_of_all(site: Site) -> Site:
    """One map in the place of all: the mean of what each head of each layer shows.

    Without special tokens that is the mean of rows that each add up to 1 again, which is not the mean
    of the weights divided by what remains of that: heads spend very different shares on those tokens.
    """
    attention = site.attention
    one = Attention(attention.queries, attention.keys, _mean(attention.weights))
    rows, columns = _remaining(site)
    bare = None
    if any(site.special) and len(rows) and len(columns):
        bare = np.zeros_like(one.weights)
        bare[:, :, rows[:, None], columns] = _mean(_cut(site, rows, columns).attention.weights)
    none: dict[str, Any] = dict.fromkeys(("query", "key", "scale", "bias", "within"))
    return replace(site, attention=one, bare=bare, **none)


def _mean(weights: Array) -> Array:
    """(1, 1, queries, keys): the mean over every layer and head."""
    mean: Array = weights.mean(axis=(0, 1), dtype=np.float64)
    return mean[None, None].astype(np.float32)
