"""The weights of our transformer's layers for `in_numpy`: transposed, and split by head.

A `state` is a layer's `state_dict`, its tensors as arrays. No torch here.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ..records.frozen import Array
from .in_numpy import ACTIVATIONS, Attention, Decoder, Encoder, Head, Network, Norm

State = Mapping[str, Array]


def encoder(state: State, n_heads: int, activation: str, eps: float) -> Encoder:
    """The weights of a post-LN `core.transformer.EncoderLayer`."""
    return Encoder(
        attention(state, "attention", n_heads),
        norm(state, "attention_norm", eps),
        network(state, activation),
        norm(state, "output_norm", eps),
    )


def decoder(state: State, n_heads: int, n_cross_heads: int, activation: str, eps: float) -> Decoder:
    """The weights of a post-LN `core.transformer.DecoderLayer`."""
    return Decoder(
        attention(state, "attention", n_heads),
        norm(state, "attention_norm", eps),
        attention(state, "cross", n_cross_heads),
        norm(state, "cross_norm", eps),
        network(state, activation),
        norm(state, "output_norm", eps),
    )


def attention(state: State, name: str, n_heads: int) -> Attention:
    """The weights of "attention" or "cross": the columns of each head, and the output matrix."""
    parts = [part for which in ("query", "key", "value") for part in _linear(state, f"{name}.{which}")]
    split = [np.split(part, n_heads, axis=-1) for part in parts]
    heads = tuple(Head(*own) for own in zip(*split, strict=True))
    return Attention(heads, *_linear(state, f"{name}.output"))


def norm(state: State, name: str, eps: float) -> Norm:
    """The weights of a layer norm, such as "attention_norm"."""
    return Norm(state[f"{name}.weight"], state[f"{name}.bias"], eps)


def network(state: State, activation: str) -> Network:
    """The weights of the feed-forward network."""
    inner, outer = _linear(state, "feed_forward.inner"), _linear(state, "feed_forward.outer")
    return Network(*inner, *outer, ACTIVATIONS[activation])


def _linear(state: State, name: str) -> tuple[Array, Array]:
    """A weight and its bias; torch stores the matrix as (out, in)."""
    return state[f"{name}.weight"].T, state[f"{name}.bias"]
