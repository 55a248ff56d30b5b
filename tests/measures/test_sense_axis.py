from __future__ import annotations

import numpy as np
import pytest

import core
from core.measures import SenseAxis, WordPath, sense_axis, word_path
from core.measures.sense_axis import CONTEXTUAL
from core.settings import ANCHOR_FRAME, OPENING
from core.trace import frozen

# facts.md, "A frame for the move": learned, embedding, layers 1 to 6. It does not print its third
# sentence; this one gives its eight numbers when rounded.
PUBLISHED = {
    OPENING.text_a: [-0.62, -0.58, -0.49, -0.42, -0.46, -0.45, -0.54, -0.17],
    OPENING.text_b: [-0.62, -0.58, -0.70, -0.72, -0.74, -0.85, -0.85, -0.66],
    "The canoe drifted toward the grassy bank.": [
        -0.62,
        -0.58,
        -0.47,
        -0.35,
        -0.31,
        -0.35,
        -0.52,
        -0.37,
    ],
    "bank": [-0.62, -0.59, -0.68, -0.69, -0.75, -0.81, -0.84, -0.78],
}


def path(*vectors: list[float]) -> WordPath:
    return WordPath(tuple(frozen(v) for v in vectors), 1)


def mean(*paths: WordPath) -> WordPath:
    depths = zip(*(p.vectors for p in paths), strict=True)
    return WordPath(tuple(frozen(np.mean(vectors, axis=0)) for vectors in depths), 1)


# Depth 0 has 2 numbers, the others 3: the low mean, the high mean, and what the axis is there.
LOW = (path([0, 0], [1, 0, 0], [0, 0, 2]), path([0, 4], [3, 0, 0], [0, 0, 4]))  # (0, 2) (2, 0, 0) …
HIGH = (path([6, 2], [-2, 0, 5], [0, 1, 3]),)


def test_place_by_hand() -> None:
    axis = sense_axis(LOW, HIGH)
    np.testing.assert_array_equal(axis.middle[0], [3, 2])
    np.testing.assert_array_equal(axis.half[0], [3, 0])
    np.testing.assert_array_equal(axis.middle[1], [0, 0, 2.5])
    np.testing.assert_array_equal(axis.half[1], [-2, 0, 2.5])
    # Depth 0: ((9, 7) − (3, 2))·(3, 0) / 9 = 2. Depth 1: (−4, 1, 0)·(−2, 0, 2.5) / 10.25.
    place = axis.place(path([9, 7], [-4, 1, 2.5], [0, 0.25, 3]))
    np.testing.assert_allclose(place, [2, 8 / 10.25, -0.5], rtol=1e-6)
    assert place.dtype == np.float32
    assert not place.flags.writeable


def test_the_means_of_the_groups_stand_at_minus_one_and_plus_one() -> None:
    axis = sense_axis(LOW, HIGH)
    assert axis.place(mean(*LOW)).tolist() == [-1, -1, -1]
    assert axis.place(mean(*HIGH)).tolist() == [1, 1, 1]


def test_what_lies_sideways_is_not_seen() -> None:
    axis = sense_axis(LOW, HIGH)
    there, aside = ([3.0, y] for y in (2.0, 1000.0))
    assert axis.place(path(there, [0, 0, 0], [0, 0, 0]))[0] == 0
    assert axis.place(path(aside, [0, 0, 0], [0, 0, 0]))[0] == 0


def test_one_word_in_labelled_sentences_has_an_axis_from_the_first_layer_on() -> None:
    """Its learned vector is the same in all of them: no line joins the means there."""
    low = (path([7, 7], [1, 0, 0], [0, 0, 2]), path([7, 7], [3, 0, 0], [0, 0, 4]))
    high = (path([7, 7], [1, 0, 5], [0, 1, 3]),)
    with pytest.raises(core.NotSupported, match="one and the same"):
        sense_axis(low, high)
    axis = sense_axis(low, high, first=CONTEXTUAL)
    assert axis.first == CONTEXTUAL == 2
    # Between (0, 0, 3) and (0, 1, 3): (0, ¼, 9) stands at (¼ − ½)·½ / ¼.
    assert axis.place(path([7, 7], [0, 0, 0], [0, 0.25, 9])).tolist() == [-0.5]
    with pytest.raises(core.NotSupported, match="groups of sentences are one and the same"):
        sense_axis(low, low, first=CONTEXTUAL)


@pytest.mark.parametrize(("low", "high"), [((), HIGH), (LOW, ()), ((), ())])
def test_an_empty_group_is_refused(low: tuple[WordPath, ...], high: tuple[WordPath, ...]) -> None:
    with pytest.raises(core.NotSupported, match="at least one word"):
        sense_axis(low, high)


def test_equal_groups_are_refused() -> None:
    with pytest.raises(core.NotSupported, match="one and the same"):
        sense_axis(LOW, LOW)
    zero = path([0, 0], [0, 0, 0], [0, 0, 0])
    with pytest.raises(core.NotSupported, match="one and the same"):
        sense_axis((zero,), (zero,))


def test_equal_groups_in_another_order_are_refused() -> None:
    # In float32 the two sums differ in their last bits, and an axis of noise would be drawn.
    numbers = np.random.default_rng(3)
    large = numbers.normal(size=(61, 23)) * 1e4
    vectors = [*large, *-large[::-1], numbers.normal(size=23)]  # almost nothing on average
    group = [WordPath((frozen(v),), 1) for v in vectors]
    numbers.shuffle(group)
    with pytest.raises(core.NotSupported, match="one and the same"):
        sense_axis(group, group[::-1])


def test_a_path_of_another_model_is_refused() -> None:
    with pytest.raises(ValueError, match="zip"):
        sense_axis(LOW, HIGH).place(path([0, 0], [0, 0, 0]))


@pytest.fixture(scope="module")
def axis(minilm: core.Model) -> SenseAxis:
    def group(words: tuple[str, ...]) -> list[WordPath]:
        traces = minilm.trace_many([ANCHOR_FRAME.format(word=w) for w in words], keep="hidden")
        return [word_path(t, t.find(w)) for t, w in zip(traces, words, strict=True)]

    return sense_axis(group(OPENING.low.words), group(OPENING.high.words))


@pytest.mark.parametrize("text", PUBLISHED)
def test_the_published_table(minilm: core.Model, axis: SenseAxis, text: str) -> None:
    trace = minilm.trace(text)
    place = axis.place(word_path(trace, trace.find("bank")))
    np.testing.assert_allclose(place, PUBLISHED[text], rtol=0, atol=0.00501)


def test_anchor_words_lie_between_half_and_one_and_a_third(minilm: core.Model, axis: SenseAxis) -> None:
    for group, sign in ((OPENING.low, -1), (OPENING.high, 1)):
        for word in group.words:
            trace = minilm.trace(ANCHOR_FRAME.format(word=word))
            place = sign * axis.place(word_path(trace, trace.find(word)))
            assert 0.4 < place.min() <= place.max() < 1.6, (word, place)
