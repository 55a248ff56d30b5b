"""Weights in half precision that stay so, and are widened to float32 where they are read.

Every number of float16 or bfloat16 is one of float32, so that nothing changes but time: a matrix is
widened anew each time a layer runs, and is gone behind it. In memory there are half the bytes.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn.utils import parametrize

HALVES = (torch.float16, torch.bfloat16)


class Widened(nn.Module):
    """Half precision in, float32 out."""

    def forward(self, half: Tensor) -> Tensor:
        """The same numbers as float32, in memory of their own. `half`: of any shape."""
        return half.float()


def widen(module: nn.Module) -> None:
    """Make each linear layer inside, whose matrix is in half precision, give it as float32.

    Its `weight` stays an attribute: whoever reads it gets float32, of these numbers.
    """
    for layer in [*module.modules()]:
        weight = layer._parameters.get("weight")
        if isinstance(layer, nn.Linear) and weight is not None and weight.dtype in HALVES:
            parametrize.register_parametrization(layer, "weight", Widened(), unsafe=True)
