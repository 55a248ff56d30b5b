"""Where the colours of a difference end, so that small ones are seen, and do not look large."""

from __future__ import annotations

import numpy as np

from core.records.trace import Array

_BOUNDS = (0.1, 0.2, 0.5, 1.0)


def bound(values: Array) -> float:
    """The first end that holds all of these differences of weights, missing ones aside."""
    largest = float(np.abs(values[~np.isnan(values)]).max(initial=0))
    return next((end for end in _BOUNDS if end >= largest), _BOUNDS[-1])
