"""How far a verdict can be trusted: measured on our labelled sentences, each word by bounds without it.

`python -m core.measures.senses.calibrate minilm` writes what comes with Polysee. Another model is
measured by `calibrate` when somebody asks for it; MiniLM takes about half a minute.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ...examples import ANCHORS, labelled, words
from ...examples.unrelated import UNRELATED
from ...records.sense_axis import FRAMES, TraceMany, anchor_vectors
from .verdict import Bounds, Calibration, Ends

UNRELATED_GIVEN = 0.05  # of pairs between unrelated ends, at most, get each of the two answers
_BOUNDS = (*(round(0.05 * i, 2) for i in range(36)), math.inf)  # inf: the answer is never given
_DISTANCES = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5)  # quantiles of the labelled axes' distances that are tried
_NEARER = 0.9  # of the first of them is tried as well: another word's ends may lie a little nearer
_HALVINGS = 6  # random halves of each sense, as two ends that mean the same
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class _Pairs:
    """Pairs of sentences between two ends, (pairs,) each.

    Attributes:
        least: the smaller of the two distances from the middle.
        same_side: whether both stand on one side.
        same_sense: whether the word means the same in both.
        distance: how far apart the ends lie.
    """

    least: Floats
    same_side: npt.NDArray[np.bool_]
    same_sense: npt.NDArray[np.bool_]
    distance: Floats

    @staticmethod
    def of(parts: Iterable[_Pairs]) -> _Pairs:
        several = list(parts)
        return _Pairs(
            *(
                np.concatenate([getattr(one, name) for one in several])
                for name in ("least", "same_side", "same_sense", "distance")
            )
        )

    def given(self, one: float, two: float, distance: float) -> npt.NDArray[np.bool_]:
        """(pairs,): whether there is a verdict."""
        far = self.least > np.where(self.same_side, one, two)
        found: npt.NDArray[np.bool_] = far & (self.distance >= distance)
        return found

    @property
    def right(self) -> npt.NDArray[np.bool_]:
        """(pairs,): whether the side says what the labels say."""
        found: npt.NDArray[np.bool_] = self.same_side == self.same_sense
        return found

    @property
    def misleads(self) -> npt.NDArray[np.bool_]:
        """(pairs,): between ends that say nothing, whether a verdict would mislead.

        Any would, but for "one meaning" between two halves of one sense: that is true.
        """
        return ~self.right | ~np.full_like(self.right, self.same_sense.all())


@dataclass(frozen=True, eq=False)
class _Word:
    """The last layer's vectors of one word, float64.

    Attributes:
        sentences: (sentences, d_model), the labelled ones.
        high: (sentences,), whether each is of the sense at +1.
        low_words, high_words: (words, d_model), beside the anchor words of each sense.
        unrelated: (groups, words, d_model), beside words that have to do with neither.
    """

    sentences: Floats
    high: npt.NDArray[np.bool_]
    low_words: Floats
    high_words: Floats
    unrelated: Floats


Measured = Mapping[str, tuple[_Pairs, _Pairs]]  # word -> labelled pairs, and those of unrelated ends


class _Kind(NamedTuple):
    """How a kind of ends is measured.

    Attributes:
        pairs: a word's labelled pairs, and pairs between ends that say nothing.
        right: how many of the verdicts are right, in the words that bounds are chosen on. Another word
            is judged a little worse: .95 is to be left.
        near: whether ends that lie near to each other are turned away. Sentences of one word lie as
            near to each other as those of another mean the same.
    """

    pairs: Callable[[_Word], tuple[_Pairs, _Pairs]]
    right: float
    near: bool


def calibrate(
    trace_many: TraceMany,
    model: str,
    *,
    on_word: Callable[[int, int], None] = lambda done, total: None,
    made_by: str = "core.measures.senses.calibrate.calibrate",
) -> Calibration:
    """Measure what a verdict needs with each kind of ends, and how well it then does.

    Args:
        trace_many: runs texts through the model, with their hidden states (`Model.trace_many`).
        model: its name.
        on_word: called after each word with how many are done, and of how many.
        made_by: for the record.

    Raises:
        NotSupported: the model does not know a word of ours.
    """
    read = {}
    for number, word in enumerate(words(), 1):
        read[word] = _vectors(word, trace_many)
        on_word(number, len(words()))
    kinds: dict[Ends, _Kind] = {
        "word": _Kind(_one_word, 0.96, near=True),
        "words": _Kind(_three_words, 0.96, near=True),
        "sentences": _Kind(_sentences, 0.95, near=False),
        "both": _Kind(_sentences_and_words, 0.96, near=True),
    }
    bounds = {
        name: _bounds({word: kind.pairs(of) for word, of in read.items()}, kind)
        for name, kind in kinds.items()
    }
    return Calibration(model, FRAMES, MappingProxyType(bounds), made_by)


def _vectors(word: str, trace_many: TraceMany) -> _Word:
    texts = labelled(word)
    traces = trace_many([one.text for one in texts])
    sentences = []
    for trace in traces:
        assert trace.hidden is not None
        sentences.append(trace.hidden[-1][trace.find(word)].mean(axis=0, dtype=np.float64))
    low, high = ANCHORS[word]
    found = anchor_vectors(
        word, _without(word, (*low.words, *high.words, *sum(UNRELATED, ()))), trace_many
    )
    last = {anchor: vectors[-1] for anchor, vectors in found.items()}
    own, others = (np.array([last[w] for w in _without(word, end.words)]) for end in (low, high))
    unrelated = np.array([[last[w] for w in group] for group in UNRELATED])
    of_high = np.array([one.sense == high.name for one in texts])
    return _Word(np.array(sentences), of_high, own, others, unrelated)


def _without(word: str, anchors: Sequence[str]) -> list[str]:
    return [one for one in dict.fromkeys(anchors) if one != word]


def _judged(vectors: Floats, same: npt.NDArray[np.bool_], low: Floats, high: Floats) -> _Pairs:
    """All pairs of some sentences between two ends.

    Args:
        vectors: (sentences, d_model).
        same: (sentences, sentences), whether the word means the same in two.
        low: (d_model,), the end at −1.
        high: (d_model,), the end at +1.
    """
    middle, half = (low + high) / 2, (high - low) / 2
    at = (vectors - middle) @ half / (half @ half)
    i, j = np.triu_indices(len(at), 1)
    return _Pairs(
        np.minimum(abs(at[i]), abs(at[j])),
        at[i] * at[j] > 0,
        same[i, j],
        np.full(len(i), 2 * np.linalg.norm(half)),
    )


def _between(word: _Word, ends: Iterable[tuple[Floats, Floats]]) -> _Pairs:
    same = word.high[:, None] == word.high
    return _Pairs.of(_judged(word.sentences, same, low, high) for low, high in ends)


def _one_word(word: _Word) -> tuple[_Pairs, _Pairs]:
    """Each anchor of one sense with each of the other; words of different unrelated groups."""
    first = combinations(word.unrelated, 2)
    others = ((a[i % len(a)], b[i % len(b)]) for i, (a, b) in enumerate(first))
    return _between(word, product(word.low_words, word.high_words)), _between(word, others)


def _three_words(word: _Word) -> tuple[_Pairs, _Pairs]:
    """Half of the anchors of each sense; halves of two unrelated groups.

    Bounds that hold for three words hold for six: with more words, ends that say nothing lie nearer to
    each other, and fewer of them pass.
    """
    ends = product(_halves(word.low_words), _halves(word.high_words))
    groups = (
        pair
        for a, b in combinations(word.unrelated, 2)
        for pair in zip(_halves(a), _halves(b), strict=True)
    )
    return _between(word, ends), _between(word, groups)


def _halves(vectors: Floats) -> list[Floats]:
    return [half.mean(axis=0) for half in np.array_split(vectors, 2)]


def _sentences(word: _Word) -> tuple[_Pairs, _Pairs]:
    """The labelled sentences alone."""
    return _of_sentences(word, word.low_words[:0], word.high_words[:0])


def _sentences_and_words(word: _Word) -> tuple[_Pairs, _Pairs]:
    """The labelled sentences and all anchors: all that our words have."""
    return _of_sentences(word, word.low_words, word.high_words)


def _of_sentences(word: _Word, low: Floats, high: Floats) -> tuple[_Pairs, _Pairs]:
    """The labelled sentences but for the two that are judged, with some anchors.

    Here ends that say nothing are two halves of one sense, and the sentences of the other are judged.
    """
    pairs, halves, numbers = [], [], np.random.default_rng(0)
    for i, j in combinations(range(len(word.high)), 2):
        rest = np.setdiff1d(np.arange(len(word.high)), (i, j))
        ends = [
            np.concatenate([word.sentences[rest[word.high[rest] == sense]], anchors]).mean(axis=0)
            for sense, anchors in ((False, low), (True, high))
        ]
        same = np.full((2, 2), word.high[i] == word.high[j])
        pairs.append(_judged(word.sentences[[i, j]], same, *ends))
    for sense, anchors in ((False, low), (True, high)):
        own, others = word.sentences[word.high == sense], word.sentences[word.high != sense]
        for _ in range(_HALVINGS):
            of_sentences = np.array_split(numbers.permutation(own), 2)
            of_words = np.array_split(numbers.permutation(anchors), 2)
            ends = [
                np.concatenate(both).mean(axis=0) for both in zip(of_sentences, of_words, strict=True)
            ]
            halves.append(_judged(others, np.ones((len(others),) * 2, bool), *ends))
    return _Pairs.of(pairs), _Pairs.of(halves)


def _bounds(measured: Measured, kind: _Kind) -> Bounds:
    """The bounds chosen on all words, and how well those chosen without a word do on it."""
    one, two, distance = _choose(list(measured.values()), kind)
    judged, given, unrelated = [], [], []
    for word, (pairs, others) in measured.items():
        without = _choose([of for other, of in measured.items() if other != word], kind)
        judged.append(pairs)
        given.append(pairs.given(*without))
        unrelated.append(others.given(*without) & others.misleads)
    every, said = _Pairs.of(judged), np.concatenate(given)

    def right(which: npt.NDArray[np.bool_]) -> float:
        return float(every.right[which].mean()) if which.any() else 0.0

    return Bounds(
        one,
        two,
        distance,
        given=round(float(said.mean()), 3),
        right=round(right(said), 3),
        right_one=round(right(said & every.same_side), 3),
        right_two=round(right(said & ~every.same_side), 3),
        unrelated=round(float(np.concatenate(unrelated).mean()), 3),
        pairs=len(said),
    )


def _choose(measured: Sequence[tuple[_Pairs, _Pairs]], kind: _Kind) -> tuple[float, float, float]:
    """The bounds that give most verdicts, of those right enough that trust no unrelated ends."""
    pairs, others = (_Pairs.of(some) for some in zip(*measured, strict=True))
    tried = np.quantile(pairs.distance, _DISTANCES)
    distances = (0.0, _NEARER * tried[0], *tried) if kind.near else (0.0,)
    best, most = (math.inf, math.inf, 0.0), 0.0
    for distance in (math.floor(100 * one) / 100 for one in distances):
        given, right, unrelated = (
            np.array([_counts(pairs, others, same_side, distance) for same_side in (True, False)])
        ).transpose(1, 0, 2)
        enough = unrelated <= UNRELATED_GIVEN
        together = given[0][:, None] + given[1]
        fits = (right[0][:, None] + right[1] >= kind.right * together) & enough[0][:, None] & enough[1]
        one, two = np.unravel_index((together * fits).argmax(), fits.shape)
        if fits[one, two] and together[one, two] > most:
            most = together[one, two]
            # A bound beyond which nothing was seen has not been shown to be right.
            bounds = [_BOUNDS[i] if given[side][i] else math.inf for side, i in enumerate((one, two))]
            best = bounds[0], bounds[1], distance
    return best


def _counts(pairs: _Pairs, others: _Pairs, same_side: bool, distance: float) -> list[list[float]]:
    """For each of `_BOUNDS` of one answer: how often it is given, right, and given unrelated ends.

    Returns:
        (3, bounds): two counts, and a share.
    """
    here = (pairs.same_side == same_side) & (pairs.distance >= distance)
    there = (others.same_side == same_side) & (others.distance >= distance) & others.misleads
    far = [here & (pairs.least > bound) for bound in _BOUNDS]
    return [
        [float(given.sum()) for given in far],
        [float((given & pairs.right).sum()) for given in far],
        [float((there & (others.least > bound)).mean()) for bound in _BOUNDS],
    ]


def main(arguments: Sequence[str]) -> None:
    """Measure a model of the catalogue, and write what comes with Polysee."""
    from ...pretrained import load

    (name,) = arguments
    command = f"python -m core.measures.senses.calibrate {name}"
    model = load(name)
    found = calibrate(model.trace_many, name, made_by=command)
    folder = Path(__file__).parent / "calibrated"
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.json").write_text(found.to_json(), "utf-8")
    for kind, of in found.bounds.items():
        print(
            f"{kind:10} one > {of.one}, two > {of.two}, distance ≥ {of.distance}: given in "
            f"{of.given:.1%} of {of.pairs} pairs, right {of.right:.1%} (one {of.right_one:.1%}, two "
            f"{of.right_two:.1%}); unrelated ends {of.unrelated:.1%}"
        )


if __name__ == "__main__":
    main(sys.argv[1:])
