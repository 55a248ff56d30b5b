"""Word and ends together, for somebody who names them at once and has no boxes to choose in."""

from __future__ import annotations

from collections.abc import Callable

from ..errors import WordNotFound
from ..records.trace import Trace
from . import dictionary, ends, word
from .question import Chosen, Ends, Question
from .source import Source

_MOST_QUOTED = 40  # letters of a word in a message


def ask(
    source: Source,
    texts: tuple[str, str],
    words: tuple[str, str],
    named: Callable[[str], Ends | None] = lambda word: None,
) -> Question:
    """The question that the app asks about this word and these sentences, if nothing else is chosen.

    Args:
        source: the model.
        texts: sentence A and sentence B.
        words: the word in A, and its form in B. A sentence may contain the word in another form.
        named: the two ends that somebody names for the word of sentence A, as it is found there. For
            None, those that are known for it, that a dictionary has, or that can be drawn from the
            sentences.

    Raises:
        PolyseeError: see `Model.trace`; WordNotFound if a sentence does not contain its word, or the
            model does not know it.
    """
    traces = [source.trace(text) for text in texts]
    choice = word.choose(traces, words, (0, 0))
    sides = []
    for name, trace, wanted, one in zip("AB", traces, words, choice.chosen, strict=True):
        if one is None or choice.replaced:  # nobody asked about another word
            raise WordNotFound(_missing(name, wanted, trace))
        sides.append(Chosen(trace.texts[0], one.word, one.number))
    chosen = sides[0].word, sides[1].word
    between = (
        named(chosen[0])
        or ends.known(chosen[0], texts, source.spelling, toy=source.toy, causal=traces[0].causal)
        or dictionary.proposed(source, sides)
    )
    return Question(source.model, sides[0], sides[1], between)


def _missing(name: str, wanted: str, trace: Trace) -> str:
    """What the app says, and the words that are there."""
    said = word.missing(name, wanted, trace, lambda found: found[:_MOST_QUOTED])
    try:
        trace.find(wanted)
    except WordNotFound as error:
        return f"{said} {error}"
    return said
