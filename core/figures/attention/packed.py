"""Weights in a third to a half of their bytes, each within 1e-5: `layer/attention.js` reads them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...records.trace import Array

_ESCAPE = 255  # the level that marks a weight stored separately
_APART = 0.1  # share of a row: at least its largest weights are stored separately
_STEP = 1e-5  # the largest step between two levels; reduced in proportion if little of a row remains
_FINEST = 1e-7  # relative to a row's largest weight: below that, rounding loses nothing
_FINE = 65535  # levels of a weight stored separately


def packed(weights: Array, exact: Sequence[int] = ()) -> tuple[int, bytes]:
    """Pack weights: most in a row are small and take one byte each, the others two more.

    A byte is a multiple of its row's step, which is as fine as nine of ten weights allow; 255 means
    that the weight is stored separately, as a fraction of the row's largest. The rounding error of one
    weight is carried over to the next, so that a row's sum is preserved. The exact columns take no part
    in this: if they are hidden, the remainder of the others is rescaled to 1, with the same precision.

    Args:
        weights: (..., keys) float32, from 0 to 1; a missing row is NaN.
        exact: the columns to send exactly, ascending; not all columns.

    Returns:
        The number of weights stored separately, and the bytes: each row's largest weight and its step
        (float32; NaN if it is missing), the exact columns (float32), the separate weights (uint16), and
        a byte for every other weight.
    """
    all_rows = weights.reshape(-1, weights.shape[-1])
    rows = np.delete(all_rows, exact, axis=1) if exact else all_rows
    gone = np.isnan(rows[:, 0])
    if gone.any():
        rows = np.where(gone[:, None], np.float32(0), rows)
    most = rows.max(axis=1)
    rank = rows.shape[1] - 1 - int(_APART * rows.shape[1])
    quantile = np.partition(rows, rank, axis=1)[:, rank]
    finest = np.maximum(most * np.float32(_FINEST), np.float32(1e-44))
    coarsest = np.maximum(rows.sum(axis=1) * np.float32(_STEP), finest)
    step = np.clip(quantile / np.float32(_ESCAPE - 2), finest, coarsest)
    steps = rows / step[:, None]
    apart = steps > _ESCAPE - 2
    scaled = rows[apart] / np.repeat(most, apart.sum(axis=1))
    fine = np.rint(scaled * np.float32(_FINE)).astype("<u2")
    steps[apart] = 0
    levels = np.diff(np.rint(np.cumsum(steps, axis=1, dtype=np.float64)), axis=1, prepend=0)
    levels[apart] = _ESCAPE
    most, step = (np.where(gone, np.nan, one).astype("<f4") for one in (most, step))
    own = np.ascontiguousarray(all_rows[:, list(exact)], "<f4")
    parts = (most, step, own, fine, levels.astype(np.uint8))
    return len(fine), b"".join(part.tobytes() for part in parts)
