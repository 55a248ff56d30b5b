"""Layers: attention and a feed-forward network, each inside a residual connection with layer norm.

Vaswani et al. (2017), sections 3.1 and 3.3, Figure 1. S stands for the positions of the source, which
a decoder layer attends to. The normalisation itself is torch's `LayerNorm` or `RMSNorm`; `Residual`
puts it before the sub-layer or after the addition. `Parts` says what a layer has in the place of the
paper's parts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType
from typing import Literal, NamedTuple

from torch import Tensor, nn
from torch.nn import functional as F

from .attention import AttentionOutput, MultiHeadAttention, QueryKeyNorms
from .disentangled import DisentangledAttention, RelativePositions
from .positions import Rotation

Activation = Callable[[Tensor], Tensor]
Norms = Literal["LayerNorm", "RMSNorm", "RMSNorm of outputs", "RMSNorm on both sides"]

ACTIVATIONS: Mapping[str, Activation] = MappingProxyType(
    {
        "relu": F.relu,
        "gelu": F.gelu,  # x·Φ(x), exact
        "gelu_tanh": partial(F.gelu, approximate="tanh"),
        "silu": F.silu,  # x·σ(x), also called Swish
    }
)


class FeedForward(nn.Module):
    """activation(x·W₁ + b₁)·W₂ + b₂, for each token on its own: section 3.3, equation 2."""

    def __init__(self, d_model: int, d_ff: int, activation: Activation, bias: bool = True) -> None:
        super().__init__()
        self.inner = nn.Linear(d_model, d_ff, bias)
        self.activation = activation
        self.outer = nn.Linear(d_ff, d_model, bias)

    def forward(self, x_BLD: Tensor) -> Tensor:
        """(B, L, D) to (B, L, D)."""
        inner_BLF = self.inner(x_BLD)
        active_BLF = self.activation(inner_BLF)
        output_BLD: Tensor = self.outer(active_BLF)
        return output_BLD


class GatedFeedForward(FeedForward):
    """(activation(x·W_gate) ⊙ x·W₁)·W₂: with SiLU, SwiGLU (Shazeer 2020, equation 6)."""

    def __init__(self, d_model: int, d_ff: int, activation: Activation, bias: bool = True) -> None:
        super().__init__(d_model, d_ff, activation, bias)
        self.gate = nn.Linear(d_model, d_ff, bias)

    def forward(self, x_BLD: Tensor) -> Tensor:
        """(B, L, D) to (B, L, D)."""
        gate_BLF = self.activation(self.gate(x_BLD))
        output_BLD: Tensor = self.outer(gate_BLF * self.inner(x_BLD))
        return output_BLD


class Residual(nn.Module):
    """The residual connection around a sub-layer, and its norm: section 3.1, "Add & Norm".

    The paper normalises the sum, LayerNorm(x + Sublayer(x)): post-LN. With `norm_first` the sub-layer
    receives a normalised copy, x + Sublayer(LayerNorm(x)): pre-LN (Xiong et al. 2020, Figure 1), which
    needs no warm-up. Dropout acts on the output of the sub-layer, as in section 5.4.
    """

    norm_first: bool
    dropout: float

    @property
    def of_input(self) -> nn.Module | None:
        """The norm of what the sub-layer receives; None: it receives the sum as it is."""
        return self if self.norm_first else None

    @property
    def of_output(self) -> nn.Module | None:
        """The norm of what the sub-layer adds; None: it is added as it is."""
        return None

    @property
    def of_sum(self) -> nn.Module | None:
        """The norm of the sum; None: nothing rescales it."""
        return None if self.norm_first else self

    def sublayer_input(self, x_BLD: Tensor) -> Tensor:
        """(B, L, D), as the sub-layer receives it: normalised first in pre-LN, else unchanged."""
        return self(x_BLD) if self.norm_first else x_BLD

    def add(self, x_BLD: Tensor, sublayer_BLD: Tensor) -> Tensor:
        """(B, L, D): `x_BLD` plus the output of the sub-layer, normalised afterwards in post-LN."""
        x_BLD = x_BLD + F.dropout(sublayer_BLD, self.dropout, self.training)
        return x_BLD if self.norm_first else self(x_BLD)


class AddAlone(Residual):
    """x + Sublayer(x): no norm at all.

    So the first attention behind embeddings that are normed already (Warner et al. 2024, "Smarter,
    Better, Faster, Longer", ModernBERT, section 2.1.1).
    """

    def __init__(self, dropout: float) -> None:
        super().__init__()
        self.norm_first = False
        self.dropout = dropout

    @property
    def of_sum(self) -> None:
        """Nothing."""

    def forward(self, x_BLD: Tensor) -> Tensor:
        """The same vectors."""
        return x_BLD


class AddNorm(Residual, nn.LayerNorm):
    """`Residual` with the paper's layer norm: γ ⊙ (x − mean) / deviation + β (Ba et al. 2016)."""

    def __init__(
        self, d_model: int, eps: float, norm_first: bool, dropout: float, bias: bool = True
    ) -> None:
        super().__init__(d_model, eps, bias=bias)
        self.norm_first = norm_first
        self.dropout = dropout


class AddRMSNorm(Residual, nn.RMSNorm):
    """`Residual` with RMSNorm: γ ⊙ x / √(mean of x²) (Zhang and Sennrich 2019, equation 4)."""

    eps: float

    def __init__(self, d_model: int, eps: float, norm_first: bool, dropout: float) -> None:
        super().__init__(d_model, eps)
        self.norm_first = norm_first
        self.dropout = dropout


class AddOutputNorm(AddRMSNorm):
    """x + RMSNorm(Sublayer(x)): only what is added is normed (OLMo Team 2024, "2 OLMo 2 Furious")."""

    @property
    def of_input(self) -> None:
        """Nothing: the sub-layer receives the sum as it is."""

    @property
    def of_output(self) -> nn.Module:
        """Itself."""
        return self

    def sublayer_input(self, x_BLD: Tensor) -> Tensor:
        """The same vectors."""
        return x_BLD

    def add(self, x_BLD: Tensor, sublayer_BLD: Tensor) -> Tensor:
        """(B, L, D): the sum, whose second part is normed."""
        return super().add(x_BLD, self(sublayer_BLD))


class AddSandwichNorm(AddRMSNorm):
    """x + RMSNorm(Sublayer(RMSNorm(x))): norms on both sides (Ding et al. 2021, "CogView"; Gemma 2)."""

    def __init__(self, d_model: int, eps: float, norm_first: bool, dropout: float) -> None:
        super().__init__(d_model, eps, norm_first, dropout)
        self.behind = nn.RMSNorm(d_model, eps)

    @property
    def of_output(self) -> nn.Module:
        """The second norm."""
        return self.behind

    def add(self, x_BLD: Tensor, sublayer_BLD: Tensor) -> Tensor:
        """(B, L, D): the sum, whose second part is normed."""
        return super().add(x_BLD, self.behind(sublayer_BLD))


class Parts(NamedTuple):
    """What a layer has in the place of the paper's parts; the defaults are the paper's.

    Attributes:
        norm: which norm, and which of its residuals: before the sub-layer or behind the sum, as
            `norm_first` says; or, with it, `AddOutputNorm` or `AddSandwichNorm`.
        gated: whether the feed-forward network is a `GatedFeedForward`.
        n_kv_heads: heads of keys and values, shared by those of the queries; 0: each has its own.
        d_head: the width of a head; 0: d_model / n_heads.
        rotation: how positions turn queries and keys, where positions are rotary.
        qkv_bias: whether queries, keys and values have biases.
        output_bias: whether the output of the attention has one.
        feed_forward_bias: whether the feed-forward network has them.
        parallel: whether the layer is a `ParallelLayer`.
        query_key_norm: see `MultiHeadAttention`, also for the next two.
        scale: the factor of q · k; 0: 1/√d_head.
        score_cap: the largest score; 0: there is none.
        norm_bias: whether the paper's norm has its β.
    """

    norm: Norms = "LayerNorm"
    gated: bool = False
    n_kv_heads: int = 0
    d_head: int = 0
    rotation: Rotation = Rotation()
    qkv_bias: bool = True
    output_bias: bool = True
    feed_forward_bias: bool = True
    parallel: bool = False
    query_key_norm: QueryKeyNorms = "none"
    scale: float = 0.0
    score_cap: float = 0.0
    norm_bias: bool = True


PAPER = Parts()

_RMS_RESIDUALS: Mapping[str, type[AddRMSNorm]] = MappingProxyType(
    {
        "RMSNorm": AddRMSNorm,
        "RMSNorm of outputs": AddOutputNorm,
        "RMSNorm on both sides": AddSandwichNorm,
    }
)


def _norm(
    parts: Parts, d_model: int, eps: float, norm_first: bool, dropout: float
) -> AddNorm | AddRMSNorm:
    if parts.norm == "LayerNorm":
        return AddNorm(d_model, eps, norm_first, dropout, parts.norm_bias)
    return _RMS_RESIDUALS[parts.norm](d_model, eps, norm_first, dropout)


def _attention(
    parts: Parts, d_model: int, n_heads: int, rotation: Rotation | None, norm_eps: float
) -> MultiHeadAttention:
    return MultiHeadAttention(
        d_model,
        n_heads,
        rotation,
        n_kv_heads=parts.n_kv_heads,
        d_head=parts.d_head,
        bias=parts.qkv_bias,
        output_bias=parts.output_bias,
        query_key_norm=parts.query_key_norm,
        norm_eps=norm_eps,
        scale=parts.scale,
        score_cap=parts.score_cap,
    )


def _network(parts: Parts, d_model: int, d_ff: int, activation: Activation) -> FeedForward | None:
    if not d_ff:
        return None
    network = GatedFeedForward if parts.gated else FeedForward
    return network(d_model, d_ff, activation, parts.feed_forward_bias)


class EncoderLayerOutput(NamedTuple):
    """The output of one encoder layer, (B, L, D), and of the attention inside it."""

    output_BLD: Tensor
    attention: AttentionOutput


class EncoderLayer(nn.Module):
    """One layer of the encoder: Figure 1 (left). With a causal bias, one of a decoder without encoder.

    `d_ff` 0 leaves the feed-forward network out: a layer that is attention only. `rotary`: whether
    positions turn queries and keys. `attention_norm`: whether there is a norm around the attention.
    `relative`: vectors of distances, and the attention is `disentangled`. `parts`: other parts than the
    paper's.
    """

    parallel = False

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
        rotary: bool = False,
        attention_norm: bool = True,
        relative: RelativePositions | None = None,
        parts: Parts = PAPER,
    ) -> None:
        super().__init__()
        norm = partial(_norm, parts, d_model, norm_eps, norm_first, dropout)
        self.attention: MultiHeadAttention
        if relative is not None:
            self.attention = DisentangledAttention(d_model, n_heads, relative)
        else:
            rotation = parts.rotation if rotary else None
            self.attention = _attention(parts, d_model, n_heads, rotation, norm_eps)
        self.attention_norm = norm() if attention_norm else AddAlone(dropout)
        self.feed_forward = _network(parts, d_model, d_ff, activation)
        self.output_norm = norm() if d_ff else None

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

        `past` is the output of this layer for the tokens before. The bias must be causal then: without
        it, those tokens would attend to the new ones.
        """
        read_BLD = self.attention_norm.sublayer_input(x_BLD)
        attention = self.attention(
            read_BLD,
            read_BLD,
            bias_BHLM,
            head_mask_H,
            past=None if past is None else past.attention,
            need_weights=need_weights,
        )
        return EncoderLayerOutput(self.after_attention(x_BLD, attention.output_BLD), attention)

    def after_attention(self, x_BLD: Tensor, attention_BLD: Tensor) -> Tensor:
        """(B, L, D), the output of the layer: its input, its attention's output, and the network."""
        x_BLD = self.attention_norm.add(x_BLD, attention_BLD)
        if self.feed_forward is not None and self.output_norm is not None:
            x_BLD = self.output_norm.add(
                x_BLD, self.feed_forward(self.output_norm.sublayer_input(x_BLD))
            )
        return x_BLD


class ParallelLayer(EncoderLayer):
    """Attention and network side by side: x + Attention(Norm(x)) + Network(Norm′(x)).

    Wang and Komatsuzaki (2021, GPT-J); Black et al. (2022, "GPT-NeoX-20B", section 2.1.2). Norms stand
    before the sub-layers.
    """

    parallel = True

    def after_attention(self, x_BLD: Tensor, attention_BLD: Tensor) -> Tensor:
        """(B, L, D), the output of the layer: the network reads its input, not the sum."""
        summed_BLD = self.attention_norm.add(x_BLD, attention_BLD)
        if self.feed_forward is None or self.output_norm is None:
            return summed_BLD
        return self.output_norm.add(
            summed_BLD, self.feed_forward(self.output_norm.sublayer_input(x_BLD))
        )


# What is kept of the output of a layer, given its index: the output itself, or one like it. The
# weights of a long text are large: copied away at once, they leave their memory to the next layer.
Kept = Callable[[int, EncoderLayerOutput], EncoderLayerOutput]


class DecoderLayerOutput(NamedTuple):
    """The output of one decoder layer, (B, L, D), and of its self-attention and cross-attention."""

    output_BLD: Tensor
    attention: AttentionOutput
    cross: AttentionOutput


class DecoderLayer(nn.Module):
    """One layer of the decoder: Figure 1 (right). `n_cross_heads` attend to the source.

    `d_ff` 0 leaves the feed-forward network out. `parts`: other parts than the paper's, in all three
    sub-layers.
    """

    parallel = False

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
        rotary: bool = False,
        parts: Parts = PAPER,
    ) -> None:
        super().__init__()
        norm = partial(_norm, parts, d_model, norm_eps, norm_first, dropout)
        rotation = parts.rotation if rotary else None
        self.attention = _attention(parts, d_model, n_heads, rotation, norm_eps)
        self.attention_norm = norm()
        self.cross = _attention(parts, d_model, n_cross_heads, None, norm_eps)
        self.cross_norm = norm()
        self.feed_forward = _network(parts, d_model, d_ff, activation)
        self.output_norm = norm() if d_ff else None

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
        """Self-attention, cross-attention, feed-forward network: three sub-layers.

        Args:
            x_BLD: the target's tokens.
            memory_BSD: the encoder's output for the source; keys and values come from it.
            bias_BHLM: added to the scores among the target's tokens; the causal mask is one.
            cross_bias_BHLS: added to the scores of the cross-attention; hides the source's padding.
            head_mask_H: as in `MultiHeadAttention.forward`, for the self-attention.
            cross_head_mask_H: the same for the cross-attention.
            past: the output of this layer for the tokens before. It holds the keys and values of
                `memory_BSD`, which is not read again.
            need_weights: as in `MultiHeadAttention.forward`.
        """
        read_BLD = self.attention_norm.sublayer_input(x_BLD)
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
            self.cross_norm.sublayer_input(x_BLD),
            memory_BSD if past is None else None,
            cross_bias_BHLS,
            cross_head_mask_H,
            past=None if past is None else past.cross,
            need_weights=need_weights,
        )
        return DecoderLayerOutput(self.after_cross(x_BLD, cross.output_BLD), attention, cross)

    def after_cross(self, x_BLD: Tensor, cross_BLD: Tensor) -> Tensor:
        """(B, L, D), the output of the layer: its sum so far, the cross-attention's, the network."""
        x_BLD = self.cross_norm.add(x_BLD, cross_BLD)
        if self.feed_forward is not None and self.output_norm is not None:
            x_BLD = self.output_norm.add(
                x_BLD, self.feed_forward(self.output_norm.sublayer_input(x_BLD))
            )
        return x_BLD
