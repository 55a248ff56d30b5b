"""The weights of our transformer's layers as `in_numpy` takes them: turned, and split by head.

A `state` is a layer's `state_dict`, its tensors as arrays. No torch here.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ..records.frozen import Array
from .in_numpy import ACTIVATIONS, Attention, Decoder, Encoder, Head, Network, Norm

State = Mapping[str, Array]


def encoder(state: State, n_heads: int, activation: str, eps: float) -> Encoder:
    """The weights of a `core.transformer.EncoderLayer` that norms after each sum."""
    return Encoder(
        attention(state, "attention", n_heads),
        norm(state, "attention_norm", eps),
        network(state, activation),
        norm(state, "output_norm", eps),
    )


def decoder(state: State, n_heads: int, n_cross_heads: int, activation: str, eps: float) -> Decoder:
    """The weights of a `core.transformer.DecoderLayer` that norms after each sum."""
    return Decoder(
        attention(state, "attention", n_heads),
        norm(state, "attention_norm", eps),
        attention(state, "cross", n_cross_heads),
        norm(state, "cross_norm", eps),
        network(state, activation),
        norm(state, "output_norm", eps),
    )


def attention(state: State, name: str, n_heads: int) -> Attention:
    """Of "attention" or "cross": the columns of each head, and the matrix behind all of them."""
    parts = [part for which in ("query", "key", "value") for part in _linear(state, f"{name}.{which}")]
    split = [np.split(part, n_heads, axis=-1) for part in parts]
    heads = tuple(Head(*own) for own in zip(*split, strict=True))
    return Attention(heads, *_linear(state, f"{name}.output"))


def norm(state: State, name: str, eps: float) -> Norm:
    """Of a layer norm, such as "attention_norm"."""
    return Norm(state[f"{name}.weight"], state[f"{name}.bias"], eps)


def network(state: State, activation: str) -> Network:
    """Of the feed-forward network."""
    inner, outer = _linear(state, "feed_forward.inner"), _linear(state, "feed_forward.outer")
    return Network(*inner, *outer, ACTIVATIONS[activation])


def _linear(state: State, name: str) -> tuple[Array, Array]:
    """From (out, in), as torch keeps a matrix."""
    return state[f"{name}.weight"].T, state[f"{name}.bias"]
