"""The differences between two traces of one text: our transformer against Hugging Face's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from ..errors import NotSupported
from ..records.trace import Array, Trace

_COMPARED = ("learned", "embedded", "hidden", "query", "key", "value")


@dataclass(frozen=True)
class Agreement:
    """The largest absolute difference of each kind of number that both traces have.

    Attributes:
        largest: kind ("hidden", "attention", …) -> its largest difference.
        numbers: the number of values compared.
    """

    largest: Mapping[str, float]
    numbers: int

    @property
    def worst(self) -> float:
        """The largest difference of all."""
        return max(self.largest.values())


def agreement(one: Trace, other: Trace) -> Agreement:
    """Compare two traces number by number.

    Raises:
        NotSupported: the traces have different tokens, or models of different shapes.
    """
    if one.tokens != other.tokens:
        raise NotSupported("Only traces of the same tokens can be compared.")
    pairs: dict[str, tuple[Array, Array]] = {}
    for kind in _COMPARED:
        a, b = getattr(one, kind), getattr(other, kind)
        if a is not None and b is not None:
            pairs[kind] = (a, b)
    if one.attention is not None and other.attention is not None:
        pairs["attention"] = (one.attention.weights, other.attention.weights)
    if any(a.shape != b.shape for a, b in pairs.values()):
        raise NotSupported("Only traces of models of the same shape can be compared.")
    return Agreement(
        MappingProxyType({kind: _apart(a, b) for kind, (a, b) in pairs.items()}),
        sum(a.size for a, _ in pairs.values()),
    )


def _apart(a: Array, b: Array) -> float:
    """The largest difference: 0 where both values are missing, infinite where only one is."""
    off = np.abs(a - b)
    gone = np.isnan(off)
    if gone.any():
        off[gone] = np.where(np.isnan(a) & np.isnan(b), 0, np.inf)[gone]
    return float(off.max())
