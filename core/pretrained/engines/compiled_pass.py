"""A whole pass of a decoder in one call, for a few tokens of one text: see `pass_loops`.

A decoder with the parts of Llama whose matrices are packed reads so. A pass writes a list of steps,
with the addresses of the weights, of memory to work in, and of what comes out. The numbers are those of
`core.transformer` to within rounding.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from ...records.frozen import Array
from ...transformer import (
    AttentionOutput,
    EncoderLayer,
    EncoderLayerOutput,
    LanguageModel,
    MultiHeadAttention,
    StackOutput,
)
from ...transformer.layers import AddRMSNorm, GatedFeedForward
from ...transformer.positions import turns
from . import packed, packed_loops
from .packed import PackedLinear
from .pass_loops import LANES, WORDS

Past = StackOutput[EncoderLayerOutput]

# The steps of a layer that have something of each pass's own.
_TURN_QUERY, _TURN_KEY, _OLD_KEY, _OLD_VALUE, _NEW_KEY, _NEW_VALUE, _ATTEND = range(4, 11)
_FLOAT = 4  # bytes
_PLANS = 8  # of different numbers of tokens that are kept: while somebody types, these are few


class _Plan(NamedTuple):
    """The steps of so many tokens, but for what each pass has of its own.

    Attributes:
        layers: (N, S, WORDS) int64, those of each layer.
        last: (1, WORDS) int64, the norm behind them.
        in_work, last_in_work: of the same shapes, bool: which words count bytes from the beginning of
            the memory to work in.
        floats: of that memory, without the scores.
    """

    layers: Array
    last: Array
    in_work: Array
    last_in_work: Array
    floats: int


class CompiledPass:
    """The passes of one decoder. Threads can share it.

    Args:
        net: it, which `fits`.
        steps: the compiled steps.
    """

    def __init__(self, net: LanguageModel, steps: packed_loops.Steps) -> None:
        self._net, self._steps = net, steps
        self._layers = [layer for layer in net.stack.layers if isinstance(layer, EncoderLayer)]
        first = self._layers[0].attention
        self._heads, self._kv_heads, self._d_head = first.n_heads, first.n_kv_heads, first.d_head
        self._plan = lru_cache(_PLANS)(self._planned)

    def read(self, ids_1L: Tensor, past: Past | None) -> tuple[Tensor, Past] | None:
        """See `ScratchDecoder.read_on`; None where it is to be read step by step."""
        tokens = ids_1L.shape[1]
        before = 0 if past is None else past.layers[0].attention.key_BHMK.shape[2]
        if len(ids_1L) != 1 or not 0 < tokens <= self._most:
            return None
        layers, heads, d_head = len(self._layers), self._kv_heads, self._d_head
        plan, every = self._plan(tokens), before + tokens
        work = torch.empty(plan.floats + every + LANES)
        kept = torch.empty(layers, 2, heads, every, d_head)
        final_BLD = torch.empty(1, tokens, self._net.config.d_model)
        embedded_1LD: Tensor = self._net.embeddings(ids_1L, before)[1]
        work[: embedded_1LD.numel()] = embedded_1LD.flatten()

        each = plan.layers + plan.in_work * work.data_ptr()
        size = _FLOAT * heads * every * d_head
        keys = kept.data_ptr() + 2 * size * np.arange(layers)
        of_both = ((_OLD_KEY, _NEW_KEY, keys), (_OLD_VALUE, _NEW_VALUE, keys + size))
        for old, new, at in of_both:
            each[:, old, 2], each[:, new, 2] = at, at + _FLOAT * before * d_head
            each[:, [old, new], 8] = every * d_head
        each[:, _ATTEND, 2], each[:, _ATTEND, 3], each[:, _ATTEND, 7] = keys, keys + size, before
        held: list[Tensor] = []  # until the pass is over
        for i, layer in enumerate(self._layers):
            rotation = layer.attention.rotation
            assert rotation is not None
            angles = [one.float() for one in turns(rotation, d_head, before, tokens)]
            held += angles
            each[i, [_TURN_QUERY, _TURN_KEY], 2:4] = [one.data_ptr() for one in angles]
        if past is None:
            each = np.delete(each, [_OLD_KEY, _OLD_VALUE], axis=1)
        else:
            for i, known in enumerate(past.layers):
                both = known.attention.key_BHMK, known.attention.value_BHMK
                for row, one in zip((_OLD_KEY, _OLD_VALUE), both, strict=True):
                    rows = one if one.stride()[2:] == (d_head, 1) else one.contiguous()
                    held.append(rows)
                    each[i, row, [1, 4, 6]] = rows.data_ptr(), before, rows.stride(1)
        last = plan.last + plan.last_in_work * work.data_ptr()
        last[:, 3] = final_BLD.data_ptr()
        steps = np.concatenate([each.reshape(-1, WORDS), last])
        self._steps.run(steps.ctypes.data, len(steps))
        return final_BLD, self._past(kept)

    @property
    def _most(self) -> int:
        """For how many tokens there are products."""
        return packed.most_tokens() if self._steps.many else len(self._steps.few["Q4_1"])

    @staticmethod
    def _past(kept: Tensor) -> Past:
        """What `core.transformer.past_of` gives: (N, 2, H, M, K) keys and values, by layer."""
        none = kept.new_empty(0)
        outputs = [
            EncoderLayerOutput(none, AttentionOutput(none, none, key[None], value[None], None))
            for key, value in (pair.unbind() for pair in kept.unbind())
        ]
        return StackOutput(none, none, tuple(outputs), none)

    def _planned(self, tokens: int) -> _Plan:
        """The steps for so many tokens."""
        few = self._steps.few["Q4_1"]
        rows = tokens if tokens <= len(few) else -(-tokens // LANES) * LANES
        d_model, d_ff = self._net.config.d_model, self._net.config.d_ff
        of_heads, of_keys = self._heads * self._d_head, self._kv_heads * self._d_head
        widest = max(d_model, d_ff, of_heads)
        sizes = [d_model] * 3 + [of_heads] * 2 + [of_keys] * 2 + [d_ff] * 2
        ends = [0, *np.cumsum([rows * size for size in sizes]).tolist()]
        x, a, t, q, o, k, v, g, u, end = (_Work(_FLOAT * one) for one in ends)
        scores = _Work(end + _FLOAT * packed_loops.memory(tokens, widest))

        def times(linear: nn.Module, vectors: _Work, out: _Work) -> list[Any]:
            assert isinstance(linear, PackedLinear)
            matrix = linear.matrix
            shape = linear.out_features, linear.in_features
            if tokens <= len(few):
                return [
                    self._steps.few[matrix.packing][tokens - 1],
                    matrix.address,
                    vectors,
                    out,
                    *shape,
                ]
            return [self._steps.many[matrix.packing], matrix.address, vectors, out, end, tokens, *shape]

        others = self._steps.others
        layers: list[list[list[Any]]] = []
        for layer in self._layers:
            at, net = layer.attention, layer.feed_forward
            assert isinstance(net, GatedFeedForward)
            scale = self._d_head**-0.5 if at.scale is None else at.scale
            half, heads, kv_heads, d_head = self._d_head // 2, self._heads, self._kv_heads, self._d_head
            layers.append(
                [
                    self._norm(layer.attention_norm, x, a, tokens),
                    times(at.query, a, q),
                    times(at.key, a, k),
                    times(at.value, a, v),
                    [others["turn"], q, 0, 0, tokens, heads, half],
                    [others["turn"], k, 0, 0, tokens, kv_heads, half],
                    *[[others["copy"], 0, 0, kv_heads, 0, d_head, 0, d_head, 0, d_head]] * 2,
                    [others["copy"], k, 0, kv_heads, tokens, d_head, d_head, of_keys, 0, d_head],
                    [others["copy"], v, 0, kv_heads, tokens, d_head, d_head, of_keys, 0, d_head],
                    [others["attend"], q, 0, 0, o, scores, tokens, 0, heads, kv_heads, d_head, scale],
                    times(at.output, o, t),
                    [others["add"], x, t, tokens * d_model],
                    self._norm(layer.output_norm, x, a, tokens),
                    times(net.gate, a, g),
                    times(net.inner, a, u),
                    [others["gate"], g, u, tokens * d_ff],
                    times(net.outer, g, t),
                    [others["add"], x, t, tokens * d_model],
                ]
            )
        table, in_work = _words(layers)
        last, last_in_work = _words([[self._norm(self._net.stack.norm, x, 0, tokens)]])
        return _Plan(table, last[0], in_work, last_in_work[0], scores // _FLOAT)

    def _norm(self, norm: nn.Module | None, x: _Work, out: int, tokens: int) -> list[Any]:
        assert isinstance(norm, nn.RMSNorm)
        assert norm.eps is not None
        function = self._steps.others["norm"]
        return [function, x, norm.weight.data_ptr(), out, tokens, self._net.config.d_model, norm.eps]


class _Work(int):
    """So many bytes from the beginning of the memory to work in."""


def _words(steps: list[list[list[Any]]]) -> tuple[Array, Array]:
    """Lists of steps as (N, S, WORDS) int64, and which of the words are `_Work`."""
    shape = len(steps), len(steps[0]), WORDS
    words, in_work = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
    for i, j in np.ndindex(*shape[:2]):
        for k, one in enumerate(steps[i][j]):
            words[i, j, k] = np.float64(one).view(np.int64) if isinstance(one, float) else one
            in_work[i, j, k] = isinstance(one, _Work)
    return words, in_work


def fits(net: LanguageModel) -> bool:
    """Whether a decoder has the parts of Llama and nothing else, and matrices that are packed."""
    return (
        net.causal
        and not net.config.windows
        and net.config.positions == "rotary"
        and type(net.stack.norm) is nn.RMSNorm
        and all(map(_fits, net.stack.layers))
        and all(map(_is_packed, _matrices(net)))
        and packed_loops.steps() is not None
    )


def proved(net: LanguageModel) -> CompiledPass | None:
    """The compiled passes of a decoder that `fits`; None until each of its matrices is proved."""
    steps = packed_loops.steps()
    if steps is None or not all(one.matrix.is_proved for one in _matrices(net)):
        return None
    return CompiledPass(net, steps)


def _matrices(net: LanguageModel) -> Iterator[Any]:
    """The linear layers of its stack."""
    return (one for one in net.stack.modules() if isinstance(one, nn.Linear))


def _is_packed(linear: Any) -> bool:
    """Whether a linear layer multiplies out of blocks, and does nothing else."""
    if not isinstance(linear, PackedLinear) or linear.out_features % LANES:
        return False
    bias: Tensor | None = linear.bias
    return bias is None


def _fits(layer: Any) -> bool:
    """Whether a layer has the parts of Llama."""
    if type(layer) is not EncoderLayer or type(layer.attention) is not MultiHeadAttention:
        return False
    at, net = layer.attention, layer.feed_forward
    norms = layer.attention_norm, layer.output_norm
    turned = at.rotation
    return (
        all(type(one) is AddRMSNorm and one.norm_first for one in norms)
        and type(net) is GatedFeedForward
        and net.activation is F.silu
        and at.query_norm is None
        and at.key_norm is None
        and not at.score_cap
        and turned is not None
        and turned.pairs == "halves"
        and turned.width in (0, at.d_head)
        and at.d_head % (2 * LANES) == 0
    )
