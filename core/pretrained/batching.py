"""Which texts a model may read in one batch, so that none of its numbers depends on the others.

Every batch of Polysee asks this, and the answer comes from the model itself: it reads a short text
alone, beside a longer one, and beside one of its own length. Padding can leak through a convolution
(ConvBERT), a library can forget it, and a model can refuse a batch (XLNet with `attn_type="uni"`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from .. import settings
from ..records.frozen import Array
from ..records.trace import Trace
from .engines.batches import Together
from .tokenizer.reader import Encoded

SHORT = "The bank, in 1914."
LONG = "She took the money out of the bank and sat down by the river, where he had waited for a day. "
_ROUNDING = 20  # times `settings.BATCH_BOUND`: no rounding makes more
_TIMES = 2  # the long text: about 45 tokens, beyond the reach of usual convolutions and windows
_ARRAYS = ("learned", "embedded", "hidden", "final", "query", "key", "value")


def together(
    read: Callable[[str], Encoded], trace: Callable[[Sequence[Encoded]], list[Trace]]
) -> Together:
    """Compare one text alone, beside a longer one, and beside another of its length.

    Args:
        read: splits a text into tokens.
        trace: runs some texts as one batch, with every step.
    """
    short, long = read(SHORT), read(LONG * _TIMES)
    if not len(short):
        return "alone"
    (alone,) = trace([short])

    def beside(other: Encoded) -> float:
        try:
            return _distance(trace([short, other])[0], alone)
        except (MemoryError, KeyboardInterrupt):
            raise
        except Exception:  # whatever a model raises: it cannot run this batch
            return math.inf

    if len(long) == len(short) or (padded := beside(long)) <= 1:
        return "padded"
    # Large scores magnify rounding, beside a text of equal length as well (see `Model.trace_many`).
    equal = beside(_other(short))
    if equal > _ROUNDING:
        return "alone"
    return "padded" if padded <= min(10 * equal, _ROUNDING) else "equal"


def _other(encoded: Encoded) -> Encoded:
    """Other tokens, as many; special ones stay where they are."""
    ordinary = [i for i, special in enumerate(encoded.special) if not special]
    ids = list(encoded.ids)
    for i, other in zip(ordinary, reversed(ordinary), strict=True):
        ids[i] = encoded.ids[other]
    return replace(encoded, ids=tuple(ids))


def _distance(batched: Trace, alone: Trace) -> float:
    """The largest difference between two traces of a text, in units of `settings.BATCH_BOUND`."""
    pairs: list[tuple[Array | None, Array | None]] = [
        (getattr(batched, name), getattr(alone, name)) for name in _ARRAYS
    ]
    weights = [None if one.attention is None else one.attention.weights for one in (batched, alone)]
    return max(_apart(a, b) for a, b in [*pairs, (weights[0], weights[1])])


def _apart(a: Array | None, b: Array | None) -> float:
    if a is None or b is None:
        return 0.0 if a is b else math.inf
    if a.shape != b.shape or not np.array_equal(np.isnan(a), np.isnan(b)):
        return math.inf
    largest = max(1.0, float(np.nanmax(np.abs(b), initial=0)))
    return float(np.nanmax(np.abs(a - b), initial=0)) / largest / settings.BATCH_BOUND
