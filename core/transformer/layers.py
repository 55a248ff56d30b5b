"""Encoder layers: attention, then a small network for each token, each added to what was there.

Vaswani et al. (2017), sections 3.1 and 3.3, Figure 1 (left).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from torch import Tensor, nn

from core.transformer.attention import AttentionOutput, MultiHeadAttention

Activation = Callable[[Tensor], Tensor]


class FeedForward(nn.Module):
    """activation(x·W₁ + b₁)·W₂ + b₂, for each token on its own: section 3.3, equation 2."""

    def __init__(self, d_model: int, d_ff: int, activation: Activation) -> None:
        super().__init__()
        self.inner = nn.Linear(d_model, d_ff)
        self.activation = activation
        self.outer = nn.Linear(d_ff, d_model)

    def forward(self, x_BLD: Tensor) -> Tensor:
        """(B, L, D) to (B, L, D)."""
        inner_BLF = self.activation(self.inner(x_BLD))
        output_BLD: Tensor = self.outer(inner_BLF)
        return output_BLD


class EncoderLayerOutput(NamedTuple):
    """What one layer returns, and the attention inside it."""

    output_BLD: Tensor
    attention: AttentionOutput


class EncoderLayer(nn.Module):
    """One layer of the encoder: Figure 1 (left). The norm comes after each sum (post-LN)."""

    def __init__(
        self, d_model: int, n_heads: int, d_ff: int, activation: Activation, norm_eps: float
    ) -> None:
        super().__init__()
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.attention_norm = nn.LayerNorm(d_model, norm_eps)
        self.feed_forward = FeedForward(d_model, d_ff, activation)
        self.output_norm = nn.LayerNorm(d_model, norm_eps)

    def forward(
        self,
        x_BLD: Tensor,
        bias_BHLM: Tensor | None = None,
        head_mask_H: Tensor | None = None,
        *,
        need_weights: bool = True,
    ) -> EncoderLayerOutput:
        """See `MultiHeadAttention.forward` for the arguments."""
        attention = self.attention(x_BLD, x_BLD, bias_BHLM, head_mask_H, need_weights=need_weights)
        x_BLD = self.attention_norm(x_BLD + attention.output_BLD)
        x_BLD = self.output_norm(x_BLD + self.feed_forward(x_BLD))
        return EncoderLayerOutput(x_BLD, attention)
