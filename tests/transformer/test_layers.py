"""Feed-forward and encoder layer, against torch's own."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from core.transformer import EncoderLayer, FeedForward
from core.transformer.layers import Activation

B, L, H, K, F_ = 2, 5, 3, 7, 13  # d_ff is smaller than d_model, and no multiple of it
D = H * K


@pytest.fixture(autouse=True)
def seed() -> None:
    torch.manual_seed(0)


def randomly(module: nn.Module) -> None:
    """Norms and biases too: their usual ones and zeros would hide a mix-up."""
    for parameter in module.parameters():
        nn.init.normal_(parameter, std=0.5)


def torchs_own(ours: EncoderLayer, activation: Activation, eps: float) -> nn.TransformerEncoderLayer:
    theirs = nn.TransformerEncoderLayer(
        D, H, F_, 0, activation, eps, batch_first=True, dtype=torch.float64
    ).eval()
    attention = theirs.self_attn
    projections = (ours.attention.query, ours.attention.key, ours.attention.value)
    with torch.no_grad():
        attention.in_proj_weight.copy_(torch.cat([p.weight for p in projections]))
        attention.in_proj_bias.copy_(torch.cat([p.bias for p in projections]))
    for mine, other in (
        (ours.attention.output, attention.out_proj),
        (ours.attention_norm, theirs.norm1),
        (ours.feed_forward.inner, theirs.linear1),
        (ours.feed_forward.outer, theirs.linear2),
        (ours.output_norm, theirs.norm2),
    ):
        other.load_state_dict(mine.state_dict())
    return theirs


def test_feed_forward_by_hand() -> None:
    net = FeedForward(2, 3, F.relu)
    with torch.no_grad():
        net.inner.weight.copy_(torch.tensor([[1.0, 0], [0, 1], [1, 1]]))
        net.inner.bias.copy_(torch.tensor([0.0, -5, 1]))
        net.outer.weight.copy_(torch.tensor([[1.0, 10, 100], [0, 0, 1]]))
        net.outer.bias.copy_(torch.tensor([0.5, -1]))
    # (2, 3): inner (2, −2, 6), relu (2, 0, 6), outer (2 + 600 + .5, 6 − 1).
    assert net(torch.tensor([[[2.0, 3]]])).tolist() == [[[602.5, 5]]]


@pytest.mark.parametrize("activation", [F.gelu, F.relu], ids=["gelu", "relu"])
@pytest.mark.parametrize("eps", [1e-12, 1e-2])
def test_layer_against_torchs_own(activation: Activation, eps: float) -> None:
    ours = EncoderLayer(D, H, F_, activation, eps).double()
    randomly(ours)
    theirs = torchs_own(ours, activation, eps)
    x = torch.randn(B, L, D, dtype=torch.float64)
    out = ours(x)
    torch.testing.assert_close(out.output_BLD, theirs(x), rtol=0, atol=1e-11)
    bias = torch.randn(B, H, L, L, dtype=torch.float64)
    biased = theirs(x, src_mask=bias.flatten(0, 1))
    torch.testing.assert_close(ours(x, bias).output_BLD, biased, rtol=0, atol=1e-11)
    # The ε reaches the norms: with another one, the same weights say something else.
    ours.output_norm.eps = 0.1
    assert (ours(x).output_BLD - out.output_BLD).abs().max() > 1e-3


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
