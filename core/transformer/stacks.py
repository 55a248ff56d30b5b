"""Embeddings, and the stacks of encoder and decoder layers.

Vaswani et al. (2017), section 3.1, "Encoder and Decoder Stacks", section 3.4, and Figure 1: everything
between the inputs and the linear layer at the top. S stands for the positions of the source.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, NamedTuple, TypeVar

from torch import Tensor, nn
from torch.nn import functional as F

from .attention import AttentionOutput
from .config import TransformerConfig
from .layers import (
    ACTIVATIONS,
    DecoderLayer,
    DecoderLayerOutput,
    EncoderLayer,
    EncoderLayerOutput,
    Kept,
    ParallelLayer,
)
from .positions import LearnedPositions, SinusoidalPositions
from .relative_bias import RelativeBias, RelativeBiases

LayerOutput = TypeVar("LayerOutput", EncoderLayerOutput, DecoderLayerOutput)


class StackOutput(NamedTuple, Generic[LayerOutput]):
    """Every step: rows of the table, the input of layer 0, each layer, and the output of the stack.

    `final_BLD` is the last layer's output, normed once more where `norm_first` is set.
    """

    learned_BLD: Tensor
    embedded_BLD: Tensor
    layers: tuple[LayerOutput, ...]
    final_BLD: Tensor


def past_of(
    read: StackOutput[EncoderLayerOutput], tokens: int | None = None, row: int | None = None
) -> StackOutput[EncoderLayerOutput]:
    """The keys and values of the first tokens and nothing else: what it takes to read on behind them.

    Args:
        read: the output for some tokens, with their past.
        tokens: how many, from the beginning of the past on; None for all.
        row: of this text of the batch alone; None for all. A copy, which keeps nothing of the others.
    """
    none_BLD = read.final_BLD.new_empty(0)  # a view would keep all of it

    def own(x_BHMK: Tensor) -> Tensor:
        return x_BHMK[:, :, :tokens] if row is None else x_BHMK[row : row + 1, :, :tokens].clone()

    layers = []
    for one in read.layers:
        both = own(one.attention.key_BHMK), own(one.attention.value_BHMK)
        layers.append(EncoderLayerOutput(none_BLD, AttentionOutput(none_BLD, none_BLD, *both, None)))
    return StackOutput(none_BLD, none_BLD, tuple(layers), none_BLD)


class Embeddings(nn.Module):
    """The learned vector of each token times √d_model, plus its position: sections 3.4 and 3.5.

    With `embedding_norm`, normed then (Le Scao et al. 2022, "BLOOM", section 3.2.2). `tokens`: a table
    that these embeddings share with others; None: they have their own.
    """

    def __init__(
        self, config: TransformerConfig, n_vocabulary: int, tokens: nn.Embedding | None = None
    ) -> None:
        super().__init__()
        usual = config.d_model**0.5 if config.scale_embeddings else 1.0
        self.scale = config.embedding_scale or usual
        self.dropout = config.dropout
        self.tokens = nn.Embedding(n_vocabulary, config.d_model) if tokens is None else tokens
        self.positions: SinusoidalPositions | LearnedPositions | None = None  # rotary: in the layers
        if config.positions in ("sinusoidal", "sinusoidal halves"):
            halves = config.positions == "sinusoidal halves"
            self.positions = SinusoidalPositions(config.d_model, halves=halves)
        elif config.positions == "learned":
            self.positions = LearnedPositions(config.n_positions, config.d_model)
        normed = config.embedding_norm
        self.norm: nn.Module | None = None
        if normed:
            bias = config.parts.norm_bias
            self.norm = nn.LayerNorm(config.d_model, config.norm_eps, bias=bias)

    def forward(self, ids_BL: Tensor, start: int = 0) -> tuple[Tensor, Tensor]:
        """Rows of the table, and the input of the first layer, each (B, L, D).

        `start` is the position of the first token.
        """
        learned_BLD: Tensor = self.tokens(ids_BL)
        embedded_BLD = learned_BLD * self.scale
        if self.positions is not None:
            embedded_BLD = embedded_BLD + self.positions(ids_BL.shape[1], start).to(learned_BLD)
        if self.norm is not None:
            embedded_BLD = self.norm(embedded_BLD)
        return learned_BLD, F.dropout(embedded_BLD, self.dropout, self.training)


class EncoderStack(nn.Module):
    """N layers of self-attention: Figure 1 (left). It is causal if its bias is."""

    def __init__(self, config: TransformerConfig, n_layers: int) -> None:
        super().__init__()
        layer = ParallelLayer if config.parts.parallel else EncoderLayer
        self.layers = nn.ModuleList(
            layer(
                config.d_model,
                config.encoder_heads,
                config.d_encoder_ff or config.d_ff,
                ACTIVATIONS[config.activation],
                config.norm_eps,
                norm_first=config.norm_first,
                dropout=config.dropout,
                rotary=rotation is not None,
                attention_norm=config.first_norm or i > 0,
                parts=config.parts if rotation is None else config.parts._replace(rotation=rotation),
            )
            for i, rotation in enumerate(config.rotation_of_each(n_layers))
        )
        self.norm = _final_norm(config)
        both_sides = config.n_encoder_layers > 0
        self.relative = _relative(config, config.encoder_heads, n_layers, both_sides=both_sides)

    def forward(
        self,
        embeddings: tuple[Tensor, Tensor],
        bias_BHLM: Tensor | Sequence[Tensor | None] | None = None,
        head_mask_NH: Tensor | None = None,
        *,
        past: StackOutput[EncoderLayerOutput] | None = None,
        need_weights: bool = True,
        kept: Kept | None = None,
    ) -> StackOutput[EncoderLayerOutput]:
        """Run the layers, bottom to top.

        Args:
            embeddings: what `Embeddings` returned.
            bias_BHLM: added to the scores, broadcast. One for every layer, or a list with one for each.
            head_mask_NH: a factor on the output of each head; None: 1.
            past: the output of this stack for the tokens before; see `EncoderLayer.forward`.
            need_weights: as in `MultiHeadAttention.forward`.
            kept: what of each layer's output is returned; None: all of it.
        """
        learned_BLD, x_BLD = embeddings
        outputs: list[EncoderLayerOutput] = []
        for i, layer in enumerate(self.layers):
            output = layer(
                x_BLD,
                _of_layer(bias_BHLM, i),
                None if head_mask_NH is None else head_mask_NH[i],
                past=None if past is None else past.layers[i],
                need_weights=need_weights,
            )
            if kept is not None:
                output = kept(i, output)
            outputs.append(output)
            x_BLD = output.output_BLD
        final_BLD = x_BLD if self.norm is None else self.norm(x_BLD)
        return StackOutput(learned_BLD, embeddings[1], tuple(outputs), final_BLD)


def _of_layer(bias: Tensor | Sequence[Tensor | None] | None, layer: int) -> Tensor | None:
    return bias[layer] if isinstance(bias, Sequence) else bias


def _final_norm(config: TransformerConfig) -> nn.Module | None:
    """The norm after the last layer; None: the layers norm their own sums."""
    if not config.norm_first:
        return None
    if config.parts.norm == "LayerNorm":
        return nn.LayerNorm(config.d_model, config.norm_eps, bias=config.parts.norm_bias)
    return nn.RMSNorm(config.d_model, config.norm_eps)


def _relative(
    config: TransformerConfig, n_heads: int, n_layers: int, *, both_sides: bool
) -> RelativeBias | RelativeBiases | None:
    if config.positions != "relative bias":
        return None
    if config.own_distances:
        return RelativeBiases(n_layers, n_heads, config.buckets, both_sides=both_sides)
    return RelativeBias(n_heads, config.buckets, both_sides=both_sides)


class DecoderStack(nn.Module):
    """N layers of self-attention in the target and cross-attention to the source: Figure 1 (right)."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.layers = nn.ModuleList(
            DecoderLayer(
                config.d_model,
                config.n_heads,
                config.cross_heads,
                config.d_ff,
                ACTIVATIONS[config.activation],
                config.norm_eps,
                norm_first=config.norm_first,
                dropout=config.dropout,
                rotary=config.positions == "rotary",
                parts=config.parts,
            )
            for _ in range(config.n_decoder_layers)
        )
        self.norm = _final_norm(config)
        n_layers = config.n_decoder_layers
        self.relative = _relative(config, config.n_heads, n_layers, both_sides=False)

    def forward(
        self,
        embeddings: tuple[Tensor, Tensor],
        memory_BSD: Tensor,
        bias_BHLM: Tensor | Sequence[Tensor | None] | None = None,
        cross_bias_BHLS: Tensor | Sequence[Tensor | None] | None = None,
        head_mask_NH: Tensor | None = None,
        cross_head_mask_NH: Tensor | None = None,
        *,
        past: StackOutput[DecoderLayerOutput] | None = None,
        need_weights: bool = True,
    ) -> StackOutput[DecoderLayerOutput]:
        """Run the layers, bottom to top; each attends to the encoder's output, `memory_BSD`.

        See `EncoderStack.forward` and `DecoderLayer.forward` for the arguments.
        """
        learned_BLD, x_BLD = embeddings
        outputs: list[DecoderLayerOutput] = []
        for i, layer in enumerate(self.layers):
            output = layer(
                x_BLD,
                memory_BSD,
                _of_layer(bias_BHLM, i),
                _of_layer(cross_bias_BHLS, i),
                None if head_mask_NH is None else head_mask_NH[i],
                None if cross_head_mask_NH is None else cross_head_mask_NH[i],
                past=None if past is None else past.layers[i],
                need_weights=need_weights,
            )
            outputs.append(output)
            x_BLD = output.output_BLD
        final_BLD = x_BLD if self.norm is None else self.norm(x_BLD)
        return StackOutput(learned_BLD, embeddings[1], tuple(outputs), final_BLD)
