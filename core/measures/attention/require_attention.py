"""What a trace kept, or a sentence that says what to ask for."""

from __future__ import annotations

import numpy as np

from ...errors import NotSupported
from ...records.trace import Array, Trace
from .visible import missing


def weights_of(trace: Trace) -> Array:
    """The attention weights, (layers, heads, queries, keys).

    Raises:
        NotSupported: the trace kept none.
    """
    if trace.attention is None:
        raise NotSupported("This trace kept no attention. Ask for keep='attention' or keep='all'.")
    return trace.attention.weights


def absent(trace: Trace) -> Array:
    """(layers, heads) bool: the heads that there are none of, as in layers of another kind.

    Raises:
        NotSupported: the trace kept no attention.
    """
    return np.asarray(missing(weights_of(trace)).all(axis=-1))
