"""Where the word stands between its two ends in both sentences, and the verdict."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from ..examples import known_word, labelled
from ..localization import _
from ..measures import WordPath
from ..measures.senses.how_sure import HowSure, how_sure
from ..measures.senses.shared_word import is_content
from ..measures.senses.verdict import (
    UNMOVED,
    Bounds,
    Calibration,
    OneSide,
    Verdict,
    one_side,
    verdict,
)
from ..pretrained.token_edits import span_of
from ..records.elision import is_elided
from ..records.inflections import same_word
from ..records.sense_axis import SenseAxis
from ..records.spelling import Spelling
from ..records.trace import Array, Trace
from ..records.words import split
from ..sentences import listed, sentence, signed
from . import dictionary, language
from .alone import position_alone
from .paths import path_of
from .question import Chosen, Ends, Question
from .source import Source

ARTICLES = frozenset(("a", "an", "the"))


@dataclass(frozen=True, eq=False)
class Between:
    """How the word moves between its two ends.

    Attributes:
        question: the question.
        axes: the axes of the word's forms in A and in B; the same axis if the forms are equal.
        coordinates: (layers,) for A and for B, the coordinates of the word.
        verdict: the verdict, at the layer that the model is judged by.
        same: if the model reads A and B as the same sentence, the result for its one position.
        alone: where the word of A and that of B stand alone, at that layer; None if that is not
            to be said.
        nothing_read: the sentences, "A" and "B", in which a model that reads from left to right has
            read nothing before the word that could decide, and which left it where it stands alone.
    """

    question: Question
    axes: tuple[SenseAxis, SenseAxis]
    coordinates: tuple[Array, Array]
    verdict: Verdict
    same: OneSide | None
    alone: tuple[float, float] | None = None
    nothing_read: tuple[str, ...] = ()

    @property
    def judged(self) -> int:
        """After how many layers the verdict is given: after the last, or where the model is judged."""
        layer = (self.same or self.verdict).layer
        return self.axes[0].n_layers if layer is None else layer + 1

    def depth(self, back: int) -> int:
        """The depth so many layers before that of the verdict; before 0, it goes on from the last."""
        last = self.axes[0].n_layers
        return (self.judged - min(back, last)) % (last + 1)

    def back(self, depth: int) -> int:
        """The opposite of `depth`."""
        last = self.axes[0].n_layers
        return (self.judged - min(max(depth, 0), last)) % (last + 1)


class Limit(NamedTuple):
    """How far from the middle a word must be to be given a side.

    Attributes:
        least: the distance, in units of the axis.
        bounds: what was measured with ends of this kind.
    """

    least: float
    bounds: Bounds


def limit(comparison: Between, calibration: Calibration | None) -> Limit | None:
    """The limit that the verdict needs; None where no side is given at all.

    A guess that the model is not sure of gives none; there, it is the limit between the same two
    meanings once a visitor has chosen them.
    """
    judged = comparison.same or comparison.verdict
    if judged.answer is not None and judged.bounds is not None and judged.least:
        return Limit(judged.least, judged.bounds)
    picked = None if calibration is None else calibration.bounds.get("picked")
    if comparison.same is not None or not is_unsure(comparison) or picked is None:
        return None
    found = replace(comparison.verdict, bounds=picked)
    return Limit(found.least, picked) if found.least else None


def is_unsure(comparison: Between) -> bool:
    """Whether there is no verdict only because the model is not sure enough of its guess."""
    judged = comparison.verdict
    return comparison.same is None and judged.reasons == (sentence("reason.unsure"),)


def read_texts(question: Question, source: Source) -> tuple[str, str]:
    """What a model has read of A and of B when it comes to the word.

    Both as they are, but for a model that reads from left to right: to the end of the word.
    """
    a, b = (
        side.text[: _end_of(trace, side)] if trace.causal else side.text
        for side in (question.a, question.b)
        for trace in (source.trace(side.text),)
    )
    return a, b


def _end_of(trace: Trace, side: Chosen) -> int:
    """Where the word of a sentence ends, in characters."""
    return span_of(trace, side.word, side.number, spelling=trace.spelling)[1]


def between(question: Question, source: Source) -> Between | None:
    """The positions of the word between the two ends, and the verdict; None without ends.

    Raises:
        PolyseeError: see `Model.trace` and `Model.sense_axis`; WordNotFound if a sentence does not
            contain its word.
    """
    ends = question.ends
    if ends is None:
        return None
    axis_a, axis_b = (source.axis(word, ends.low, ends.high) for word in question.words)
    a, b = (source.trace(text) for text in question.texts)
    found = judge(question, (axis_a, axis_b), (a, b), source.calibration, source.spelling)
    sides = (question.a, axis_a), (question.b, axis_b)
    low, high = (float(position_alone(side, source, axis)[found.judged - 1]) for side, axis in sides)
    return _without_reading(replace(found, alone=(low, high)), (a, b))


def _without_reading(found: Between, traces: tuple[Trace, Trace]) -> Between:
    """No verdict rests on a sentence of which the model has read nothing that could decide."""
    assert found.alone is not None
    sides = [
        (name, trace.causal, trace.texts[0][: _begins(trace, side)])
        for name, side, trace in zip("AB", (found.question.a, found.question.b), traces, strict=True)
    ]
    if found.same is not None:
        one, names = without_reading(found.same, sides[:1], found.alone[:1])
        assert isinstance(one, OneSide)
        return replace(found, same=one, nothing_read=names)
    two, names = without_reading(found.verdict, sides, found.alone)
    assert isinstance(two, Verdict)
    return replace(found, verdict=two, nothing_read=names)


def without_reading(
    judged: Verdict | OneSide, sides: Sequence[tuple[str, bool, str]], alone: Sequence[float]
) -> tuple[Verdict | OneSide, tuple[str, ...]]:
    """A verdict, unless a model had read nothing that could decide; and the names of such sentences.

    Args:
        judged: the verdict.
        sides: of each sentence its name, whether its model reads from left to right, and what stands
            before the word.
        alone: where the word of each stands alone.
    """
    at = [judged.at] if isinstance(judged, OneSide) else [judged.a, judged.b]
    still = {
        name: signed(before)
        for (name, causal, read), now, before in zip(sides, at, alone, strict=True)
        if causal and abs(now - before) < UNMOVED and not any(is_content(w.text) for w in split(read))
    }
    names, where = tuple(still), [*dict.fromkeys(still.values())]
    if not names or judged.answer not in ("clear", "one meaning", "two meanings"):
        return judged, names
    if isinstance(judged, OneSide):
        why = sentence("reason.nothing-read.it", alone=listed(where))
        return replace(judged, answer="not clear", reasons=(why,)), names
    why = sentence("reason.nothing-read", names=listed(names), alone=listed(where))
    return replace(judged, answer="not clear", reasons=(why,)), names


def _begins(trace: Trace, side: Chosen) -> int:
    """Where the word of a sentence begins, in characters."""
    return span_of(trace, side.word, side.number, spelling=trace.spelling)[0]


def judge(
    question: Question,
    axes: tuple[SenseAxis, SenseAxis],
    traces: tuple[Trace, Trace],
    calibration: Calibration | None,
    spelling: Spelling,
) -> Between:
    """The positions of the word between the two ends, and the verdict, from records alone.

    Args:
        question: what is compared; it has ends.
        axes: the axes of the word's forms in A and in B.
        traces: those of both sentences.
        calibration: how far the model's verdicts can be trusted; None if that was not measured.
        spelling: which spellings the model reads alike.

    Raises:
        WordNotFound: a sentence does not contain its word.
        ValueError: the calibration belongs to another model or to other frames.
    """
    assert question.ends is not None
    proposed, kind = question.ends.proposed, dictionary.kind_of(question.ends, question.a.word)
    at_a, at_b = (
        trace.find(side.word, side.number)
        for trace, side in zip(traces, (question.a, question.b), strict=True)
    )
    a, b = axes[0].coordinates(traces[0], at_a), axes[1].coordinates(traces[1], at_b)
    layer = -1 if calibration is None or calibration.layer is None else calibration.layer
    fit = axes[0].fit(traces[0], at_a, layer), axes[1].fit(traces[1], at_b, layer)
    model = question.model
    read = {"A": (question.a, traces[0]), "B": (question.b, traces[1])}
    barred, same = _barred(model, read, spelling) + _first(traces, (at_a, at_b)), None
    # the same tokens in A and in B, with the word at the same positions
    if traces[0].tokens == traces[1].tokens and np.array_equal(at_a, at_b):
        own = _barred(model, {sentence("the-sentence"): read["A"]}, spelling)
        own += _first(traces[:1], (at_a,))
        same = one_side(axes[0], a, calibration, proposed=proposed, barred=own, kind=kind, fit=fit[0])
        barred += (sentence("reason.twice"),)
    elif _agree_up_to(traces, (at_a, at_b)):
        barred += (sentence("reason.left-to-right"),)
    given = verdict(axes[0], a, b, calibration, proposed=proposed, barred=barred, kind=kind, fit=fit)
    return Between(question, axes, (a, b), _without_contradiction(given, question.ends), same)


def _without_contradiction(given: Verdict, ends: Ends) -> Verdict:
    """A verdict, unless it says of a sentence what somebody has just said that it does not mean."""
    if ends.own is None or not given.is_clear:
        return given
    name, side = ends.own
    there = given.side_a if name == "A" else given.side_b
    if there == side:
        return given
    low, high = (_("“{word}”").format(word=one) for one in ends.names)
    named, other = (low, high) if side == "low" else (high, low)
    why = sentence("reason.own", name=name, named=named, other=other)
    return replace(given, answer="not clear", reasons=(why,))


def _first(traces: Sequence[Trace], tokens: Sequence[Array]) -> tuple[str, ...]:
    """That the word is the first token of a model that reads from left to right, its sink."""
    if not any(is_first(trace, at) for trace, at in zip(traces, tokens, strict=True)):
        return ()
    return (sentence("reason.first"),)


def is_first(trace: Trace, tokens: Array) -> bool:
    """Whether these tokens begin a text that a model reads from left to right."""
    return trace.causal and not trace.special[0] and 0 in tokens


def is_one_token(question: Question, source: Source) -> bool:
    """Whether the word is the same token in both sentences, or the same tokens: one learned vector."""
    a, b = (
        [trace.tokens[i] for i in trace.find(side.word, side.number)]
        for side in (question.a, question.b)
        for trace in (source.trace(side.text),)
    )
    return a == b


def _agree_up_to(traces: tuple[Trace, Trace], tokens: tuple[Array, Array]) -> bool:
    """Whether a model that reads from left to right has read the same when it comes to the word."""
    a, b = traces
    end = int(tokens[0][-1]) + 1
    same = np.array_equal(*tokens) and a.tokens[:end] == b.tokens[:end]
    return a.causal and b.causal and same


def _barred(
    model: str, sides: Mapping[str, tuple[Chosen, Trace]], spelling: Spelling
) -> tuple[str, ...]:
    """The reasons in the sentences themselves against a verdict, one sentence each."""
    foreign = [
        name for name, (side, trace) in sides.items() if language.foreign(model, side.text, trace)
    ]
    bare = [name for name, (side, _) in sides.items() if _is_bare(side, spelling)]
    reasons = list[str]()
    if foreign:
        several = ".several" * (len(foreign) > 1)
        reasons.append(sentence(f"reason.foreign{several}", names=listed(foreign)))
    if bare:
        reasons.append(sentence(f"reason.bare{'.several' * (len(bare) > 1)}", names=listed(bare)))
    return tuple(reasons)


def _is_bare(side: Chosen, spelling: Spelling) -> bool:
    """Whether a sentence consists of only its word, perhaps with an article."""
    own = {spelling.key(word.text).casefold() for word in split(side.word)} | ARTICLES
    words = [word.text for word in split(side.text) if any(map(str.isalnum, word.text))]
    return all(
        spelling.key(word).casefold() in own or is_elided(word) or same_word(word, side.word, spelling)
        for word in words
    )


def sure(comparison: Between, source: Source) -> HowSure:
    """The evidence beside the verdict.

    Raises:
        PolyseeError: see `Model.trace`.
    """
    question, spelling = comparison.question, source.spelling
    groups: dict[str, list[WordPath]] = {}
    word = known_word(question.a.word, spelling)
    if word is not None and not source.toy:
        of_word = labelled(word, causal=source.trace(question.texts[0]).causal)
        paths = source.paths(tuple((one.text, one.word) for one in of_word))
        for one, path in zip(of_word, paths, strict=True):
            groups.setdefault(one.sense, []).append(path)
    a, b = path_of(question.a, source), path_of(question.b, source)
    axis, texts = comparison.axes[0], read_texts(question, source)
    kind = dictionary.kind_of(question.ends, question.a.word) if question.ends else None
    return how_sure(axis, a, b, texts, source.calibration, groups or None, spelling, kind)
