"""What a visitor can do about a verdict that is not clear: other meanings, and words that settle it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ..markdown import plain
from ..measures.senses.meanings import Meaning
from ..measures.senses.verdict import Side, Verdict
from ..records.finding import occurrence_spans
from ..records.inflections import same_word
from ..records.words import split
from ..sentences import listed, sentence, signed
from . import dictionary
from .judge import Between, between, is_first, read_texts
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
class Cue:
    """A sentence with a cue to the meaning before it: ready to be read.

    Attributes:
        name: the sentence that it takes the place of, "A" or "B".
        cue: the word, or the words of the sentence itself, that now come first.
        text: the sentence.
        towards: the name of the end that the cue argues for; "" for words of the sentence itself.
        ends: the two ends that are chosen with it; None if they stay as they are.
    """

    name: str
    cue: str
    text: str
    towards: str = ""
    ends: Ends | None = None


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
        cues: weak sentences with a word of an end before them, between ends that somebody chose: one
            for each of both sentences, or two for one.
        first: the sentences of a model that reads from left to right, with what comes after the word
            put before it; empty where nothing does.
        missing: why there would be no verdict yet if the guess were confirmed, each a sentence.
        not_turned: that clues before the word left it on the side where it stands alone; "" elsewhere.
    """

    weak: tuple[str, ...]
    confirmed: Ends | None
    tries: tuple[Try, ...]
    words: tuple[str, ...]
    unlike: tuple[str, ...] = ()
    held: tuple[str, ...] = ()
    others: bool = False
    cues: tuple[Cue, ...] = ()
    first: tuple[Cue, ...] = ()
    missing: tuple[str, ...] = ()
    not_turned: str = ""


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
    if judged.answer == "one meaning":
        return _not_turned(comparison, source)
    if judged.answer is None and (begun := _begun(comparison, source)):
        first = tuple(one for one in _put_first(comparison, source) if one.name in begun)
        return NextStep(begun, None, (), (), first=first) if first else None
    if not unjudged and judged.answer not in ("not clear", "neither"):
        return None
    if comparison.nothing_read and not unjudged and judged.answer == "not clear":
        unheard = comparison.nothing_read
        first = tuple(one for one in _put_first(comparison, source) if one.name in unheard)
        if first or set(unheard) >= set(_weak(comparison, source)):
            return NextStep(unheard, None, (), (), first=first)
    weak = tuple(NAMES) if unjudged else tuple(_weak(comparison, source))
    if not weak:
        return None
    confirmed = now._replace(guessed=False, unsure=False) if now.guessed else None
    again = None if confirmed is None else between(question._replace(ends=confirmed), source)
    if confirmed is not None and judged.ends == "guessed":
        never = judged.bounds is not None and judged.least is None  # a guess never says *one meaning*
        helps = again is not None and (again.verdict.is_clear or never)
        if again is None or (again.verdict.bounds is None if unjudged else not helps):
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
    others = _need_others(comparison)
    if now.own is not None and weak == (now.own[0],):
        words = ()  # one meaning is what somebody has just named, and the other is not meant
    described = [name for name in weak if name not in unlike]
    cues = () if now.guessed or others else tuple(_cues(comparison, described, single, source))
    if cues:  # somebody has chosen: only what is likelier than that is proposed instead
        fits = dict(zip(NAMES, _fits(comparison, source), strict=True))
        tries = tuple(
            one
            for one in tries
            if _is_unfit(fits[one.name], judged) or _is_likelier(one, comparison, source)
        )
        cues = () if tries else cues
    read = dict(zip(NAMES, read_texts(question, source), strict=True))
    named = [one for end in single for one in end]
    held = tuple(name for name in weak if len(_absent(named, [read[name]], source)) < len(named))
    first = () if others else tuple(_put_first(comparison, source))
    missing: tuple[str, ...] = ()
    if confirmed is not None and again is not None and again.verdict.answer in ("not clear", "neither"):
        missing = again.verdict.reasons
        then = next_step(again, source)  # what would help then helps at once
        cues = () if then is None else tuple(replace(one, ends=confirmed) for one in then.cues)
    return NextStep(weak, confirmed, tries, words, unlike, held, others, cues, first, missing)


def _begun(comparison: Between, source: Source) -> tuple[str, ...]:
    """The sentences that begin with the word, of a model that reads from left to right."""
    found = []
    for name in NAMES:
        side = comparison.question.side(name)
        trace = source.trace(side.text)
        if is_first(trace, trace.find(side.word, side.number)):
            found.append(name)
    return tuple(found)


def _not_turned(comparison: Between, source: Source) -> NextStep | None:
    """Sentences whose clue comes first, and leaves the word where it leans alone; None without any.

    A verdict may be right all the same: only a visitor knows what is meant.
    """
    question, judged, alone = comparison.question, comparison.verdict, comparison.alone
    assert question.ends is not None
    assert alone is not None
    low, high = _single(question.ends, question.a.word, source)
    names, cues = list[str](), list[Cue]()
    for name, at, before in zip(NAMES, (judged.a, judged.b), alone, strict=True):
        side = question.side(name)
        trace = source.trace(side.text)
        (text,) = trace.texts
        clue, dot, last = text.rstrip(" .").rpartition(". ")
        ends_in_it = bool(occurrence_spans(last, side.word, spelling=source.spelling))
        if not (trace.causal and dot and ends_in_it and at * before > 0):
            continue
        if split(last)[-1].end != occurrence_spans(last, side.word, spelling=source.spelling)[-1][1]:
            continue  # the word is not the last one
        names.append(name)
        other, end = (high, question.ends.names[1]) if at < 0 else (low, question.ends.names[0])
        for word in _absent(other, [text], source)[:1]:
            whole = f"{word[:1].upper()}{word[1:]}: {last} {clue[:1].lower()}{clue[1:]}."
            cues.append(Cue(name, word, whole, end))
    if not names:
        return None
    numbers = listed([*dict.fromkeys(signed(alone[NAMES.index(name)]) for name in names)])
    word = plain(question.side(names[0]).word)
    said = sentence("verdict.not-turned", names=listed(names), word=word, alone=numbers)
    return NextStep(tuple(names), None, (), (), cues=tuple(cues), not_turned=said)


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
    now, judged = comparison.question.ends, comparison.verdict
    if now is not None and now.own is not None:
        named, side = now.own
        if judged.answer == "not clear" or name == named:
            return named, "low" if side == "low" else "high"  # another word instead
        return name, "high" if side == "low" else "low"
    at = judged.a if name == "A" else judged.b
    if _stands_on_an_end(at, source):
        return name, "high" if at > 0 else "low"
    return name, _side_of(name, comparison)


def _stands_on_an_end(at: float, source: Source) -> bool:
    """Whether a position is a side between two meanings that somebody chose."""
    picked = None if source.calibration is None else source.calibration.bounds.get("picked")
    return picked is not None and abs(at) > picked.two


def _cues(
    comparison: Between, weak: Sequence[str], words: Sequence[Sequence[str]], source: Source
) -> Iterator[Cue]:
    """Weak sentences with a word of an end before them."""
    question, judged = comparison.question, comparison.verdict
    if judged.answer != "not clear" or judged.bounds is None or source.toy:
        return
    for name in weak:
        side = question.side(name)
        (text,) = source.trace(side.text).texts
        first, colon, rest = text.partition(": ")
        if colon and any(first.casefold() == one.casefold() for end in words for one in end):
            text = rest  # another cue instead
        # Both sentences need one each; a single one may have either, first what the other has not.
        own, other = (judged.a, judged.b) if name == "A" else (judged.b, judged.a)
        upper = own > other if len(weak) > 1 else other < 0
        assert question.ends is not None
        if question.ends.own is not None and question.ends.own[0] == name:
            continue  # one end is what somebody has just said that it means, the other is not meant
        ends = [*zip(words, question.ends.names, strict=True)]
        for end, towards in (ends[::-1] if upper else ends)[: 1 if len(weak) > 1 else 2]:
            others = [one for one in end if one.casefold() != first.casefold()]
            for word in _absent(others, [text], source)[:1]:
                yield Cue(name, word, f"{word[:1].upper()}{word[1:]}: {text}", towards)


def _is_unfit(fit: float, judged: Verdict) -> bool:
    return judged.bounds is not None and fit < judged.bounds.fits


def _is_likelier(one: Try, comparison: Between, source: Source) -> bool:
    """Whether a model finds another meaning likelier in a sentence than the end that it replaces."""
    question, now = comparison.question, comparison.question.ends
    assert now is not None
    every = dictionary.offered(source, (question.a, question.b))
    order = [m.words for m in dictionary.likeliest(source, [question.side(one.name)], every)]
    replaced = now.low if _side_of(one.name, comparison) == "low" else now.high
    other = one.ends.low if _side_of(one.name, comparison) == "low" else one.ends.high
    if replaced not in order:
        return True
    return order.index(other) < order.index(replaced)


def _put_first(comparison: Between, source: Source) -> Iterator[Cue]:
    """Each sentence with what follows its word before it, for a model that reads from left to right."""
    question = comparison.question
    for name, read in zip(NAMES, read_texts(question, source), strict=True):
        (text,), word = source.trace(question.side(name).text).texts, question.side(name).word
        after = text[len(read) :]
        there = [one for one in split(after) if any(map(str.isalnum, one.text))]
        if not there or occurrence_spans(after, word, spelling=source.spelling):
            continue
        rest = after[there[0].start : there[-1].end]
        yield Cue(name, rest, f"{rest[:1].upper()}{rest[1:]}. {read.strip()}.")


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
