"""Heads that copy, measured on a text that repeats itself, and the first token as a sink.

Induction: from a token to the one behind its earlier occurrence (Olsson et al. 2022). Previous token
(ibid.) and duplicate token (Wang et al. 2022, "Interpretability in the Wild", section 3). Sink: the
attention to the first token (Xiao et al. 2023, "Efficient Streaming Language Models with Attention
Sinks"). All are mean weights: they say where a head looks, and an ablation says whether it matters.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ...records.frozen import Array, Record
from ...records.trace import Trace
from .require_attention import weights_of

if TYPE_CHECKING:
    import pandas as pd

MEASURES = ("induction", "previous", "duplicate", "sink")


@dataclass(frozen=True, eq=False)
class CopyingHeads(Record):
    """What each head attends to in a text whose second half repeats the first.

    Attributes:
        induction: (layers, heads), from a token of the second half to the one behind its earlier
            occurrence: the token that comes next.
        previous: (layers, heads), from a token of either half to the one before it.
        duplicate: (layers, heads), from a token of the second half to its earlier occurrence.
        sink: (layers, heads), from a token of either half to the first token of all.
        length: tokens in one half.
    """

    induction: Array
    previous: Array
    duplicate: Array
    sink: Array
    length: int

    def __post_init__(self) -> None:
        self._freeze(*MEASURES)

    def ranked(self, measure: str = "induction") -> list[tuple[int, int]]:
        """All heads, (layer, head) from 0, the highest score first; missing heads are left out."""
        values = getattr(self, measure)
        order = np.argsort(-values, axis=None, kind="stable")
        places = [divmod(int(one), values.shape[1]) for one in order]
        return [place for place in places if np.isfinite(values[place])]

    def to_frame(self) -> pd.DataFrame:
        """One row for each head: layer and head from 0, and the four scores."""
        import pandas as pd

        layers, heads = np.indices(self.induction.shape)
        scores = {name: getattr(self, name).ravel() for name in MEASURES}
        return pd.DataFrame({"layer": layers.ravel(), "head": heads.ravel(), **scores})


def copying_heads(weights: Array, length: int) -> CopyingHeads:
    """Measure heads on a text whose last `length` tokens repeat the `length` before them.

    Args:
        weights: (layers, heads, L, L), rows attend to columns.
        length: tokens in one half; at least one token stands before the first half.

    Raises:
        ValueError: the text is too short for two halves and a token before them.
    """
    size = weights.shape[-1]
    if length < 2 or size < 2 * length + 1:
        raise ValueError(f"{size} tokens are not one and twice {length}.")
    second = np.arange(size - length, size)
    # The row of the first token of the first half is left out: the one before it is the sink.
    inside = np.arange(size - 2 * length + 1, size)

    def mean(rows: Array, columns: Array) -> Array:
        found: Array = weights[:, :, rows, columns].mean(axis=-1, dtype=np.float64)
        return found

    return CopyingHeads(
        mean(second, second - length + 1),
        mean(inside, inside - 1),
        mean(second, second - length),
        mean(inside, np.zeros_like(inside)),
        length,
    )


@dataclass(frozen=True, eq=False)
class Sink(Record):
    """The first token against all others, by layer.

    Attributes:
        norm: (layers + 1,), the length of the first token's vector, before the first layer and after
            each.
        others: (layers + 1,), the mean of the others' lengths.
        attention: (layers,), the share of the others' attention that goes to the first token, the mean
            over heads and rows.
        value: (layers,), the length of the first token's value vector, the mean over heads; NaN where
            the trace has no values.
        other_values: (layers,), the mean of the others'.
    """

    norm: Array
    others: Array
    attention: Array
    value: Array
    other_values: Array

    def __post_init__(self) -> None:
        self._freeze("norm", "others", "attention", "value", "other_values")

    def to_frame(self) -> pd.DataFrame:
        """One row for each layer from 0 (before the first): the fields."""
        import pandas as pd

        before = [np.nan]
        return pd.DataFrame(
            {
                "norm": self.norm,
                "others": self.others,
                "attention": np.concatenate([before, self.attention]),
                "value": np.concatenate([before, self.value]),
                "other_values": np.concatenate([before, self.other_values]),
            },
            index=pd.RangeIndex(len(self.norm), name="layer"),
        )


def sink(trace: Trace) -> Sink:
    """Measure the first token of a text of at least two tokens, traced with everything.

    Raises:
        NotSupported: the trace has no attention.
        ValueError: it has no hidden states, or fewer than two tokens.
    """
    weights = weights_of(trace)
    if trace.hidden is None or len(trace.tokens) < 2:
        raise ValueError("A sink is measured on the whole trace of at least two tokens.")
    lengths = np.linalg.norm(np.asarray(trace.hidden, np.float64), axis=-1)
    layers = weights.shape[0]
    value = np.full((layers, len(trace.tokens)), np.nan)
    if trace.value is not None:
        value = np.linalg.norm(np.asarray(trace.value, np.float64), axis=-1).mean(axis=1)
    return Sink(
        lengths[:, 0],
        lengths[:, 1:].mean(axis=1),
        weights[:, :, 1:, 0].mean(axis=(1, 2), dtype=np.float64),
        value[:, 0],
        value[:, 1:].mean(axis=1),
    )
