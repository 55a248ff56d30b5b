"""Weights in a third to a half of their bytes, each within 1e-5: `layer/attention.js` reads them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...records.trace import Array

_ESCAPE = 255  # the level of a weight that stands apart
_APART = 0.1  # of a row: its largest weights, at least
_STEP = 1e-5  # between two levels, at most; of a row that leaves little, so much of that
_FINEST = 1e-7  # of a row's largest: below that, rounding loses nothing
_FINE = 65535  # levels of a weight that stands apart


def packed(weights: Array, exact: Sequence[int] = ()) -> tuple[int, bytes]:
    """Most weights of a row are small: a byte each; the others, two more.

    A byte is a multiple of its row's step, which is as fine as nine of ten weights allow; 255 says
    that the weight stands apart, in parts of the row's largest. What rounding takes from one weight
    the next one gets, so that a row's sum stays what it is. Columns that are sent as they are have no
    part in this: where they are hidden, what the others have left is scaled to 1, and is as fine.

    Args:
        weights: (..., keys) float32, from 0 to 1; a row that is missing is NaN.
        exact: the columns that are sent as they are, ascending; not all.

    Returns:
        How many weights stand apart, and the bytes: each row's largest weight and its step (float32;
        NaN if it is missing), the exact columns (float32), the weights apart (uint16), a byte for every
        other weight.
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
