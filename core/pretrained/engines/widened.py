"""Weights in half precision that stay so, and become float32 where they are read, some rows at a time.

Every number of float16 or bfloat16 is one of float32: a product with such a matrix is that of the whole
matrix as float32, up to the order of its sums. What is widened at a time stays in the processor's
cache, so that memory gives half the bytes, and nothing is written there.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from ..files import mapped

HALVES = (torch.float16, torch.bfloat16)
_AT_ONCE = 2**18  # numbers that are widened at a time: a megabyte of float32


def product(x: Tensor, matrix_FD: Tensor, bias_F: Tensor | None = None) -> Tensor:
    """x·Wᵀ + b as float32, (…, D) to (…, F), for a matrix in half precision or in float32.

    Raises:
        ModelBroken: see `core.pretrained.files.mapped.refuse_changed`.
    """
    if matrix_FD.dtype not in HALVES:
        return F.linear(x, matrix_FD, bias_F)
    mapped.refuse_changed(matrix_FD)
    outputs, width = matrix_FD.shape
    rows = max(1, _AT_ONCE // max(width, 1))
    if outputs <= rows or x.requires_grad or matrix_FD.device.type != "cpu":
        return F.linear(x, matrix_FD.float(), bias_F)
    x_ND = x.reshape(-1, width)
    y_NF = x_ND.new_empty(len(x_ND), outputs)
    wide_RD = torch.empty(rows, width)
    for start in range(0, outputs, rows):
        half_RD = matrix_FD[start : start + rows]
        part_RD = wide_RD[: len(half_RD)].copy_(half_RD)
        bias_R = None if bias_F is None else bias_F[start : start + rows]
        y_NF[:, start : start + rows] = F.linear(x_ND, part_RD, bias_R)
    return y_NF.view(*x.shape[:-1], outputs)


def finite(tensor: Tensor) -> bool:
    """Whether all its numbers are; in half precision, without a copy of them all."""
    whole = tensor.dtype not in HALVES or not tensor.ndim
    parts = (tensor,) if whole else torch.split(tensor, max(1, _AT_ONCE // max(tensor[0].numel(), 1)))
    return all(bool(torch.isfinite(part).all()) for part in parts) if tensor.numel() else True


class HalfLinear(nn.Linear):
    """`nn.Linear` whose matrix is in half precision."""

    halves: nn.Parameter

    @property
    def weight(self) -> Tensor:  # type: ignore[override]
        """(F, D) float32: the whole matrix, in memory of its own."""
        mapped.refuse_changed(self.halves)
        return self.halves.float()

    def forward(self, x: Tensor) -> Tensor:
        """(…, D) to (…, F), float32."""
        return product(x, self.halves, self.bias)


class HalfTable(nn.Embedding):
    """`nn.Embedding` whose table is in half precision; its `weight` is that table."""

    def forward(self, ids: Tensor) -> Tensor:
        """The rows of the ids, float32."""
        mapped.refuse_changed(self.weight)
        return F.embedding(ids, self.weight).float()


def widen(module: nn.Module) -> None:
    """Make each linear layer and table inside, whose weights are in half precision, give float32."""
    for part in module.modules():
        weight: Any = part._parameters.get("weight")
        if weight is None or weight.dtype not in HALVES:
            continue
        if isinstance(part, nn.Linear):
            del part._parameters["weight"]
            part.__class__ = HalfLinear
            part.register_parameter("halves", weight)
        elif isinstance(part, nn.Embedding):
            part.__class__ = HalfTable
