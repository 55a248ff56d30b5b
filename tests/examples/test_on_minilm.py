"""Our sentences in MiniLM: the statements of the Compare page about them must be true."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
import pytest

import core
from core.examples import ANCHORS, PRESETS, Preset, labelled, words
from core.measures import (
    SameSenseBaseline,
    WordPath,
    cosines,
    same_sense_baseline,
    sense_accuracy,
    word_path,
)
from core.records.sense_axis import SenseAxis
from core.records.trace import Array, Trace

pytestmark = pytest.mark.check


class Found(NamedTuple):
    cosine: SameSenseBaseline
    accuracy: np.ndarray
    axis: SenseAxis  # between our anchor words alone: no labelled sentence is measured against itself
    positions: dict[str, list[float]]  # sense -> where its sentences end

    @property
    def gaps(self) -> list[float]:
        """The distances between the final positions of two sentences of one sense."""
        return [abs(x - y) for of in self.positions.values() for x, y in combinations(of, 2)]


def traces(model: core.Model, texts: Sequence[str]) -> Sequence[Trace]:
    return model.trace_many(texts, keep="hidden")


def paths(model: core.Model, texts: Sequence[str], word: str) -> list[WordPath]:
    return [word_path(trace, trace.find(word)) for trace in traces(model, texts)]


def positions(model: core.Model, axis: SenseAxis, preset: Preset) -> list[Array]:
    found = traces(model, (preset.text_a, preset.text_b))
    return [axis.coordinates(trace, trace.find(preset.word)) for trace in found]


@pytest.fixture(scope="module")
def found(minilm: core.Model) -> dict[str, Found]:
    result = {}
    for word in words():
        sentences = labelled(word)
        low, high = ANCHORS[word]
        axis = minilm.sense_axis(word, low.words, high.words)
        groups: dict[str, list[WordPath]] = {}
        ends: dict[str, list[float]] = {}
        for sentence, trace in zip(sentences, traces(minilm, [s.text for s in sentences]), strict=True):
            path = word_path(trace, trace.find(word))
            assert path.pieces == 1
            groups.setdefault(sentence.sense, []).append(path)
            ends.setdefault(sentence.sense, []).append(
                float(axis.coordinates(trace, trace.find(word))[-1])
            )
        result[word] = Found(same_sense_baseline(groups), sense_accuracy(groups), axis, ends)
    return result


def test_learned_vectors_are_one_and_tell_no_sense(found: dict[str, Found]) -> None:
    for of in found.values():
        assert of.cosine.same.least[0] == of.cosine.different.least[0] == 1
        assert of.accuracy[0] == 0.5


def test_where_the_word_stands_tells_little(found: dict[str, Found]) -> None:
    # Depth 1 is the learned vector and the place in the sentence: neither sense stands always first.
    places = np.array([of.accuracy[1] for of in found.values()])
    assert 0.4 < places.mean() < 0.6
    assert places.max() < 0.7


def test_the_last_layer_tells_the_senses_apart(found: dict[str, Found]) -> None:
    last = np.array([of.accuracy[-1] for of in found.values()])  # measured: mean .953, least .875
    assert last.mean() >= 0.93
    assert last.min() >= 0.85


@pytest.mark.parametrize("word", words())
def test_different_senses_are_less_similar_but_the_ranges_overlap(
    found: dict[str, Found], word: str
) -> None:
    same, different = found[word].cosine.same, found[word].cosine.different
    assert different.median[-1] < same.median[-1] - 0.015
    assert different.low[-1] < same.low[-1]
    assert different.high[-1] > same.low[-1]  # so that one cosine alone proves nothing


@pytest.mark.parametrize("word", words())
def test_sentences_end_on_the_side_of_their_sense(found: dict[str, Found], word: str) -> None:
    low, high = (np.array(found[word].positions[group.name]) for group in ANCHORS[word])
    assert np.median(low) < -0.4  # measured: −.41 for “seal”, −.78 and less for all others
    assert np.median(high) > 0.5  # .53 for “palm”, .59 and more
    right = np.concatenate([low < 0, high > 0])
    assert right.mean() >= 0.8  # 13 of 16 for “palm”, 14 to 16 for all others


def test_nearly_all_sentences_end_on_the_side_of_their_sense(found: dict[str, Found]) -> None:
    right = [
        (np.array(of.positions[group.name]) > 0) == (group is ANCHORS[word].high)
        for word, of in found.items()
        for group in ANCHORS[word]
    ]
    assert np.concatenate(right).mean() >= 0.93  # measured: 180 of 192


def test_the_range_of_bank(found: dict[str, Found]) -> None:
    """facts.md, on fewer sentences: same sense .84–.91, river against money .75–.85."""
    same, different = found["bank"].cosine.same, found["bank"].cosine.different
    ends = [same.low[-1], same.median[-1], same.high[-1]]
    np.testing.assert_allclose(ends, [0.78, 0.84, 0.91], rtol=0, atol=0.0051)
    ends = [different.low[-1], different.median[-1], different.high[-1]]
    np.testing.assert_allclose(ends, [0.64, 0.79, 0.87], rtol=0, atol=0.0051)


@pytest.mark.parametrize(
    "preset", [p for p in PRESETS if p.same_sense and p.low], ids=lambda p: p.label
)
def test_a_control_is_no_more_apart_than_its_sense(
    minilm: core.Model, found: dict[str, Found], preset: Preset
) -> None:
    of = found[preset.word]
    assert (
        cosines(*paths(minilm, (preset.text_a, preset.text_b), preset.word))[-1]
        >= of.cosine.same.low[-1]
    )
    a, b = positions(minilm, of.axis, preset)
    assert a[-1] * b[-1] > 0
    assert abs(a[-1] - b[-1]) <= np.quantile(of.gaps, 0.95)


@pytest.mark.few(7)
@pytest.mark.parametrize("preset", [p for p in PRESETS if not p.same_sense], ids=lambda p: p.label)
def test_a_difference_is_on_two_sides_and_wider_than_within_a_sense(
    minilm: core.Model, found: dict[str, Found], preset: Preset
) -> None:
    of = found[preset.word]
    a, b = positions(minilm, of.axis, preset)
    assert a[-1] * b[-1] < 0
    assert abs(a[-1] - b[-1]) > np.quantile(of.gaps, 0.95)


def test_a_word_of_one_sense_falls_as_a_word_of_two_does(
    minilm: core.Model, found: dict[str, Found]
) -> None:
    control = next(p for p in PRESETS if p.low is None)
    cosine = cosines(*paths(minilm, (control.text_a, control.text_b), control.word))
    assert cosine[0] == 1
    lows = [of.cosine.same.low[-1] for of in found.values()]
    assert np.median(lows) < cosine[-1] < 0.85
