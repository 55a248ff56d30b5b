"""How far a model sees: path lengths and operations by kind of layer, and windows of published models.

Vaswani et al. (2017), section 4 and Table 1. O(…) omits constants, and so do the numbers here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..records.frozen import Array, frozen


@dataclass(frozen=True)
class LayerCost:
    """One row of Table 1, evaluated for one text.

    Attributes:
        name: the kind of layer.
        formulas: operations of a layer, sequential steps, longest path, as LaTeX.
        operations: the operations of one layer.
        sequential: the number of steps that must run one after the other.
        path: the number of steps that information needs between the two ends of the text.
    """

    name: str
    formulas: tuple[str, str, str]
    operations: int
    sequential: int
    path: int


def layer_costs(n: int, d: int, kernel: int, window: int) -> tuple[LayerCost, ...]:
    """Table 1 for a text of n tokens and vectors of d numbers.

    Args:
        n: the number of tokens, 1 or more.
        d: the width of a vector, 1 or more.
        kernel: the number of neighbouring tokens that a convolution reads, 2 or more.
        window: r, the number of neighbouring tokens that restricted self-attention attends to, 1 or
            more.
            A window longer than the text costs what the whole text costs.

    Raises:
        ValueError: if a number is too small.
    """
    if min(n, d, window) < 1 or kernel < 2:
        raise ValueError(f"No layer has n = {n}, d = {d}, k = {kernel} and r = {window}.")
    return (
        LayerCost("self-attention", ("n^2 d", "1", "1"), n * n * d, 1, 1),
        LayerCost("recurrent", ("n d^2", "n", "n"), n * d * d, n, n),
        LayerCost(
            "convolutional", ("k n d^2", "1", r"\log_k n"), kernel * n * d * d, 1, _log(n, kernel)
        ),
        LayerCost(
            "restricted self-attention",
            ("r n d", "1", "n / r"),
            min(window, n) * n * d,
            1,
            -(-n // window),
        ),
    )


def _log(n: int, kernel: int) -> int:
    """The smallest whole number x with kernelˣ ≥ n, at least 1."""
    steps, reached = 1, kernel
    while reached < n:
        steps, reached = steps + 1, reached * kernel
    return steps


class Steps(NamedTuple):
    """The number of steps from one token to every other, each (tokens,) int64; 0 to itself.

    Attributes:
        attention: always 1.
        recurrent: the distance: one step for each token.
        restricted: the distance in windows of r tokens, rounded up: one step per layer.
    """

    attention: Array
    recurrent: Array
    restricted: Array


def steps_from(token: int, n: int, window: int) -> Steps:
    """The number of steps from one of n tokens to each.

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
