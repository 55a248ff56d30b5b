"""Exact cosines of one vector with many that are stored in float16, a block at a time.

NumPy converts float16 one number at a time, which takes longer than reading the vectors and all
arithmetic on them. Where torch is loaded, as in the app, `widened` has it convert by the processor's
own instruction; importing it for this alone would take longer than it saves. Without torch, integer
operations do the same on blocks that fit into a core's cache, in twice the time.
"""

from __future__ import annotations

import sys

import numpy as np
import pyarrow as pa

from ...records.frozen import Array

_BLOCK = 1_024  # rows of which the float32 numbers fit about into the cache of a core
_KEEP = np.int32(-0x7000_2000)  # the sign, and below it the 15 bits of a float16, shifted
_REBIAS = np.float32(2.0**112)  # between the exponent biases of float16 (15) and float32 (127)


def halves(column: pa.Array | pa.ChunkedArray, width: int) -> Array:
    """(rows, width) float16: a column of vectors, without a copy if it is in one piece."""
    whole = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    numbers: Array = whole.flatten().to_numpy(zero_copy_only=False).reshape(-1, width)
    return numbers


def widened(of: Array, into: Array | None = None) -> Array:
    """Finite float16 numbers as float32: the same as `astype`, several times as fast.

    Args:
        of: any shape, float16, contiguous.
        into: float32 of the same shape, to be overwritten; a new array by default.
    """
    wide = np.empty(of.shape, np.float32) if into is None else into
    if "torch" in sys.modules:
        _by_torch(of, wide)
    else:
        _by_integers(of, wide)
    return wide


class Cosines:
    """The cosines of one vector with many others, a batch at a time.

    Batches share one buffer: a new one for each would cost as much as the arithmetic, since the system
    hands out memory page by page. One thread at a time can use it.
    """

    def __init__(self, query: Array) -> None:
        """Begin with a vector: (width,) float32, not zero."""
        self._unit = query / np.linalg.norm(query)
        self._buffer = np.empty((_BLOCK, len(query)), np.float32)

    def __call__(self, of: Array) -> Array:
        """(rows,) float32: the cosine with each row of (rows, width) float16; 0 with a row of zeros."""
        result = np.empty(len(of), np.float32)
        for start in range(0, len(of), _BLOCK):
            own = of[start : start + _BLOCK]
            wide = widened(own, self._buffer[: len(own)])
            lengths = np.sqrt(np.vecdot(wide, wide))
            cosines = result[start : start + len(own)]
            np.divide(wide @ self._unit, lengths, out=cosines, where=lengths > 0)
            cosines[lengths == 0] = 0
        return result


def largest(of: Array, k: int) -> Array:
    """The indices of the k largest numbers, the largest first; of equal ones, the first comes first."""
    if k < len(of):
        # All that equal the k-th stay until the sort, which then drops the last of them.
        bound = np.partition(of, len(of) - k)[len(of) - k]
        candidates = np.flatnonzero(of >= bound)
    else:
        candidates = np.arange(len(of))
    order: Array = candidates[np.argsort(-of[candidates], kind="stable")[:k]]
    return order


class _Shared:
    """An array's numbers for torch, which warns of memory that is read only, as Arrow's is."""

    def __init__(self, of: Array) -> None:
        self.of = of  # stays alive as long as what is made of it
        self.__array_interface__ = {**of.__array_interface__, "data": (of.ctypes.data, False)}


def _by_torch(of: Array, wide: Array) -> None:
    import torch

    torch.from_numpy(wide).copy_(torch.from_numpy(np.asarray(_Shared(of))))


def _by_integers(of: Array, wide: Array) -> None:
    bits = wide.view(np.int32)
    for start in range(0, len(of), _BLOCK):
        own, block = bits[start : start + _BLOCK], wide[start : start + _BLOCK]
        np.copyto(own, of[start : start + _BLOCK].view(np.int16))  # extends the sign
        np.left_shift(own, 13, out=own)
        np.bitwise_and(own, _KEEP, out=own)
        np.multiply(block, _REBIAS, out=block)
