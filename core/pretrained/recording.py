"""Turn a batch in torch into frozen NumPy records, without the batch axis and the padding."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch

from ..errors import NotSupported
from ..records import finding
from ..records.attention import ROW_SUM_TOLERANCE, Attention, Outside
from ..records.attention_on_demand import AttentionOnDemand
from ..records.frozen import Array, Record, frozen
from ..records.seq2seq import Seq2SeqTrace
from ..records.spelling import Spelling
from ..records.trace import Trace
from .engines.engine import Keep, Run, Seq2SeqRun, Whole
from .engines.recording import hidden_and_bias
from .tokenizer.reader import Encoded

BLIND = "In this text, a layer hides every token from some tokens, whose scores have no effect."


@dataclass(frozen=True, eq=False)
class WordVector(Record):
    """The vectors of one occurrence of a word.

    Unpacks as `learned, hidden`. The vectors of a word of several pieces are averaged.

    Attributes:
        learned: (d_embedding,), the word's row in the word-embedding table.
        hidden: (layers, d_model), the output of each layer.
        text: the index of its text among the given texts.
        occurrence: the number of the occurrence in that text, from 0.
        word: the word as this text writes it: another one than was sought if that had a star.
    """

    learned: Array
    hidden: Array
    text: int
    occurrence: int
    word: str = ""

    def __post_init__(self) -> None:
        self._freeze("learned", "hidden")

    def __iter__(self) -> Iterator[Array]:
        return iter((self.learned, self.hidden))


def record(run: Run, row: int, encoded: Encoded, keep: Keep, model: str, spelling: Spelling) -> Trace:
    """One row of a batch as a frozen record, without the batch axis and the padding."""
    n = len(encoded)
    cuts = encoded.left_out_by_text
    added = _added(run, row, n)
    why = run.why_no_products or added.why
    steps = run.whole or _steps(run, row, n, keep, products=not why)
    if why:
        steps = steps._replace(query=None, key=None, value=None)
    weights = steps.weights
    if added.why and weights is not None and run.outside is None and _lacks(weights):
        raise NotSupported(
            f"“{model}” hides every token from some tokens of this text, and they attend to "
            "the padding after it. Trace the text on its own, not in a batch."
        )
    return Trace(
        tokens=encoded.tokens,
        word_ids=encoded.word_ids(),
        segments=encoded.segments,
        offsets=encoded.offsets,
        special=encoded.special,
        left_out=next((cut for cut in cuts if cut), None),
        learned=run.learned_BLE[row, :n].cpu().numpy(),
        embedded=run.embedded_BLD[row, :n].cpu().numpy(),
        hidden=steps.hidden,
        final=(
            run.final_BLD[row, :n].cpu().numpy()
            if run.final_BLD is not None and keep != "attention"
            else None
        ),
        attention=(
            _computed(encoded.tokens, steps, run)
            if run.on_demand
            else _attention(encoded.tokens, encoded.tokens, weights, run.outside)
        ),
        query=steps.query,
        key=steps.key,
        value=steps.value,
        model=model,
        texts=encoded.texts,
        left_out_by_text=cuts,
        cased=spelling.cased,
        spelling=spelling,
        causal=run.causal,
        scale=run.scale,
        bias=added.bias,
        products=not why,
        why_no_products=why,
        masked=added.masked,
        softcap=run.softcap,
    )


def _steps(run: Run, row: int, n: int, keep: Keep, *, products: bool) -> Whole:
    """The steps of one row, without the padding, each copied once."""

    def vectors(layers: Sequence[torch.Tensor | None]) -> Array | None:
        """(layers, …, tokens, width) of this row."""
        return _stacked([None if layer is None else layer[row, ..., :n, :] for layer in layers])

    return Whole(
        vectors(run.hidden_BLD) if keep != "attention" else None,
        _stacked([None if layer is None else layer[row, :, :n, :n] for layer in run.weights_BHLM]),
        *(map(vectors, (run.query_BHLK, run.key_BHMK, run.value_BHMK)) if products else ()),
    )


class _Added(NamedTuple):
    """The mask and the bias of the scores, as in `core.Trace`; and why scores are unusable, or ""."""

    masked: Array | None
    bias: Array | None
    why: str = ""


def _lacks(weights: Array) -> bool:
    """Whether a row that is not missing sums to less than 1, because part of it went to the padding."""
    return bool(np.nanmin(weights.sum(axis=-1)) < 1 - ROW_SUM_TOLERANCE)


def _added(run: Run, row: int, n: int) -> _Added:
    """The masks of one row's layers, and the bias on its scores."""
    if not run.mask_BHLM:
        return _Added(None, None)
    split: dict[int, tuple[Array, Array | None]] = {}  # layers that share a mask share the object

    def taken(mask: torch.Tensor) -> tuple[Array, Array | None]:
        if id(mask) not in split:
            of_row = mask[row if len(mask) > 1 else 0][None, ..., :n, :n]
            hidden_BLM, bias_BHLM = hidden_and_bias(of_row.expand(-1, -1, n, n))  # one row for all
            bias = None if bias_BHLM is None else bias_BHLM[0].cpu().numpy()
            split[id(mask)] = hidden_BLM[0].cpu().numpy(), bias
        return split[id(mask)]

    later = np.triu(np.ones((n, n), bool), k=1)
    n_layers = len(run.weights_BHLM)
    hidden: list[Array] = []
    biases: list[Array | None] = []
    layers = [i for i, weights in enumerate(run.weights_BHLM) if weights is not None]
    for layer in layers:
        mask, bias = run.mask_BHLM[layer], run.bias_BHLM[layer] if run.bias_BHLM else None
        seen, of_mask = (np.zeros((n, n), bool), None) if mask is None else taken(mask)
        hidden.append(seen)
        own = None
        if bias is not None:
            own = bias[row if len(bias) > 1 else 0][..., :n, :n].cpu().numpy()
        biases.append(own if of_mask is None else of_mask if own is None else own + of_mask)
    why = ""
    if any(one.all(axis=-1).any() for one in hidden):
        # Softmax spreads a fully masked row evenly, as if nothing were masked.
        why, biases = BLIND, [None] * len(biases)
        hidden = [one & ~one.all(axis=-1, keepdims=True) for one in hidden]
    expected = later if run.causal else np.zeros_like(later)
    masked = None
    if not all(np.array_equal(one, expected) for one in hidden):
        masked = np.repeat(expected[None], n_layers, axis=0)
        masked[layers] = hidden
    bias_NHLM = _biases(biases, layers, n_layers) if run.bias_BHLM else None
    return _Added(masked, bias_NHLM, why)


def _biases(biases: Sequence[Array | None], layers: Sequence[int], n_layers: int) -> Array | None:
    """(H, L, M) if all layers add the same bias, otherwise (N, H, L, M); None without a bias."""
    there = [bias for bias in biases if bias is not None]
    if not there:
        return None
    same = len(there) == len(biases) and all(np.array_equal(bias, there[0]) for bias in there)
    if same:
        return there[0]
    heads = max(len(bias) for bias in there)
    by_layer = np.zeros((n_layers, heads, *there[0].shape[1:]), np.float32)
    for layer, bias in zip(layers, biases, strict=True):
        if bias is not None:
            by_layer[layer] = bias
    return by_layer


def _attention(
    queries: tuple[str, ...], keys: tuple[str, ...], weights: Array | None, outside: Outside | None
) -> Attention | None:
    """The attention weights, and as `sink` the share of each row that goes elsewhere, if any."""
    if weights is None:
        return None
    weights.flags.writeable = False  # the largest array by far is not copied again
    if outside is None:
        return Attention(queries, keys, weights)
    sink = np.clip(np.nan_to_num(1 - weights.sum(axis=-1, dtype=np.float64)), 0, 1)
    return Attention(queries, keys, weights, sink, outside)


def _computed(tokens: tuple[str, ...], steps: Whole, run: Run) -> Attention:
    """Attention out of queries and keys, which the trace shares: none of them is there twice."""
    return AttentionOnDemand(tokens, frozen(steps.query), frozen(steps.key), run.scale, run.softcap)


def record_pair(
    run: Seq2SeqRun, source: Encoded, target: Encoded, keep: Keep, model: str, spelling: Spelling
) -> Seq2SeqTrace:
    """The only row of an encoder–decoder's run as a record; `target` is the decoder's input."""

    def vectors(layers: Sequence[torch.Tensor | None]) -> Array | None:
        return _stacked([None if layer is None else layer[0] for layer in layers])

    cross = run.cross
    weights = vectors(cross.weights_BHLM)
    return Seq2SeqTrace(
        encoder=record(run.encoder, 0, source, keep, model, spelling),
        decoder=record(run.decoder, 0, target, keep, model, spelling),
        cross=_attention(target.tokens, source.tokens, weights, cross.outside),
        query=vectors(cross.query_BHLK),
        key=vectors(cross.key_BHMK),
        value=vectors(cross.value_BHMK),
        scale=cross.scale,
        products=not cross.why_no_products,
        why_no_products=cross.why_no_products,
        softcap=cross.softcap,
    )


def _stacked(layers: Sequence[torch.Tensor | None]) -> Array | None:
    """The layers on a new first axis, in one copy: an array in C order that owns its memory.

    A missing layer is NaN, and so are missing heads of a layer. Heads that are narrower than those of
    other layers are padded with zeros, which change no product.
    """
    there = [layer for layer in layers if layer is not None]
    if not there:
        return None
    shape = tuple(max(layer.shape[axis] for layer in there) for axis in range(there[0].ndim))
    if len(there) == len(layers) and all(layer.shape == shape for layer in there):
        stacked = np.empty((len(layers), *shape), np.float32)
        return np.stack([layer.cpu().numpy() for layer in there], out=stacked)
    stacked = np.full((len(layers), *shape), np.nan, np.float32)
    for into, layer in zip(stacked, layers, strict=True):
        if layer is not None:
            into[: len(layer)] = 0
            into[tuple(slice(size) for size in layer.shape)] = layer.cpu().numpy()
    return stacked


def found(encoded: Encoded, word: str, spelling: Spelling) -> list[tuple[str, Array]]:
    """Each occurrence of a word in one text, as written and as tokens; see `Trace.find_all`."""
    text, cut = encoded.texts[0], encoded.left_out_by_text[0]
    spans = np.array(encoded.offsets, dtype=np.int64).reshape(-1, 2)
    every = finding.spans_of(text, spans, word, spelling=spelling, end=cut[0] if cut else len(text))
    return [(text[start:end], tokens) for start, end, tokens in every]


def gather(run: Run, pieces: Sequence[Sequence[Array]]) -> tuple[Array, Array]:
    """The rows of a batch at these tokens, (pieces, E) and (pieces, N, D), in NumPy."""
    row = np.concatenate(
        [np.full(len(t), b) for b, occurrences in enumerate(pieces) for t in occurrences]
    )
    column = np.concatenate([tokens for occurrences in pieces for tokens in occurrences])
    at = (torch.from_numpy(row), torch.from_numpy(column))
    hidden = torch.stack([h[at] for h in run.hidden_BLD], dim=1)
    return run.learned_BLE[at].cpu().numpy(), hidden.cpu().numpy()
