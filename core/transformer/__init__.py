"""The transformer from scratch, torch only, in the order of the paper.

Read `attention`, `masks`, `positions`, `layers`, `config`, `stacks`, `model` and `decoding`, in this
order, with Vaswani et al. (2017), "Attention Is All You Need", beside them; then `bert`, the encoder
that takes published weights. `LanguageModel` takes those of published decoders, and `Transformer` those
of encoder–decoders: a table, `Parts`, says what they have in the place of the paper's parts, and each
such part stands beside the one it replaces, or in a file with its paper (`relative_bias`).
`shapes_alone` builds any of them without memory. Modules return what the app shows; they store nothing
and use no hooks.

A name ends in a letter for each dimension: query_BHLK is (batch, heads, queries, d_head).

    B batch                 D d_model, the width of the model       F d_ff, the feed-forward width
    L query positions       H heads                                 V vocabulary
    M key positions         K d_head, the width of a head           N layers
    S source positions      P pairs of dimensions that turn         R relative positions, distances

To *read* tokens is to run the model up to its last vectors, without logits. A *past* is what was read
before, as far as attention needs it: keys and values. A *bias* is added to scores; a *mask*, true where
a query may attend to a key, acts as one. `Parts` is the table from which a family is made: begin with
its defaults, which are the paper's.
"""

from .attention import (
    AttentionOutput,
    MultiHeadAttention,
    QueryKeyNorm,
    scaled_dot_product_attention,
    soft_capped_attention,
)
from .bert import Encoder, EncoderConfig, EncoderOutput
from .config import Positions, TransformerConfig
from .decoding import Reader, Step, greedy, sample
from .disentangled import Disentangled, DisentangledAttention, PositionTerms
from .layers import (
    DecoderLayer,
    DecoderLayerOutput,
    EncoderLayer,
    EncoderLayerOutput,
    FeedForward,
    GatedFeedForward,
    ParallelLayer,
    Parts,
)
from .masks import causal_mask, mask_bias, padding_bias, total_bias, window_mask
from .model import LanguageModel, Prediction, Transformer, TransformerOutput
from .positions import (
    LearnedPositions,
    Rotation,
    SinusoidalPositions,
    Stretch,
    linear_bias,
    rotary,
    sinusoidal,
)
from .relative_bias import DISTANCES, Buckets, RelativeBias
from .stacks import DecoderStack, Embeddings, EncoderStack, StackOutput, past_of

__all__ = [
    "DISTANCES",
    "AttentionOutput",
    "Buckets",
    "DecoderLayer",
    "DecoderLayerOutput",
    "DecoderStack",
    "Disentangled",
    "DisentangledAttention",
    "Embeddings",
    "Encoder",
    "EncoderConfig",
    "EncoderLayer",
    "EncoderLayerOutput",
    "EncoderOutput",
    "EncoderStack",
    "FeedForward",
    "GatedFeedForward",
    "LanguageModel",
    "LearnedPositions",
    "MultiHeadAttention",
    "ParallelLayer",
    "Parts",
    "PositionTerms",
    "Positions",
    "Prediction",
    "QueryKeyNorm",
    "Reader",
    "RelativeBias",
    "Rotation",
    "SinusoidalPositions",
    "StackOutput",
    "Step",
    "Stretch",
    "Transformer",
    "TransformerConfig",
    "TransformerOutput",
    "causal_mask",
    "greedy",
    "linear_bias",
    "mask_bias",
    "padding_bias",
    "past_of",
    "rotary",
    "sample",
    "scaled_dot_product_attention",
    "sinusoidal",
    "soft_capped_attention",
    "total_bias",
    "window_mask",
]
