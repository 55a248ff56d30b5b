from __future__ import annotations

import numpy as np
import pytest

import core
from core.measures import blocks, whole_words, without_special
from core.measures.attention.visible_keys import Reach, later, reach, runs
from tests.browser.pictures.hand_made import traced, window

CAUSAL = later(7, 7)


def chunks(n: int, size: int) -> np.ndarray:
    at = np.arange(n) // size
    found: np.ndarray = np.not_equal.outer(at, at)
    return found


def test_later_keys_by_hand() -> None:
    assert later(2, 3).tolist() == [[False, False, True], [False, False, False]]


@pytest.mark.parametrize(
    ("masked", "found"),
    [
        (np.zeros((5, 5), bool), Reach("all")),
        (CAUSAL, Reach("causal")),
        (later(3, 7), Reach("causal")),
        (window(7, 2, 2), Reach("window", 2, 2)),
        (window(7, 3, 1), Reach("window", 3, 1)),
        (window(7, 2, 0), Reach("window", 2, 0)),
        (window(7, 0, 0), Reach("window", 0, 0)),
        (window(7, 0, 2), Reach("window", 0, 2)),
        (window(7, 99, 2), Reach("window", None, 2)),
        (window(7, 2, 99), Reach("window", 2, None)),
        (window(7, 99, 99), Reach("all")),
        (window(7, 99, 0), Reach("causal")),
        (chunks(7, 3), Reach("chunks", size=3)),
        (chunks(7, 3) | CAUSAL, Reach("chunks", after=0, size=3)),
        (chunks(8, 4), Reach("chunks", size=4)),
        (np.eye(7, dtype=bool), Reach("other")),
        (np.arange(7) >= np.full((7, 1), 5), Reach("padding")),
        (np.arange(11) >= np.full((5, 1), 5), Reach("padding")),
        (np.arange(7) < np.full((7, 1), 2), Reach("other")),
        (CAUSAL.T, Reach("window", 0, None)),
        (np.ones((4, 4), bool), Reach("other")),
        (np.roll(CAUSAL, 1, axis=0), Reach("other")),
    ],
)
def test_a_mask_is_known_by_its_cells(masked: np.ndarray, found: Reach) -> None:
    assert reach(masked) == found


@pytest.mark.parametrize(
    ("found", "numbers"),
    [
        (Reach("window", 127, 0), ["127"]),
        (Reach("window", 64, 64), ["64", "64"]),
        (Reach("window", None, 3), ["all", "3"]),
        (Reach("chunks", size=8192), ["8192"]),
    ],
)
def test_a_window_is_said_with_its_numbers(found: Reach, numbers: list[str]) -> None:
    said = found.sentence.replace(":", "").replace(",", "").split()
    assert [word for word in said if word.isdigit() or word == "all"] == numbers


def test_what_is_seen_has_a_sentence_unless_it_is_all() -> None:
    kinds = [Reach("all"), Reach("causal"), Reach("window", 2, 0), Reach("window", 2, 2)]
    kinds += [Reach("window", 0, 0), Reach("chunks", size=3), Reach("chunks", after=0, size=3)]
    kinds += [Reach("padding")]
    said = [one.sentence for one in (*kinds, Reach("other"))]
    assert said[0] == ""
    assert len(set(said)) == len(said)


def test_runs_are_where_the_seen_keys_begin_and_end() -> None:
    found = runs(window(5, 1, 2))
    assert found is not None
    assert found[0].tolist() == [0, 0, 1, 2, 3]
    assert found[1].tolist() == [3, 4, 5, 5, 5]
    assert runs(np.eye(5, dtype=bool)) is None  # a hole in the middle
    blind = runs(np.array([[True, True], [False, True]]))
    assert blind is not None
    assert [one.tolist() for one in blind] == [[0, 0], [0, 1]]


def test_a_block_has_the_mask_of_each_layer() -> None:
    masked = np.stack([window(9, 2, 2), np.zeros((9, 9), bool), later(9, 9)])
    (block,) = blocks(traced(9, masked=masked)).values()
    assert [block.reach(layer).kind for layer in range(3)] == ["window", "all", "causal"]
    np.testing.assert_array_equal(block.mask(0), masked[0])
    assert block.mask(1) is None
    # Without the special tokens at its ends, it is the same window.
    bare = without_special(block)
    assert [bare.reach(layer).kind for layer in range(3)] == ["window", "all", "causal"]
    np.testing.assert_array_equal(bare.mask(0), masked[0, 1:-1, 1:-1])
    (causal,) = blocks(traced(9, causal=True)).values()
    assert without_special(causal).causal
    assert without_special(causal).masked is None


def test_a_word_sees_what_any_of_its_pieces_sees(minilm: core.Model) -> None:
    whole = minilm.trace("an unbelievability of banks")
    n, first = len(whole.tokens), int(whole.find("unbelievability")[0])
    assert whole.attention is not None
    masked = np.broadcast_to(window(n, 1, 1), (6, n, n))
    weights = np.where(masked[:, None], 0, whole.attention.weights)
    weights = weights / weights.sum(axis=-1, keepdims=True)
    fields = {name: getattr(whole, name) for name in whole.__dataclass_fields__}
    tokens = whole.tokens
    trace = core.Trace(
        **{**fields, "attention": core.Attention(tokens, tokens, weights), "masked": masked}
    )
    (block,) = blocks(trace).values()
    words = whole_words(block)
    unseen = words.mask(3)
    assert unseen is not None
    assert unseen.shape == (6, 6)
    assert tokens[first - 1] == "an"
    np.testing.assert_array_equal(unseen, window(6, 1, 1))  # a word beside a word
    assert (words.attention.weights[:, :, unseen] == 0).all()
