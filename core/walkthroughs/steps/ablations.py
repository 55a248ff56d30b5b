"""What if a part of the transformer were missing: computed with that part left out.

Vaswani et al. (2017): the scale (section 3.2.1), several heads (3.2.2), positions (3.5).
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from ...localization import N_, _
from ...records.frozen import Array, Record
from ...transformer import Encoder, EncoderLayer, mask_bias, scaled_dot_product_attention
from .. import tiny
from .make import matrix
from .record import Step


class Sharpness(NamedTuple):
    """How sharp some rows of weights are, averaged over the rows.

    Attributes:
        largest: the largest weight of a row.
        entropy: −Σ w·ln w of a row: 0 if all weight is on one token, ln n if it is uniform.
    """

    largest: float
    entropy: float


def sharpness(weights: Array) -> Sharpness:
    """The sharpness of (rows, columns) weights."""
    w = weights.astype(np.float64)
    logs = np.log(np.where(w > 0, w, 1))
    return Sharpness(float(w.max(axis=1).mean()), float(-(w * logs).sum(axis=1).mean()))


@dataclass(frozen=True, eq=False)
class WhatIf(Record):
    """The results before and after.

    Attributes:
        step: both, side by side.
        before, after: how sharp the weights are.
        difference: the largest difference in the output of the layer or the head.
    """

    step: Step
    before: Sharpness
    after: Sharpness
    difference: float


def _pair(
    name: str,
    title: str,
    formula: str,
    why: str,
    before: Tensor,
    after: Tensor,
    labels: tuple[str, str],
    tokens: Sequence[str],
) -> Step:
    first, second = (
        matrix(label, values, tokens, tokens, weights=True)
        for label, values in zip(labels, (before, after), strict=True)
    )
    return Step(name, title, formula, why, (first,), second, "compare")


def no_scale(
    layer: EncoderLayer,
    x_LD: Tensor,
    tokens: Sequence[str],
    *,
    head: int,
    seen_LM: Tensor | None = None,
) -> WhatIf:
    """One head without ÷ √d_head.

    Args:
        layer: the layer.
        x_LD: its input, (tokens, d_model).
        tokens: their names.
        head: from 0.
        seen_LM: true where a token may attend to another; None: everywhere.
    """
    read_LD, attention = layer.attention_norm.sublayer_input(x_LD), layer.attention
    done = attention(read_LD[None], read_LD[None])
    each = attention.for_each_head(done.key_BHMK), attention.for_each_head(done.value_BHMK)
    query_LK, key_MK, value_MK = (x[0, head] for x in (done.query_BHLK, *each))
    bias = None if seen_LM is None else mask_bias(seen_LM)
    before, weights = scaled_dot_product_attention(query_LK, key_MK, value_MK, bias)
    after, sharp = scaled_dot_product_attention(query_LK, key_MK, value_MK, bias, scale=1)
    step = _pair(
        "no-scale",
        N_("No scaling"),
        r"\mathrm{softmax}(QK^\top)",
        N_(
            "Softmax of larger numbers is sharper: in each row, weight moves from the smallest score "
            "to the largest. The longer q and k are, the larger their scores, and the nearer a row "
            "comes to picking a single word."
        ),
        weights,
        sharp,
        (_("with ÷ √d"), _("without")),
        tokens,
    )
    return WhatIf(
        step, sharpness(weights.numpy()), sharpness(sharp.numpy()), float((before - after).abs().max())
    )


def one_head(
    layer: EncoderLayer,
    x_LD: Tensor,
    tokens: Sequence[str],
    *,
    head: int,
    seen_LM: Tensor | None = None,
) -> WhatIf:
    """The matrices of a layer as one wide head instead of its heads.

    Args:
        layer: the layer.
        x_LD: its input, (tokens, d_model).
        tokens: their names.
        head: the head shown for comparison, from 0.
        seen_LM: see `no_scale`.

    Raises:
        ValueError: heads share keys and values, or turn them: they are not one wide head cut apart.
    """
    if layer.attention.n_kv_heads != layer.attention.n_heads or layer.attention.rotation is not None:
        raise ValueError("The heads of this layer cannot be joined to a single one.")
    bias = None if seen_LM is None else mask_bias(seen_LM)
    wide = copy.deepcopy(layer)  # the layer itself is shared
    attention = wide.attention
    attention.n_heads = attention.n_kv_heads = 1
    attention.d_head *= layer.attention.n_heads
    many, one = layer(x_LD[None], bias), wide(x_LD[None], bias)
    weights, single = many.attention.weights_BHLM[0, head], one.attention.weights_BHLM[0, 0]
    step = _pair(
        "one-head",
        N_("One head"),
        r"h = 1,\quad d_k = d_\mathrm{model}",
        N_(
            "One head has one set of weights for each word: it cannot attend in two ways at once. The "
            "matrices are those of this layer; a model that is trained with one head would learn "
            "others."
        ),
        weights,
        single,
        (
            _("head {number} of {count}").format(number=head + 1, count=layer.attention.n_heads),
            _("one head"),
        ),
        tokens,
    )
    return WhatIf(
        step,
        sharpness(weights.numpy()),
        sharpness(single.numpy()),
        float((many.output_BLD - one.output_BLD).abs().max()),
    )


class Order(NamedTuple):
    """How much the vectors of the same words differ between two orders.

    Attributes:
        words: the tokens of the first text.
        positions: the position of each of them in the second.
        with_positions: for each token, the largest difference after the layer.
        without: the same if no positions are added.
    """

    words: tuple[str, ...]
    positions: tuple[int, ...]
    with_positions: Array
    without: Array


def reordered(first: Sequence[int], second: Sequence[int]) -> tuple[int, ...] | None:
    """The position of each id of the first in the second; None if the ids are not the same."""
    if sorted(first) != sorted(second):
        return None
    left = list(second)
    positions = []
    for number in first:
        positions.append(left.index(number))
        left[positions[-1]] = -1
    return tuple(positions)


def no_positions(
    encoder: Encoder, first: Sequence[int], second: Sequence[int], tokens: Sequence[str], *, layer: int
) -> Order:
    """The same tokens in two orders, through the encoder with and without positions.

    Args:
        encoder: the encoder.
        first: ids.
        second: the same ids in another order.
        tokens: the names of the first.
        layer: the layer after which to compare, from 0.

    Raises:
        ValueError: if the ids are not the same.
    """

    def run(ids: Sequence[int], positions: bool) -> Tensor:
        ids_BL = torch.tensor([list(ids)])
        x_BLD = encoder.tokens(ids_BL)
        if encoder.segments is not None:
            x_BLD = x_BLD + encoder.segments(torch.zeros_like(ids_BL))
        if positions:
            assert encoder.positions is not None
            x_BLD = x_BLD + encoder.positions(len(ids))
        x_BLD = encoder.norm(x_BLD)
        for one in encoder.layers[: layer + 1]:
            x_BLD = one(x_BLD).output_BLD
        output_LD: Tensor = x_BLD[0]
        return output_LD

    return in_orders(first, second, tokens, run)


def no_positions_tiny(
    numbers: tiny.Numbers, first: Sequence[int], second: Sequence[int], tokens: Sequence[str]
) -> Order:
    """The same for the tiny model. Raises the errors of `no_positions`."""
    made = tiny.layer(numbers)

    def run(ids: Sequence[int], positions: bool) -> Tensor:
        x_LD = tiny.embedded(ids, numbers, positions=positions)
        output_LD: Tensor = made(x_LD[None]).output_BLD[0]
        return output_LD

    return in_orders(first, second, tokens, run)


def in_orders(
    first: Sequence[int],
    second: Sequence[int],
    tokens: Sequence[str],
    run: Callable[[Sequence[int], bool], Tensor],
) -> Order:
    """The results of `run` for the same ids in two orders, with and without positions.

    Args:
        first: ids.
        second: the same ids in another order.
        tokens: the names of the first.
        run: maps ids, and whether there are positions, to (tokens, d_model).

    Raises:
        ValueError: if the ids are not the same.
    """
    order = reordered(first, second)
    if order is None:
        raise ValueError("These are not the same tokens in another order.")
    apart = [
        (run(first, positions) - run(second, positions)[list(order)]).abs().amax(dim=1).numpy()
        for positions in (True, False)
    ]
    return Order(tuple(tokens), order, apart[0], apart[1])
