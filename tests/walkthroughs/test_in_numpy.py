"""Plain NumPy gives the same results as our transformer, and as torch's own layers."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn
from torch.nn import functional as F

from core.records.frozen import Array
from core.transformer import (
    DecoderLayer,
    EncoderLayer,
    FeedForward,
    MultiHeadAttention,
    causal_mask,
    mask_bias,
    padding_bias,
    scaled_dot_product_attention,
    sinusoidal,
    total_bias,
)
from core.transformer.layers import ACTIVATIONS, AddNorm
from core.walkthroughs import in_numpy, numpy_weights

L, M, HEADS, CROSS, K, F_ = 7, 11, 3, 5, 5, 23  # d_model 15 divides into 3 heads and into 5
D = HEADS * K
EPS = 1e-3
SIZES = st.sampled_from([1, 2, 3, 5, 7, 11, 13])


def drawn(*shape: int, seed: int = 0) -> torch.Tensor:
    made = torch.Generator().manual_seed(1000 * seed + len(shape))
    return torch.randn(*shape, generator=made, dtype=torch.float64)


def filled(module: nn.Module, fill_randomly: Any) -> Any:
    """In double precision, in which any difference is a mistake, and not rounding."""
    fill_randomly(module)
    return module.double().eval().requires_grad_(False)


def state_of(module: nn.Module) -> dict[str, Array]:
    return {name: tensor.numpy() for name, tensor in module.state_dict().items()}


def close(found: Array, expected: torch.Tensor) -> None:
    np.testing.assert_allclose(found, expected.numpy(), rtol=0, atol=1e-6)


# Every kind of mask, (L, M), true where a query may attend.
def masks(length: int, keys: int) -> dict[str, Array | None]:
    padding = np.ones((length, keys), bool)
    padding[:, max(1, keys - 2) :] = False
    empty_row = np.ones((length, keys), bool)
    empty_row[length // 2] = False
    return {
        "none": None,
        "causal": np.tri(length, keys, dtype=bool),
        "padding": padding,
        "a row that sees nothing": empty_row,
        "nothing is seen": np.zeros((length, keys), bool),
    }


MASKS = [*masks(L, M)]


def bias_of(mask: Array | None) -> torch.Tensor | None:
    return None if mask is None else mask_bias(torch.tensor(mask), torch.float64)


@given(SIZES, SIZES, SIZES, st.sampled_from(MASKS), st.integers(0, 99))
def test_scaled_dot_product_attention(length: int, keys: int, width: int, name: str, seed: int) -> None:
    query, key, value = (
        3 * drawn(size, width, seed=seed + i) for i, size in enumerate((length, keys, keys))
    )
    mask = masks(length, keys)[name]
    arrays = query.numpy(), key.numpy(), value.numpy()
    mixed, weights = in_numpy.scaled_dot_product_attention(*arrays, mask)
    ours_mixed, ours_weights = scaled_dot_product_attention(query, key, value, bias_of(mask))
    close(mixed, ours_mixed)
    close(weights, ours_weights)
    np.testing.assert_allclose(weights.sum(axis=1), 1, rtol=0, atol=1e-6)
    if mask is None or mask.any(axis=1).all():
        seen = None if mask is None else torch.tensor(mask)
        close(mixed, F.scaled_dot_product_attention(query, key, value, attn_mask=seen))
        assert mask is None or not weights[~mask].any()


def test_a_row_that_sees_nothing_is_even() -> None:
    """As in `core.transformer.masks`: uniform, not NaN."""
    mask = masks(L, M)["a row that sees nothing"]
    query, key, value = (drawn(size, K, seed=i).numpy() for i, size in enumerate((L, M, M)))
    _, weights = in_numpy.scaled_dot_product_attention(query, key, value, mask)
    np.testing.assert_array_equal(weights[L // 2], np.full(M, 1 / M))


def test_by_hand() -> None:
    """q·k is 2 and 0, halved by √4: weights e to 1; a hidden key has no effect."""
    query, value = np.array([[1.0, 1, 0, 0]]), np.array([[10.0], [20.0]])
    key = np.array([[1.0, 1, 0, 0], [0, 0, 1, 1]])
    mixed, weights = in_numpy.scaled_dot_product_attention(query, key, value)
    assert weights[0, 0] == pytest.approx(math.e / (math.e + 1))
    assert mixed[0, 0] == pytest.approx((10 * math.e + 20) / (math.e + 1))
    hidden, _ = in_numpy.scaled_dot_product_attention(query, key, value, np.array([[False, True]]))
    assert hidden[0, 0] == 20


@pytest.mark.parametrize("length", [1, 2, 7])
def test_the_causal_mask(length: int) -> None:
    np.testing.assert_array_equal(in_numpy.causal_mask(length), causal_mask(length).numpy())


@given(SIZES, SIZES)
def test_sinusoidal(length: int, width: int) -> None:
    close(in_numpy.sinusoidal(length, width), sinusoidal(length, width))


def test_the_small_table_of_positions() -> None:
    """Five positions with three dimensions, to two decimals."""
    expected: list[list[float]] = [
        [0, 1, 0],
        [0.84, 0.54, 0],
        [0.91, -0.42, 0],
        [0.14, -0.99, 0.01],
        [-0.76, -0.65, 0.01],
    ]
    np.testing.assert_allclose(in_numpy.sinusoidal(5, 3), np.array(expected), atol=0.005)


@pytest.mark.parametrize("name", MASKS)
def test_one_head_and_all(name: str, fill_randomly: Any) -> None:
    module = filled(MultiHeadAttention(D, HEADS), fill_randomly)
    weights = numpy_weights.attention(
        {f"attention.{k}": v for k, v in state_of(module).items()}, "attention", HEADS
    )
    x, memory, mask = drawn(L, D), drawn(M, D, seed=1), masks(L, M)[name]
    expected = module(x[None], memory[None], bias_of(mask))
    for i, head in enumerate(weights.heads):
        _, found = in_numpy.one_head(x.numpy(), memory.numpy(), head, mask)
        close(found, expected.weights_BHLM[0, i])
    found = in_numpy.multi_head_attention(x.numpy(), memory.numpy(), *weights, mask)
    close(found, expected.output_BLD[0])
    theirs = nn.MultiheadAttention(D, HEADS, batch_first=True).double().requires_grad_(False)
    parts = [module.query, module.key, module.value]
    theirs.in_proj_weight.copy_(torch.cat([part.weight for part in parts]))
    theirs.in_proj_bias.copy_(torch.cat([part.bias for part in parts]))
    theirs.out_proj.load_state_dict(module.output.state_dict())
    if mask is None or mask.any(axis=1).all():  # torch's own gives NaN where nothing is seen
        hidden = None if mask is None else torch.tensor(~mask)
        close(found, theirs(x[None], memory[None], memory[None], attn_mask=hidden)[0][0])


@given(SIZES, SIZES, st.integers(0, 99))
def test_layer_norm(length: int, width: int, seed: int) -> None:
    x, gamma, beta = (
        drawn(length, width, seed=seed),
        drawn(width, seed=seed),
        drawn(width, seed=seed + 1),
    )
    found = in_numpy.layer_norm(x.numpy(), gamma.numpy(), beta.numpy(), EPS)
    close(found, F.layer_norm(x, (width,), gamma, beta, EPS))
    ours = AddNorm(width, EPS, norm_first=False, dropout=0).double()
    ours.load_state_dict({"weight": gamma, "bias": beta})
    close(found, ours.add(x, torch.zeros_like(x)).detach())


@pytest.mark.parametrize("activation", [*ACTIVATIONS])
def test_feed_forward(activation: str, fill_randomly: Any) -> None:
    module = filled(FeedForward(D, F_, ACTIVATIONS[activation]), fill_randomly)
    state = {f"feed_forward.{name}": value for name, value in state_of(module).items()}
    x = drawn(L, D)
    weights = numpy_weights.network(state, activation)
    close(in_numpy.feed_forward(x.numpy(), *weights), module(x))


def test_the_activations_are_those_of_our_transformer() -> None:
    assert [*in_numpy.ACTIVATIONS] == [*ACTIVATIONS]
    x = torch.linspace(-9, 9, 101, dtype=torch.float64)
    for name, ours in ACTIVATIONS.items():
        close(in_numpy.ACTIVATIONS[name](x.numpy()), ours(x))


@pytest.mark.parametrize("name", MASKS)
@pytest.mark.parametrize("activation", ["relu", "gelu"])
def test_an_encoder_layer(activation: str, name: str, fill_randomly: Any) -> None:
    layer = filled(EncoderLayer(D, HEADS, F_, ACTIVATIONS[activation], EPS), fill_randomly)
    weights = numpy_weights.encoder(state_of(layer), HEADS, activation, EPS)
    x, mask = drawn(L, D), masks(L, L)[name]
    found = in_numpy.encoder_layer(x.numpy(), weights, mask)
    close(found, layer(x[None], bias_of(mask)).output_BLD[0])
    if mask is None or mask.any(axis=1).all():
        hidden = None if mask is None else torch.tensor(~mask)
        close(found, theirs_of(layer, activation)(x[None], src_mask=hidden)[0])


def theirs_of(layer: EncoderLayer, activation: str) -> nn.Module:
    """torch's own layer with these weights."""
    made = nn.TransformerEncoderLayer(
        D, HEADS, F_, dropout=0, activation=activation, layer_norm_eps=EPS, batch_first=True
    )
    made = made.double().train().requires_grad_(False)  # its fast path is another one
    parts = [layer.attention.query, layer.attention.key, layer.attention.value]
    made.self_attn.in_proj_weight.copy_(torch.cat([part.weight for part in parts]))
    made.self_attn.in_proj_bias.copy_(torch.cat([part.bias for part in parts]))
    assert layer.feed_forward is not None
    assert layer.output_norm is not None
    for mine, own in (
        (made.self_attn.out_proj, layer.attention.output),
        (made.norm1, layer.attention_norm),
        (made.linear1, layer.feed_forward.inner),
        (made.linear2, layer.feed_forward.outer),
        (made.norm2, layer.output_norm),
    ):
        mine.load_state_dict(own.state_dict())
    return made


@pytest.mark.parametrize("cross", [None, "padding", "a row that sees nothing"])
@pytest.mark.parametrize("own", [None, "padding"])
def test_a_decoder_layer(own: str | None, cross: str | None, fill_randomly: Any) -> None:
    """Two different numbers of heads, and a source of another length; with padding in either."""
    layer = filled(DecoderLayer(D, HEADS, CROSS, F_, ACTIVATIONS["relu"], EPS), fill_randomly)
    weights = numpy_weights.decoder(state_of(layer), HEADS, CROSS, "relu", EPS)
    x, memory = drawn(L, D), drawn(M, D, seed=1)
    seen = torch.ones(1, L, dtype=torch.bool)
    if own:
        seen[:, -2:] = False
    mask = in_numpy.causal_mask(L) & seen.numpy()[0] if own else None
    cross_mask = masks(L, M)[cross] if cross else None
    bias = total_bias(
        mask_bias(causal_mask(L), torch.float64), padding_bias(seen, torch.float64) if own else None
    )
    found = in_numpy.decoder_layer(x.numpy(), memory.numpy(), weights, mask, cross_mask)
    close(found, layer(x[None], memory[None], bias, bias_of(cross_mask)).output_BLD[0])


def test_a_decoder_layer_does_not_look_ahead(fill_randomly: Any) -> None:
    layer = filled(DecoderLayer(D, HEADS, CROSS, F_, ACTIVATIONS["relu"], EPS), fill_randomly)
    weights = numpy_weights.decoder(state_of(layer), HEADS, CROSS, "relu", EPS)
    x, memory = drawn(L, D).numpy(), drawn(M, D, seed=1).numpy()
    before = in_numpy.decoder_layer(x, memory, weights)
    x[-1] += 5
    after = in_numpy.decoder_layer(x, memory, weights)
    np.testing.assert_allclose(after[:-1], before[:-1], rtol=0, atol=1e-6)
    assert np.abs(after[-1] - before[-1]).max() > 0.1


def test_minilm_in_float32(minilm: Any) -> None:
    """All six layers of the real model, one after the other."""
    trace = minilm.trace("the cat ate the mouse")
    x = trace.embedded
    for layer, expected in zip(minilm.scratch_encoder.layers, trace.hidden, strict=True):
        weights = numpy_weights.encoder(state_of(layer), 12, "gelu", layer.attention_norm.eps)
        x = in_numpy.encoder_layer(x, weights)
        np.testing.assert_allclose(x, expected, rtol=0, atol=1e-5)


def test_embed_is_the_rows_of_the_table_and_their_places() -> None:
    table, places, segments = (drawn(size, D, seed=i).numpy() for i, size in enumerate((13, L, L)))
    ids = np.array([3, 0, 12, 3, 5, 7, 1])
    x = in_numpy.embed(ids, table, places, segments, scale=D**0.5)
    np.testing.assert_allclose(x, table[ids] * D**0.5 + segments + places, rtol=0, atol=1e-6)
    np.testing.assert_allclose(
        in_numpy.embed(ids, table, places), table[ids] + places, rtol=0, atol=1e-6
    )
