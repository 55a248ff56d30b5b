"""Attention blocks: one in an encoder or decoder, three in an encoder–decoder.

Functions turn a block into another block: one part of a pair, whole words, one word in every layer,
the text without special tokens, the mean of several heads. Every page, file and picture of attention
selects with them; `head_map` returns the single map that remains.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

from ...localization import N_
from ...records.attention import Attention
from ...records.attention_on_demand import AttentionOnDemand
from ...records.indices import index
from ...records.seq2seq import Seq2SeqTrace
from ...records.trace import Array, Trace
from .require_attention import weights_of
from .token_names import names
from .visible import mean_of_heads, mean_of_rows, missing, scaled
from .visible_keys import Reach, reach, unseen
from .whole_words import merged

# The parts of a pair's attention: the text of the queries and the text of the keys, from 0.
PARTS = {"aa": (0, 0), "bb": (1, 1), "ab": (0, 1), "ba": (1, 0)}

# The identity of a token in its texts, whatever the tokenizer: its text and its characters there, or
# the name of a special token; and a number among equal ones.
Mark = tuple[object, ...]
T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class AttentionBlock:
    """The attention between two sequences of tokens: self-attention, or cross-attention.

    Attributes:
        attention: the weights in every layer and head.
        special: which queries and which keys the model's template added, or are the first token of a
            decoder without a BOS, on which its heads rest (`Trace.apart`).
        marks: the identity of each query and each key in the texts, which `shared` compares between
            models.
        query: (layers, heads, queries, d_head); None if only the weights are known.
        key: (layers, heads, keys, d_head).
        scale: for each layer, the factor of query·key; None means 1/√d_head.
        bias: (heads, queries, keys) or (layers, heads, queries, keys), added to the scores; a single
            head's bias is shared by all heads.
        softcap: c, if scores are squashed to c·tanh(score/c) before the bias is added.
        causal: for each layer, whether later keys are masked.
        masked: (layers, queries, keys) bool, the masked cells; None if `causal` describes them.
        trace: the run, if the block is the self-attention of one whole text; only then are patterns
            known.
        bare: (layers, heads, queries, keys), the weights without special tokens, with 0 in their cells;
            None if these are the remaining weights of each row, rescaled to 1.
        title: the name of this block of an encoder–decoder on screens; "" for other models.
        why_no_products: why there are no query and key, as a sentence; "" if there are or if unknown.
        of: the number of heads that each map averages.
        first_is_sink: whether what is `special` is the first token of a decoder, its sink.
    """

    attention: Attention
    special: tuple[tuple[int, ...], tuple[int, ...]]
    marks: tuple[tuple[Mark, ...], tuple[Mark, ...]]
    query: Array | None = None
    key: Array | None = None
    scale: tuple[float, ...] | None = None
    bias: Array | None = None
    softcap: float | None = None
    causal: bool = False
    masked: Array | None = None
    trace: Trace | None = None
    bare: Array | None = None
    title: str = ""
    why_no_products: str = ""
    of: int = 1
    first_is_sink: bool = False

    @cached_property
    def absent(self) -> Array:
        """(layers, heads) bool: the missing heads, as in layers without attention."""
        if isinstance(self.attention, AttentionOnDemand):
            return np.zeros(self.attention.shape[:2], bool)
        # For nearly all heads, the first number already shows that they are not missing.
        maybe = np.asarray(np.isnan(self.attention.weights[..., :1, :1]).all(axis=(-2, -1)))
        return maybe & self.attention.missing.all(axis=-1) if maybe.any() else maybe

    def mask(self, layer: int) -> Array | None:
        """(queries, keys) bool, the masked cells of a layer; None if nothing is masked."""
        return unseen(self.masked, self.causal, layer, self.attention.shape[2:])

    def reach(self, layer: int) -> Reach:
        """The kind of a layer's mask."""
        masked = self.mask(layer)
        return Reach("all") if masked is None else reach(masked)

    def bias_of(self, layer: int) -> Array | None:
        """(heads or 1, queries, keys), the bias that a layer adds to its scores; None without one."""
        if self.bias is None or self.bias.ndim == 3:
            return self.bias
        bias: Array = self.bias[layer]
        return bias


def blocks(trace: Trace | Seq2SeqTrace) -> dict[str, AttentionBlock]:
    """The attention blocks of a trace by their names.

    Raises:
        NotSupported: the trace has no attention.
    """
    if isinstance(trace, Trace):
        return {"Self-attention": _own(trace, 0)}
    encoder, decoder = (
        replace(_own(half, text), title=title)
        for text, (half, title) in enumerate(
            [(trace.encoder, N_("Encoder")), (trace.decoder, N_("Decoder"))]
        )
    )
    assert trace.cross is not None  # stored or not, like the other two
    rows, columns = decoder.attention.queries, encoder.attention.keys
    cross = AttentionBlock(
        trace.cross.labelled(rows, columns),
        (decoder.special[0], encoder.special[1]),
        (decoder.marks[0], encoder.marks[1]),
        trace.query if trace.products else None,
        trace.key if trace.products else None,
        trace.scale,
        softcap=trace.softcap,
        title=N_("Cross-attention"),
        why_no_products=_why(trace),
    )
    return {"Encoder": encoder, "Decoder": decoder, N_("Cross: decoder at encoder"): cross}


def as_block(shown: Trace | AttentionBlock | Attention, *, causal: bool = False) -> AttentionBlock:
    """Convert a trace or plain attention weights to a block; a block is returned unchanged.

    Args:
        shown: a block, a trace, or an `Attention`.
        causal: for an `Attention`, whether later keys are masked.

    Raises:
        NotSupported: see `blocks`.
    """
    if isinstance(shown, AttentionBlock):
        return shown
    if isinstance(shown, Trace):
        return _own(shown, 0)
    marks = tuple(
        tuple((token, position) for position, token in enumerate(tokens))
        for tokens in (shown.queries, shown.keys)
    )
    return AttentionBlock(shown, ((), ()), (marks[0], marks[1]), causal=causal)


def _own(trace: Trace, text: int) -> AttentionBlock:
    """The self-attention of a text; `text` is 1 for the target that a decoder reads."""
    weights_of(trace)  # the message says what to request
    assert trace.attention is not None
    tokens = names(trace)
    attention = trace.attention.labelled(tokens, tokens)
    added = tuple(i for i, apart in enumerate(trace.apart) if apart)
    marks = _marks(trace, text)
    given = (trace.query, trace.key) if trace.products else (None, None)
    return AttentionBlock(
        attention,
        (added, added),
        (marks, marks),
        *given,
        trace.scale,
        trace.bias,
        trace.softcap,
        trace.causal,
        trace.masked,
        trace,
        why_no_products=_why(trace),
        first_is_sink=trace.first_is_sink,
    )


def _why(trace: Trace | Seq2SeqTrace) -> str:
    """Why there are no query and key; "" if there are, or if the reason is unknown."""
    if not trace.products:
        return trace.why_no_products
    return "This trace has no query and key: ask for keep='all'." if trace.query is None else ""


def _marks(trace: Trace, first: int) -> tuple[Mark, ...]:
    listed: list[Mark] = []
    for token, special, segment, (start, end) in zip(
        trace.tokens, trace.special, trace.segments, trace.offsets, strict=True
    ):
        if special or start == end:
            listed.append((token,))
            continue
        # Some tokenizers count the space before a word as part of the word.
        piece = trace.texts[segment][start:end]
        start += len(piece) - len(piece.lstrip())
        listed.append((first + segment, start, end))
    return _numbered(listed)


def _numbered(marks: Sequence[Mark]) -> tuple[Mark, ...]:
    """Number equal elements in their order."""
    seen: Counter[Mark] = Counter()
    numbered = []
    for mark in marks:
        numbered.append((*mark, seen[mark]))
        seen[mark] += 1
    return tuple(numbered)


def whole_words(block: AttentionBlock) -> AttentionBlock:
    """The block with the pieces of each word merged; cross-attention is returned unchanged."""
    trace = block.trace
    if trace is None:
        return block
    attention, pieces = merged(trace)
    added = tuple(i for i, own in enumerate(pieces) if trace.apart[own[0]])
    marks = tuple(_word(block.marks[0][own[0]], block.marks[0][own[-1]]) for own in pieces)
    masked = (
        None if block.masked is None else np.stack([_merged_mask(one, pieces) for one in block.masked])
    )
    return AttentionBlock(
        attention,
        (added, added),
        (marks, marks),
        causal=block.causal,
        masked=masked,
        trace=trace,
        title=block.title,
        why_no_products=N_("A word may have several tokens: there is no single product."),
        first_is_sink=block.first_is_sink,
    )


def _merged_mask(masked: Array, pieces: Sequence[tuple[int, ...]]) -> Array:
    """(words, words) bool: pairs of words of which no piece of one sees any piece of the other."""
    first = [own[0] for own in pieces]
    rows = np.logical_and.reduceat(masked, first, axis=0)
    merged_mask: Array = np.logical_and.reduceat(rows, first, axis=1)
    return merged_mask


def _word(first: Mark, last: Mark) -> Mark:
    """The identity of a word: its first and its last character, however many pieces it has."""
    return first if first is last else (*first[:2], *last[2:])


def part(block: AttentionBlock, which: str) -> AttentionBlock:
    """The attention of one text of a pair to itself or to the other text; "" for all.

    Each head's rows are rescaled to 1 over the remaining columns, which equals a softmax over these
    columns alone; see `core.measures.attention.visible`.

    Args:
        block: the attention of a pair, by pieces.
        which: one of `PARTS`.
    """
    if not which or block.trace is None:
        return block
    from_segment, to_segment = PARTS[which]
    segments = np.array(block.trace.segments)
    return _cut(block, np.flatnonzero(segments == from_segment), np.flatnonzero(segments == to_segment))


def in_every_layer(block: AttentionBlock, tokens: Array) -> AttentionBlock:
    """The attention of one word, with one row for each layer instead of one row for each token.

    The row of a word in a head is the mean of its pieces' rows, as in `whole_words`; each token keeps
    its column.

    Args:
        block: any block.
        tokens: the indices of the word among the queries, as `trace.find` returns them.

    Returns:
        A block of one layer with all heads, whose queries are the numbers of the layers, from 0.
    """
    attention = block.attention
    rows = mean_of_rows(attention.weights[:, :, tokens])  # (layers, heads, keys)
    layers = range(len(rows))
    sink = attention.sink
    if sink is not None:
        there = np.where(missing(attention.weights), np.nan, sink)[:, :, tokens, None]
        sink = mean_of_rows(there)[..., 0].swapaxes(0, 1)[None]
    masks = [block.mask(layer) for layer in layers]
    seen = np.zeros(attention.shape[2:], bool)
    masked = [(seen if one is None else one)[tokens].all(axis=0) for one in masks]
    numbers = tuple(map(str, layers))
    return AttentionBlock(
        Attention(numbers, attention.keys, rows.swapaxes(0, 1)[None], sink, attention.outside),
        ((), block.special[1]),
        (tuple(("layer", number) for number in numbers), block.marks[1]),
        masked=None if all(one is None for one in masks) else np.stack(masked)[None],
        title=block.title,
        why_no_products=N_("A row for each layer has no scores of its own."),
        first_is_sink=block.first_is_sink,
    )


def without_special(block: AttentionBlock) -> AttentionBlock:
    """The block without the tokens that the model's template added.

    It is returned unchanged if there are none, or if no other tokens would remain.
    """
    rows, columns = remaining(block)
    if not any(block.special) or not len(rows) or not len(columns):
        return block
    return _cut(block, rows, columns)


def remaining(block: AttentionBlock) -> tuple[Array, Array]:
    """The positions of the queries and of the keys that are tokens of the text."""
    shown = [np.ones(n, bool) for n in block.attention.shape[2:]]
    for there, added in zip(shown, block.special, strict=True):
        there[list(added)] = False
    return np.flatnonzero(shown[0]), np.flatnonzero(shown[1])


def _cut(block: AttentionBlock, rows: Array, columns: Array) -> AttentionBlock:
    # Indexing axis by axis gives an array in C order, which a picture traverses several times.
    given = block.attention.weights if block.bare is None else block.bare
    weights = scaled(given.take(rows, axis=2).take(columns, axis=3))
    queries, keys = block.attention.queries, block.attention.keys
    return AttentionBlock(
        Attention(_taken(queries, rows), _taken(keys, columns), weights),
        (_positions(block.special[0], rows), _positions(block.special[1], columns)),
        (_taken(block.marks[0], rows), _taken(block.marks[1], columns)),
        None if block.query is None else block.query[:, :, rows],
        None if block.key is None else block.key[:, :, columns],
        block.scale,
        None if block.bias is None else block.bias[..., rows, :][..., columns],
        block.softcap,
        **_cut_masks(block, rows, columns),
        title=block.title,
        why_no_products=block.why_no_products,
        of=block.of,
        first_is_sink=block.first_is_sink,
    )


def _cut_masks(block: AttentionBlock, rows: Array, columns: Array) -> dict[str, Any]:
    """The masked cells among the remaining queries and keys."""
    if block.masked is None and not block.causal:
        return {}
    layers = block.attention.shape[0] if block.masked is not None else 1
    masks = [block.mask(layer) for layer in range(layers)]
    cut = [
        np.zeros((len(rows), len(columns)), bool) if one is None else one[np.ix_(rows, columns)]
        for one in masks
    ]
    if block.masked is None and reach(cut[0]).kind in ("all", "causal"):
        return {"causal": reach(cut[0]).kind == "causal"}
    return {"masked": np.stack(cut * (block.attention.shape[0] // layers))}


def _taken(some: tuple[T, ...], remaining: Array) -> tuple[T, ...]:
    return tuple(some[i] for i in remaining)


def _positions(some: tuple[int, ...], remaining: Array) -> tuple[int, ...]:
    return tuple(np.flatnonzero(np.isin(remaining, some)).tolist())


def mean_of_all(
    block: AttentionBlock, layer: int | None = None, head: int | None = None
) -> AttentionBlock:
    """Average the maps of the chosen heads into one map.

    Without special tokens, each head's rows are rescaled to 1 before they are averaged. Averaging first
    would give other numbers, because heads spend very different shares on special tokens.

    Args:
        block: any block; for a block that is such a mean already, choose all.
        layer: from 0; None for all layers.
        head: from 0; None for all heads.

    Raises:
        IndexError: there is no such layer or head.
    """
    attention, shape = block.attention, block.attention.shape[2:]
    chosen = _chosen(attention.weights, layer, head)
    if block.bare is not None:
        return block
    heads = chosen.reshape(-1, *shape)
    gone = missing(chosen)
    mean = mean_of_heads(heads)
    rows, columns = remaining(block)
    bare = None
    if any(block.special) and len(rows) and len(columns):
        cells = np.ix_(rows, columns)
        left = mean_of_heads(scaled(one[cells]) for one in heads)
        bare = np.zeros_like(mean)
        bare[cells] = left
        bare[rows[missing(left)]] = np.nan
    none: dict[str, Any] = dict.fromkeys(("query", "key", "scale", "bias", "softcap", "trace"))
    none["why_no_products"] = N_("A mean of heads has no scores of its own.")
    if block.masked is not None:  # for layers that have heads: the cells that are masked in all of them
        masked = block.masked if layer is None else block.masked[layer][None]
        there = ~gone.all(axis=(1, 2))
        none["masked"] = np.asarray(masked[there if there.any() else ...].all(axis=0))[None]
    sink = attention.sink
    if sink is not None:  # averaged over the heads that have the row
        sunk = np.where(gone, np.nan, _chosen(sink, layer, head))
        sink = mean_of_heads(sunk.reshape(-1, shape[0], 1))[None, None, :, 0]
    labels = attention.queries, attention.keys
    one = Attention(*labels, mean[None, None], sink, attention.outside)
    return replace(
        block,
        attention=one,
        bare=None if bare is None else bare[None, None],
        of=block.of * len(heads),
        **none,
    )


def _chosen(of_heads: Array, layer: int | None, head: int | None) -> Array:
    """The chosen layers and heads of an array (layers, heads, …)."""
    counts = of_heads.shape
    layers = of_heads if layer is None else of_heads[index(layer, counts[0], "layer")][None]
    chosen: Array = layers if head is None else layers[:, index(head, counts[1], "head")][:, None]
    return chosen
