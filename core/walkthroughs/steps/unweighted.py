"""Attention without learned weights: one word, its dot products, their softmax, the mixture.

It is Vaswani et al. (2017), equation 1, with Q = K = V = x, so that the width of the scale is d_model.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch

from ...records.frozen import Array
from ...transformer import scaled_dot_product_attention
from .descriptions import PLAIN
from .make import matrix
from .record import Kind, Matrix, Step


def plain_steps(vectors: Array, tokens: Sequence[str], token: int) -> tuple[Step, ...]:
    """The four steps for one word.

    Args:
        vectors: (tokens, d_model), such as `Trace.learned`.
        tokens: their names.
        token: the position of the word.

    Raises:
        IndexError: if there is no such position.
    """
    tokens = list(tokens)
    own = [tokens[token]]
    x_MD = torch.tensor(vectors)
    x_LD = x_MD[[token]]
    scale = x_MD.shape[1] ** -0.5
    scores_LM = x_LD @ x_MD.T
    mixed, weights = scaled_dot_product_attention(x_LD, x_MD, x_MD)
    every = matrix("X", x_MD, tokens)
    raw = matrix("s", scores_LM, own, tokens)
    scaled = matrix("s/√d", scores_LM * scale, own, tokens)
    shares = matrix("w", weights, own, tokens, weights=True)
    turned = matrix("Xᵀ", x_MD.T, None, tokens)
    return (
        _step("plain-scores", "product", [matrix("x", x_LD, own), turned], raw),
        _step("plain-scale", "scale", [raw], scaled, scale, str(x_MD.shape[1])),
        _step("plain-weights", "softmax", [scaled], shares),
        _step("plain-mix", "product", [shares, every], matrix("y", mixed, own)),
    )


def _step(
    name: str, kind: Kind, operands: list[Matrix], result: Matrix, number: float = 0.0, detail: str = ""
) -> Step:
    words = PLAIN[name]
    texts = words.title, words.formula, words.why
    return Step(name, *texts, tuple(operands), result, kind, number=number, detail=detail)
