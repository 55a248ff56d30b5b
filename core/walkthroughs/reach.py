"""How far a model sees: path lengths and operations by kind of layer, and windows of published models.

Vaswani et al. (2017), section 4 and Table 1. Their O(…) omits constants; the numbers here include them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..localization import N_
from ..records.frozen import Array, frozen


@dataclass(frozen=True)
class LayerCost:
    """One row of Table 1, evaluated for one text.

    Attributes:
        name: the kind of layer.
        published: operations of a layer, sequential steps, longest path, as in Table 1, in LaTeX.
        formulas: the same with their constants, which give the three numbers.
        operations: of one layer.
        sequential: the number of steps that must follow one another.
        path: the number of steps that information takes from the first token to the last; 0 for a
            single token.
    """

    name: str
    published: tuple[str, str, str]
    formulas: tuple[str, str, str]
    operations: int
    sequential: int
    path: int


def layer_costs(n: int, d: int, kernel: int, window: int) -> tuple[LayerCost, ...]:
    """Table 1 for a text of n tokens and vectors of d numbers.

    Args:
        n: tokens, 1 or more.
        d: numbers of a vector, 1 or more.
        kernel: the number of neighbouring tokens that a convolution reads, 2 or more.
        window: r, the number of tokens on each side that restricted self-attention attends to, 1 or
            more. With the token itself it attends to 2r + 1, and never to more than there are.

    Raises:
        ValueError: if a number is too small.
    """
    if min(n, d, window) < 1 or kernel < 2:
        raise ValueError(f"No layer has n = {n}, d = {d}, k = {kernel} and r = {window}.")
    attended = 2 * window + 1
    return (
        LayerCost(
            N_("self-attention"), ("n^2 d", "1", "1"), ("n^2 d", "1", "1"), n * n * d, 1, min(1, n - 1)
        ),
        LayerCost(N_("recurrent"), ("n d^2", "n", "n"), ("n d^2", "n", "n-1"), n * d * d, n, n - 1),
        LayerCost(
            N_("convolutional"),
            ("k n d^2", "1", r"\log_k n"),
            ("k n d^2", "1", r"\lceil\log_k n\rceil"),
            kernel * n * d * d,
            1,
            _log(n, kernel),
        ),
        LayerCost(
            N_("restricted self-attention"),
            ("r n d", "1", "n/r"),
            (r"(2r{+}1)\,n d" if attended < n else "n^2 d", "1", r"\lceil (n{-}1)/r\rceil"),
            min(attended, n) * n * d,
            1,
            -(-(n - 1) // window),
        ),
    )


def _log(n: int, kernel: int) -> int:
    """The smallest whole number x with kernelˣ ≥ n."""
    steps, reached = 0, 1
    while reached < n:
        steps, reached = steps + 1, reached * kernel
    return steps


class Steps(NamedTuple):
    """The number of steps from one token to every other, each (tokens,) int64; 0 to itself.

    Attributes:
        attention: always 1.
        recurrent: the distance: one step for each token.
        restricted: the distance divided by r, rounded up: a layer moves information by at most r
            tokens.
    """

    attention: Array
    recurrent: Array
    restricted: Array


def steps_from(token: int, n: int, window: int) -> Steps:
    """The steps from one of n tokens to each; the window is r, as in `layer_costs`.

    Raises:
        ValueError: if there is no such token, or the window is empty.
    """
    if not 0 <= token < n or window < 1:
        raise ValueError(f"There is no token {token} of {n}, or no window of {window}.")
    distance = np.abs(np.arange(n) - token)
    each = (np.minimum(distance, 1), distance, -(-distance // window))
    return Steps(*(frozen(one, np.int64) for one in each))


class Window(NamedTuple):
    """The number of tokens that a published model can attend to at once."""

    model: str
    year: int
    tokens: int


# According to the papers or the makers.
WINDOWS = (
    Window("BERT, MiniLM", 2018, 512),
    Window("GPT-2", 2019, 1_024),
    Window("GPT-3", 2020, 2_048),
    Window("Longformer", 2020, 4_096),
    Window("ModernBERT", 2024, 8_192),
    Window("Llama 3.1", 2024, 131_072),
    Window("Gemini 1.5 Pro", 2024, 1_000_000),
)
