"""What a visitor can do about a verdict that is not clear: other meanings, and words that settle it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..measures.senses.meanings import Meaning
from ..measures.senses.verdict import Side, Verdict
from ..records.finding import occurrence_spans
from ..records.inflections import same_word
from ..records.words import split
from . import dictionary
from .judge import Between, between, read_texts
from .question import Ends
from .source import Source

MOST_TRIED = 2  # other meanings that are proposed
NAMES = "AB"


@dataclass(frozen=True)
class Try:
    """Another meaning for one of the sentences.

    Attributes:
        name: the sentence, "A" or "B".
        meaning: the name of the meaning, see `dictionary.choices`.
        ends: the two ends with it.
    """

    name: str
    meaning: str
    ends: Ends


@dataclass(frozen=True)
class NextStep:
    """What can be done about a verdict that is not clear.

    Attributes:
        weak: the sentences that leave the word near the middle, or far from both ends: "A", "B".
        confirmed: the ends that the model guessed as a visitor's own choice, if they are not judged as
            a guess (it is unsure, or guesses of this model were not measured), or if that alone makes
            the verdict clear: a guess needs larger distances, since it may be wrong. None otherwise.
        tries: other meanings that are plausible in a weak sentence, the likeliest first.
        words: a word of each end that no sentence contains, and that could settle the meaning there.
        held: the weak sentences that contain a word of an end already, which did not settle it.
        others: whether only other ends can help: with such ends there is never a verdict, or to the
            model, words of them have little to do with the compared one.
        unlike: the weak sentences in which the word stands far enough from the middle, and is far from
            both ends: nothing is left open there, the ends do not describe it.
    """

    weak: tuple[str, ...]
    confirmed: Ends | None
    tries: tuple[Try, ...]
    words: tuple[str, ...]
    unlike: tuple[str, ...] = ()
    held: tuple[str, ...] = ()
    others: bool = False


def next_step(comparison: Between, source: Source) -> NextStep | None:
    """What can be done about a verdict; None if it is clear, or if no sentence is to blame.

    Nothing here looks for a pair of ends that gives a verdict: of many pairs, one always would. Other
    meanings are ordered by how likely the model finds them, and only a visitor knows which is meant.

    Raises:
        PolyseeError: see `Model.trace`.
    """
    judged, question = comparison.verdict, comparison.question
    now = question.ends
    if now is None or comparison.same is not None:
        return None
    # A guess that is not judged, since it is unsure or such guesses were not measured with this model.
    unjudged = judged.ends == "unsure" or (judged.ends == "guessed" and judged.bounds is None)
    if not unjudged and judged.answer not in ("not clear", "neither"):
        return None
    weak = tuple(NAMES) if unjudged else tuple(_weak(comparison, source))
    if not weak:
        return None
    confirmed = now._replace(guessed=False, unsure=False) if now.guessed else None
    if confirmed is not None and judged.ends == "guessed":
        again = between(question._replace(ends=confirmed), source)
        if again is None or (again.verdict.bounds is None if unjudged else not again.verdict.is_clear):
            confirmed = None
    if unjudged and confirmed is None:
        return None  # the model was not measured at all: no choice of meanings leads to a verdict
    tries: tuple[Try, ...] = ()
    if judged.answer == "neither" or dictionary.is_out_of(question):
        every = dictionary.offered(source, (question.a, question.b))
        tries = _tries(comparison, source, weak, every)
    single = _single(now, question.a.word, source)
    words = tuple(
        dict.fromkeys(one for end in single for one in _absent(end, question.texts, source)[:1])
    )
    unlike = () if unjudged else tuple(name for name in weak if _is_away(name, judged))
    read = dict(zip(NAMES, read_texts(question, source), strict=True))
    named = [one for end in single for one in end]
    held = tuple(name for name in weak if len(_absent(named, [read[name]], source)) < len(named))
    return NextStep(weak, confirmed, tries, words, unlike, held, _need_others(comparison))


def _need_others(comparison: Between) -> bool:
    """Whether no sentence can help: such ends never give a verdict, or a word of them is unrelated."""
    judged, frames = comparison.verdict, comparison.axes[0].frames
    if judged.answer != "not clear" or judged.bounds is None:
        return False
    near = judged.bounds.near
    far = (end.nearness is not None and end.nearness < near for end in (frames.low, frames.high))
    return judged.least is None or any(far)


def unnamed(comparison: Between, source: Source) -> tuple[str, Side]:
    """The sentence whose word the nearer end describes least, and the end that one's own replaces.

    Raises:
        PolyseeError: see `Model.trace`.
    """
    _, name = min(zip(_fits(comparison, source), NAMES, strict=True))
    return name, _side_of(name, comparison)


def _fits(comparison: Between, source: Source) -> list[float]:
    """How well the nearer end describes the word in A and in B."""
    found, layer = [], comparison.judged - 1
    for name, axis in zip(NAMES, comparison.axes, strict=True):
        side = comparison.question.side(name)
        trace = source.trace(side.text)
        found.append(axis.fit(trace, trace.find(side.word, side.number), layer))
    return found


def _is_away(name: str, judged: Verdict) -> bool:
    """Whether the word of a sentence stands farther from the middle than the verdict needs."""
    at = judged.a if name == "A" else judged.b
    return judged.least is not None and abs(at) > judged.least


def _weak(comparison: Between, source: Source) -> list[str]:
    judged = comparison.verdict
    if judged.bounds is None:
        return []
    if judged.answer == "not clear" and judged.least is None:
        return [*NAMES]  # on one side of two guessed meanings: either may be wrong
    found = []
    for name, fit, at in zip(NAMES, _fits(comparison, source), (judged.a, judged.b), strict=True):
        if fit < judged.bounds.fits or (judged.least is not None and not abs(at) > judged.least):
            found.append(name)
    return found


def _tries(
    comparison: Between, source: Source, weak: Sequence[str], every: Sequence[Meaning]
) -> tuple[Try, ...]:
    question = comparison.question
    now = question.ends
    assert now is not None
    chosen: tuple[tuple[str, ...], ...] = (now.low, now.high)
    each = MOST_TRIED // len(weak)
    made = []
    for name in weak:
        # Others would mislead: that a meaning is the next in the list does not make it likely.
        likely = dictionary.plausible(source, question.side(name), every) if every else ()
        others = [one for one in likely if one.words not in chosen]
        chosen += tuple(one.words for one in others[:each])  # each is proposed once
        side = _side_of(name, comparison)
        made += [Try(name, one.name, _with(now, side, one)) for one in others[:each]]
    return tuple(made)


def _side_of(name: str, comparison: Between) -> Side:
    """The end that another meaning of a sentence replaces; the other sentence keeps its own."""
    judged = comparison.verdict
    own, other = (judged.a, judged.b) if name == "A" else (judged.b, judged.a)
    if abs(other) > abs(own):
        return "low" if other > 0 else "high"
    return "high" if own > other else "low"


def _with(now: Ends, side: Side, meaning: Meaning) -> Ends:
    low, high = now.names
    if side == "low":
        return Ends((meaning.name, high), meaning.words, now.high)
    return Ends((low, meaning.name), now.low, meaning.words)


def _single(now: Ends, word: str, source: Source) -> list[list[str]]:
    """The single words of each end, without the compared one."""
    return [
        [
            one
            for one in (*items, name)
            if len(split(one)) == 1 and not same_word(one, word, source.spelling)
        ]
        for name, items in zip(now.names, (now.low, now.high), strict=True)
    ]


def _absent(words: Sequence[str], texts: Sequence[str], source: Source) -> list[str]:
    """Those words that none of the texts contains."""
    return [
        one
        for one in words
        if not any(occurrence_spans(text, one, spelling=source.spelling) for text in texts)
    ]
