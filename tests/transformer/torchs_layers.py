"""Our layers' weights in torch's layers, and the sizes and precisions of the comparison."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import nn

from core.transformer import DecoderLayer

B, L, S, H, K, F_ = 2, 5, 11, 3, 7, 13  # d_ff is smaller than d_model, and no multiple of it
D = H * K
EPS = 1e-2  # large enough to have an effect
ORDERS = pytest.mark.parametrize("norm_first", [False, True], ids=["post-LN", "pre-LN"])
# Double precision shows that both compute the same formula; single precision shows the rounding.
PRECISIONS = pytest.mark.parametrize(
    ("dtype", "std", "atol"), [(torch.float64, 0.5, 1e-11), (torch.float32, 0.15, 1e-6)]
)
TARGET = torch.tensor([[1, 1, 1, 1, 1], [1, 1, 1, 0, 0]]).bool()
SOURCE = torch.arange(S) < torch.tensor([[S], [4]])


def randomly(module: nn.Module, std: float = 0.5) -> None:
    """Fill all parameters, norms and biases too: their usual ones and zeros would hide a mix-up."""
    for parameter in module.parameters():
        nn.init.normal_(parameter, std=std)


def copy(ours: Any, theirs: Any) -> None:
    """Copy the weights of one of our layers into torch's."""
    blocks = [(ours.attention, theirs.self_attn)]
    parts = [(ours.attention_norm, theirs.norm1)]
    if isinstance(ours, DecoderLayer):
        blocks.append((ours.cross, theirs.multihead_attn))
        parts.append((ours.cross_norm, theirs.norm2))
    parts.append((ours.output_norm, theirs.norm3 if isinstance(ours, DecoderLayer) else theirs.norm2))
    parts += [(ours.feed_forward.inner, theirs.linear1), (ours.feed_forward.outer, theirs.linear2)]
    for mine, other in blocks:
        projections = (mine.query, mine.key, mine.value)
        with torch.no_grad():
            other.in_proj_weight.copy_(torch.cat([p.weight for p in projections]))
            other.in_proj_bias.copy_(torch.cat([p.bias for p in projections]))
        parts.append((mine.output, other.out_proj))
    for mine, other in parts:
        other.load_state_dict(mine.state_dict())
