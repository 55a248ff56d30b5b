"""The transformer in plain NumPy: the same layers as `core.transformer`, one sentence at a time.

Vaswani et al. (2017), sections 3.1 to 3.5, without a batch and without gradients. Read it beside the
paper: every equation is one line. Weights are (in, out), because the paper writes x·W, and each head
has its own; `numpy_weights` takes them from a layer of `core.transformer`. A mask is true where a query
may attend to a key. See `core` for the letters at the ends of names; S counts the positions of a
source.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ..records.frozen import Array

Activation = Callable[[Array], Array]


def relu(x: Array) -> Array:
    """max(0, x)."""
    return np.maximum(x, 0)


def gelu(x: Array) -> Array:
    """x·Φ(x), exact (Hendrycks and Gimpel 2016)."""
    return np.asarray(x * (1 + np.vectorize(math.erf)(x / math.sqrt(2))) / 2)


def gelu_tanh(x: Array) -> Array:
    """The approximation of `gelu` by a hyperbolic tangent."""
    return np.asarray(x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))) / 2)


def silu(x: Array) -> Array:
    """x·σ(x), also called Swish (Ramachandran et al. 2017)."""
    return np.asarray(x / (1 + np.exp(-x)))


ACTIVATIONS: Mapping[str, Activation] = {
    "relu": relu,
    "gelu": gelu,
    "gelu_tanh": gelu_tanh,
    "silu": silu,
}


class Head(NamedTuple):
    """The weights of one head: matrices (D, K), biases (K,)."""

    W_Q: Array
    b_Q: Array
    W_K: Array
    b_K: Array
    W_V: Array
    b_V: Array


class Attention(NamedTuple):
    """The weights of multi-head attention: those of each head, and W_O, (D, D), with its bias, (D,)."""

    heads: tuple[Head, ...]
    W_O: Array
    b_O: Array


class Norm(NamedTuple):
    """γ and β of a layer norm, (D,), and its ε."""

    gamma_D: Array
    beta_D: Array
    eps: float


class Network(NamedTuple):
    """A feed-forward network: (D, F), (F,), (F, D), (D,), and the function between the two products."""

    W_1: Array
    b_1: Array
    W_2: Array
    b_2: Array
    activation: Activation


class Encoder(NamedTuple):
    """The weights of an encoder layer."""

    attention: Attention
    attention_norm: Norm
    network: Network
    output_norm: Norm


class Decoder(NamedTuple):
    """The weights of a decoder layer; `cross` reads the source."""

    attention: Attention
    attention_norm: Norm
    cross: Attention
    cross_norm: Norm
    network: Network
    output_norm: Norm


def sinusoidal(length: int, d_model: int, base: float = 10_000.0) -> Array:
    """PE(pos, 2i) = sin(pos / base^(2i/d_model)), PE(pos, 2i + 1) = cos of the same: section 3.5.

    Returns:
        (L, D); if the width is odd, the last sine has no cosine.
    """
    rates = base ** -(np.arange(0, d_model, 2) / d_model)
    angles = np.arange(length)[:, None] * rates  # (L, ⌈D / 2⌉)
    position_LD = np.empty((length, d_model))
    position_LD[:, 0::2] = np.sin(angles)
    position_LD[:, 1::2] = np.cos(angles)[:, : d_model // 2]
    return position_LD


def embed(
    ids_L: Array,
    table_VD: Array,
    position_LD: Array,
    segment_LD: Array | None = None,
    scale: float = 1.0,
) -> Array:
    """one-hot · E · √d_model + P: sections 3.4 and 3.5.

    Args:
        ids_L: the token ids.
        table_VD: the embedding table.
        position_LD: one vector for each position.
        segment_LD: BERT's vector for the text that each token belongs to; None if there is none.
        scale: √d_model in the paper, 1 in BERT.

    Returns:
        (L, D).
    """
    one_hot_LV = np.equal.outer(ids_L, np.arange(len(table_VD))).astype(table_VD.dtype)
    learned_LD = one_hot_LV @ table_VD  # the rows table_VD[ids_L]
    scaled_LD = learned_LD * scale
    x_LD = scaled_LD if segment_LD is None else scaled_LD + segment_LD
    x_LD = x_LD + position_LD
    return x_LD


def softmax(scores_LM: Array) -> Array:
    """e^score / Σ e^score over its row. The largest score is subtracted first, against overflow."""
    powers_LM = np.exp(scores_LM - scores_LM.max(axis=-1, keepdims=True))
    return np.asarray(powers_LM / powers_LM.sum(axis=-1, keepdims=True))


def causal_mask(length: int) -> Array:
    """(L, L), true where a token may attend: to itself and to earlier tokens. Section 3.2.3."""
    return np.tri(length, dtype=bool)


def scaled_dot_product_attention(
    query_LK: Array, key_MK: Array, value_MK: Array, mask_LM: Array | None = None
) -> tuple[Array, Array]:
    """softmax(Q·Kᵀ / √d_head)·V: equation 1, Figure 2 (left).

    A score hidden by the mask becomes the smallest float, which stands for −∞: a row in which
    everything is hidden is then uniform, as in `core.transformer`, and not NaN.

    Args:
        query_LK: one query for each token that attends.
        key_MK: one key for each token that is attended to.
        value_MK: one value for each key.
        mask_LM: true where a query may attend to a key, broadcast; None for everywhere.

    Returns:
        The weighted means of the values, (L, K), and the weights, (L, M); rows sum to 1.
    """
    scores_LM = query_LK @ key_MK.T
    scores_LM = scores_LM * query_LK.shape[-1] ** -0.5
    if mask_LM is not None:
        scores_LM = np.where(mask_LM, scores_LM, np.finfo(scores_LM.dtype).min)
    weights_LM = softmax(scores_LM)
    mixed_LK = weights_LM @ value_MK
    return mixed_LK, weights_LM


def one_head(
    query_LD: Array, memory_MD: Array, head: Head, mask_LM: Array | None = None
) -> tuple[Array, Array]:
    """Attention(x·W_Q, x·W_K, x·W_V): section 3.2.2.

    Args:
        query_LD: the tokens that attend.
        memory_MD: the tokens that are attended to; the same ones in self-attention.
        head: its matrices and its biases, which the paper omits.
        mask_LM: see `scaled_dot_product_attention`.

    Returns:
        See `scaled_dot_product_attention`.
    """
    W_Q, b_Q, W_K, b_K, W_V, b_V = head
    query_LK = query_LD @ W_Q + b_Q
    key_MK = memory_MD @ W_K + b_K
    value_MK = memory_MD @ W_V + b_V
    return scaled_dot_product_attention(query_LK, key_MK, value_MK, mask_LM)


def multi_head_attention(
    query_LD: Array,
    memory_MD: Array,
    heads: Sequence[Head],
    W_O: Array,
    b_O: Array,
    mask_LM: Array | None = None,
) -> Array:
    """MultiHead = Concat(head_1, …, head_h)·W_O: section 3.2.2, Figure 2 (right).

    Args:
        query_LD: the tokens that attend.
        memory_MD: the tokens that are attended to; the same ones in self-attention.
        heads: the weights of each head.
        W_O: (D, D), and its bias b_O, (D,).
        b_O: see `W_O`.
        mask_LM: see `scaled_dot_product_attention`.

    Returns:
        (L, D).
    """
    mixed_HLK = [one_head(query_LD, memory_MD, head, mask_LM)[0] for head in heads]
    concatenated_LD = np.concatenate(mixed_HLK, axis=-1)
    output_LD = concatenated_LD @ W_O + b_O
    return np.asarray(output_LD)


def layer_norm(x_LD: Array, gamma_D: Array, beta_D: Array, eps: float) -> Array:
    """(x − mean) / √(variance + ε)·γ + β, for each row: Ba et al. (2016), equation 4. (L, D)."""
    centred_LD = x_LD - x_LD.mean(axis=-1, keepdims=True)
    variance_L1 = (centred_LD**2).mean(axis=-1, keepdims=True)
    normed_LD = centred_LD / np.sqrt(variance_L1 + eps) * gamma_D + beta_D
    return np.asarray(normed_LD)


def rms_norm(x_LD: Array, gamma_D: Array, eps: float) -> Array:
    """X / √(mean of x² + ε) · γ, for each row: Zhang and Sennrich (2019), equation 4."""
    mean_square_L1 = (x_LD**2).mean(axis=1, keepdims=True)
    normed_LD = x_LD / np.sqrt(mean_square_L1 + eps) * gamma_D
    return np.asarray(normed_LD)


def rotated(x_LK: Array, angle_LP: Array) -> Array:
    """Each pair of dimensions (i, i + d_head / 2) turned by its angle: Su et al. (2021), equation 34.

    The pairs are those of Llama's published weights; `angle_LP` is position · θ, in radians.
    """
    first_LP, second_LP = np.split(x_LK, 2, axis=1)
    cos_LP, sin_LP = np.cos(angle_LP), np.sin(angle_LP)
    turned = first_LP * cos_LP - second_LP * sin_LP, first_LP * sin_LP + second_LP * cos_LP
    rotated_LK = np.concatenate(turned, axis=1)
    return rotated_LK


def gated_feed_forward(
    x_LD: Array, W_gate: Array, W_up: Array, W_down: Array, activation: Activation
) -> Array:
    """(activation(x · W_gate) ⊙ x · W_up) · W_down: Shazeer (2020), equation 6."""
    gate_LF = x_LD @ W_gate
    opened_LF = activation(gate_LF)
    up_LF = x_LD @ W_up
    gated_LF = opened_LF * up_LF
    output_LD = gated_LF @ W_down
    return np.asarray(output_LD)


def feed_forward(
    x_LD: Array, W_1: Array, b_1: Array, W_2: Array, b_2: Array, activation: Activation = relu
) -> Array:
    """activation(x·W₁ + b₁)·W₂ + b₂, for each token on its own: section 3.3, equation 2. (L, D)."""
    inner_LF = x_LD @ W_1 + b_1
    active_LF = activation(inner_LF)
    output_LD = active_LF @ W_2 + b_2
    return np.asarray(output_LD)


def encoder_layer(x_LD: Array, w: Encoder, mask_LM: Array | None = None) -> Array:
    """LayerNorm(x + Sublayer(x)), twice: section 3.1, Figure 1 (left). (L, D) to (L, D)."""
    sublayer_LD = multi_head_attention(x_LD, x_LD, *w.attention, mask_LM)
    summed_LD = x_LD + sublayer_LD
    x_LD = layer_norm(summed_LD, *w.attention_norm)
    sublayer_LD = feed_forward(x_LD, *w.network)
    return layer_norm(x_LD + sublayer_LD, *w.output_norm)


def decoder_layer(
    x_LD: Array,
    memory_SD: Array,
    w: Decoder,
    mask_LM: Array | None = None,
    cross_mask_LS: Array | None = None,
) -> Array:
    """Masked self-attention, attention to the source, feed-forward: section 3.1, Figure 1 (right).

    Args:
        x_LD: the target's tokens.
        memory_SD: the encoder's output; keys and values of the cross-attention come from it.
        w: the weights.
        mask_LM: for the target; None for `causal_mask`.
        cross_mask_LS: for the source, to hide its padding.

    Returns:
        (L, D).
    """
    mask_LM = causal_mask(len(x_LD)) if mask_LM is None else mask_LM
    sublayer_LD = multi_head_attention(x_LD, x_LD, *w.attention, mask_LM)
    x_LD = layer_norm(x_LD + sublayer_LD, *w.attention_norm)
    sublayer_LD = multi_head_attention(x_LD, memory_SD, *w.cross, cross_mask_LS)
    x_LD = layer_norm(x_LD + sublayer_LD, *w.cross_norm)
    sublayer_LD = feed_forward(x_LD, *w.network)
    return layer_norm(x_LD + sublayer_LD, *w.output_norm)
