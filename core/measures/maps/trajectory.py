"""The trajectory of one word through a model: from its learned vector to that of the last layer."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ...errors import NotSupported
from ...records.sense_axis import SenseAxis
from ...records.trace import Array, Trace, frozen

CONTEXTUAL = 2  # the depth of the first layer's output: learned vector and "+ position" come before


@dataclass(frozen=True, eq=False)
class WordPath:
    """A word's vector at every depth. A word of several pieces is the mean of their vectors.

    Attributes:
        vectors: one vector for each depth: 0 is the learned vector, (d_embedding,); 1 is the input of
            layer 0, (d_model,); 2 + i is the output of layer i, (d_model,).
        pieces: the number of tokens averaged.
    """

    vectors: tuple[Array, ...]
    pieces: int

    @property
    def n_layers(self) -> int:
        """The number of layers: there are two depths before the first."""
        return len(self.vectors) - CONTEXTUAL

    @property
    def hidden(self) -> Array:
        """(layers, d_model): the output of each layer."""
        return frozen(np.stack(self.vectors[CONTEXTUAL:]))


def word_path(trace: Trace, tokens: npt.ArrayLike) -> WordPath:
    """The path of the word at these tokens (`trace.find`).

    Raises:
        NotSupported: the trace has no hidden states.
        ValueError: there are no tokens.
    """
    if trace.hidden is None:
        raise NotSupported("This trace has no hidden states. Ask for keep='hidden' or keep='all'.")
    at = frozen(tokens, int)
    if not at.size:
        raise ValueError("A word needs at least one token.")
    depths = (trace.learned, trace.embedded, *trace.hidden)
    return WordPath(tuple(frozen(depth[at].mean(axis=0)) for depth in depths), at.size)


def sense_coordinates(axis: SenseAxis, path: WordPath) -> Array:
    """The coordinates of a word on a sense axis, (layers,) float32: `SenseAxis.coordinates` for a path.

    Raises:
        ValueError: the path comes from a model of another shape.
    """
    if path.n_layers != axis.n_layers:
        raise ValueError(f"A path of {path.n_layers} layers does not fit an axis of {axis.n_layers}.")
    return frozen([axis.coordinate(vector, i) for i, vector in enumerate(path.vectors[CONTEXTUAL:])])
