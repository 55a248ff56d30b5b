"""Where a model has attention: one place in an encoder or decoder, three in an encoder–decoder."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from core.errors import NotSupported
from core.figures.web import Inner
from core.measures import merged
from core.seq2seq import Seq2SeqTrace
from core.trace import Array, Attention, Trace

# Who looks at whom in a pair of texts: the name in the link -> the text that looks, the one looked at.
PARTS = {"aa": ("A", "A"), "bb": ("B", "B"), "ab": ("A", "B"), "ba": ("B", "A")}
NO_PIECES = "A word may be several tokens, so there is no one product: show pieces for that."


class Site(NamedTuple):
    """One place where tokens look at tokens.

    Attributes:
        attention: who looks at whom, in every layer and head.
        special: which queries and which keys the model's template added.
        query: (layers, heads, queries, d_head); None where the weights alone are known.
        key: (layers, heads, keys, d_head).
        scale: of each layer; None for 1/√d_head.
        bias: (heads, queries, keys), added to the scores.
        causal: whether a query sees no later key.
        within: the text, where it looks at itself: patterns are known of that alone.
    """

    attention: Attention
    special: tuple[tuple[int, ...], tuple[int, ...]]
    query: Array | None = None
    key: Array | None = None
    scale: tuple[float, ...] | None = None
    bias: Array | None = None
    causal: bool = False
    within: Trace | None = None

    def inner(self, layer: int) -> Inner | None:
        """What the weights of a layer come from, where that is known."""
        if self.query is None or self.key is None:
            return None
        scale = None if self.scale is None else self.scale[layer]
        return Inner(self.query[layer], self.key[layer], scale=scale, bias=self.bias)


def first_of(trace: Trace | Seq2SeqTrace) -> Trace:
    """What the first text became: of an encoder–decoder, in the encoder."""
    return trace.encoder if isinstance(trace, Seq2SeqTrace) else trace


def sites(trace: Trace | Seq2SeqTrace) -> dict[str, Site]:
    """The places of a trace by their names.

    Raises:
        NotSupported: the trace kept no attention.
    """
    if isinstance(trace, Trace):
        return {"Self-attention": _own(trace)}
    if trace.cross is None:
        raise NotSupported("This trace kept no attention. Ask for keep='attention' or keep='all'.")
    encoder, decoder = _own(trace.encoder), _own(trace.decoder)
    special = decoder.special[0], encoder.special[0]
    cross = Site(trace.cross, special, trace.query, trace.key, trace.scale)
    return {"Encoder": encoder, "Decoder": decoder, "Cross: decoder at encoder": cross}


def _own(trace: Trace) -> Site:
    if trace.attention is None:
        raise NotSupported("This trace kept no attention. Ask for keep='attention' or keep='all'.")
    added = _added(trace)
    given = (trace.query, trace.key) if trace.products else (None, None)
    return Site(trace.attention, (added, added), *given, trace.scale, trace.bias, trace.causal, trace)


def _added(trace: Trace) -> tuple[int, ...]:
    return tuple(i for i, special in enumerate(trace.special) if special)


def whole_words(site: Site) -> Site:
    """The same with the pieces of each word made one; between two texts nothing is merged."""
    trace = site.within
    if trace is None:
        return site
    attention = merged(trace)
    names = {trace.tokens[i] for i in _added(trace)}
    added = tuple(i for i, key in enumerate(attention.keys) if key in names)
    return Site(attention, (added, added), causal=site.causal, within=trace)


def part(site: Site, which: str) -> Site:
    """What one text of a pair has to do with itself or with the other.

    The weights of each row are divided by what it spends on the columns that remain, as a softmax over
    those alone would give them.

    Args:
        site: the attention of a pair, by pieces.
        which: one of `PARTS`.
    """
    if not which or site.within is None:
        return site
    looks, seen = (("A", "B").index(name) for name in PARTS[which])
    segments = np.array(site.within.segments)
    rows, columns = np.flatnonzero(segments == looks), np.flatnonzero(segments == seen)
    weights = site.attention.weights[:, :, rows][..., columns]
    sums = weights.sum(axis=-1, keepdims=True)
    # A row that spends nothing there has nothing to share out: it is shown as even.
    even = np.full_like(weights, 1 / len(columns))
    weights = np.divide(weights, sums, out=even, where=sums > 0)
    tokens = site.within.tokens
    queries, keys = (tuple(tokens[i] for i in some) for some in (rows, columns))
    special = tuple(
        tuple(i for i, token in enumerate(some) if site.within.special[token])
        for some in (rows.tolist(), columns.tolist())
    )
    return Site(
        Attention(queries, keys, weights),
        (special[0], special[1]),
        None if site.query is None else site.query[:, :, rows],
        None if site.key is None else site.key[:, :, columns],
        site.scale,
        None if site.bias is None else site.bias[:, rows][..., columns],
    )
