"""How far verdicts can be trusted: each labelled word is judged by bounds chosen on the other words.

There are three controls: ends that have nothing to do with the word, sentences that reveal nothing
about its sense, and sentences in which it has a third one.

`python -m core.measures.senses.calibrate minilm` writes the calibration that ships with Polysee.
`calibrate` measures any other model on request; MiniLM takes about a minute.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import combinations, product
from pathlib import Path
from types import MappingProxyType
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from ...dictionary import meanings_of
from ...errors import NotSupported
from ...examples import ANCHORS, labelled, words
from ...examples.picked import PICKED
from ...examples.third import THIRD
from ...examples.uncued import uncued
from ...examples.unrelated import UNRELATED
from ...records.sense_axis import TraceMany, beside, frames_of
from .meanings import Meaning, Reading, guess, meanings, reading
from .verdict import Bounds, Calibration, Ends

UNRELATED_GIVEN = 0.05  # the largest share of pairs between unrelated ends that may get a verdict
FITS_LESS = 0.01  # the share of labelled sentences that fit their nearer end less than a verdict needs
UNCUED_ONE = 0.2  # the largest share of pairs without a cue that may be given "one meaning"
_BOUNDS = (*(round(0.05 * i, 2) for i in range(36)), math.inf)  # inf: the answer is never given
_DISTANCES = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5)  # the quantiles of the labelled axes' distances to try
# a fraction of the smallest is tried as well: the ends of another word may be a little nearer
_NEARER = 0.9
_NEAR = tuple(i / 25 for i in range(15))  # candidates for the nearness of the ends' words to the word
_HALVINGS = 6  # random halves of each sense, as two ends of the same meaning
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class _Pairs:
    """Pairs of sentences between two ends, (pairs,) each.

    Attributes:
        least: the smaller of the two distances from the middle.
        same_side: whether both are on the same side.
        same_sense: whether the word has the same sense in both.
        distance: the distance between the ends.
        near: the nearness of the ends' words to the word, for the less near end (`End.nearness`).
        fits: the cosine of each sentence's word with its nearer end, (pairs, 2).
    """

    least: Floats
    same_side: npt.NDArray[np.bool_]
    same_sense: npt.NDArray[np.bool_]
    distance: Floats
    near: Floats
    fits: Floats

    @staticmethod
    def of(parts: Iterable[_Pairs]) -> _Pairs:
        several = list(parts)
        return _Pairs(
            *(
                np.concatenate([getattr(one, name) for one in several])
                for name in ("least", "same_side", "same_sense", "distance", "near", "fits")
            )
        )

    def fitting(self, fits: float) -> _Pairs:
        """The pairs without those of which a sentence fits neither end, which get no verdict."""
        least = np.where(self.fits.min(axis=1, initial=math.inf) >= fits, self.least, -1)
        return replace(self, least=least)

    def ends_pass(self, distance: float, near: float) -> npt.NDArray[np.bool_]:
        """(pairs,): whether the ends are far enough apart, and near enough to the word."""
        passes: npt.NDArray[np.bool_] = (self.distance >= distance) & (self.near >= near)
        return passes

    def given(self, one: float, two: float, distance: float, near: float) -> npt.NDArray[np.bool_]:
        """(pairs,): whether a verdict is given."""
        beyond = self.least > np.where(self.same_side, one, two)
        is_given: npt.NDArray[np.bool_] = beyond & self.ends_pass(distance, near)
        return is_given

    def none(self) -> _Pairs:
        """No pair."""
        return _Pairs(*(getattr(self, one.name)[:0] for one in fields(self)))

    @property
    def right(self) -> npt.NDArray[np.bool_]:
        """(pairs,): whether the side agrees with the labels."""
        is_right: npt.NDArray[np.bool_] = self.same_side == self.same_sense
        return is_right

    @property
    def misleads(self) -> npt.NDArray[np.bool_]:
        """(pairs,): whether a verdict between meaningless ends would mislead.

        Any verdict would, except "one meaning" between two halves of one sense, which is true.
        """
        return ~self.right | ~np.full_like(self.right, self.same_sense.all())


@dataclass(frozen=True, eq=False)
class _Word:
    """The vectors of one word after the judged layer, float64.

    Attributes:
        sentences: (sentences, d_model), of the labelled sentences.
        high: (sentences,), whether each has the sense at +1.
        low_words, high_words: (words, d_model), beside the anchor words of each sense.
        unrelated: (groups, words, d_model), beside words unrelated to either sense.
        uncued: (sentences, d_model), of sentences that reveal nothing about the sense.
        low_near, high_near, unrelated_near: the same without the last axis: the nearness of each.
        third: (sentences, d_model), of sentences with a third sense.
        meanings: those that the dictionary has.
        dictionary: each word that names one -> the word's vector beside it, and its nearness.
        picked: which meanings have the two senses; None if the model does not know the words of one.
        read: all sentences as a guess reads them: labelled, uncued, third.
    """

    sentences: Floats
    high: npt.NDArray[np.bool_]
    low_words: Floats
    high_words: Floats
    unrelated: Floats
    uncued: Floats
    low_near: Floats
    high_near: Floats
    unrelated_near: Floats
    third: Floats
    meanings: tuple[Meaning, ...]
    dictionary: Mapping[str, tuple[Floats, float]]
    picked: tuple[int, int] | None
    read: tuple[Reading, ...]

    def meaning(self, which: int) -> _End:
        """The end that a meaning makes."""
        read = [self.dictionary[one] for one in self.meanings[which].words]
        return _End(
            np.mean([vector for vector, _ in read], axis=0), float(np.mean([near for _, near in read]))
        )


class _End(NamedTuple):
    """An end: its vector, (d_model,), and the nearness of its words; infinity if it has none."""

    vector: Floats
    near: float = math.inf


class _Measured(NamedTuple):
    """The pairs of one word.

    Attributes:
        labelled: pairs of labelled sentences.
        unrelated: pairs between meaningless ends.
        uncued: pairs of sentences without a cue, between the ends of the word.
        third: pairs of a sentence with a third sense and itself, between the ends of the word.
    """

    labelled: _Pairs
    unrelated: _Pairs
    uncued: _Pairs
    third: _Pairs

    @staticmethod
    def of(words: Iterable[_Measured]) -> _Measured:
        return _Measured(*map(_Pairs.of, zip(*words, strict=True)))

    def fitting(self, fits: float) -> _Measured:
        """The same, where a sentence that fits neither end gets no verdict."""
        return _Measured(*(pairs.fitting(fits) for pairs in self))


class _Kind(NamedTuple):
    """How a kind of ends is measured.

    Attributes:
        pairs: returns the pairs of a word.
        right: the required share of right verdicts for the words on which bounds are chosen. Another
            word is judged a little less well; .95 should remain.
        uncued: the largest share of pairs without a cue that may be given "two meanings". Another word
            is judged a little less well here too; at most .05 should remain.
        ends: what identifies meaningless ends: for words, their nearness to the word; for halves of one
            sense with words, the distance between the two. For sentences alone nothing does: those of
            one word with different senses can be as close together as those of another word with the
            same sense.
    """

    pairs: Callable[[_Word], _Measured]
    right: float
    uncued: float
    ends: Literal["near", "distance"] | None


def calibrate(
    trace_many: TraceMany,
    model: str,
    *,
    on_word: Callable[[int, int], None] = lambda done, total: None,
    made_by: str = "core.measures.senses.calibrate.calibrate",
) -> Calibration:
    """Measure the bounds of a verdict for each kind of ends, and how often it is then right.

    Args:
        trace_many: runs texts through the model, with their hidden states (`Model.trace_many`).
        model: the name of the model.
        on_word: called after each word with the number of words done, and the number of all words.
        made_by: the command or function, recorded in the result.

    Raises:
        NotSupported: if the model does not know one of our words, or the meanings of too few in the
            dictionary.
    """
    trace = trace_many([words()[0]])[0]
    layer = _best_layer(trace_many) if trace.causal else None
    read = {}
    for number, word in enumerate(words(), 1):
        read[word] = _vectors(word, trace_many, layer)
        on_word(number, len(words()))
    kinds: dict[Ends, _Kind] = {
        "word": _Kind(_one_word, 0.96, 0.04, "near"),
        "words": _Kind(_three_words, 0.965, 0.04, "near"),
        "sentences": _Kind(_sentences, 0.95, 0.035, None),
        "both": _Kind(_sentences_and_words, 0.96, 0.03, "distance"),
        "picked": _Kind(_picked, 0.965, 0.035, None),
        "guessed": _Kind(_guessed, 0.965, 0.04, None),
    }
    bounds = {
        name: _bounds({word: kind.pairs(of) for word, of in _of_kind(name, read).items()}, kind)
        for name, kind in kinds.items()
    }
    return Calibration(model, frames_of(causal=trace.causal), MappingProxyType(bounds), made_by, layer)


def _best_layer(trace_many: TraceMany) -> int:
    """The layer, from 0, at which most pairs of labelled sentences are on the right sides.

    A model that reads from left to right makes a guess at the next word out of the word: its last
    layers know less about the sense. The sentences have their cue before the word.
    """
    right: list[Floats] = []
    for word in words():
        texts = labelled(word, causal=True)
        low, high = ANCHORS[word]
        names = _without(word, (*low.words, *high.words))
        beside_it = beside(word, names, trace_many, causal=True)
        ends = [
            np.mean([beside_it[one].vectors for one in _without(word, end.words)], axis=0)
            for end in (low, high)
        ]
        middle, half = (ends[0] + ends[1]) / 2, (ends[1] - ends[0]) / 2
        of_high = np.array([one.sense == high.name for one in texts])
        sides = []
        for trace in trace_many([one.text for one in texts]):
            assert trace.hidden is not None
            vectors = trace.hidden[:, trace.find(word)].mean(axis=1, dtype=np.float64)
            sides.append(((vectors - middle) * half).sum(axis=1) > 0)
        on_its_side = np.array(sides) == of_high[:, None]  # (sentences, layers)
        i, j = np.triu_indices(len(texts), 1)
        right.append((on_its_side[i] == on_its_side[j]).mean(axis=0))
    return int(np.mean(right, axis=0).argmax())


def _of_kind(kind: Ends, read: Mapping[str, _Word]) -> Mapping[str, _Word]:
    """The words with ends of a kind. Raises NotSupported for fewer than two: each judges the others."""
    if kind not in ("picked", "guessed"):
        return read
    found = {word: of for word, of in read.items() if of.picked is not None}
    if len(found) < 2:
        raise NotSupported("This model knows the meanings of too few of our words to be calibrated.")
    return found


def _vectors(word: str, trace_many: TraceMany, layer: int | None) -> _Word:
    texts = labelled(word, causal=layer is not None)
    sentences, read = [], []
    at = -1 if layer is None else layer
    for trace in trace_many([*(one.text for one in texts), *uncued(word), *THIRD[word]]):
        assert trace.hidden is not None
        tokens = trace.find(word)
        sentences.append(trace.hidden[at][tokens].mean(axis=0, dtype=np.float64))
        read.append(reading(trace, tokens))
    low, high = ANCHORS[word]
    anchors = _without(word, (*low.words, *high.words, *sum(UNRELATED, ())))
    contexts = beside(word, anchors, trace_many, causal=layer is not None)
    groups = [_without(word, low.words), _without(word, high.words), *UNRELATED]
    vectors = [np.array([contexts[one].vectors[at] for one in group]) for group in groups]
    near = [np.array([contexts[one].near for one in group]) for group in groups]
    of_high = np.array([one.sense == high.name for one in texts])
    return _Word(
        np.array(sentences[: len(texts)]),
        of_high,
        vectors[0],
        vectors[1],
        np.array(vectors[2:]),
        np.array(sentences[len(texts) : -len(THIRD[word])]),
        near[0],
        near[1],
        np.array(near[2:]),
        np.array(sentences[-len(THIRD[word]) :]),
        *_of_dictionary(word, trace_many, layer),
        tuple(read),
    )


def _of_dictionary(
    word: str, trace_many: TraceMany, layer: int | None
) -> tuple[tuple[Meaning, ...], dict[str, tuple[Floats, float]], tuple[int, int] | None]:
    every = meanings(word, trace_many)
    names = tuple(dict.fromkeys(one for meaning in every for one in meaning.words))
    at, causal = -1 if layer is None else layer, layer is not None
    beside_it = beside(word, names, trace_many, causal=causal)
    read = {one: (of.vectors[at], of.near) for one, of in beside_it.items()}
    named = meanings_of(word)
    numbers = (next(i for i, of in enumerate(named) if one in of) for one in PICKED[word])
    there = {one.number: i for i, one in enumerate(every)}
    low, high = (there.get(number) for number in numbers)
    return every, read, None if low is None or high is None else (low, high)


def _without(word: str, anchors: Sequence[str]) -> list[str]:
    return [one for one in dict.fromkeys(anchors) if one != word]


def _judged(vectors: Floats, same: npt.NDArray[np.bool_], low: _End, high: _End) -> _Pairs:
    """All pairs of some sentences, judged between two ends.

    Args:
        vectors: (sentences, d_model).
        same: (sentences, sentences), whether the word has the same sense in both.
        low: the end at −1.
        high: the end at +1.
    """
    middle, half = (low.vector + high.vector) / 2, (high.vector - low.vector) / 2
    at = (vectors - middle) @ half / (half @ half)
    nearer = np.where(at[:, None] > 0, high.vector, low.vector)
    fits = (vectors * nearer).sum(axis=1) / (
        np.linalg.norm(vectors, axis=1) * np.linalg.norm(nearer, axis=1)
    )
    fits[abs(at) >= 1] = 1  # as `SenseAxis.fit`
    i, j = np.triu_indices(len(at), 1)
    return _Pairs(
        np.minimum(abs(at[i]), abs(at[j])),
        at[i] * at[j] > 0,
        same[i, j],
        np.full(len(i), 2 * np.linalg.norm(half)),
        np.full(len(i), min(low.near, high.near)),
        np.stack([fits[i], fits[j]], axis=1),
    )


def _between(word: _Word, ends: Iterable[tuple[_End, _End]]) -> _Pairs:
    same = word.high[:, None] == word.high
    return _Pairs.of(_judged(word.sentences, same, low, high) for low, high in ends)


def _uncued(word: _Word, ends: Iterable[tuple[_End, _End]]) -> _Pairs:
    """Pairs of sentences without a cue; none supports two meanings, so all count as one sense."""
    same = np.ones((len(word.uncued),) * 2, bool)
    return _Pairs.of(_judged(word.uncued, same, low, high) for low, high in ends)


def _third(word: _Word, ends: Iterable[tuple[_End, _End]]) -> _Pairs:
    """Each sentence with a third sense, beside itself."""
    same = np.ones((2, 2), bool)
    twice = [np.stack([one, one]) for one in word.third]
    return _Pairs.of(_judged(one, same, low, high) for low, high in ends for one in twice)


def _picked(word: _Word) -> _Measured:
    """The two meanings of the dictionary that a reader would pick."""
    assert word.picked is not None  # see `_of_kind`
    ends = [(word.meaning(word.picked[0]), word.meaning(word.picked[1]))]
    pairs = _between(word, ends)
    return _Measured(pairs, pairs.none(), _uncued(word, ends), _third(word, ends))


def _guessed(word: _Word) -> _Measured:
    """For each pair of sentences, the two meanings that the model finds likeliest, if it is sure."""

    def between(
        vectors: Floats, same: npt.NDArray[np.bool_], read: Sequence[Reading]
    ) -> Iterator[_Pairs]:
        for i, j in combinations(range(len(vectors)), 2):
            found = guess(word.meanings, [read[i], read[j]])
            low, high = word.meaning(found.low), word.meaning(found.high)
            pair = _judged(vectors[[i, j]], np.full((2, 2), same[i, j]), low, high)
            # Never "one meaning": two sentences with a third and a fourth one have a side as well.
            given = found.sure & ~pair.same_side
            yield replace(pair, least=np.where(given, pair.least, -1))

    def together(vectors: Floats) -> npt.NDArray[np.bool_]:
        return np.ones((len(vectors),) * 2, bool)

    first, third_from = len(word.sentences), len(word.read) - len(word.third)
    same = word.high[:, None] == word.high
    pairs = _Pairs.of(between(word.sentences, same, word.read[:first]))
    uncued = _Pairs.of(between(word.uncued, together(word.uncued), word.read[first:third_from]))
    third = [
        (np.stack([one, one]), [read, read])
        for one, read in zip(word.third, word.read[third_from:], strict=True)
    ]
    return _Measured(
        pairs,
        pairs.none(),
        uncued,
        _Pairs.of(one for twice, read in third for one in between(twice, together(twice), read)),
    )


def _one_word(word: _Word) -> _Measured:
    """Each anchor of one sense against each of the other; words of different unrelated groups."""
    low, high = map(_End, word.low_words, word.low_near), map(_End, word.high_words, word.high_near)
    ends = list(product(low, high))
    groups = [list(map(_End, *of)) for of in zip(word.unrelated, word.unrelated_near, strict=True)]
    first = enumerate(combinations(groups, 2))
    others = ((a[i % len(a)], b[i % len(b)]) for i, (a, b) in first)
    return _measured(word, ends, others)


def _three_words(word: _Word) -> _Measured:
    """Half of the anchors of each sense; halves of two unrelated groups.

    Bounds that hold for three words also hold for six: as many verdicts are given, more of them are
    right, and meaningless ends get a verdict about as rarely.
    """
    halves = _halves(word.low_words, word.low_near), _halves(word.high_words, word.high_near)
    ends = list(product(*halves))
    groups = [_halves(*of) for of in zip(word.unrelated, word.unrelated_near, strict=True)]
    others = (pair for a, b in combinations(groups, 2) for pair in zip(a, b, strict=True))
    return _measured(word, ends, others)


def _measured(
    word: _Word, ends: Sequence[tuple[_End, _End]], others: Iterable[tuple[_End, _End]]
) -> _Measured:
    return _Measured(
        _between(word, ends), _between(word, others), _uncued(word, ends), _third(word, ends)
    )


def _halves(vectors: Floats, near: Floats) -> list[_End]:
    both = zip(np.array_split(vectors, 2), np.array_split(near, 2), strict=True)
    return [_End(half.mean(axis=0), float(of.mean())) for half, of in both]


def _sentences(word: _Word) -> _Measured:
    """Ends made of the labelled sentences alone."""
    return _of_sentences(word, with_words=False)


def _sentences_and_words(word: _Word) -> _Measured:
    """Ends made of all labelled sentences and all anchors of the word."""
    return _of_sentences(word, with_words=True)


def _of_sentences(word: _Word, *, with_words: bool) -> _Measured:
    """Ends of the labelled sentences except the two being judged, with all anchors or none.

    Here the meaningless ends are two halves of one sense, and the sentences of the other sense are
    judged. Sentences without a cue are judged between ends made of everything.
    """
    anchors = [(word.low_words, word.low_near), (word.high_words, word.high_near)]
    if not with_words:
        anchors = [(vectors[:0], near[:0]) for vectors, near in anchors]
    pairs, halves, numbers = [], [], np.random.default_rng(0)
    for i, j in combinations(range(len(word.high)), 2):
        rest = np.setdiff1d(np.arange(len(word.high)), (i, j))
        rests = [
            _mixed(word.sentences[rest[word.high[rest] == sense]], *of)
            for sense, of in zip((False, True), anchors, strict=True)
        ]
        same = np.full((2, 2), word.high[i] == word.high[j])
        pairs.append(_judged(word.sentences[[i, j]], same, *rests))
    for sense, (vectors, near) in zip((False, True), anchors, strict=True):
        own, others = word.sentences[word.high == sense], word.sentences[word.high != sense]
        for _ in range(_HALVINGS):
            of_sentences = np.array_split(numbers.permutation(own), 2)
            of_words = np.array_split(numbers.permutation(len(vectors)), 2)
            two = [
                _mixed(texts, vectors[of], near[of])
                for texts, of in zip(of_sentences, of_words, strict=True)
            ]
            halves.append(_judged(others, np.ones((len(others),) * 2, bool), *two))
    low, high = (
        _mixed(word.sentences[word.high == sense], *of)
        for sense, of in zip((False, True), anchors, strict=True)
    )
    ends = [(low, high)]
    return _Measured(_Pairs.of(pairs), _Pairs.of(halves), _uncued(word, ends), _third(word, ends))


def _mixed(sentences: Floats, vectors: Floats, near: Floats) -> _End:
    vector = np.concatenate([sentences, vectors]).mean(axis=0)
    return _End(vector, float(near.mean())) if near.size else _End(vector)


def _bounds(measured: Mapping[str, _Measured], kind: _Kind) -> Bounds:
    """The bounds chosen on all words, and how well those chosen without a word judge that word."""
    fits = _fits(measured.values())
    one, two, distance, near = _choose([of.fitting(fits) for of in measured.values()], kind)
    judged, given, unrelated, uncued, third = [], [], [], [], []
    for word, own in measured.items():
        rest = [of for other, of in measured.items() if other != word]
        least = _fits(rest)
        without = _choose([of.fitting(least) for of in rest], kind)
        pairs, others, without_cue, _ = own.fitting(least)
        judged.append(pairs)
        given.append(pairs.given(*without))
        unrelated.append(others.given(*without) & others.misleads)
        uncued.append((without_cue.given(*without), without_cue.same_side))
        third.append(own.third.fits[:, 0] < least)
    of_uncued, on_one_side = (np.concatenate(one) for one in zip(*uncued, strict=True))
    every, answered = _Pairs.of(judged), np.concatenate(given)

    def right(which: npt.NDArray[np.bool_]) -> float:
        return float(every.right[which].mean()) if which.any() else 0.0

    return Bounds(
        one,
        two,
        distance,
        near,
        fits,
        given=round(float(answered.mean()), 3),
        right=round(right(answered), 3),
        right_one=round(right(answered & every.same_side), 3),
        right_two=round(right(answered & ~every.same_side), 3),
        unrelated=_share(np.concatenate(unrelated)),
        uncued_two=_share(of_uncued & ~on_one_side),
        uncued_one=_share(of_uncued & on_one_side),
        third=_share(np.concatenate(third)),
        pairs=len(answered),
    )


def _share(which: npt.NDArray[np.bool_]) -> float:
    return round(float(which.mean()), 3) if which.size else 0.0


def _fits(measured: Iterable[_Measured]) -> float:
    """The cosine with the nearer end below which a sentence fits neither."""
    fits = _Measured.of(measured).labelled.fits
    return math.floor(1000 * float(np.quantile(fits, FITS_LESS))) / 1000


def _choose(measured: Sequence[_Measured], kind: _Kind) -> tuple[float, ...]:
    """The bounds with the most verdicts among those with few enough errors.

    Verdicts between unrelated ends, and two meanings in sentences without a cue, count as errors.
    """
    pairs, others, without_cue, _ = _Measured.of(measured)
    best, most = (math.inf, math.inf, 0.0, -1.0), 0.0
    for distance, near in _tried(pairs, kind):
        given, right, unrelated = (
            np.array([_counts(pairs, others, same_side, distance, near) for same_side in (True, False)])
        ).transpose(1, 0, 2)
        few = unrelated[0][:, None] + unrelated[1] <= UNRELATED_GIVEN
        passes = without_cue.ends_pass(distance, near)
        one_seldom, two_seldom = (
            np.array([(which & (without_cue.least > bound)).mean() <= most for bound in _BOUNDS])
            for which, most in (
                (passes & without_cue.same_side, UNCUED_ONE),
                (passes & ~without_cue.same_side, kind.uncued),
            )
        )
        seldom = one_seldom[:, None] & two_seldom
        together = given[0][:, None] + given[1]
        fits = (right[0][:, None] + right[1] >= kind.right * together) & few & seldom
        one, two = np.unravel_index((together * fits).argmax(), fits.shape)
        if fits[one, two] and together[one, two] > most:
            most = together[one, two]
            # Without data beyond it, a bound has not been shown to be right.
            bounds = [_BOUNDS[i] if given[side][i] else math.inf for side, i in enumerate((one, two))]
            best = bounds[0], bounds[1], distance, near
    return best


def _tried(pairs: _Pairs, kind: _Kind) -> list[tuple[float, float]]:
    """Pairs of bounds to try, on the distance and the nearness of the ends; the first tests nothing."""
    bounds = [(0.0, -1.0)]
    if kind.ends == "near":
        bounds += [(0.0, math.floor(1000 * one) / 1000) for one in np.quantile(pairs.near, _NEAR)]
    elif kind.ends == "distance":
        few = np.quantile(pairs.distance, _DISTANCES)
        bounds += [(math.floor(100 * one) / 100, -1.0) for one in (_NEARER * few[0], *few)]
    return bounds


def _counts(
    pairs: _Pairs, others: _Pairs, same_side: bool, distance: float, near: float
) -> list[list[float]]:
    """For each of `_BOUNDS` for one answer: how often it is given, and right; and given unrelated ends.

    Returns:
        (3, bounds): two counts, and a share of the pairs between unrelated ends.
    """
    here = (pairs.same_side == same_side) & pairs.ends_pass(distance, near)
    there = (others.same_side == same_side) & others.ends_pass(distance, near) & others.misleads
    far = [here & (pairs.least > bound) for bound in _BOUNDS]
    return [
        [float(given.sum()) for given in far],
        [float((given & pairs.right).sum()) for given in far],
        [float((there & (others.least > bound)).sum() / max(len(there), 1)) for bound in _BOUNDS],
    ]


def main(arguments: Sequence[str]) -> None:
    """Measure a model of the catalogue, and write the calibration that Polysee ships."""
    from ...pretrained import load

    (name,) = arguments
    command = f"python -m core.measures.senses.calibrate {name}"
    model = load(name)
    calibration = calibrate(model.trace_many, name, made_by=command)
    folder = Path(__file__).parent / "calibrated"
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.json").write_text(calibration.to_json(), "utf-8")
    for kind, of in calibration.bounds.items():
        print(
            f"{kind:10} one > {of.one}, two > {of.two}, distance ≥ {of.distance}, near ≥ "
            f"{of.near}: given in {of.given:.1%} of {of.pairs} pairs, right {of.right:.1%} (one "
            f"{of.right_one:.1%}, two {of.right_two:.1%}); unrelated ends {of.unrelated:.1%}; two "
            f"meanings without a cue {of.uncued_two:.1%}, one {of.uncued_one:.1%}; fits ≥ {of.fits}, "
            f"third meanings recognized {of.third:.1%}"
        )


if __name__ == "__main__":
    main(sys.argv[1:])
