"""BERT's encoder: the paper's stack behind BERT's embeddings, for published weights.

Vaswani et al. (2017), Figure 1 (left), with the embeddings of BERT (Devlin et al. 2019, Figure 2); and
what ALBERT (Lan et al. 2020, section 3.1) does to have fewer weights. DeBERTa's layers have
`disentangled` attention.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor, nn

from .disentangled import Disentangled, RelativePositions
from .layers import ACTIVATIONS, EncoderLayer, EncoderLayerOutput, Kept
from .masks import total_bias
from .positions import LearnedPositions
from .relative_bias import Buckets, RelativeBias


@dataclass(frozen=True)
class EncoderConfig:
    """The shape of an encoder.

    `n_segments` 0: the model has no segment vectors for pairs of texts. `n_positions` 0: a token has no
    position of its own. `relative`: how distances between tokens are known, see `disentangled`; None:
    they are not. `padding_id`: the token whose row positions start behind, see `LearnedPositions`;
    None: they start at row 0. `buckets`: of distances, each of
    which adds a number to the scores of each head in all layers, as in MPNet (Song et al. 2020); None:
    they add nothing. `d_embedding`: the width of the tables, whose sum a matrix then maps to
    d_model, as in ALBERT and ELECTRA; 0: they are that wide themselves. `weights_of`: for each layer,
    which weights it runs on, from 0, as in ALBERT; empty: each layer has its own.
    """

    n_vocabulary: int
    n_positions: int
    n_segments: int
    n_layers: int
    n_heads: int
    d_model: int
    d_ff: int
    activation: str = "gelu"
    norm_eps: float = 1e-12
    padding_id: int | None = None
    d_embedding: int = 0
    weights_of: tuple[int, ...] = ()
    relative: Disentangled | None = None
    buckets: Buckets | None = None


class LayersThatShare(nn.ModuleList):
    """Layers of which several run on the same weights: "cross-layer parameter sharing" (ALBERT)."""

    def __init__(self, layers: Iterable[nn.Module], weights_of: Sequence[int]) -> None:
        super().__init__()
        self.weights_of: tuple[int, ...] = ()
        self.extend(layers)
        self.weights_of = tuple(weights_of)

    def __len__(self) -> int:
        return len(self.weights_of) or super().__len__()

    def __iter__(self) -> Iterator[nn.Module]:
        own = list(self._modules.values())
        return iter([own[i] for i in self.weights_of]) if self.weights_of else super().__iter__()

    def __getitem__(self, layer: int) -> nn.Module:  # type: ignore[override]
        return list(self)[layer]


class EncoderOutput(NamedTuple):
    """Every step: rows of the table, the input of layer 0, and each layer."""

    learned_BLD: Tensor
    embedded_BLD: Tensor
    layers: tuple[EncoderLayerOutput, ...]


class Encoder(nn.Module):
    """Token, position and segment vectors, summed and normed, then the layers one after the other."""

    def __init__(self, config: EncoderConfig) -> None:
        super().__init__()
        if config.d_ff < 1:
            raise ValueError(f"A layer's feed-forward network cannot have the width {config.d_ff}.")
        self.config = config
        width = config.d_embedding or config.d_model
        self.tokens = nn.Embedding(config.n_vocabulary, width)
        self.positions: LearnedPositions | None = None
        if config.n_positions:
            self.positions = LearnedPositions(config.n_positions, width, config.padding_id)
        self.relative: RelativePositions | None = None
        if config.relative is not None:
            self.relative = RelativePositions(config.d_model, config.relative, config.norm_eps)
        self.distances: RelativeBias | None = None
        if config.buckets is not None:
            self.distances = RelativeBias(config.n_heads, config.buckets, both_sides=True)
        self.segments = nn.Embedding(config.n_segments, width) if config.n_segments else None
        self.norm = nn.LayerNorm(width, config.norm_eps)
        self.projection = nn.Linear(width, config.d_model) if config.d_embedding else None
        several = config.weights_of
        layers = (
            EncoderLayer(
                config.d_model,
                config.n_heads,
                config.d_ff,
                ACTIVATIONS[config.activation],
                config.norm_eps,
                relative=self.relative,
            )
            for _ in range(max(several) + 1 if several else config.n_layers)
        )
        self.layers = LayersThatShare(layers, several) if several else nn.ModuleList(layers)

    def forward(
        self,
        ids_BL: Tensor,
        segments_BL: Tensor | None = None,
        bias_BHLM: Tensor | Sequence[Tensor] | None = None,
        head_mask_NH: Tensor | None = None,
        *,
        need_weights: bool = True,
        kept: Kept | None = None,
    ) -> EncoderOutput:
        """Run the encoder and return every step.

        Args:
            ids_BL: token ids, integers below `n_vocabulary`.
            segments_BL: 0 or 1, the text of a pair that each token belongs to; None: all 0.
            bias_BHLM: added to the scores, as distances are: hides padding, cuts an edge. One for every
                layer, or a list with one for each.
            head_mask_NH: a factor on the output of each head; None: 1. (N, B, H) where the texts of a
                batch differ in it.
            need_weights: False leaves the attention weights out, which is faster.
            kept: what of each layer's output is returned; None: all of it.
        """
        learned_BLD = self.tokens(ids_BL)
        embedded_BLD = self.embed(learned_BLD, segments_BL, ids_BL)
        x_BLD = embedded_BLD
        distance = None if self.distances is None else self.distances(ids_BL.shape[1])
        if isinstance(bias_BHLM, Sequence):
            biases = [total_bias(one, distance) for one in bias_BHLM]
        else:
            biases = [total_bias(bias_BHLM, distance)] * len(self.layers)
        outputs: list[EncoderLayerOutput] = []
        for i, layer in enumerate(self.layers):
            head_mask_H = None if head_mask_NH is None else head_mask_NH[i]
            output = layer(x_BLD, biases[i], head_mask_H, need_weights=need_weights)
            if kept is not None:
                output = kept(i, output)
            outputs.append(output)
            x_BLD = output.output_BLD
        return EncoderOutput(learned_BLD, embedded_BLD, tuple(outputs))

    def embed(
        self, learned_BLD: Tensor, segments_BL: Tensor | None, ids_BL: Tensor | None = None
    ) -> Tensor:
        """Word + segment + position, added in this order, as BERT adds them, normed, and mapped.

        `ids_BL`: the tokens' ids, for positions that do not count padding; None: there is none.
        """
        x_BLD = learned_BLD
        if self.segments is not None:
            if segments_BL is None:
                segments_BL = torch.zeros(x_BLD.shape[:2], dtype=torch.long, device=x_BLD.device)
            x_BLD = x_BLD + self.segments(segments_BL)
        if self.positions is not None:
            x_BLD = x_BLD + self.positions(x_BLD.shape[1], ids_BL=ids_BL)
        embedded_BLD: Tensor = self.norm(x_BLD)
        return embedded_BLD if self.projection is None else self.projection(embedded_BLD)
