"""Layers: attention, then a small network for each token, each added to what was there.

Vaswani et al. (2017), sections 3.1 and 3.3, Figure 1. S stands for the positions of the source, which
a decoder layer attends to.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType
from typing import NamedTuple

from torch import Tensor, nn
from torch.nn import functional as F

from .attention import AttentionOutput, MultiHeadAttention

Activation = Callable[[Tensor], Tensor]

ACTIVATIONS: Mapping[str, Activation] = MappingProxyType(
    {
        "relu": F.relu,
        "gelu": F.gelu,  # x·Φ(x), exact
        "gelu_tanh": partial(F.gelu, approximate="tanh"),
    }
)


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


class Residual(nn.LayerNorm):
    """The way around a sub-layer, and the norm that belongs to it: section 3.1, "Add & Norm".

    The paper norms the sum, LayerNorm(x + Sublayer(x)): post-LN. With `norm_first` the sub-layer reads
    a normed copy, x + Sublayer(LayerNorm(x)): pre-LN (Xiong et al. 2020, Figure 1), which needs no
    warm-up. Dropout is where the paper has it, on what the sub-layer adds: section 5.4.
    """

    def __init__(self, d_model: int, eps: float, norm_first: bool, dropout: float) -> None:
        super().__init__(d_model, eps)
        self.norm_first = norm_first
        self.dropout = dropout

    def read(self, x_BLD: Tensor) -> Tensor:
        """What the sub-layer receives."""
        return self(x_BLD) if self.norm_first else x_BLD

    def add(self, x_BLD: Tensor, change_BLD: Tensor) -> Tensor:
        """What comes of it: `x_BLD` and what the sub-layer returned."""
        x_BLD = x_BLD + F.dropout(change_BLD, self.dropout, self.training)
        return x_BLD if self.norm_first else self(x_BLD)


class EncoderLayerOutput(NamedTuple):
    """What one layer returns, and the attention inside it."""

    output_BLD: Tensor
    attention: AttentionOutput


class EncoderLayer(nn.Module):
    """One layer of the encoder: Figure 1 (left). With a causal bias, one of a decoder without encoder.

    `d_ff` 0 leaves the feed-forward network out: a layer that is attention only.
    """

    def __init__(
        self,
        d_model: int,
        n_heads: int,
        d_ff: int,
        activation: Activation,
        norm_eps: float,
        *,
        norm_first: bool = False,
        dropout: float = 0.0,
        rotary_base: float | None = None,
    ) -> None:
        super().__init__()
        residual = partial(Residual, d_model, norm_eps, norm_first, dropout)
        self.attention = MultiHeadAttention(d_model, n_heads, rotary_base)
        self.attention_norm = residual()
        self.feed_forward = FeedForward(d_model, d_ff, activation) if d_ff else None
        self.output_norm = residual() if d_ff else None

    def forward(
        self,
        x_BLD: Tensor,
        bias_BHLM: Tensor | None = None,
        head_mask_H: Tensor | None = None,
        *,
        past: EncoderLayerOutput | None = None,
        need_weights: bool = True,
    ) -> EncoderLayerOutput:
        """See `MultiHeadAttention.forward` for the arguments.

        `past` is what this layer returned for the tokens before: only where the bias is causal, for
        else those would have attended to these.
        """
        read_BLD = self.attention_norm.read(x_BLD)
        attention = self.attention(
            read_BLD,
            read_BLD,
            bias_BHLM,
            head_mask_H,
            past=None if past is None else past.attention,
            need_weights=need_weights,
        )
        x_BLD = self.attention_norm.add(x_BLD, attention.output_BLD)
        if self.feed_forward is not None and self.output_norm is not None:
            x_BLD = self.output_norm.add(x_BLD, self.feed_forward(self.output_norm.read(x_BLD)))
        return EncoderLayerOutput(x_BLD, attention)


class DecoderLayerOutput(NamedTuple):
    """What one layer returns, and its two attentions: among the target's tokens, and to the source."""

    output_BLD: Tensor
    attention: AttentionOutput
    cross: AttentionOutput


class DecoderLayer(nn.Module):
    """One layer of the decoder: Figure 1 (right). `n_cross_heads` attend to the source.

    `d_ff` 0 leaves the feed-forward network out.
    """

    def __init__(
        self,
        d_model: int,
        n_heads: int,
        n_cross_heads: int,
        d_ff: int,
        activation: Activation,
        norm_eps: float,
        *,
        norm_first: bool = False,
        dropout: float = 0.0,
        rotary_base: float | None = None,
    ) -> None:
        super().__init__()
        residual = partial(Residual, d_model, norm_eps, norm_first, dropout)
        self.attention = MultiHeadAttention(d_model, n_heads, rotary_base)
        self.attention_norm = residual()
        self.cross = MultiHeadAttention(d_model, n_cross_heads)
        self.cross_norm = residual()
        self.feed_forward = FeedForward(d_model, d_ff, activation) if d_ff else None
        self.output_norm = residual() if d_ff else None

    def forward(
        self,
        x_BLD: Tensor,
        memory_BSD: Tensor,
        bias_BHLM: Tensor | None = None,
        cross_bias_BHLS: Tensor | None = None,
        head_mask_H: Tensor | None = None,
        cross_head_mask_H: Tensor | None = None,
        *,
        past: DecoderLayerOutput | None = None,
        need_weights: bool = True,
    ) -> DecoderLayerOutput:
        """Attend to the target so far, then to the source, then think: three sub-layers.

        Args:
            x_BLD: the target's tokens.
            memory_BSD: the source's, as the encoder leaves them: keys and values come from here.
            bias_BHLM: added to the scores among the target's tokens; the causal mask is one.
            cross_bias_BHLS: added to the scores across; hides the source's padding.
            head_mask_H: as in `MultiHeadAttention.forward`; `cross_head_mask_H` for the heads across.
            cross_head_mask_H: see `head_mask_H`.
            past: what this layer returned for the tokens before. `memory_BSD` is then not read: the
                past has its keys and values.
            need_weights: as in `MultiHeadAttention.forward`.
        """
        read_BLD = self.attention_norm.read(x_BLD)
        attention = self.attention(
            read_BLD,
            read_BLD,
            bias_BHLM,
            head_mask_H,
            past=None if past is None else past.attention,
            need_weights=need_weights,
        )
        x_BLD = self.attention_norm.add(x_BLD, attention.output_BLD)
        cross = self.cross(
            self.cross_norm.read(x_BLD),
            memory_BSD if past is None else None,
            cross_bias_BHLS,
            cross_head_mask_H,
            past=None if past is None else past.cross,
            need_weights=need_weights,
        )
        x_BLD = self.cross_norm.add(x_BLD, cross.output_BLD)
        if self.feed_forward is not None and self.output_norm is not None:
            x_BLD = self.output_norm.add(x_BLD, self.feed_forward(self.output_norm.read(x_BLD)))
        return DecoderLayerOutput(x_BLD, attention, cross)
