"""The shape of a transformer: every choice that the paper makes, and the ones made since."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from .layers import ACTIVATIONS, PAPER, Parts
from .positions import Rotation
from .relative_bias import DISTANCES, Buckets

Positions = Literal[
    "sinusoidal", "sinusoidal halves", "learned", "rotary", "linear bias", "relative bias", "none"
]


@dataclass(frozen=True)
class TransformerConfig:
    """The shape of an encoder–decoder (`Transformer`), or of one of the two (`LanguageModel`).

    Attributes:
        n_vocabulary: the number of tokens to read and to predict, V.
        n_encoder_layers: the layers of the encoder; without one (0), the decoder predicts the next
            token.
        n_decoder_layers: the layers of the decoder; without one (0), the encoder predicts each token at
            its own position.
        n_heads: heads of each self-attention; they share d_model.
        d_model: the width of every vector between layers.
        d_ff: the width inside the feed-forward networks; 0: none, layers of attention alone.
        n_cross_heads: heads that attend across from decoder to encoder; 0: as many as `n_heads`.
        n_encoder_heads: heads of the encoder of a `Transformer`; 0: as many as `n_heads`.
        d_encoder_ff: the width inside its feed-forward networks; 0: `d_ff`.
        n_source_vocabulary: the size of the source's own vocabulary; 0: source and target share one,
            and one table of vectors (section 3.4).
        positions: how positions are encoded; section 3.5 compares the first and "learned".
            "sinusoidal halves": all sines before all cosines. "linear bias": see
            `positions.linear_bias`, for a `LanguageModel`. "relative bias": see `relative_bias`.
            "none": they are not.
        n_positions: the length of the table of learned positions; the others have no last position.
        norm_first: False: the norm after each sum, as in the paper; True: before each sub-layer.
        dropout: the share of numbers set to 0 in training (section 5.4).
        tied_output: the table that reads tokens also predicts them (section 3.4).
        scale_embeddings: whether to multiply the embeddings by √d_model (section 3.4).
        embedding_scale: another factor of the embeddings than √d_model; 0: as `scale_embeddings` says.
        activation: in the feed-forward networks; see `layers.ACTIVATIONS`.
        norm_eps: ε of the norms.
        parts: what the layers have in the place of the paper's parts.
        windows: for each layer of a `LanguageModel`, how far a token attends (0: to all): in a decoder,
            to so many tokens, itself and those just before it; in an encoder, to itself and so many on
            either side. Empty: to all in every layer.
        rotations: for each layer of a `LanguageModel`, how positions turn queries and keys there (None:
            not at all); empty: as `parts` says. Some layers may stay without positions (Yang et al.
            2025, "Rope to Nope and Back Again"), or turn at other rates (Gemma 3).
        embedding_norm: whether the embeddings are normed.
        first_norm: whether there is a norm around the attention of the first layer; see
            `layers.AddAlone`.
        output_bias: whether the matrix that predicts tokens, if it is not tied, has a bias.
        logit_scale: the factor of the logits of a `LanguageModel`.
        logit_cap: the largest logit: cap · tanh(logit / cap), see `attention.soft_capped`; 0: none.
        buckets: of distances, where positions are a relative bias.
        own_distances: whether each layer of a `Transformer` learned a relative bias of its own, as in
            umT5 (Chung et al. 2023, "UniMax"), not one for all layers of its half.
        own_source: whether source and target, which share a table of vectors, have positions and a norm
            of embeddings of their own (Lewis et al. 2020, "BART").

    Raises:
        ValueError: no model can be built with this size, share or name.
    """

    n_vocabulary: int
    n_encoder_layers: int
    n_decoder_layers: int
    n_heads: int
    d_model: int
    d_ff: int
    n_cross_heads: int = 0
    n_encoder_heads: int = 0
    d_encoder_ff: int = 0
    n_source_vocabulary: int = 0
    positions: Positions = "sinusoidal"
    n_positions: int = 512
    norm_first: bool = False
    dropout: float = 0.0
    tied_output: bool = False
    scale_embeddings: bool = True
    embedding_scale: float = 0.0
    activation: str = "relu"
    norm_eps: float = 1e-5
    parts: Parts = PAPER
    windows: tuple[int, ...] = ()
    rotations: tuple[Rotation | None, ...] = ()
    embedding_norm: bool = False
    first_norm: bool = True
    output_bias: bool = True
    logit_scale: float = 1.0
    logit_cap: float = 0.0
    buckets: Buckets = DISTANCES
    own_distances: bool = False
    own_source: bool = False

    def __post_init__(self) -> None:
        for name in ("n_vocabulary", "n_heads", "d_model", "n_positions"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} must be at least 1, not {getattr(self, name)}.")
        layers, others = ("n_encoder_layers", "n_decoder_layers"), ("d_ff", "d_encoder_ff")
        heads = ("n_cross_heads", "n_encoder_heads")
        for name in (*layers, *others, *heads, "n_source_vocabulary"):
            if getattr(self, name) < 0:
                raise ValueError(f"{name} must not be below 0, but is {getattr(self, name)}.")
        if not self.n_encoder_layers + self.n_decoder_layers:
            raise ValueError("A transformer needs at least one layer.")
        if not (self.n_encoder_layers and self.n_decoder_layers):
            for name in ("n_encoder_heads", "d_encoder_ff", "own_distances"):
                if getattr(self, name):
                    raise ValueError(f"{name} is for models with an encoder and a decoder.")
        each = (self.n_heads, self.cross_heads, self.encoder_heads)
        for n_heads in () if self.parts.d_head else each:
            if self.d_model % n_heads:
                raise ValueError(f"d_model {self.d_model} does not divide into {n_heads} heads.")
        d_head = self.parts.d_head or self.d_model // self.n_heads
        for width in (one.width or d_head for one in (self.parts.rotation, *self.rotations) if one):
            if self.positions == "rotary" and width % 2:
                raise ValueError(
                    f"Rotary positions turn pairs of dimensions; a head of {width} is odd."
                )
            if width > d_head:
                raise ValueError(f"Of a head of {d_head} dimensions, {width} cannot turn.")
        if self.buckets.number < 4 or self.buckets.longest <= self.buckets.number // 2:
            raise ValueError(f"{self.buckets} are no buckets of distances.")
        if self.windows and len(self.windows) != self.n_layers:
            raise ValueError(f"{len(self.windows)} windows for {self.n_layers} layers.")
        if self.rotations and len(self.rotations) != self.n_layers:
            raise ValueError(f"{len(self.rotations)} rotations for {self.n_layers} layers.")
        if not 0 <= self.dropout < 1:
            raise ValueError(f"dropout must be at least 0 and below 1, not {self.dropout}.")
        if self.positions not in get_args(Positions):
            raise ValueError(f"positions must be one of {get_args(Positions)}, not {self.positions!r}.")
        if self.activation not in ACTIVATIONS:
            raise ValueError(f"activation must be one of {(*ACTIVATIONS,)}, not {self.activation!r}.")

    @classmethod
    def paper(cls, n_vocabulary: int = 37_000) -> TransformerConfig:
        """The base model: section 3 and Table 3, first line; its vocabulary has about 37,000 tokens."""
        return cls(
            n_vocabulary=n_vocabulary,
            n_encoder_layers=6,
            n_decoder_layers=6,
            n_heads=8,
            d_model=512,
            d_ff=2048,
            dropout=0.1,
            tied_output=True,
        )

    def rotation_of_each(self, n_layers: int) -> tuple[Rotation | None, ...]:
        """How positions turn queries and keys in each layer of a stack; None: not at all."""
        if self.positions != "rotary":
            return (None,) * n_layers
        return self.rotations or (self.parts.rotation,) * n_layers

    @property
    def n_layers(self) -> int:
        """The layers of both halves together, or of the only one."""
        return self.n_encoder_layers + self.n_decoder_layers

    @property
    def cross_heads(self) -> int:
        """The number of cross-attention heads, with the 0 of `n_cross_heads` resolved."""
        return self.n_cross_heads or self.n_heads

    @property
    def encoder_heads(self) -> int:
        """The number of heads of the encoder, with the 0 of `n_encoder_heads` resolved."""
        return self.n_encoder_heads or self.n_heads
