"""Feed-forward network, residual and encoder layer, by hand and against torch's own."""

from __future__ import annotations

import math
from typing import Any

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from core.transformer import (
    EncoderLayer,
    FeedForward,
    GatedFeedForward,
    Parts,
    causal_mask,
    mask_bias,
    padding_bias,
)
from core.transformer.layers import ACTIVATIONS, Activation, AddNorm, AddRMSNorm
from tests.transformer.torchs_layers import (
    EPS,
    F_,
    ORDERS,
    PRECISIONS,
    TARGET,
    B,
    D,
    H,
    L,
    copy,
    randomly,
)


def encoder_pair(
    activation: Activation, eps: float, norm_first: bool, dtype: torch.dtype, std: float
) -> tuple[EncoderLayer, nn.TransformerEncoderLayer]:
    ours = EncoderLayer(D, H, F_, activation, eps, norm_first=norm_first).to(dtype).eval()
    randomly(ours, std)
    theirs = nn.TransformerEncoderLayer(
        D, H, F_, 0, activation, eps, batch_first=True, norm_first=norm_first, dtype=dtype
    ).eval()
    copy(ours, theirs)
    return ours, theirs


# Feed-forward and residual


def test_feed_forward_by_hand() -> None:
    net = FeedForward(2, 3, F.relu)
    with torch.no_grad():
        net.inner.weight.copy_(torch.tensor([[1.0, 0], [0, 1], [1, 1]]))
        net.inner.bias.copy_(torch.tensor([0.0, -5, 1]))
        net.outer.weight.copy_(torch.tensor([[1.0, 10, 100], [0, 0, 1]]))
        net.outer.bias.copy_(torch.tensor([0.5, -1]))
    # (2, 3): inner (2, −2, 6), relu (2, 0, 6), outer (2 + 600 + .5, 6 − 1).
    assert net(torch.tensor([[[2.0, 3]]])).tolist() == [[[602.5, 5]]]


def test_activations_by_hand() -> None:
    x = 1.0
    exact = x * 0.5 * (1 + math.erf(x / math.sqrt(2)))
    tanh = 0.5 * x * (1 + math.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    assert abs(exact - tanh) > 1e-4  # the two formulas differ
    for name, expected in (("relu", 1.0), ("gelu", exact), ("gelu_tanh", tanh)):
        assert ACTIVATIONS[name](torch.tensor(x)).item() == pytest.approx(expected, abs=1e-6)
    assert ACTIVATIONS["relu"](torch.tensor(-2.0)).item() == 0
    assert ACTIVATIONS["silu"](torch.tensor(x)).item() == pytest.approx(
        x / (1 + math.exp(-x)), abs=1e-6
    )
    assert set(ACTIVATIONS) == {"relu", "gelu", "gelu_tanh", "silu"}


def test_residual_by_hand() -> None:
    # Norm of (1, 3): mean 2, deviation 1, so (−1, 1); of (6, 2): (1, −1). Then times 10, plus 5.
    x, change = torch.tensor([[[1.0, 3]]]), torch.tensor([[[5.0, -1]]])
    for norm_first, read, added in ((False, [1, 3], [15, -5]), (True, [-5, 15], [6, 2])):
        residual = AddNorm(2, 0.0, norm_first, dropout=0.0)
        with torch.no_grad():
            residual.weight.fill_(10)
            residual.bias.fill_(5)
        assert residual.sublayer_input(x).tolist() == [[read]]
        assert residual.add(x, change).tolist() == [[added]]


def test_a_gated_network_by_hand() -> None:
    net = GatedFeedForward(2, 2, F.relu, bias=False)
    with torch.no_grad():
        net.inner.weight.copy_(torch.tensor([[1.0, 0], [0, 1]]))
        net.gate.weight.copy_(torch.tensor([[1.0, 1], [-1, 0]]))
        net.outer.weight.copy_(torch.tensor([[1.0, 0], [3, 1]]))
    # (2, 3): inner (2, 3), gate relu(5, −2) = (5, 0), product (10, 0), outer (10, 30).
    assert net(torch.tensor([[[2.0, 3]]])).tolist() == [[[10, 30]]]
    assert not any("bias" in name for name in net.state_dict())


def test_rms_norm_by_hand() -> None:
    # (1, 7) has the mean square 25: (1/5, 7/5), times 10. The mean is not subtracted; there is no β.
    x, change = torch.tensor([[[1.0, 7]]]), torch.tensor([[[5.0, -1]]])
    for norm_first, read, added in ((False, [1, 7], None), (True, [2, 14], [6, 6])):
        residual = AddRMSNorm(2, 0.0, norm_first, dropout=0.0)
        with torch.no_grad():
            residual.weight.fill_(10)
        assert [*residual.state_dict()] == ["weight"]
        torch.testing.assert_close(residual.sublayer_input(x), torch.tensor([[read]]).float())
        expected = torch.tensor([[added or [10, 10]]]).float()
        torch.testing.assert_close(residual.add(x, change), expected)


def test_a_layer_of_other_parts_step_by_step() -> None:
    """RMSNorm, shared keys and values, a gated network, no biases: composed by hand."""
    parts = Parts(
        "RMSNorm", gated=True, n_kv_heads=1, d_head=4, qkv_bias=False, feed_forward_bias=False
    )
    layer = EncoderLayer(D, H, F_, F.silu, EPS, norm_first=True, rotary=True, parts=parts).double()
    randomly(layer)
    x = torch.randn(B, L, D, dtype=torch.float64)

    def normed(norm: Any, x: Tensor) -> Any:
        return x / (x.square().mean(-1, keepdim=True) + EPS).sqrt() * norm.weight

    read = normed(layer.attention_norm, x)
    middle = x + layer.attention(read, read).output_BLD
    net: Any = layer.feed_forward
    read = normed(layer.output_norm, middle)
    assert type(net) is GatedFeedForward
    expected = (
        middle + (F.silu(read @ net.gate.weight.T) * (read @ net.inner.weight.T)) @ net.outer.weight.T
    )
    torch.testing.assert_close(layer(x).output_BLD, expected, rtol=0, atol=1e-11)
    biases = {name for name in layer.state_dict() if "bias" in name}
    assert biases == {"attention.output.bias"}


def test_dropout_falls_on_the_change_and_only_in_training() -> None:
    residual = AddNorm(1000, 0.0, norm_first=True, dropout=0.2)
    x, change = torch.full((1, 1, 1000), 7.0), torch.ones(1, 1, 1000)
    assert (residual.eval().add(x, change) == 8).all()
    trained = residual.train().add(x, change)
    # The remaining values are divided by .8, which preserves the mean.
    assert set(trained.flatten().tolist()) == {7.0, 8.25}
    assert 0.15 < (trained == 7).float().mean() < 0.25


# Encoder layer


@pytest.mark.parametrize("activation", [F.gelu, F.relu], ids=["gelu", "relu"])
@pytest.mark.parametrize("eps", [1e-12, EPS])
@ORDERS
@PRECISIONS
def test_encoder_layer_against_torchs_own(
    activation: Activation, eps: float, norm_first: bool, dtype: torch.dtype, std: float, atol: float
) -> None:
    ours, theirs = encoder_pair(activation, eps, norm_first, dtype, std)
    x = torch.randn(B, L, D, dtype=dtype)
    bias = torch.randn(B, H, L, L, dtype=dtype)
    with torch.no_grad():
        out = ours(x)
        torch.testing.assert_close(out.output_BLD, theirs(x), rtol=0, atol=atol)
        biased = theirs(x, src_mask=bias.flatten(0, 1))
        torch.testing.assert_close(ours(x, bias).output_BLD, biased, rtol=0, atol=atol)
        # ε reaches the norms: with another ε, the same weights give other results.
        assert ours.output_norm is not None
        ours.output_norm.eps = 0.1
        assert (ours(x).output_BLD - out.output_BLD).abs().max() > 1e-4


@ORDERS
@PRECISIONS
def test_encoder_layer_with_masks_against_torchs_own(
    norm_first: bool, dtype: torch.dtype, std: float, atol: float
) -> None:
    ours, theirs = encoder_pair(F.relu, EPS, norm_first, dtype, std)
    x = torch.randn(B, L, D, dtype=dtype)
    with torch.no_grad():
        padded = ours(x, padding_bias(TARGET, dtype)).output_BLD
        other = theirs(x, src_key_padding_mask=~TARGET)
        # In torch's fast path, the output at padding is 0, and is ignored.
        torch.testing.assert_close(padded[TARGET], other[TARGET], rtol=0, atol=atol)
        causal = ours(x, mask_bias(causal_mask(L), dtype)).output_BLD
        other = theirs(x, src_mask=~causal_mask(L), is_causal=True)
        torch.testing.assert_close(causal, other, rtol=0, atol=atol)
    assert (padded[0] - causal[0]).abs().max() > 1e-3


def test_layer_hands_on_bias_mask_and_weights() -> None:
    layer = EncoderLayer(D, H, F_, F.gelu, 1e-12).double()
    randomly(layer)
    x = torch.randn(B, L, D, dtype=torch.float64)
    bias = torch.randn(B, 1, L, L, dtype=torch.float64)
    mask = torch.tensor([0.0, 1, 2], dtype=torch.float64)
    out = layer(x, bias, mask)
    alone = layer.attention(x, x, bias, mask)
    for got, expected in zip(out.attention, alone, strict=True):
        assert torch.equal(got, expected)
    fast = layer(x, bias, mask, need_weights=False)
    assert fast.attention.weights_BHLM is None
    torch.testing.assert_close(fast.output_BLD, out.output_BLD, rtol=0, atol=1e-11)


def test_layer_treats_each_text_of_a_batch_alone() -> None:
    layer = EncoderLayer(D, H, F_, F.gelu, 1e-12).double()
    randomly(layer)
    x: Tensor = torch.randn(B, L, D, dtype=torch.float64)
    both = layer(x).output_BLD
    for i in range(B):
        torch.testing.assert_close(layer(x[i : i + 1]).output_BLD[0], both[i], rtol=0, atol=1e-12)


@ORDERS
def test_without_a_feed_forward_network_attention_is_all(norm_first: bool) -> None:
    layer = EncoderLayer(D, H, 0, F.relu, EPS, norm_first=norm_first).double()
    randomly(layer)
    assert {name.split(".")[0] for name in layer.state_dict()} == {"attention", "attention_norm"}
    x = torch.randn(B, L, D, dtype=torch.float64)
    out, norm = layer(x), layer.attention_norm
    expected = x + out.attention.output_BLD if norm_first else norm(x + out.attention.output_BLD)
    assert torch.equal(out.output_BLD, expected)
