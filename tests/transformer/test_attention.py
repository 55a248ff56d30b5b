"""Attention by hand, and against torch's own."""

from __future__ import annotations

import math

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from core.transformer import (
    MultiHeadAttention,
    Rotation,
    causal_mask,
    mask_bias,
    padding_bias,
    scaled_dot_product_attention,
)

B, L, M, H, K = 2, 5, 7, 3, 11  # all prime: swapped axes cannot pass
D = H * K


def numbers(*shape: int) -> Tensor:
    """Double precision: the difference of two correct computations is far below any mistake."""
    return torch.randn(*shape, dtype=torch.float64)


def heads() -> MultiHeadAttention:
    """Random biases too, which torch's own layer starts at zero."""
    attention = MultiHeadAttention(D, H).double()
    for parameter in attention.parameters():
        nn.init.normal_(parameter, std=0.4)
    return attention


def torchs_own(ours: MultiHeadAttention) -> nn.MultiheadAttention:
    theirs = nn.MultiheadAttention(D, H, batch_first=True, dtype=torch.float64)
    projections = (ours.query, ours.key, ours.value)
    with torch.no_grad():
        theirs.in_proj_weight.copy_(torch.cat([p.weight for p in projections]))
        theirs.in_proj_bias.copy_(torch.cat([p.bias for p in projections]))
        theirs.out_proj.weight.copy_(ours.output.weight)
        theirs.out_proj.bias.copy_(ours.output.bias)
    return theirs


def assert_close(a: Tensor, b: Tensor) -> None:
    torch.testing.assert_close(a, b, rtol=0, atol=1e-12)


# scaled_dot_product_attention


def test_two_tokens_by_hand() -> None:
    # d_head 4, so that √d_head is 2. Scores · 2: row 0: ln 9, 0; row 1: 0, ln 4.
    ln = math.log
    query = torch.tensor([[[[1.0, 0, 0, 0], [0, 1, 0, 0]]]])
    key = torch.tensor([[[[2 * ln(9), 0, 5, 5], [0, 2 * ln(4), 7, 7]]]])
    value = torch.tensor([[[[10.0, 0, 0, 1], [0, 20, 0, 1]]]])
    mixed, weights = scaled_dot_product_attention(query, key, value)
    torch.testing.assert_close(weights, torch.tensor([[[[0.9, 0.1], [0.2, 0.8]]]]))
    torch.testing.assert_close(mixed, torch.tensor([[[[9.0, 2, 0, 1], [2, 16, 0, 1]]]]))


def test_three_keys_and_a_bias_by_hand() -> None:
    # One query with equal scores for all keys; the bias alone decides: 1 : 2 : 0.
    query = torch.zeros(1, 1, 1, 2)
    key = torch.ones(1, 1, 3, 2)
    value = torch.tensor([[[[3.0, 0], [0, 3], [100, 100]]]])
    bias = torch.tensor([[[[0.0, math.log(2), torch.finfo(torch.float32).min]]]])
    mixed, weights = scaled_dot_product_attention(query, key, value, bias)
    torch.testing.assert_close(weights, torch.tensor([[[[1 / 3, 2 / 3, 0]]]]))
    assert weights[..., 2].item() == 0
    torch.testing.assert_close(mixed, torch.tensor([[[[1.0, 2]]]]))


@pytest.mark.parametrize("bias_shape", [None, (B, H, L, M), (B, 1, 1, M), (L, M)])
def test_against_torchs_fused_attention(bias_shape: tuple[int, ...] | None) -> None:
    query, key, value = numbers(B, H, L, K), numbers(B, H, M, K), numbers(B, H, M, K + 2)
    bias = None if bias_shape is None else numbers(*bias_shape)
    mixed, weights = scaled_dot_product_attention(query, key, value, bias)
    assert weights.shape == (B, H, L, M)
    assert_close(weights.sum(-1), torch.ones(B, H, L, dtype=torch.float64))
    wide = None if bias is None else bias.expand(B, H, L, M)
    assert_close(mixed, F.scaled_dot_product_attention(query, key, value, attn_mask=wide))


def test_scores_are_multiplied_by_what_is_asked() -> None:
    query, key, value = numbers(B, H, L, K), numbers(B, H, M, K), numbers(B, H, M, K)
    for scale in (1.0, 0.3):
        mixed, weights = scaled_dot_product_attention(query, key, value, scale=scale)
        assert_close(weights, (scale * query @ key.transpose(-2, -1)).softmax(-1))
        assert_close(mixed, F.scaled_dot_product_attention(query, key, value, scale=scale))
    usual = scaled_dot_product_attention(query, key, value, scale=1 / math.sqrt(K))
    assert_close(usual[0], scaled_dot_product_attention(query, key, value)[0])


# MultiHeadAttention


@pytest.mark.parametrize("with_bias", [False, True])
def test_heads_against_torchs_own(with_bias: bool) -> None:
    ours, query, memory = heads(), numbers(B, L, D), numbers(B, M, D)
    bias = numbers(B, H, L, M) if with_bias else None
    out = ours(query, memory, bias)
    output, weights = torchs_own(ours)(
        query,
        memory,
        memory,
        average_attn_weights=False,
        attn_mask=None if bias is None else bias.flatten(0, 1),
    )
    assert_close(out.output_BLD, output)
    assert_close(out.weights_BHLM, weights)


def test_heads_return_their_query_key_and_value() -> None:
    ours, query, memory = heads(), numbers(B, L, D), numbers(B, M, D)
    out = ours(query, memory)
    assert out.query_BHLK.shape == (B, H, L, K)
    assert out.key_BHMK.shape == out.value_BHMK.shape == (B, H, M, K)
    for name, got, x in (
        ("query", out.query_BHLK, query),
        ("key", out.key_BHMK, memory),
        ("value", out.value_BHMK, memory),
    ):
        linear = getattr(ours, name)
        for h in range(H):
            part = slice(h * K, (h + 1) * K)
            assert_close(got[:, h], x @ linear.weight[part].T + linear.bias[part])


def test_weights_that_nobody_needs_change_nothing() -> None:
    ours, query, memory = heads(), numbers(B, L, D), numbers(B, M, D)
    mask = torch.arange(M) < torch.tensor([[M], [3]])
    for bias in (None, padding_bias(mask, torch.float64)):
        for head_mask in (None, torch.tensor([1, 0, 0.5], dtype=torch.float64)):
            full = ours(query, memory, bias, head_mask)
            fast = ours(query, memory, bias, head_mask, need_weights=False)
            assert full.weights_BHLM is not None
            assert fast.weights_BHLM is None
            assert_close(fast.output_BLD, full.output_BLD)
            assert torch.equal(fast.query_BHLK, full.query_BHLK)


@pytest.mark.parametrize("ablated", range(H))
def test_head_mask_takes_away_exactly_one_heads_contribution(ablated: int) -> None:
    ours, query, memory = heads(), numbers(B, L, D), numbers(B, M, D)
    mask = torch.ones(H, dtype=torch.float64)
    mask[ablated] = 0
    full, cut = ours(query, memory), ours(query, memory, head_mask_H=mask)
    part = slice(ablated * K, (ablated + 1) * K)
    its_own = (
        full.weights_BHLM[:, ablated] @ full.value_BHMK[:, ablated] @ ours.output.weight[:, part].T
    )
    assert its_own.abs().max() > 0.1
    assert_close(full.output_BLD - cut.output_BLD, its_own)
    # The weights of the ablated head are still returned.
    assert torch.equal(full.weights_BHLM, cut.weights_BHLM)
    assert torch.equal(full.value_BHMK, cut.value_BHMK)


def test_all_heads_ablated_leave_the_bias_of_the_output() -> None:
    ours, query = heads(), numbers(B, L, D)
    out = ours(query, query, head_mask_H=torch.zeros(H, dtype=torch.float64))
    assert_close(out.output_BLD, ours.output.bias.expand(B, L, D))


def test_an_edge_that_is_cut_gets_exactly_nothing() -> None:
    ours, x = heads().float(), torch.randn(1, L, D)
    bias = torch.zeros(1, H, L, L)
    bias[0, 1, 2, 3] = torch.finfo(torch.float32).min  # head 1: token 2 no longer sees token 3
    full, cut = ours(x, x), ours(x, x, bias)
    assert cut.weights_BHLM[0, 1, 2, 3] == 0
    changed = (full.weights_BHLM != cut.weights_BHLM).any(-1)
    assert changed.nonzero().tolist() == [[0, 1, 2]]
    others = [i for i in range(L) if i != 2]
    assert torch.equal(full.output_BLD[:, others], cut.output_BLD[:, others])


@pytest.mark.parametrize("n_heads", [2, 4, 5])
def test_heads_that_do_not_divide_the_width_are_refused(n_heads: int) -> None:
    with pytest.raises(ValueError, match=f"33 does not divide into {n_heads} heads"):
        MultiHeadAttention(D, n_heads)


# Grouped heads


def test_shared_keys_and_values_are_equal_ones() -> None:
    """Two groups of three heads: keys and values repeated for each head. d_head stands apart."""
    shared = MultiHeadAttention(D, 6, n_kv_heads=2, d_head=7).double()
    assert shared.query.weight.shape == (42, D)
    assert shared.key.weight.shape == shared.value.weight.shape == (14, D)
    assert shared.output.weight.shape == (D, 42)
    own = MultiHeadAttention(D, 6, d_head=7).double()
    rows = torch.arange(14).view(2, 1, 7).expand(2, 3, 7).flatten()  # group 0 three times, then 1
    with torch.no_grad():
        for name in ("query", "output"):
            getattr(own, name).load_state_dict(getattr(shared, name).state_dict())
        for name in ("key", "value"):
            getattr(own, name).weight.copy_(getattr(shared, name).weight[rows])
            getattr(own, name).bias.copy_(getattr(shared, name).bias[rows])
    query, memory, bias = numbers(B, L, D), numbers(B, M, D), numbers(B, 6, L, M)
    mask = torch.tensor([1, 0, 1, 1, 0.5, 1], dtype=torch.float64)
    a, b = shared(query, memory, bias, mask), own(query, memory, bias, mask)
    assert_close(a.output_BLD, b.output_BLD)
    assert_close(a.weights_BHLM, b.weights_BHLM)
    assert a.key_BHMK.shape == a.value_BHMK.shape == (B, 2, M, 7)  # the cache holds them once
    assert_close(shared.for_each_head(a.key_BHMK), b.key_BHMK)
    fast = shared(query, memory, bias, mask, need_weights=False)
    assert_close(fast.output_BLD, a.output_BLD)
    with pytest.raises(ValueError, match="6 heads cannot share 4 keys"):
        MultiHeadAttention(D, 6, n_kv_heads=4, d_head=7)


def test_projections_without_biases() -> None:
    names = {name for name, _ in MultiHeadAttention(D, H, bias=False).named_parameters()}
    assert {name for name in names if "bias" in name} == {"output.bias"}
    names = {name for name, _ in MultiHeadAttention(D, H, output_bias=False).named_parameters()}
    assert {name for name in names if "bias" in name} == {"query.bias", "key.bias", "value.bias"}


# The past


@pytest.mark.parametrize("rotation", [None, Rotation(100.0), Rotation(100.0, "halves")])
@pytest.mark.parametrize("n_kv_heads", [1, 3])
@pytest.mark.parametrize("need_weights", [True, False])
def test_tokens_behind_a_past_as_if_all_came_at_once(
    rotation: Rotation | None, n_kv_heads: int, need_weights: bool
) -> None:
    ours = MultiHeadAttention(12, 3, rotation, n_kv_heads=n_kv_heads).double()
    x = numbers(B, M, 12)
    whole = ours(x, x, mask_bias(causal_mask(M), torch.float64))
    past = None
    for start, stop in ((0, 3), (3, 4), (4, M)):
        part = x[:, start:stop]
        bias = mask_bias(causal_mask(stop - start, start), torch.float64)
        past = ours(part, part, bias, past=past, need_weights=need_weights)
        assert_close(past.output_BLD, whole.output_BLD[:, start:stop])
        assert_close(past.query_BHLK, whole.query_BHLK[:, :, start:stop])
        assert_close(past.key_BHMK, whole.key_BHMK[:, :, :stop])
        assert_close(past.value_BHMK, whole.value_BHMK[:, :, :stop])
        if need_weights:
            assert_close(past.weights_BHLM, whole.weights_BHLM[:, :, start:stop, :stop])


def test_without_a_memory_the_past_is_all_there_is() -> None:
    ours, query, memory = heads(), numbers(B, L, D), numbers(B, M, D)
    whole = ours(query, memory)
    first = ours(query[:, :2], memory)
    then = ours(query[:, 2:], None, past=first)
    assert then.key_BHMK is first.key_BHMK
    assert_close(then.output_BLD, whole.output_BLD[:, 2:])
    assert_close(then.weights_BHLM, whole.weights_BHLM[:, :, 2:])
    with pytest.raises(ValueError, match="neither a memory nor a past"):
        ours(query, None)
