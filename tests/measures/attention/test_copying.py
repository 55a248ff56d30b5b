"""Heads that copy and the sink, on attention made by hand and by explicit sums."""

from __future__ import annotations

import numpy as np
import pytest

from core.measures import copying_heads


def one_hot(size: int, back: int) -> np.ndarray:
    """A head that looks `back` tokens back, at the first token where there is none."""
    made = np.zeros((size, size))
    for query in range(size):
        made[query, max(0, query - back)] = 1
    return made


def test_each_pure_head_has_its_role_alone() -> None:
    length, size = 5, 11
    pure = {"previous": 1, "duplicate": length, "induction": length - 1, "sink": size}
    weights = np.stack([one_hot(size, back) for back in pure.values()])[None]
    found = copying_heads(weights, length)
    for head, name in enumerate(pure):
        assert getattr(found, name)[0, head] == 1
        assert found.ranked(name)[0] == (0, head)
    assert found.previous[0, 1:].max() == 0
    assert found.induction[0, [0, 1, 3]].max() == found.duplicate[0, [0, 2, 3]].max() == 0


def test_scores_are_means_over_the_rows_that_the_definitions_name() -> None:
    length, before = 3, 2  # two tokens before the first half
    size = before + 2 * length
    weights = np.tril(np.random.default_rng(0).random((2, 3, size, size)))
    weights /= weights.sum(-1, keepdims=True)
    found = copying_heads(weights, length)
    second = range(before + length, size)
    inside = range(before + 1, size)
    for layer, head in np.ndindex(2, 3):
        a = weights[layer, head]
        expected = {
            "induction": np.mean([a[i, i - length + 1] for i in second]),
            "duplicate": np.mean([a[i, i - length] for i in second]),
            "previous": np.mean([a[i, i - 1] for i in inside]),
            "sink": np.mean([a[i, 0] for i in inside]),
        }
        for name, value in expected.items():
            assert getattr(found, name)[layer, head] == pytest.approx(value, abs=1e-6)
    frame = found.to_frame()
    assert len(frame) == 6
    assert frame.loc[5, "induction"] == pytest.approx(found.induction[1, 2])


def test_a_missing_head_is_not_ranked() -> None:
    weights = np.tile(one_hot(7, 1), (1, 2, 1, 1))
    weights[0, 1] = np.nan
    assert copying_heads(weights, 3).ranked("previous") == [(0, 0)]


@pytest.mark.parametrize(("length", "size"), [(1, 9), (4, 8)])
def test_a_text_must_have_two_halves_behind_a_token(length: int, size: int) -> None:
    with pytest.raises(ValueError, match="are not one and twice"):
        copying_heads(np.zeros((1, 1, size, size)), length)
