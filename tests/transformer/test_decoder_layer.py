"""The decoder layer against torch's own, and both layers after a past."""

from __future__ import annotations

import pytest
import torch
from torch import nn
from torch.nn import functional as F

from core.transformer import DecoderLayer, EncoderLayer, causal_mask, mask_bias, padding_bias
from tests.transformer.torchs_layers import (
    EPS,
    F_,
    ORDERS,
    PRECISIONS,
    SOURCE,
    B,
    D,
    H,
    K,
    L,
    S,
    copy,
    randomly,
)


@ORDERS
@PRECISIONS
@pytest.mark.parametrize("masked", [False, True])
def test_decoder_layer_against_torchs_own(
    norm_first: bool, dtype: torch.dtype, std: float, atol: float, masked: bool
) -> None:
    ours = DecoderLayer(D, H, H, F_, F.relu, EPS, norm_first=norm_first).to(dtype).eval()
    randomly(ours, std)
    theirs = nn.TransformerDecoderLayer(
        D, H, F_, 0, F.relu, EPS, batch_first=True, norm_first=norm_first, dtype=dtype
    ).eval()
    copy(ours, theirs)
    x, memory = torch.randn(B, L, D, dtype=dtype), torch.randn(B, S, D, dtype=dtype)
    with torch.no_grad():
        if masked:
            causal, source = mask_bias(causal_mask(L), dtype), padding_bias(SOURCE, dtype)
            out = ours(x, memory, causal, source)
            expected = theirs(
                x, memory, tgt_mask=~causal_mask(L), memory_key_padding_mask=~SOURCE, tgt_is_causal=True
            )
            assert (out.attention.weights_BHLM[:, :, ~causal_mask(L)] == 0).all()
            assert (out.cross.weights_BHLM[1, :, :, 4:] == 0).all()
        else:
            out, expected = ours(x, memory), theirs(x, memory)
        torch.testing.assert_close(out.output_BLD, expected, rtol=0, atol=atol)
        fast = ours(x, memory, causal, source, need_weights=False) if masked else ours(x, memory)
        torch.testing.assert_close(fast.output_BLD, out.output_BLD, rtol=0, atol=atol)
    assert out.cross.query_BHLK.shape == (B, H, L, K)
    assert out.cross.key_BHMK.shape == out.cross.value_BHMK.shape == (B, H, S, K)
    for block in (out.attention, out.cross):
        torch.testing.assert_close(block.weights_BHLM.sum(-1), torch.ones(B, H, L, dtype=dtype))


@ORDERS
def test_decoder_layer_with_other_heads_across_step_by_step(norm_first: bool) -> None:
    layer = DecoderLayer(D, H, 1, F_, F.relu, EPS, norm_first=norm_first).double()
    randomly(layer)
    x, memory = (torch.randn(B, n, D, dtype=torch.float64) for n in (L, S))
    bias, cross_bias = (torch.randn(B, 1, L, n, dtype=torch.float64) for n in (L, S))
    mask, cross_mask = torch.tensor([0.0, 1, 2]).double(), torch.tensor([3.0]).double()
    out = layer(x, memory, bias, cross_bias, mask, cross_mask)
    assert out.cross.weights_BHLM.shape == (B, 1, L, S)
    # Queries come from the decoder; keys and values from the encoder's output.
    read = layer.attention_norm(x) if norm_first else x
    attention = layer.attention(read, read, bias, mask)
    y = layer.attention_norm.add(x, attention.output_BLD)
    cross = layer.cross(layer.cross_norm(y) if norm_first else y, memory, cross_bias, cross_mask)
    for block, alone in ((out.attention, attention), (out.cross, cross)):
        assert all(torch.equal(got, expected) for got, expected in zip(block, alone, strict=True))


@pytest.mark.parametrize("d_ff", [0, F_])
def test_layers_behind_a_past_as_if_all_came_at_once(d_ff: int) -> None:
    memory, x = torch.randn(B, S, D).double(), torch.randn(B, L, D).double()
    decoder = DecoderLayer(D, H, 1, d_ff, F.relu, EPS).double()
    encoder = EncoderLayer(D, H, d_ff, F.relu, EPS, norm_first=True).double()
    whole = mask_bias(causal_mask(L), torch.float64)
    second = mask_bias(causal_mask(2, 3), torch.float64)
    for layer, source in ((decoder, (memory,)), (encoder, ())):
        randomly(layer)
        together = layer(x, *source, whole)
        first = layer(x[:, :3], *source, whole[:3, :3])
        then = layer(x[:, 3:], *source, second, past=first)
        for got, expected in ((first, slice(3)), (then, slice(3, L))):
            torch.testing.assert_close(
                got.output_BLD, together.output_BLD[:, expected], rtol=0, atol=1e-11
            )
