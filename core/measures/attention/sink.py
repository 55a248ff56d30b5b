"""The first token as a sink: much attention, and little that is written from it.

Xiao et al. 2023, "Efficient Streaming Language Models with Attention Sinks". A weight alone does not
say what a head takes from a token: it writes the weight times W_O v (Kobayashi et al. 2020, "Attention
is Not Only a Weight"), and the sink's values are short.
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


@dataclass(frozen=True, eq=False)
class Sink(Record):
    """The first token against all others, by layer.

    Attributes:
        norm: (layers + 1,), the length of the first token's vector, before the first layer and after
            each.
        others: (layers + 1,), the mean of the others' lengths.
        attention: (layers,), the share of the others' attention that goes to the first token, the mean
            over heads and rows.
        written: (layers,), the length of what a head writes from the first token for another one,
            weight · W_O v, the mean over heads and rows; NaN where it cannot be computed.
        other_written: (layers,), the same of what it writes from all other tokens together, their sum.
    """

    norm: Array
    others: Array
    attention: Array
    written: Array
    other_written: Array

    def __post_init__(self) -> None:
        self._freeze("norm", "others", "attention", "written", "other_written")

    @property
    def share(self) -> Array:
        """(layers,), the first token's part of the two lengths written."""
        found: Array = self.written / (self.written + self.other_written)
        return found

    @property
    def total_share(self) -> float:
        """The same over all layers; NaN where it cannot be computed."""
        written = np.asarray(self.written, np.float64)
        both = written + self.other_written
        known = np.isfinite(both)
        return float(written[known].sum() / both[known].sum()) if known.any() else float("nan")

    def to_frame(self) -> pd.DataFrame:
        """One row for each layer from 0 (before the first): the fields, and the share."""
        import pandas as pd

        before = [np.nan]
        of_layers = ("attention", "written", "other_written", "share")
        return pd.DataFrame(
            {
                "norm": self.norm,
                "others": self.others,
                **{name: np.concatenate([before, getattr(self, name)]) for name in of_layers},
            },
            index=pd.RangeIndex(len(self.norm), name="layer"),
        )


def sink(trace: Trace, gram: Array | None = None) -> Sink:
    """Measure the first token of a text of at least two tokens, traced with everything.

    Args:
        trace: of a decoder.
        gram: (layers, heads, d_head, d_head), W_Oᵀ W_O of each head, from `Model.output_gram`; without
            it, or without values in the trace, the lengths written are NaN.

    Raises:
        NotSupported: the trace has no attention.
        ValueError: it has no hidden states, or fewer than two tokens.
    """
    weights = weights_of(trace)
    if trace.hidden is None or len(trace.tokens) < 2:
        raise ValueError("A sink is measured on the whole trace of at least two tokens.")
    hidden = [trace.embedded if trace.embedded is not None else trace.learned, *trace.hidden]
    lengths = np.array([np.linalg.norm(np.asarray(one, np.float64), axis=-1) for one in hidden])
    written = np.full((2, weights.shape[0]), np.nan)
    if trace.value is not None and gram is not None:
        for layer, (a, v, g) in enumerate(zip(weights, trace.value, gram, strict=True)):
            a, v, g = (np.asarray(one, np.float64) for one in (a, v, g))
            for k, mixed in enumerate((a[:, 1:, :1] * v[:, :1], a[:, 1:, 1:] @ v[:, 1:])):
                squares = np.einsum("hik,hkl,hil->hi", mixed, g, mixed, optimize=True)
                written[k, layer] = np.sqrt(np.maximum(squares, 0)).mean()
    return Sink(
        lengths[:, 0],
        lengths[:, 1:].mean(axis=1),
        weights[:, :, 1:, 0].mean(axis=(1, 2), dtype=np.float64),
        *written,
    )
