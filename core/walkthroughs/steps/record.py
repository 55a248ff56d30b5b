"""One step of a forward pass as a record: its operands, its result, and the operation.

No torch here: a picture reads these records.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from ...records.frozen import Array, Record
from ..in_numpy import ACTIVATIONS

Kind = Literal[
    "pieces", "product", "sum", "scale", "mask", "softmax", "norm", "activation", "join", "compare"
]
LOWEST = float(np.finfo(np.float32).min)  # stands for −∞, as in `core.transformer.masks`


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
            scale: the operand's cell times `number`.
            mask: the operand's cell, or −∞ where `result.hidden`.
            softmax: e^cell over the sum of e^cell of its row.
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
