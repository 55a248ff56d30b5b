"""The way of one word through a model: from its learned vector to what the last layer makes of it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy.typing as npt

from core.errors import NotSupported
from core.trace import Array, Trace, frozen


@dataclass(frozen=True, eq=False)
class WordPath:
    """A word's vector at every depth. A word of several pieces is the mean of their vectors.

    Attributes:
        vectors: one vector for each depth: 0 is the learned vector, (d_embedding,); 1 is what layer
            0 receives, (d_model,); 2 + i is what layer i returns, (d_model,).
        pieces: how many tokens were averaged.
    """

    vectors: tuple[Array, ...]
    pieces: int

    @property
    def n_layers(self) -> int:
        """How many layers the model has: two depths come before the first."""
        return len(self.vectors) - 2


def word_path(trace: Trace, tokens: npt.ArrayLike) -> WordPath:
    """The path of the word at these tokens (`trace.find`).

    Raises:
        NotSupported: the trace kept no hidden states.
        ValueError: there are no tokens.
    """
    if trace.hidden is None:
        raise NotSupported("This trace kept no hidden states. Ask for keep='hidden' or keep='all'.")
    at = frozen(tokens, int)
    if not at.size:
        raise ValueError("A word needs at least one token.")
    depths = (trace.learned, trace.embedded, *trace.hidden)
    return WordPath(tuple(frozen(depth[at].mean(axis=0)) for depth in depths), at.size)
