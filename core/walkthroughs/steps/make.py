"""Make the record of a step from tensors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from torch import Tensor, nn

from ...records.frozen import Array
from .descriptions import ALONE, CROSS, STEPS, Words
from .record import Kind, Matrix, Step

WIDE = 48  # columns of a product shown at once, if there are more than twice as many
BLOCK = 32


def numbers(count: int, first: int = 0) -> tuple[str, ...]:
    """The names of dimensions, from 1."""
    return tuple(str(first + i + 1) for i in range(count))


def matrix(
    name: str,
    values: Tensor | Array,
    rows: Sequence[str] | None = None,
    columns: Sequence[str] | None = None,
    **more: Any,
) -> Matrix:
    """A `Matrix` of a tensor; rows and columns without names are numbered. A vector is one row."""
    cells = values.detach().cpu().numpy() if isinstance(values, Tensor) else np.asarray(values)
    cells = np.atleast_2d(cells)
    rows = numbers(cells.shape[0]) if rows is None else rows
    columns = numbers(cells.shape[1]) if columns is None else columns
    return Matrix(name, cells, tuple(rows), tuple(columns), **more)


def step(
    name: str,
    kind: Kind,
    operands: Sequence[Matrix],
    result: Matrix,
    *,
    words: Words | None = None,
    **more: Any,
) -> Step:
    """A `Step` with its words; None for those of its name."""
    words = {**ALONE, **STEPS, **CROSS}[name] if words is None else words
    return Step(name, words.title, words.formula, words.why, tuple(operands), result, kind, **more)


def normed(name: str, given: Matrix, norm: Any, result: Matrix, *, words: Words | None = None) -> Step:
    """A layer norm."""
    operands = [given, matrix("γ", norm.weight), matrix("β", norm.bias)]
    return step(name, "norm", operands, result, number=norm.eps, words=words)


def product(
    name: str,
    given: Matrix,
    linear: nn.Linear,
    weight: str,
    bias: str,
    result: Matrix,
    own: slice = slice(None),
    *,
    block: int = 0,
    words: Words | None = None,
) -> Step:
    """The product x · W + b, with W as (in, out), like in the paper; only a part if it is wide.

    A bias that is entirely 0 is left out.
    """
    w_DE = linear.weight.detach().T[:, own]
    bias_E: Tensor | None = linear.bias  # `nn.Linear` declares it without None
    b_E = w_DE.new_zeros(w_DE.shape[1]) if bias_E is None else bias_E.detach()[own]
    wide, part, whole = w_DE.shape[1], None, None
    if wide > 2 * WIDE:
        first = min(max(block, 0), -(-wide // BLOCK) - 1) * BLOCK
        last = min(first + BLOCK, wide)
        w_DE, b_E, part = w_DE[:, first:last], b_E[first:last], (first, wide)
        whole, columns = (len(result.rows), wide), result.columns[first:last]
        result = matrix(result.name, result.values[:, first:last], result.rows, columns, whole=whole)
        whole = (len(w_DE), wide)
    operands = [given, matrix(weight, w_DE, None, result.columns, whole=whole)]
    if b_E.any():
        operands.append(matrix(bias, b_E, None, result.columns))
    return step(name, "product", operands, result, part=part, words=words)
