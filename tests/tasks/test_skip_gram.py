"""Skip-gram: pairs counted by hand, its loss against the entropy of the counts, and what it learns."""

from __future__ import annotations

import numpy as np
import pytest

from core.tasks.skip_gram import pair_counts, skip_gram


def test_pairs_by_hand() -> None:
    counts = pair_counts([(0, 1, 2), (2, 1)], 5, 1)
    expected = np.zeros((5, 5), int)
    for a, b in ((0, 1), (1, 2), (2, 1)):
        expected[a, b] += 1
        expected[b, a] += 1
    np.testing.assert_array_equal(counts, expected)
    wide = pair_counts([(0, 1, 2)], 3, 7)
    np.testing.assert_array_equal(wide, 1 - np.eye(3, dtype=int))


def test_a_word_beside_itself_counts_twice() -> None:
    assert pair_counts([(0, 0)], 1, 2).tolist() == [[2]]  # each of the two has the other


def test_one_word_has_no_pairs() -> None:
    counts = pair_counts([(0,)], 2, 3)
    assert not counts.any()
    with pytest.raises(ValueError, match="no pair"):
        skip_gram(counts, 3)
    with pytest.raises(ValueError, match="not 0"):
        pair_counts([(0, 1)], 2, 0)


def test_the_loss_goes_from_ln_v_to_the_entropy_of_the_counts() -> None:
    rng = np.random.default_rng(0)
    counts = rng.integers(1, 9, (7, 7))
    counts = counts + counts.T
    learned = skip_gram(counts, 7)
    share = counts / counts.sum()
    entropy = -(share * np.log(counts / counts.sum(axis=1, keepdims=True))).sum()
    assert learned.losses[0] == pytest.approx(np.log(7), rel=1e-6)  # the context vectors begin at 0
    assert learned.losses[-1] == pytest.approx(entropy, abs=1e-3)
    assert (learned.losses >= entropy - 1e-6).all()


def test_words_in_the_same_places_become_near() -> None:
    # 0 and 1 occur beside 2 and 3, and 4 and 5 beside 6.
    sentences = [(a, b) for a in (0, 1) for b in (2, 3)] * 5 + [(4, 6), (5, 6)] * 5
    learned = skip_gram(pair_counts(sentences, 7, 1), 3)
    unit = learned.vectors / np.linalg.norm(learned.vectors, axis=1, keepdims=True)
    near = unit @ unit.T
    assert near[0, 1] > 0.9
    assert near[4, 5] > 0.9
    assert near[0, 4] < 0.5


def test_the_same_seed_gives_the_same_vectors() -> None:
    counts = pair_counts([(0, 1, 2)], 3, 1)
    first, again, other = (skip_gram(counts, 2, steps=5, seed=seed) for seed in (1, 1, 2))
    np.testing.assert_array_equal(first.vectors, again.vectors)
    assert not np.array_equal(first.vectors, other.vectors)
    assert len(first.losses) == 6
    assert first.before.shape == first.vectors.shape == (3, 2)
