"""A word by itself: where it stands before any sentence moves it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..pretrained.token_edits import span_of
from ..records.contributions import beginning
from ..records.finding import occurrence_spans
from ..records.sense_axis import SenseAxis
from ..records.trace import Array, Trace
from ..settings import BEGINNING
from .question import Chosen

if TYPE_CHECKING:
    from .source import Source


def by_itself(trace: Trace, side: Chosen) -> Chosen:
    """The word of a sentence, as it is spelled there, in a text that holds nothing else.

    A model that reads from left to right does not read its first token like any other; for it, the word
    stands behind a neutral beginning.

    Args:
        trace: the trace of the sentence.
        side: its word.

    Raises:
        WordNotFound: the sentence does not contain the word.
    """
    start, end = span_of(trace, side.word, side.number, spelling=trace.spelling)
    word = trace.texts[0][start:end]
    if not trace.causal:
        return Chosen(word, word, 0)
    # The beginning may be this word itself.
    before = f"{beginning(causal=True)} "
    number = len(occurrence_spans(before, word, spelling=trace.spelling))
    return Chosen(BEGINNING.format(word=word), word, number)


def position_alone(side: Chosen, source: Source, axis: SenseAxis) -> Array:
    """(layers,), where the word of a sentence stands alone, before the sentence moves it.

    Raises:
        PolyseeError: see `Model.trace`; WordNotFound if the sentence does not contain the word.
    """
    alone = by_itself(source.trace(side.text), side)
    by_axis = axis.coordinates_alone
    if by_axis is not None and alone.text == axis.word:
        return by_axis
    trace = source.trace(alone.text)
    return axis.coordinates(trace, trace.find(alone.word, alone.number))
