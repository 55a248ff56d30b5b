"""The map of words as a header and bytes, and which of its points lie inside a lasso."""

from __future__ import annotations

import numpy as np
import pytest

from core.figures import Picture, Side, groups_of, word_map
from core.figures.word_map import bounds_of, inside

AT = np.array([[0, 0], [4, 1], [np.nan, np.nan]], np.float32)


def picture(**more: object) -> Picture:
    first = Side("here", AT, [7, 5, 0], [0, 1, 1])
    second = Side("there", AT[::-1], [0, 2, 3], [0, 1, 1])
    return word_map(["a", "<b>", "c"], [first, second], groups_of(["x", "y"]), sentence="s", name="n")


def test_positions_counts_and_groups_follow_each_other() -> None:
    made = picture()
    assert made.header["words"] == ("a", "<b>", "c")
    assert made.header["sides"] == ("here", "there")
    at = np.frombuffer(made.payload, "<f4", 12).reshape(2, 3, 2)
    np.testing.assert_array_equal(at, [AT, AT[::-1]])
    counts = np.frombuffer(made.payload, "<u4", 6, 48)
    assert counts.tolist() == [7, 5, 0, 0, 2, 3]
    assert np.frombuffer(made.payload, np.uint8, 6, 72).tolist() == [0, 1, 1, 0, 1, 1]
    assert len(made.payload) == 78
    left, bottom, right, top = made.header["bounds"]
    assert left < 0 < 4 < right
    assert bottom < 0 < 1 < top


def test_a_state_of_anybody_becomes_one_of_this_map() -> None:
    made = picture()
    kept = made.choosing(
        {"chosen": 2, "lasso": [0, 0, 9, 0, 9, 9], "side": 1, "found": "b", "view": None}
    )
    assert dict(kept.state) == {
        "chosen": 2,
        "found": "b",
        "lasso": (0, 0, 9, 0, 9, 9),
        "side": 1,
        "view": None,
    }
    wrong = made.choosing({"chosen": 3, "lasso": [0, 0], "side": 7, "found": "b" * 41, "view": [1]})
    assert dict(wrong.state) == {"chosen": None, "found": "", "lasso": None, "side": 0, "view": None}


def test_what_does_not_fit_is_refused() -> None:
    one = Side("", AT, [7, 5, 0], [0, 1, 1])
    for words, sides in (
        ([], [one]),
        (["a"], [one]),
        (["a", "b", "c"], [one] * 3),
        (["a", "b", "c"], []),
    ):
        with pytest.raises(ValueError, match=r"has a position|has 1 to"):
            word_map(words, sides, groups_of(["x", "y"]), sentence="s", name="n")
    nowhere = Side("", np.full((3, 2), np.nan), [7, 5, 0], [0, 1, 1])
    with pytest.raises(ValueError, match="at least one position"):
        word_map(["a", "b", "c"], [nowhere], groups_of(["x", "y"]), sentence="s", name="n")


def test_a_lasso_holds_what_lies_inside_it() -> None:
    """A U of 0 to 1000: its two arms are inside, the gap between them is not."""
    u = [0, 0, 1000, 0, 1000, 1000, 700, 1000, 700, 300, 300, 300, 300, 1000, 0, 1000]
    at = np.array([[1, 9], [5, 9], [9, 9], [5, 1], [11, 5], [np.nan, np.nan]], np.float32)
    assert inside(u, at, (0, 0, 10, 10)).tolist() == [True, False, True, True, False, False]


def test_one_point_has_bounds_of_some_size() -> None:
    left, bottom, right, top = bounds_of([np.array([[3.0, -2.0]], np.float32)])
    assert right > left
    assert top > bottom
