"""The transformer from scratch, torch only, in the order of the paper.

Read `attention`, `positions`, `layers`, `model`, in this order, with Vaswani et al. (2017),
"Attention Is All You Need", beside them. Modules return what the app shows; they keep nothing and
use no hooks. See `core` for the letters at the ends of names.
"""

from core.transformer.attention import (
    AttentionOutput,
    MultiHeadAttention,
    padding_bias,
    scaled_dot_product_attention,
)
from core.transformer.layers import EncoderLayer, EncoderLayerOutput, FeedForward
from core.transformer.model import Encoder, EncoderConfig, EncoderOutput
from core.transformer.positions import LearnedPositions

__all__ = [
    "AttentionOutput",
    "Encoder",
    "EncoderConfig",
    "EncoderLayer",
    "EncoderLayerOutput",
    "EncoderOutput",
    "FeedForward",
    "LearnedPositions",
    "MultiHeadAttention",
    "padding_bias",
    "scaled_dot_product_attention",
]
