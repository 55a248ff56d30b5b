"""Omit parts of a transformer in all layers: how similar its tokens become, how large its gradient.

This runs copies of a stack's modules in float64; if nothing is omitted, it equals their own forward
pass. In float32, what is left of vectors that have nearly collapsed is mostly rounding, and a gradient
through them is off by a tenth.

Residual connections: He et al. (2016). Layer norm: Ba, Kiros and Hinton (2016); before or after the
sum: Xiong et al. (2020). Rank collapse: Dong, Cordonnier and Loukas (2021), "Attention is not all you
need: pure attention loses rank doubly exponentially with depth".
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeVar, cast

import numpy as np
import torch
from torch import Tensor, nn

from ..records.frozen import Array, Record
from ..transformer import (
    Encoder,
    EncoderLayer,
    LanguageModel,
    MultiHeadAttention,
    TransformerConfig,
    rotary,
    scaled_dot_product_attention,
    sinusoidal,
)
from ..transformer.layers import Residual
from . import paper

ROUNDING = 16  # times the rounding of one number: tokens that differ by less differ only by rounding
DIRECTIONS = 8  # random directions over which the gradient is averaged
SEEDS = 5  # stacks of random weights; the results of `fresh` are their median
FRESH = replace(TransformerConfig.paper(1), n_decoder_layers=0, d_model=64, d_ff=256, dropout=0.0)
AT_ONCE = 200_000_000  # bytes of float64; a stack of more is converted layer by layer, twice
_SEED = 2021

M = TypeVar("M", bound=nn.Module)


class Without(NamedTuple):
    """The parts that are omitted, in every layer.

    Attributes:
        residual: x + Sublayer(x) becomes Sublayer(x), for both sub-layers.
        norm: both layer norms of each layer. The norm of BERT's embeddings stays: it is not part of a
            layer, and both stacks then begin with the same vectors.
        positions: the vectors of the positions, which are added before layer 1; and rotations.
        scale: the division of the scores by √d_head.
        heads: the division into heads: the matrices of a layer form one head of full width, d_head =
            d_model.
    """

    residual: bool = False
    norm: bool = False
    positions: bool = False
    scale: bool = False
    heads: bool = False


@dataclass(frozen=True, eq=False)
class Depth(Record):
    """The effect of a stack on its tokens, after 0, 1, … N layers; NaN if a number is not finite.

    Attributes:
        similarity: (N + 1,), the mean cosine similarity of all pairs of different positions, special
            tokens included; NaN if there is only one token.
        difference: (N + 1,), ‖X − 1·x̄ᵀ‖ / ‖X‖: the share of the vectors in which tokens differ from
            their mean x̄. Dong et al. (2021) define it with another norm (section 2), which decreases
            similarly.
        gradient: (N + 1,), the gradient at the output of each layer, divided by that at the output of
            the last one; see `gradient`.
        finite: the number of layers after which all numbers are still finite: N, unless they overflow.
    """

    similarity: Array
    difference: Array
    gradient: Array
    finite: int

    eps = float(np.finfo(np.float64).eps)  # the rounding of one number: 2⁻⁵²

    def __post_init__(self) -> None:
        for name in ("similarity", "difference", "gradient"):
            values = np.array(getattr(self, name), np.float64)
            # float64: a gradient may be smaller than float32 can represent
            values.flags.writeable = False
            object.__setattr__(self, name, values)
        if len({self.similarity.shape, self.difference.shape, self.gradient.shape}) > 1:
            raise ValueError("The measures of a stack must cover the same layers.")

    @property
    def n_layers(self) -> int:
        """N."""
        return len(self.similarity) - 1

    @property
    def rounding(self) -> float:
        """The `difference` below which nothing but rounding is left."""
        return ROUNDING * self.eps

    @property
    def distinct(self) -> int:
        """After how many layers tokens still differ by more than rounding: N, unless they collapse.

        −1: they are equal from the start.
        """
        (equal,) = np.nonzero(self.difference < self.rounding)
        return int(equal[0]) - 1 if equal.size else self.n_layers


def of_encoder(
    encoder: Encoder, ids: Sequence[int], segments: Sequence[int], without: Without
) -> Depth:
    """A trained model, over all its layers.

    Args:
        encoder: the model; it stays as it is.
        ids: the ids of the tokens.
        segments: for each token, the text of a pair that it belongs to.
        without: the parts to omit.
    """
    with torch.no_grad():
        x_LD = embedded(encoder, ids, segments, positions=not without.positions)
    return of_layers(cast(Sequence[EncoderLayer], [*encoder.layers]), x_LD, without)


def embedded(
    encoder: Encoder, ids: Sequence[int], segments: Sequence[int], *, positions: bool
) -> Tensor:
    """(L, D), float64: the input of layer 1, as `Encoder.embed`; with or without the positions."""
    device = encoder.tokens.weight.device
    x_LD: Tensor = encoder.tokens(torch.tensor([*ids], device=device)).double()
    if encoder.segments is not None:
        x_LD = x_LD + encoder.segments(torch.tensor([*segments], device=device))
    if positions:
        assert encoder.positions is not None
        x_LD = x_LD + encoder.positions(len(ids))
    normed_LD: Tensor = in_float64(encoder.norm)(x_LD.cpu())
    return normed_LD


def of_paper(ids: Sequence[int], without: Without) -> Depth:
    """The untrained encoder of the paper's size, over its six layers."""
    return of_layers(paper.layers(), paper.embedded(ids, positions=not without.positions), without)


def fresh(
    ids: Sequence[int],
    n_layers: int,
    without: Without,
    *,
    norm_first: bool = False,
    config: TransformerConfig = FRESH,
) -> Depth:
    """Stacks of untrained layers: at each depth, the median over `SEEDS` stacks.

    The weights are the initial weights of a training (`core.transformer.model.initialise`), and each id
    has its own random vector: N(0, 1), as a row of the table times √d_model. All in float64.

    Args:
        ids: the ids of the tokens.
        n_layers: N.
        without: the parts to omit.
        norm_first: whether the norm is before each sub-layer, instead of after the sum.
        config: the sizes of a layer; its number of layers and position of the norm are ignored.
    """
    sizes = replace(config, n_encoder_layers=n_layers, norm_first=norm_first)
    stacks = [
        of_layers(
            fresh_layers(sizes, seed),
            fresh_vectors(ids, sizes.d_model, seed, positions=not without.positions),
            without,
        )
        for seed in range(SEEDS)
    ]
    similarity, apart, sizes = (
        np.median([getattr(one, name) for one in stacks], axis=0)
        for name in ("similarity", "difference", "gradient")
    )
    return Depth(similarity, apart, sizes, min(one.finite for one in stacks))


def fresh_layers(config: TransformerConfig, seed: int) -> tuple[EncoderLayer, ...]:
    """Layers with random weights, float64; the same seed gives the same layers."""
    made = LanguageModel(config, torch.Generator().manual_seed(_SEED + seed))
    return tuple(made.double().eval().requires_grad_(False).stack.layers)  # type: ignore[arg-type]


def fresh_vectors(ids: Sequence[int], d_model: int, seed: int, *, positions: bool) -> Tensor:
    """(L, D), float64: a random vector for each id, with or without sinusoidal positions."""
    rows = {
        i: torch.randn(d_model, generator=torch.Generator().manual_seed(SEEDS * i + seed)) for i in ids
    }
    x_LD = torch.stack([rows[i] for i in ids])
    return (x_LD + sinusoidal(len(ids), d_model) if positions else x_LD).double()


def of_layers(layers: Sequence[EncoderLayer], x_LD: Tensor, without: Without) -> Depth:
    """The effect of these layers on these vectors without some parts; the layers stay as they are.

    Args:
        layers: bottom to top.
        x_LD: the input of the first one.
        without: the parts to omit; positions must already be missing in `x_LD`.
    """
    if sum(one.numel() for layer in layers for one in layer.parameters()) * 8 <= AT_ONCE:
        layers = [in_float64(layer) for layer in layers]
    vectors = [x_LD.detach().cpu().double()]
    with torch.no_grad():
        for layer in layers:
            vectors.append(through(in_float64(layer), vectors[-1][None], without)[0])
    ends = next((i for i, x_LD in enumerate(vectors) if not x_LD.isfinite().all()), len(vectors))
    similar = [mean_cosine(x_LD) for x_LD in vectors[:ends]]
    apart = [difference(x_LD) for x_LD in vectors[:ends]]
    left = [float("nan")] * (len(vectors) - ends)
    sizes = gradient(layers, vectors, without)
    return Depth(np.array(similar + left), np.array(apart + left), sizes, ends - 1)


def in_float64(module: M) -> M:
    """A copy of a module that computes in float64 on the CPU; other devices may have no float64."""
    if all(one.dtype == torch.float64 and one.is_cpu for one in module.parameters()):
        return module
    with torch.no_grad():  # each number is copied once, into float64
        doubled = {id(one): nn.Parameter(one.cpu().double(), False) for one in module.parameters()}
    return copy.deepcopy(module, doubled)


def through(layer: EncoderLayer, x_BLD: Tensor, without: Without) -> Tensor:
    """(B, L, D) through one layer without some of its parts; without dropout."""

    def attend(read_BLD: Tensor) -> Tensor:
        return _attend(layer.attention, read_BLD, without)

    x_BLD = _sublayer(layer.attention_norm, attend, x_BLD, without)
    if layer.feed_forward is not None and layer.output_norm is not None:
        x_BLD = _sublayer(layer.output_norm, layer.feed_forward, x_BLD, without)
    return x_BLD


def _sublayer(
    norm: Residual, sublayer: Callable[[Tensor], Tensor], x_BLD: Tensor, without: Without
) -> Tensor:
    """A sub-layer with the rest of its residual connection and norm."""
    y_BLD = sublayer(x_BLD if without.norm else norm.sublayer_input(x_BLD))
    if not without.residual:
        y_BLD = x_BLD + y_BLD
    if without.norm or norm.norm_first:
        return y_BLD
    normed_BLD: Tensor = norm(y_BLD)
    return normed_BLD


def _attend(attention: MultiHeadAttention, x_BLD: Tensor, without: Without) -> Tensor:
    """Self-attention with or without its scale, with its heads or as one wide head."""
    batch, length, d_model = x_BLD.shape
    n_heads = 1 if without.heads else attention.n_heads
    query_BHLK, key_BHMK, value_BHMK = (
        project(x_BLD).view(batch, length, n_heads, d_model // n_heads).transpose(1, 2)
        for project in (attention.query, attention.key, attention.value)
    )
    if attention.rotation is not None and not without.positions:
        positions_L = torch.arange(length, device=x_BLD.device)
        query_BHLK = rotary(query_BHLK, positions_L, attention.rotation)
        key_BHMK = rotary(key_BHMK, positions_L, attention.rotation)
    scale = 1.0 if without.scale else None
    mixed_BHLK, _ = scaled_dot_product_attention(query_BHLK, key_BHMK, value_BHMK, scale=scale)
    output_BLD: Tensor = attention.output(mixed_BHLK.transpose(1, 2).flatten(2))
    return output_BLD


def mean_cosine(x_LD: Tensor) -> float:
    """The mean cosine of all pairs of different rows; NaN for a single row, or if a row is 0."""
    n = len(x_LD)
    if n < 2 or not bool((x_LD != 0).any(dim=1).all()):
        return float("nan")
    largest_L1 = x_LD.abs().amax(dim=1, keepdim=True)  # otherwise squares may overflow or underflow
    unit_LD = torch.nn.functional.normalize(x_LD / largest_L1, dim=1)
    # Instead of 1 − cos: for nearly equal rows, differences preserve more digits.
    squares = float((unit_LD - unit_LD.mean(dim=0)).square().sum())
    return 1 - squares / (n - 1)


def difference(x_LD: Tensor) -> float:
    """‖X − 1·x̄ᵀ‖ / ‖X‖, Frobenius norms, with the mean row x̄: 0 if all rows are equal."""
    largest = float(x_LD.abs().max())
    if not largest:
        return float("nan")
    scaled_LD = x_LD / largest
    return float((scaled_LD - scaled_LD.mean(dim=0)).norm() / scaled_LD.norm())


def gradient(layers: Sequence[EncoderLayer], states: Sequence[Tensor], without: Without) -> Array:
    """The size of the gradient at the output of each layer, relative to that at the output of the last.

    The loss is the sum of R ⊙ X_N, where X_l is the output of layer l, and R is drawn from N(0, 1) once
    of `DIRECTIONS` copies of the text. The measure is ‖∂loss/∂X_l‖ / ‖∂loss/∂X_N‖, with Frobenius norms
    over all copies. Its square is, in the mean over all R, ‖∂X_N/∂X_l‖² / (L·D).

    It goes back one layer at a time, so that only one of a large model's is in memory in float64.

    Args:
        layers: bottom to top.
        states: X_0 … X_N, (L, D) each, float64.
        without: the parts to omit.

    Returns:
        (N + 1,): the last is 1. NaN if it is 0 or not finite, and everywhere if X_N is not finite.
    """
    last = states[-1]
    none = np.full(len(states), np.nan)
    if not bool(last.isfinite().all()):
        return none
    shape = DIRECTIONS, *last.shape
    back_BLD = torch.randn(shape, generator=torch.Generator().manual_seed(_SEED)).to(last)
    norms = [float(back_BLD.norm())]
    for layer, x_LD in zip(reversed(layers), reversed(states[:-1]), strict=True):
        with torch.enable_grad():
            x_BLD = x_LD.expand(shape).clone().requires_grad_()
            y_BLD = through(in_float64(layer), x_BLD, without)
            (back_BLD,) = torch.autograd.grad(y_BLD, x_BLD, back_BLD)
        norms.append(float(back_BLD.norm()))
    sizes: Array = np.array(norms[::-1])
    sizes[~np.isfinite(sizes) | (sizes == 0)] = np.nan
    return sizes / norms[0]
