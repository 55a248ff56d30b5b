"""Masks, and their biases."""

from __future__ import annotations

import torch

from core.transformer import (
    causal_mask,
    mask_bias,
    padding_bias,
    scaled_dot_product_attention,
    total_bias,
    window_mask,
)

LOW = torch.finfo(torch.float32).min
B, L, M, H, K = 2, 5, 7, 3, 11


def test_causal_mask_by_hand() -> None:
    assert causal_mask(3).tolist() == [[True, False, False], [True, True, False], [True, True, True]]
    # Two tokens after three: earlier ones are visible, later ones are not.
    assert causal_mask(2, 3).tolist() == [[True] * 4 + [False], [True] * 5]
    assert causal_mask(1, 4).all()
    assert torch.equal(causal_mask(7)[5:], causal_mask(2, 5))


def test_a_window_hides_what_is_too_far_back() -> None:
    assert causal_mask(4, window=2).int().tolist() == [
        [1, 0, 0, 0],
        [1, 1, 0, 0],
        [0, 1, 1, 0],
        [0, 0, 1, 1],
    ]
    assert torch.equal(causal_mask(4, window=4), causal_mask(4))
    assert torch.equal(causal_mask(7, window=3)[5:], causal_mask(2, 5, window=3))


def test_mask_bias_by_hand() -> None:
    assert mask_bias(causal_mask(2)).tolist() == [[0, LOW], [0, 0]]
    assert mask_bias(torch.tensor([1, 0]), torch.float64).tolist() == [
        0,
        torch.finfo(torch.float64).min,
    ]


def test_padding_bias_by_hand() -> None:
    mask = torch.tensor([[True, True, False], [True, False, False]])
    bias = padding_bias(mask)
    assert bias.shape == (2, 1, 1, 3)
    assert bias[:, 0, 0].tolist() == [[0, 0, LOW], [0, LOW, LOW]]
    # As integers, as tokenizers return it; still finite in another precision.
    assert torch.equal(padding_bias(mask.long()), bias)
    assert padding_bias(mask, torch.float16).isfinite().all()


def test_total_bias_by_hand() -> None:
    assert total_bias(None, None) is None
    alone = torch.tensor([[LOW, 1.0]])
    assert total_bias(None, alone) is alone
    column, row = torch.tensor([[1.0], [LOW]]), torch.tensor([[2.0, LOW]])
    summed = total_bias(column, None, row)
    assert summed is not None
    assert summed.tolist() == [[3, LOW], [LOW, LOW]]  # never −∞


def test_padding_gets_exactly_nothing_whatever_it_scores() -> None:
    query, key, value = (torch.randn(B, H, n, K) * 30 for n in (L, M, M))
    mask = torch.ones(B, M, dtype=torch.bool)
    mask[1, 4:] = False
    mixed, weights = scaled_dot_product_attention(query, key, value, padding_bias(mask))
    assert (weights[1, :, :, 4:] == 0).all()
    alone, _ = scaled_dot_product_attention(query[1:], key[1:, :, :4], value[1:, :, :4])
    torch.testing.assert_close(mixed[1:], alone, rtol=0, atol=1e-5)


def test_nobody_sees_what_is_to_come() -> None:
    query, key, value = (torch.randn(B, H, L, K) * 30 for _ in range(3))
    bias = total_bias(
        mask_bias(causal_mask(L)), padding_bias(torch.arange(L) != torch.tensor([[9], [1]]))
    )
    _, weights = scaled_dot_product_attention(query, key, value, bias)
    above = ~causal_mask(L)
    assert (weights[:, :, above] == 0).all()
    assert (weights[1, :, :, 1] == 0).all()
    assert (weights[:, :, 0, 0] == 1).all()
    torch.testing.assert_close(weights.sum(-1), torch.ones(B, H, L))


def test_a_row_with_everything_hidden_is_even_and_no_nan() -> None:
    query, key, value = (torch.randn(1, H, M, K) for _ in range(3))
    hidden = total_bias(*[padding_bias(torch.zeros(1, M, dtype=torch.bool))] * 2)
    _, weights = scaled_dot_product_attention(query, key, value, hidden)
    torch.testing.assert_close(weights, torch.full_like(weights, 1 / M))


def test_a_window_reaches_to_both_sides() -> None:
    expected = [[1, 1, 0, 0], [1, 1, 1, 0], [0, 1, 1, 1], [0, 0, 1, 1]]
    assert window_mask(4, 1).int().tolist() == expected
    assert window_mask(3, 9).all()
