"""A sentence in parts, its word among them, and how each part moves the word from where it is alone."""

from __future__ import annotations

from collections.abc import Sequence

from ..measures.contributions.sentence_parts import Part, Sums, parts, sums
from ..pretrained.token_edits import span_of
from ..records.contributions import Contributions
from ..records.sense_axis import SenseAxis
from ..records.trace import Trace
from .question import Chosen

MOST_SHOWN = 44  # words of a sentence that the picture shows; of a longer one, those around the word


def shown_parts(trace: Trace, side: Chosen) -> tuple[tuple[Part, ...], int]:
    """A sentence in parts, and the index of the word's part.

    Raises:
        WordNotFound: the sentence does not contain the word.
    """
    start, end = span_of(trace, side.word, side.number, spelling=trace.spelling)
    return parts(trace, start, end, MOST_SHOWN)


def added(
    trace: Trace,
    side: Chosen,
    axis: SenseAxis,
    layers: Sequence[Contributions],
    alone: Sequence[Contributions],
) -> Sums:
    """How each part of a sentence moves its word from where it stands alone, after every layer.

    Args:
        trace: the sentence.
        side: its word.
        axis: the axis of the word.
        layers: the contributions to the position after each layer.
        alone: the same of the word alone (`alone.by_itself`).
    """
    causal = trace.causal
    moves = [here.from_alone(there, causal=causal) for here, there in zip(layers, alone, strict=True)]
    return sums(trace, shown_parts(trace, side)[0], axis, moves)
