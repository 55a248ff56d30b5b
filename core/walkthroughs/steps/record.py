"""One step of a forward pass as a record: its operands, its result, and the operation.

No torch here: a picture reads these records.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

import numpy as np

from ...records.frozen import Array, Record
from ..in_numpy import ACTIVATIONS

Kind = Literal[
    "pieces",
    "product",
    "sum",
    "times",
    "scale",
    "mask",
    "softmax",
    "share",
    "norm",
    "rms",
    "rotation",
    "activation",
    "join",
    "compare",
]
LOWEST = float(np.finfo(np.float32).min)  # stands for −∞, as in `core.transformer.masks`


class Groups(NamedTuple):
    """Heads of queries that share heads of keys and values: grouped-query attention.

    Attributes:
        heads: the number of heads of queries.
        shared: the number of heads of keys and values; it divides `heads`.
        head: the head of queries shown, from 0.
    """

    heads: int
    shared: int
    head: int

    @property
    def members(self) -> tuple[int, int]:
        """The first and the last head that share a key and a value with this one, from 0."""
        first = self.head // self.size * self.size
        return first, first + self.size - 1

    @property
    def size(self) -> int:
        """How many heads share a key and a value."""
        return self.heads // self.shared


@dataclass(frozen=True, eq=False)
class Matrix(Record):
    """Labelled numbers.

    Attributes:
        name: its name in a formula: "W_Q", "Kᵀ".
        values: (rows, columns) float32.
        rows: the label of each row: a token, or the number of a dimension, from 1.
        columns: the same for the columns.
        weights: whether all numbers are between 0 and 1, and coloured as weights.
        hidden: (rows, columns), true where a mask hides the cell; None for nowhere.
        whole: the shape of the complete matrix, if this is a part of one; otherwise None.
        unmasked: for masked scores, the scores before the mask: both are coloured on one scale.
    """

    name: str
    values: Array
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    weights: bool = False
    hidden: Array | None = None
    whole: tuple[int, int] | None = None
    unmasked: Array | None = None

    def __post_init__(self) -> None:
        self._freeze("values", "unmasked")
        if self.values.shape != (len(self.rows), len(self.columns)):
            raise ValueError(f"{self.name} of {self.values.shape} has other labels.")
        if not np.isfinite(self.values).all():
            raise ValueError(f"{self.name} contains numbers that are not finite.")


@dataclass(frozen=True, eq=False)
class Step(Record):
    """One step: its operands, the operation, and the result.

    Attributes:
        name: its name in a link.
        title: its title on the screen.
        formula: in LaTeX.
        why: its purpose, in one or two sentences (Markdown).
        operands: the inputs, in the order of the formula.
        result: the output.
        kind: how a cell of the result is computed.
            pieces: it is not computed; `notes` states the origin of each row.
            product: row of the first × column of the second, plus the third (one row), if any.
            sum: the same cell of all operands.
            times: the product of the same cell of both operands.
            scale: the operand's cell times `number`.
            mask: the operand's cell, or −∞ where `result.hidden`.
            softmax: e^cell over the sum of e^cell of its row.
            share: e^(cell − the second operand's number of its row), the logarithm of a sum over more
                columns than are shown; `detail` says over how many.
            rms: cell / √(mean of the squares of its row + `number`) · second.
            rotation: each pair of columns turned by its angle in the second operand. `detail` says
                which columns are a pair: "adjacent", (2i, 2i + 1), or "halves", (i, i + half).
            norm: (cell − mean of its row) / √(variance of its row + `number`) · second + third.
            activation: `detail` of the cell: "relu", "gelu", "gelu_tanh", or "tanh", of capped scores.
            join: the operands side by side.
            compare: the last operand, from before a change; nothing is computed.
        number: the constant of scale and norm.
        detail: for activation, its name; for scale, the width whose root it is; for mask, "padding" if
            that is hidden.
        notes: for pieces, one note for each row.
        part: `(first, all)`: the first column shown (from 0), and the number of all columns; None if
            all are shown.
        groups: the heads that share keys and values, where the step is about one of them; None where
            each head has its own.
    """

    name: str
    title: str
    formula: str
    why: str
    operands: tuple[Matrix, ...]
    result: Matrix
    kind: Kind
    number: float = 0.0
    detail: str = ""
    notes: tuple[str, ...] = ()
    part: tuple[int, int] | None = None
    groups: Groups | None = None

    def of_group(self, groups: Groups | None) -> Step:
        """The same step, of one of the heads that share keys and values."""
        return replace(self, groups=groups)

    def again(self) -> Array:
        """The result computed again from the operands alone, in double precision.

        The picture writes out this result, which does not involve torch: (rows, columns) float64.

        Raises:
            ValueError: if a step of this kind computes nothing.
        """
        first, *more = (matrix.values.astype(np.float64) for matrix in self.operands)
        if self.kind == "product":
            return first @ more[0] + (more[1] if len(more) > 1 else 0.0)
        if self.kind == "sum":
            return first + sum(more)
        if self.kind == "times":
            return first * more[0]
        if self.kind == "share":
            return np.exp(first - more[0])
        if self.kind == "rms":
            root = np.sqrt((first**2).mean(axis=1, keepdims=True) + self.number)
            return np.asarray(first / root * more[0])
        if self.kind == "rotation":
            return turned(first, more[0], self.detail)
        if self.kind == "scale":
            return first * self.number
        if self.kind == "mask":
            hidden = self.result.hidden
            return first if hidden is None else np.where(hidden, LOWEST, first)
        if self.kind == "softmax":
            shares = np.exp(first - first.max(axis=1, keepdims=True))
            return np.asarray(shares / shares.sum(axis=1, keepdims=True))
        if self.kind == "norm":
            mean, variance = first.mean(axis=1, keepdims=True), first.var(axis=1, keepdims=True)
            return np.asarray((first - mean) / np.sqrt(variance + self.number) * more[0] + more[1])
        if self.kind == "activation":
            return activated(first, self.detail)
        if self.kind == "join":
            return np.concatenate([first, *more], axis=1)
        raise ValueError(f"A step of the kind {self.kind!r} has no cells to work out.")


def turned(x: Array, angles: Array, pairs: str) -> Array:
    """Each pair (a, b) of the columns turned: (a·cos − b·sin, a·sin + b·cos), float64.

    Args:
        x: (rows, columns), of an even number.
        angles: (rows, columns / 2), in radians.
        pairs: see `Step.kind`.
    """
    half = x.shape[1] // 2
    one, other = (
        (slice(0, half), slice(half, None))
        if pairs == "halves"
        else (slice(0, None, 2), slice(1, None, 2))
    )
    result = np.empty_like(x)
    cos, sin = np.cos(angles), np.sin(angles)
    result[:, one] = x[:, one] * cos - x[:, other] * sin
    result[:, other] = x[:, one] * sin + x[:, other] * cos
    return result


def activated(x: Array, name: str) -> Array:
    """The activations of `core.transformer.layers.ACTIVATIONS`, without torch.

    Raises:
        ValueError: if there is no activation of this name.
    """
    if name == "tanh":
        return np.tanh(x)
    if name not in ACTIVATIONS:
        raise ValueError(f"There is no activation {name!r}.")
    return ACTIVATIONS[name](x)
