"""Vectors times matrices that stay packed: a fifth of the bytes to fetch, for each pass of a model.

A pass for a few tokens does little with each weight but fetch it from memory, and in float32 SmolLM2
has 538 MB of them. Its file packs 32 weights of a row in a block of 20 bytes (Q4_1) or 34 (Q8_0).
`packed_loops` reads these blocks and multiplies with the very float32 numbers that unpacking makes of
them. For very many tokens, and where there are no such loops, the float32 weights serve.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from . import packed_loops
from .packed_loops import BYTES, WEIGHTS
from .pass_loops import LANES

_TOLERANCE = 1e-4  # of the largest number of a product
# Tokens from which the product of torch is quicker: with a thread of its own, and with several.
_MOST, _MOST_SHARED = 192, 32


def most_tokens() -> int:
    """For how many tokens the product out of the blocks is quicker than that of torch."""
    return _MOST if torch.get_num_threads() == 1 else _MOST_SHARED


class PackedMatrix:
    """A matrix that is there twice: packed, and as the float32 numbers that were unpacked from it.

    Args:
        weight_FD: (F, D) float32.
        blocks: (F, bytes) uint8, its rows as they were packed. They stay mapped as long as it is held.

    Attributes:
        is_proved: whether the first product out of the blocks was that of the numbers.
        packing: how the blocks are packed; "" if they do not fit.
        address: where they lie.
    """

    def __init__(self, weight_FD: Tensor, blocks: Tensor) -> None:
        rows, width = weight_FD.shape
        self._weight_FD, self._blocks = weight_FD, blocks
        of_row = {size * width // WEIGHTS: name for name, size in BYTES.items()}
        fits = blocks.ndim == 2 and len(blocks) == rows and width % WEIGHTS == 0
        name = of_row.get(blocks.shape[-1], "") if fits and blocks.is_contiguous() else ""
        self._loops = packed_loops.loops().get(name)
        self.is_proved = False
        self.packing, self.address = name, blocks.data_ptr()
        self._rows, self._width = rows, width

    def times(self, x_ND: Tensor) -> Tensor:
        """(N, F): the matrix times each of N vectors, (N, D) float32.

        Out of the blocks, once they have proved to be those of the matrix: the first time it is
        multiplied both ways. Where that differs by more than rounding, it stays with float32.
        """
        y_NF = self._out_of_blocks(x_ND)
        if y_NF is None:
            return F.linear(x_ND, self._weight_FD)
        if not self.is_proved:
            plain_NF = F.linear(x_ND, self._weight_FD)
            if not (y_NF - plain_NF).abs().max() <= _TOLERANCE * plain_NF.abs().max():
                self._loops = None
                return plain_NF
            self.is_proved = True
        return y_NF

    def _out_of_blocks(self, x_ND: Tensor) -> Tensor | None:
        """(N, F); None where float32 is to serve."""
        if self._loops is None or not len(x_ND):
            return None
        few, many = self._loops
        n, rows, width = len(x_ND), self._rows, self._width
        x_ND = x_ND.contiguous()
        if n <= len(few):
            y_NF = x_ND.new_empty(n, rows)
            few[n - 1](self.address, x_ND.data_ptr(), y_NF.data_ptr(), rows, width)
            return y_NF
        if many is None or n > most_tokens() or rows < LANES:
            return None
        # Whole groups of tokens are written.
        y_NF = x_ND.new_empty(-(-n // LANES) * LANES, rows)
        work = x_ND.new_empty(packed_loops.memory(n, width))
        addresses = self.address, x_ND.data_ptr(), y_NF.data_ptr(), work.data_ptr()
        many(*addresses, n, rows, width)
        return y_NF[:n]


class PackedLinear(nn.Linear):
    """`nn.Linear` by a `PackedMatrix`, with the weights of another one; for vectors of a processor."""

    def __init__(self, linear: nn.Linear, blocks: Tensor) -> None:
        nn.Module.__init__(self)
        self.in_features, self.out_features = linear.in_features, linear.out_features
        self.weight, self.bias = linear.weight, linear.bias
        self.matrix = PackedMatrix(linear.weight, blocks)

    def forward(self, x_BLD: Tensor) -> Tensor:
        """(…, D) to (…, F)."""
        y_NF = self.matrix.times(x_BLD.reshape(-1, self.in_features))
        if self.bias is not None:
            y_NF = y_NF + self.bias
        return y_NF.view(*x_BLD.shape[:-1], -1)


def with_blocks(net: nn.Module, blocks: Mapping[str, Tensor]) -> nn.Module:
    """A network that shares all its parameters with another one, and multiplies out of these blocks.

    Args:
        net: the other one; itself, if there is nothing to multiply with.
        blocks: by the names of its parameters, those of its linear layers that were packed.
    """
    if not blocks or not packed_loops.loops():
        return net
    shared = {id(one): one for one in (*net.parameters(), *net.buffers())}
    made = copy.deepcopy(net, shared)
    for name, part in [*made.named_modules()]:
        if isinstance(part, nn.Linear) and (own := blocks.get(f"{name}.weight")) is not None:
            made.set_submodule(name, PackedLinear(part, own))
    return made
