"""The meanings that a dictionary offers for the compared word, and the two that a model guesses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ..dictionary import ANY, meanings_of, parts_of, possible_parts
from ..dictionary.part_of_speech import VERB
from ..errors import NotSupported
from ..examples import known_ends
from ..examples.picked import PICKED
from ..measures.senses.meanings import (
    MOST_WORDS,
    Meaning,
    Reading,
    certainty,
    guess,
    reading,
    shares,
)
from ..measures.senses.verdict import OutOfDictionary
from ..pretrained.token_edits import span_of
from ..records.inflections import same_word
from ..records.words import split
from . import ends, language
from .question import Chosen, Ends, Question
from .source import Source

# What another meaning must have of the probability of the likeliest one to be proposed. On pairs of
# labelled sentences, of 360 that are next in the order, 27 are the right one for a sentence that lacks
# it; with this much, 26 of 65.
PLAUSIBLE = 0.4


def offered(source: Source, sides: Sequence[Chosen]) -> tuple[Meaning, ...]:
    """The meanings to choose from; none for two words, in other languages, or for a model of toys.

    Args:
        source: the model.
        sides: the word in one or two sentences.

    Raises:
        PolyseeError: see `Model.trace`.
    """
    words = [side.word for side in sides]
    if not words or source.toy or not same_word(words[0], words[-1], source.spelling):
        return ()
    if any(language.foreign(source.model, side.text, source.trace(side.text)) for side in sides):
        return ()
    try:
        return source.meanings(words[0])
    except NotSupported:  # the model does not know the word, or what names its meanings
        return ()


def guessed(source: Source, sides: Sequence[Chosen]) -> Ends | None:
    """The two meanings that the model finds likeliest for the word in its sentences, as ends.

    Arguments and errors as in `offered`.
    """
    every = offered(source, sides)
    if not every:
        return None
    found = guess(every, _read(source, sides), _parts(source, sides))
    low, high = every[found.low], every[found.high]
    return Ends((low.name, high.name), low.words, high.words, guessed=True, unsure=not found.sure)


def sureness(source: Source, sides: Sequence[Chosen]) -> tuple[float, ...]:
    """How likely the model finds its guess of the two meanings, 0 to 1 for each sentence.

    Arguments and errors as in `offered`; empty where nothing is offered.
    """
    every = offered(source, sides)
    if not every:
        return ()
    read = _read(source, sides)
    return certainty(every, read, guess(every, read, _parts(source, sides)))


def likeliest(source: Source, sides: Sequence[Chosen], every: Sequence[Meaning]) -> tuple[Meaning, ...]:
    """All meanings, first those that are likely in any of the sentences.

    Args:
        source: the model.
        sides: the word in one or more sentences.
        every: its `offered` meanings, at least two.

    Raises:
        PolyseeError: see `Model.trace`.
    """
    found = shares(every, _read(source, sides), _parts(source, sides)).max(axis=0)
    return tuple(every[i] for i in np.argsort(-found, kind="stable"))


def plausible(source: Source, side: Chosen, every: Sequence[Meaning]) -> tuple[Meaning, ...]:
    """The meanings that are not much less likely in a sentence than the likeliest, which comes first.

    One whose definition is that of another part of speech than the word can have there is none of them.

    Args:
        source: the model.
        side: the word in the sentence.
        every: its `offered` meanings, at least two.

    Raises:
        PolyseeError: see `Model.trace`.
    """
    (parts,) = _parts(source, [side])
    (found,) = shares(every, _read(source, [side]), [parts])
    order = np.argsort(-found, kind="stable")
    likely = (every[i] for i in order if found[i] >= PLAUSIBLE * found[order[0]])
    return tuple(one for one in likely if _is_said_of(one, parts))


def _is_said_of(meaning: Meaning, parts: frozenset[str]) -> bool:
    """Whether what a meaning is called suits a part of speech: some are listed for a noun and its verb.

    Args:
        meaning: the meaning.
        parts: the parts of speech that the word may have.
    """
    if not meaning.parts & parts or meaning.parts <= parts or not meaning.gloss:
        return bool(meaning.parts & parts)
    begins = frozenset[str]().union(*parts_of(meaning.gloss.split()[0]))
    if parts == {VERB}:  # a verb's definition begins with one
        return VERB in begins
    return VERB in parts or begins != {VERB}


def _read(source: Source, sides: Sequence[Chosen]) -> list[Reading]:
    """The word in each sentence, with what stands around it."""
    traces = [source.trace(side.text) for side in sides]
    return [
        reading(trace, trace.find(side.word, side.number))
        for trace, side in zip(traces, sides, strict=True)
    ]


def _parts(source: Source, sides: Sequence[Chosen]) -> list[frozenset[str]]:
    """The parts of speech that the word may have in each sentence."""
    found = []
    for side in sides:
        trace = source.trace(side.text)
        start, _ = span_of(trace, side.word, side.number, spelling=trace.spelling)
        words = split(trace.texts[0])
        at = next((i for i, word in enumerate(words) if word.start == start), None)
        found.append(ANY if at is None else possible_parts([word.text for word in words], at))
    return found


def proposed(source: Source, sides: Sequence[Chosen]) -> Ends | None:
    """Two ends for a word that we do not know: guessed; else drawn from two sentences; else None.

    Arguments and errors as in `offered`.
    """
    found = guessed(source, sides)
    if found is not None or len(sides) != 2:
        return found
    a, b = sides
    return ends.drawn(source.trace(a.text), source.trace(b.text), (a.word, b.word))


def choices(word: str, every: Sequence[Meaning]) -> dict[str, tuple[str, ...]]:
    """The names of the meanings to choose from -> the words of each; none for one that we know better.

    The two senses of a labelled word come first, with our own words and sentences; the meanings of the
    dictionary that are the same as they are left out.

    Args:
        word: the word.
        every: its `offered` meanings, in any order, which stays.
    """
    own = known_ends(word)
    known: tuple[str, ...] = () if own is None else own.names
    twice = () if own is None else PICKED[own.word]
    named = meanings_of(word)
    rest = {one.name: one.words for one in every if not {*twice} & {*named[one.number]}}
    return dict.fromkeys(known, ()) | rest


def sides(
    two: tuple[str, ...], offered: Mapping[str, tuple[str, ...]], shown: Sequence[str]
) -> tuple[str, str]:
    """Which of two chosen meanings is the end at −1, and which the one at +1.

    A sense that we know has its own side; another stays where it is shown.

    Args:
        two: the names of both.
        offered: what they were chosen from, see `choices`.
        shown: the names of the ends in use, if there are any.
    """
    known = [name for name, words in offered.items() if not words]
    for order in (known, [*shown]):
        for side, name in enumerate(order):
            if name in two:
                other = two[1 - two.index(name)]
                return (name, other) if side == 0 else (other, name)
    return two[0], two[1]


def kind_of(of: Ends, word: str) -> OutOfDictionary | None:
    """How ends out of the dictionary came about; None for others.

    Args:
        of: the ends.
        word: the compared word.
    """
    if of.guessed:
        return "unsure" if of.unsure else "guessed"
    return "picked" if all(is_meaning(words, word) for words in (of.low, of.high)) else None


def is_out_of(question: Question) -> bool:
    """Whether the ends of a question are those of the dictionary, guessed or picked."""
    return question.ends is not None and kind_of(question.ends, question.a.word) is not None


def is_partly_of(question: Question) -> bool:
    """Whether an end is a meaning of the dictionary, or stands for one that it lacks."""
    of = question.ends
    if of is None:
        return False
    return of.own is not None or any(is_meaning(one, question.a.word) for one in (of.low, of.high))


def is_meaning(words: Sequence[str], word: str) -> bool:
    """Whether these are the words of one of a word's meanings, or those that a model chose of them."""
    chosen = {*words}
    return 1 < len(chosen) <= MOST_WORDS and any(
        chosen <= {*named} and len(chosen) == min(MOST_WORDS, len(named)) for named in meanings_of(word)
    )
