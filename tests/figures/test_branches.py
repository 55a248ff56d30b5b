"""A tree of continuations: its numbers and names; what is no tree is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from core.figures import Branch, Picture, branches, style

NODES = (
    Branch(-1, "to", 1.0),
    Branch(0, " Mary", 0.5),
    Branch(1, ".\n", 0.25),
    Branch(0, " <b>", 0.0),
)


def draw(nodes: Any = NODES, **more: Any) -> Picture:
    return branches(nodes, sentence="A tree.", name="branches", **more)


def test_bytes_hold_the_probabilities_and_the_header_the_tree() -> None:
    picture = draw(chosen=np.int64(2))
    np.testing.assert_array_equal(np.frombuffer(picture.payload, "<f4"), [1, 0.5, 0.25, 0])
    header = picture.header
    assert header["labels"] == ("to", "␣Mary", ".↵", "␣<b>")
    assert (header["parents"], header["chosen"], header["left"]) == ((-1, 0, 1, 0), 2, False)
    assert (header["hue"], header["file"]) == (style.WEIGHT_HUE, "polysee-branches")
    assert draw().header["chosen"] is None
    assert draw([Branch(-1, "הבית", 1)]).header["left"] is True


def test_rounding_beyond_0_and_1_is_taken_away() -> None:
    picture = draw([Branch(-1, "a", 1.00005), Branch(0, "b", -0.00005)])
    np.testing.assert_array_equal(np.frombuffer(picture.payload, "<f4"), [1, 0])


def test_height_follows_the_ends_of_the_tree() -> None:
    def height(count: int) -> int:
        return draw([Branch(-1, "a", 1), *[Branch(0, "b", 0.1)] * count]).height

    chain = draw([Branch(i - 1, "a", 1) for i in range(60)])
    assert chain.height == height(0) == height(1)
    assert height(1) < height(2) < height(14) == height(15) == height(299)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: draw([]),
        lambda: draw([Branch(0, "a", 1)]),
        lambda: draw([Branch(-1, "a", 1), Branch(2, "b", 1), Branch(0, "c", 1)]),
        lambda: draw([Branch(-2, "a", 1)]),
        lambda: draw([Branch(-1, "a", 1.01)]),
        lambda: draw([Branch(-1, "a", -0.01)]),
        lambda: draw([Branch(-1, "a", float("nan"))]),
        lambda: draw(chosen=4),
        lambda: draw(chosen=-1),
    ],
)
def test_what_cannot_be_drawn_is_refused(wrong: Any) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        wrong()
