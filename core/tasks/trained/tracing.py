"""From a small model to the records that pages show; beyond this module there are no torch tensors."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from ...records.attention import Attention
from ...records.frozen import Array
from ...records.seq2seq import Seq2SeqTrace
from ...records.trace import Trace
from ...transformer import (
    AttentionOutput,
    DecoderLayerOutput,
    EncoderLayerOutput,
    LanguageModel,
    StackOutput,
    Transformer,
    causal_mask,
    mask_bias,
)
from .reading import Reading

Stack = StackOutput[EncoderLayerOutput] | StackOutput[DecoderLayerOutput]


@torch.no_grad()
def trace(model: LanguageModel, reading: Reading, name: str, *, causal: bool = False) -> Trace:
    """Trace one text by a single encoder or decoder; `causal` also hides later tokens in an encoder."""
    normed = model.config.norm_first
    bias = mask_bias(causal_mask(reading.ids_BL.shape[1])) if causal and not model.causal else None
    stack = model(reading.ids_BL, bias_BHLM=bias).stack
    return record(stack, reading, name, normed=normed, causal=causal or model.causal)


@torch.no_grad()
def trace_pair(model: Transformer, source: Reading, reads: Reading, name: str) -> Seq2SeqTrace:
    """Trace a source and its target, which the decoder reads after a start token."""
    out = model(source.ids_BL, reads.ids_BL)
    normed = model.config.norm_first
    cross = [layer.cross for layer in out.decoder.layers]
    weights, query, key, value = _parts(cross)
    return Seq2SeqTrace(
        encoder=record(out.encoder, source, name, normed=normed, causal=False),
        decoder=record(out.decoder, reads, name, normed=normed, causal=True),
        cross=Attention(reads.tokens, source.tokens, weights),
        query=query,
        key=key,
        value=value,
    )


def record(stack: Stack, reading: Reading, name: str, *, normed: bool, causal: bool) -> Trace:
    """The only text of a stack's run. `normed`: whether a norm follows the last layer."""
    weights, query, key, value = _parts([layer.attention for layer in stack.layers])
    return Trace(
        tokens=reading.tokens,
        word_ids=reading.word_ids,
        segments=(0,) * len(reading.tokens),
        offsets=reading.offsets,
        special=reading.special,
        left_out=None,
        learned=_array(stack.learned_BLD),
        embedded=_array(stack.embedded_BLD),
        hidden=_stacked([layer.output_BLD for layer in stack.layers]),
        final=_array(stack.final_BLD) if normed else None,
        attention=Attention(reading.tokens, reading.tokens, weights),
        query=query,
        key=key,
        value=value,
        model=name,
        texts=(reading.text,),
        left_out_by_text=(None,),
        cased=False,
        causal=causal,
    )


def _parts(layers: Sequence[AttentionOutput]) -> tuple[Array, Array, Array, Array]:
    """Weights, query, key and value of an attention block, each (layers, heads, tokens, …)."""
    weights = [layer.weights_BHLM for layer in layers if layer.weights_BHLM is not None]
    return (
        _stacked(weights),
        _stacked([layer.query_BHLK for layer in layers]),
        _stacked([layer.key_BHMK for layer in layers]),
        _stacked([layer.value_BHMK for layer in layers]),
    )


def _stacked(layers: Sequence[Tensor]) -> Array:
    return _array(torch.stack(list(layers), dim=1))


def _array(of_batch: Tensor) -> Array:
    """The only row of a batch, in NumPy."""
    row: Array = of_batch[0].numpy()
    return row
