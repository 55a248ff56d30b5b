"""When two tensors of two runs count as the same."""

from __future__ import annotations

import torch
from torch import Tensor

# The largest relative difference allowed between two runs, and between the weights and the softmax of
# the scores.
SAME = 1e-4


def identical(a: Tensor, b: Tensor) -> bool:
    """Whether two tensors have the same shape and the same numbers."""
    return a is b or (a.shape == b.shape and torch.equal(a, b))


def near(a: Tensor, b: Tensor) -> bool:
    """Whether they differ by no more than `tolerance`, relative to the largest number of the second."""
    if a.shape != b.shape:
        return False
    return bool((a - b).abs().max() <= tolerance(b) * max(1.0, float(b.abs().max())))


def tolerance(tensor: Tensor) -> float:
    """`SAME`; for half precision, what its rounding allows."""
    return max(SAME, 8 * torch.finfo(tensor.dtype).eps)
