"""Where a model has attention: one block in an encoder or decoder, three in an encoder–decoder.

And what can be made of a block, each time a block again: one part of a pair, whole words, one word
in every layer, the text without special tokens, the mean of several heads. Every page, file and picture
of attention chooses by these; `head_map` reads out the one map that is left.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

from ...deprecated import field, warn
from ...records.attention import Attention
from ...records.seq2seq import Seq2SeqTrace
from ...records.trace import Array, Trace
from .require_attention import weights_of
from .token_names import names
from .visible import mean_of_heads, mean_of_rows, missing, scaled
from .visible_keys import Reach, reach, unseen
from .whole_words import merged

# Which token attends to which in a pair of texts: that of the queries, that of the keys, from 0.
PARTS = {"aa": (0, 0), "bb": (1, 1), "ab": (0, 1), "ba": (1, 0)}

# What tells a token from all others of the same texts, whichever tokenizer cut them: its text and
# its characters there, or the name of a special token; and which of several such it is.
Mark = tuple[object, ...]
T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class AttentionBlock:
    """Where tokens attend to tokens: one in an encoder or a decoder, three in an encoder–decoder.

    Attributes:
        attention: which token attends to which, in every layer and head.
        special: which queries and which keys the model's template added.
        marks: of each query and of each key, what it is in the texts, for another model's `shared`.
        query: (layers, heads, queries, d_head); None where the weights alone are known.
        key: (layers, heads, keys, d_head).
        scale: of each layer; None for 1/√d_head.
        bias: (heads, queries, keys), or (layers, heads, queries, keys), added to the scores; of all
            heads where there is one.
        softcap: c, where scores are squeezed to c·tanh(score/c) before the bias is added; else None.
        causal: whether a query sees no later key, in each layer.
        masked: (layers, queries, keys) bool, what is not seen, where that is not what `causal` says.
        trace: the run, where all of one text attends to itself: patterns are known of that alone.
        bare: (layers, heads, queries, keys), the weights once special tokens are left out, 0 on those;
            None where they are what remains of each row, scaled to 1.
        title: which of an encoder–decoder's blocks it is, as a screen names it; "" of other models.
        why_no_products: why there are no query and key, in a sentence; "" where that is not known.
        of: how many heads each of its maps is the mean of.
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

    place = field("place", "title")
    within = field("within", "trace")

    @cached_property
    def absent(self) -> Array:
        """(layers, heads) bool: the heads that there are none of, as in layers of another kind."""
        # The first number of nearly all heads tells at once that they are there.
        maybe = np.asarray(np.isnan(self.attention.weights[..., :1, :1]).all(axis=(-2, -1)))
        return maybe & self.attention.missing.all(axis=-1) if maybe.any() else maybe

    def mask(self, layer: int) -> Array | None:
        """(queries, keys) bool, what the queries of a layer may not see; None where they see all."""
        return unseen(self.masked, self.causal, layer, self.attention.weights.shape[2:])

    def reach(self, layer: int) -> Reach:
        """The same told by its kind."""
        masked = self.mask(layer)
        return Reach("all") if masked is None else reach(masked)

    def bias_of(self, layer: int) -> Array | None:
        """(heads or 1, queries, keys), the bias that a layer adds to its scores."""
        if self.bias is None or self.bias.ndim == 3:
            return self.bias
        bias: Array = self.bias[layer]
        return bias


def blocks(trace: Trace | Seq2SeqTrace) -> dict[str, AttentionBlock]:
    """The attention blocks of a trace by their names.

    Raises:
        NotSupported: the trace kept no attention.
    """
    if isinstance(trace, Trace):
        return {"Self-attention": _own(trace, 0)}
    encoder, decoder = (
        replace(_own(half, text), title=title)
        for text, (half, title) in enumerate([(trace.encoder, "Encoder"), (trace.decoder, "Decoder")])
    )
    assert trace.cross is not None  # kept, or not, as the other two are
    rows, columns = decoder.attention.queries, encoder.attention.keys
    cross = AttentionBlock(
        trace.cross.labelled(rows, columns),
        (decoder.special[0], encoder.special[1]),
        (decoder.marks[0], encoder.marks[1]),
        trace.query if trace.products else None,
        trace.key if trace.products else None,
        trace.scale,
        softcap=trace.softcap,
        title="Cross-attention",
        why_no_products=_why(trace),
    )
    return {"Encoder": encoder, "Decoder": decoder, "Cross: decoder at encoder": cross}


def as_block(shown: Trace | AttentionBlock | Attention, *, causal: bool = False) -> AttentionBlock:
    """A block as it is; the one of a text that attends to itself; or weights of one's own as one.

    Args:
        shown: one of these.
        causal: of weights of one's own, whether a query sees no later key.

    Raises:
        NotSupported: as `blocks`.
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


def absent(trace: Trace) -> Array:
    """Deprecated: `AttentionBlock.absent`.

    Raises:
        NotSupported: as `blocks`.
    """
    warn("core.measures.absent", "AttentionBlock.absent", stacklevel=2)
    return as_block(trace).absent


def _own(trace: Trace, text: int) -> AttentionBlock:
    """A text that attends to itself; `text` is 1 for what a decoder reads of a target."""
    weights_of(trace)  # says what to ask for
    assert trace.attention is not None
    tokens = names(trace)
    attention = trace.attention.labelled(tokens, tokens)
    added = tuple(i for i, special in enumerate(trace.special) if special)
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
    )


def _why(trace: Trace | Seq2SeqTrace) -> str:
    """Why there are no query and key; "" where there are, or where nobody says."""
    if not trace.products:
        return trace.why_no_products
    return "This trace kept no query and key: ask for keep='all'." if trace.query is None else ""


def _marks(trace: Trace, first: int) -> tuple[Mark, ...]:
    listed: list[Mark] = []
    for token, special, segment, (start, end) in zip(
        trace.tokens, trace.special, trace.segments, trace.offsets, strict=True
    ):
        if special or start == end:
            listed.append((token,))
            continue
        # Some tokenizers count the space before a word as a part of it.
        piece = trace.texts[segment][start:end]
        start += len(piece) - len(piece.lstrip())
        listed.append((first + segment, start, end))
    return _numbered(listed)


def _numbered(marks: Sequence[Mark]) -> tuple[Mark, ...]:
    """Equal ones numbered in their order."""
    seen: Counter[Mark] = Counter()
    numbered = []
    for mark in marks:
        numbered.append((*mark, seen[mark]))
        seen[mark] += 1
    return tuple(numbered)


def whole_words(block: AttentionBlock) -> AttentionBlock:
    """The same with the pieces of each word made one; between two texts nothing is merged."""
    trace = block.trace
    if trace is None:
        return block
    attention, pieces = merged(trace)
    added = tuple(i for i, own in enumerate(pieces) if trace.special[own[0]])
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
        why_no_products="A word may have several tokens: there is no single product.",
    )


def _merged_mask(masked: Array, pieces: Sequence[tuple[int, ...]]) -> Array:
    """(words, words): what no piece of a word sees of any piece of another."""
    first = [own[0] for own in pieces]
    rows = np.logical_and.reduceat(masked, first, axis=0)
    merged_mask: Array = np.logical_and.reduceat(rows, first, axis=1)
    return merged_mask


def _word(first: Mark, last: Mark) -> Mark:
    """A word is its first and its last character, however many pieces it came in."""
    return first if first is last else (*first[:2], *last[2:])


def part(block: AttentionBlock, which: str) -> AttentionBlock:
    """What one text of a pair has to do with itself or with the other; "" for all.

    Each head's rows are scaled to 1 over the columns that remain, as a softmax over those alone would
    give them; see `core.measures.attention.visible`.

    Args:
        block: the attention of a pair, by pieces.
        which: one of `PARTS`.
    """
    if not which or block.trace is None:
        return block
    looks, seen = PARTS[which]
    segments = np.array(block.trace.segments)
    return _cut(block, np.flatnonzero(segments == looks), np.flatnonzero(segments == seen))


def in_every_layer(block: AttentionBlock, tokens: Array) -> AttentionBlock:
    """What one word attends to: a row for each layer, in the place of a row for each token.

    The row of a word in a head is the mean of those of its pieces, as `whole_words` has it; each token
    keeps its column.

    Args:
        block: any.
        tokens: the word's among the queries, as from `trace.find`.

    Returns:
        One layer of all the heads, whose queries are the numbers of the layers, from 0.
    """
    attention = block.attention
    rows = mean_of_rows(attention.weights[:, :, tokens])  # (layers, heads, keys)
    layers = range(len(rows))
    sink = attention.sink
    if sink is not None:
        there = np.where(missing(attention.weights), np.nan, sink)[:, :, tokens, None]
        sink = mean_of_rows(there)[..., 0].swapaxes(0, 1)[None]
    masks = [block.mask(layer) for layer in layers]
    seen = np.zeros(attention.weights.shape[2:], bool)
    masked = [(seen if one is None else one)[tokens].all(axis=0) for one in masks]
    numbers = tuple(map(str, layers))
    return AttentionBlock(
        Attention(numbers, attention.keys, rows.swapaxes(0, 1)[None], sink, attention.outside),
        ((), block.special[1]),
        (tuple(("layer", number) for number in numbers), block.marks[1]),
        masked=None if all(one is None for one in masks) else np.stack(masked)[None],
        title=block.title,
        why_no_products="A row for each layer has no scores of its own.",
    )


def without_special(block: AttentionBlock) -> AttentionBlock:
    """The same without the tokens that the model's template added.

    The block itself if there are none, or if no others remain.
    """
    rows, columns = remaining(block)
    if not any(block.special) or not len(rows) or not len(columns):
        return block
    return _cut(block, rows, columns)


def remaining(block: AttentionBlock) -> tuple[Array, Array]:
    """The positions of the queries and of the keys that are tokens of the text."""
    shown = [np.ones(n, bool) for n in block.attention.weights.shape[2:]]
    for there, added in zip(shown, block.special, strict=True):
        there[list(added)] = False
    return np.flatnonzero(shown[0]), np.flatnonzero(shown[1])


def _cut(block: AttentionBlock, rows: Array, columns: Array) -> AttentionBlock:
    # Taken axis by axis, what comes out lies in order: a picture goes through it several times.
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
    )


def _cut_masks(block: AttentionBlock, rows: Array, columns: Array) -> dict[str, Any]:
    """What the queries that remain may not see of the keys that remain."""
    if block.masked is None and not block.causal:
        return {}
    layers = len(block.attention.weights) if block.masked is not None else 1
    masks = [block.mask(layer) for layer in range(layers)]
    cut = [
        np.zeros((len(rows), len(columns)), bool) if one is None else one[np.ix_(rows, columns)]
        for one in masks
    ]
    if block.masked is None and reach(cut[0]).kind in ("all", "causal"):
        return {"causal": reach(cut[0]).kind == "causal"}
    return {"masked": np.stack(cut * (len(block.attention.weights) // layers))}


def _taken(some: tuple[T, ...], remaining: Array) -> tuple[T, ...]:
    return tuple(some[i] for i in remaining)


def _positions(some: tuple[int, ...], remaining: Array) -> tuple[int, ...]:
    return tuple(np.flatnonzero(np.isin(remaining, some)).tolist())


def mean_of_all(
    block: AttentionBlock, layer: int | None = None, head: int | None = None
) -> AttentionBlock:
    """One map in the place of all that are chosen: the mean of what each of these heads shows.

    Without special tokens that is the mean of rows that each add up to 1 again, which is not the mean
    of the weights divided by what remains of that: heads spend very different shares on those tokens.

    Args:
        block: any; of one that is such a mean already, all.
        layer: from 0; None for all layers.
        head: from 0; None for all heads.

    Raises:
        IndexError: there is no such layer or head.
    """
    attention, shape = block.attention, block.attention.weights.shape[2:]
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
    none["why_no_products"] = "A mean of heads has no scores of its own."
    if block.masked is not None:  # of layers that have heads, what none of them sees
        masked = block.masked if layer is None else block.masked[layer][None]
        there = ~gone.all(axis=(1, 2))
        none["masked"] = np.asarray(masked[there if there.any() else ...].all(axis=0))[None]
    sink = attention.sink
    if sink is not None:  # in the mean of the heads that have the row
        sunk = np.where(gone, np.nan, _chosen(sink, layer, head))
        sink = mean_of_heads(sunk.reshape(-1, shape[0], 1))[None, None, :, 0]
    one = replace(attention, weights=mean[None, None], sink=sink)
    return replace(
        block,
        attention=one,
        bare=None if bare is None else bare[None, None],
        of=block.of * len(heads),
        **none,
    )


def _chosen(of_heads: Array, layer: int | None, head: int | None) -> Array:
    """Of (layers, heads, …), those that are chosen, by layers and heads."""
    layers = of_heads if layer is None else of_heads[layer][None]
    chosen: Array = layers if head is None else layers[:, head][:, None]
    return chosen
