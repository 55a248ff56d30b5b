"""Exact cosines of one vector with many that are stored in float16, a block at a time.

NumPy converts float16 one number at a time, which takes longer than reading the vectors and all
arithmetic on them. `widened` does it by integer operations on blocks that fit into a core's cache.
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from ...records.frozen import Array

_BLOCK = 512  # rows of which the float32 numbers fit into the cache of a core
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
    bits = wide.view(np.int32)
    for start in range(0, len(of), _BLOCK):
        own, block = bits[start : start + _BLOCK], wide[start : start + _BLOCK]
        np.copyto(own, of[start : start + _BLOCK].view(np.int16))  # extends the sign
        np.left_shift(own, 13, out=own)
        np.bitwise_and(own, _KEEP, out=own)
        np.multiply(block, _REBIAS, out=block)
    return wide


def cosines(query: Array, of: Array) -> Array:
    """(rows,) float32: the cosine of a vector with each row; 0 with a row of zeros.

    Args:
        query: (width,) float32, not zero.
        of: (rows, width) float16.
    """
    unit = query / np.linalg.norm(query)
    result = np.empty(len(of), np.float32)
    buffer = np.empty((min(len(of), _BLOCK), of.shape[1]), np.float32)
    for start in range(0, len(of), _BLOCK):
        own = of[start : start + _BLOCK]
        wide = widened(own, buffer[: len(own)])
        lengths = np.sqrt(np.vecdot(wide, wide))
        np.divide(wide @ unit, lengths, out=result[start : start + len(own)], where=lengths > 0)
        result[start : start + len(own)][lengths == 0] = 0
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
