"""The attention of a trace, or an error that says how to record it."""

from __future__ import annotations

from ...errors import NotSupported
from ...records.trace import Array, Trace


def weights_of(trace: Trace) -> Array:
    """The attention weights, (layers, heads, queries, keys).

    Raises:
        NotSupported: if the trace has none.
    """
    if trace.attention is None:
        raise NotSupported("This trace has no attention. Ask for keep='attention' or keep='all'.")
    return trace.attention.weights
