from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

import core
from core.measures import WordPath, cosines, same_sense_baseline, sense_accuracy
from core.records.trace import frozen


def path(*vectors: npt.ArrayLike) -> WordPath:
    return WordPath(tuple(frozen(v) for v in vectors), 1)


# Depth 0 has 2 numbers, depth 1 has 3.
# All of length 5: products are cosines · 25. Three of one sense, two of the other.
RIVER = (path([3, 4], [5, 0, 0]), path([4, 3], [0, 5, 0]), path([5, 0], [3, 4, 0]))
MONEY = (path([0, 5], [0, 0, 5]), path([-3, 4], [0, -3, 4]))
GROUPS = {"river": RIVER, "money": MONEY}


def test_cosines_by_hand() -> None:
    # (2, 3)·(5, 7) = 31; |(2, 3)|² = 13, |(5, 7)|² = 74. (2, 3, 6)·(6, −2, 3) = 24, lengths 7 and 7.
    found = cosines(path([2, 3], [2, 3, 6]), path([5, 7], [6, -2, 3]))
    np.testing.assert_allclose(found, [31 / np.sqrt(13 * 74), 24 / 49], rtol=1e-6)
    assert found.dtype == np.float32
    assert not found.flags.writeable


def test_cosines_at_their_ends() -> None:
    a = path([2, 3], [2, 3, 5], [7, 11])
    assert cosines(a, a).tolist() == [1, 1, 1]
    assert cosines(a, path([-2, -3], [0, 0, 0], [-11, 7])).tolist() == [-1, 0, 0]


def test_paths_of_other_models_are_refused() -> None:
    with pytest.raises(ValueError, match="zip"):
        cosines(path([2, 3]), path([2, 3], [2, 3, 5]))
    with pytest.raises(ValueError, match=r"mismatch|core dimension"):
        cosines(path([2, 3]), path([2, 3, 5]))
    with pytest.raises(ValueError, match="zip"):
        same_sense_baseline({"one": [path([2, 3])], "two": [path([2, 3], [2, 3, 5]), path([5, 7])]})


def test_same_sense_baseline_by_hand() -> None:
    found = same_sense_baseline(GROUPS)
    # Depth 0, × 25: river 24, 15, 20; money 20. River against money: 20, 7, 15, 0, 0, −15.
    # Depth 1, × 25: river 0, 15, 20; money 20. River against money: 0, 0, 0, −15, 0, −12.
    same, different = found.same, found.different
    assert (same.count, different.count) == (4, 6)
    np.testing.assert_allclose(same.least * 25, [15, 0], atol=1e-5)
    np.testing.assert_allclose(same.median * 25, [20, 17.5], rtol=1e-6)
    np.testing.assert_allclose(same.most * 25, [24, 20], rtol=1e-6)
    # The quantile q of n sorted numbers is at (n − 1) q: .15 and 2.85 of 3, .25 and 4.75 of 5.
    np.testing.assert_allclose(same.low * 25, [15 + 0.15 * 5, 0.15 * 15], rtol=1e-5)
    np.testing.assert_allclose(same.high * 25, [20 + 0.85 * 4, 20], rtol=1e-5)
    np.testing.assert_allclose(different.least * 25, [-15, -15], rtol=1e-6)
    np.testing.assert_allclose(different.low * 25, [-15 + 0.25 * 15, -15 + 0.25 * 3], rtol=1e-5)
    np.testing.assert_allclose(different.median * 25, [3.5, 0], rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(different.high * 25, [15 + 0.75 * 5, 0], rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(different.most * 25, [20, 0], rtol=1e-6, atol=1e-5)
    assert same.low.dtype == np.float32
    assert not same.low.flags.writeable


def test_the_range_is_that_of_cosines() -> None:
    numbers = np.random.default_rng(5)
    groups = {
        sense: [path(*(numbers.normal(size=n) for n in (7, 11))) for _ in range(3)] for sense in "ab"
    }
    pairs = [cosines(x, y) for x in groups["a"] for y in groups["b"]]
    different = same_sense_baseline(groups).different
    np.testing.assert_allclose(different.median, np.median(pairs, axis=0), rtol=1e-6)
    np.testing.assert_allclose(different.least, np.min(pairs, axis=0), rtol=1e-6)


def test_accuracy_by_hand() -> None:
    # Depth 0: all equal, so guessing. Depth 1: separated. Depth 2: the third of "a" lies among "b".
    a = [path([2, 3], [1, 0], [1, 0]), path([2, 3], [5, 1], [7, 1]), path([2, 3], [7, 2], [1, 11])]
    b = [path([2, 3], [0, 1], [0, 1]), path([2, 3], [1, 5], [1, 13])]
    np.testing.assert_allclose(sense_accuracy({"a": a, "b": b}), [0.5, 1, 0.8])


def test_accuracy_does_not_use_the_sentence_itself() -> None:
    # With itself in its centroid each would be nearest to its own; without, to the other.
    a = [path([1.0, 0, 0, 0]), path([0, 1.0, 0, 0])]
    b = [path([0.6, 0.6, 0.5, 0]), path([0.6, 0.6, 0, 0.5])]
    assert sense_accuracy({"a": a, "b": b})[0] == 0


def test_guessing_among_three_is_a_third() -> None:
    groups = {sense: [path([2, 3, 5])] * 2 for sense in "abc"}
    np.testing.assert_allclose(sense_accuracy(groups), [1 / 3], rtol=1e-6)


def test_too_little_is_refused() -> None:
    with pytest.raises(core.NotSupported, match="two senses"):
        same_sense_baseline({"river": RIVER})
    with pytest.raises(core.NotSupported, match="two senses"):
        same_sense_baseline({})
    with pytest.raises(core.NotSupported, match="two sentences"):
        same_sense_baseline({"river": RIVER[:1], "money": MONEY[:1]})
    with pytest.raises(core.NotSupported, match="two senses, with two"):
        sense_accuracy({"river": RIVER, "money": MONEY[:1]})
