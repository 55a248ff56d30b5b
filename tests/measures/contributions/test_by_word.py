"""Contributions, cuts and attention by word: by hand, and on the real model by the story of `bank`."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import core
from core.examples.first_texts import OPENING
from core.measures.contributions.by_word import coordinate_of, disagree, numbered, why, words_to_cut
from core.records.contributions import Contributions
from core.records.sense_axis import End, Frames, SenseAxis
from core.records.trace import Attention, Trace, frozen

# [CLS] the embank ##ment bank [SEP], with one layer of two heads.
TOKENS = ("[CLS]", "the", "embank", "##ment", "bank", "[SEP]")
WEIGHTS = np.array([np.full((6, 6), 1 / 6), np.eye(6) * 0.4 + 0.1], dtype=np.float32)[
    None
]  # (1, 2, 6, 6)


def trace() -> Trace:
    spans = ((0, 0), (0, 3), (4, 10), (10, 14), (15, 19), (0, 0))
    special = tuple(token.startswith("[") for token in TOKENS)
    return Trace(
        tokens=TOKENS,
        word_ids=(None, 0, 1, 1, 2, None),
        segments=(0,) * 6,
        offsets=spans,
        special=special,
        left_out=None,
        learned=np.zeros((6, 2)),
        embedded=np.zeros((6, 2)),
        hidden=np.arange(12, dtype=np.float32).reshape(1, 6, 2),
        final=None,
        attention=Attention(TOKENS, TOKENS, WEIGHTS),
        query=None,
        key=None,
        value=None,
        model="by hand",
        texts=("the embankment bank",),
        left_out_by_text=(None,),
    )


AXIS = SenseAxis(
    "bank",
    "by hand",
    Frames(End(("a",), (), ()), End(("b",), (), ()), (), ()),
    np.array([[1.0, 2.0]]),
    np.array([[0.0, 2.0]]),
)
CONTRIBUTIONS = np.array([0.5, -0.25, 1.0, 0.25, 2.0, 0.125])


ALONE = -0.25  # the dot product of “bank” alone and the direction; its position is −1 less


def sums() -> Contributions:
    """As counted from the word alone, whose own numbers are already subtracted."""
    by_head = np.arange(12, dtype=np.float32).reshape(1, 2, 6)
    rows = np.stack([CONTRIBUTIONS, [0, 0, 0, 0, 4.75, 0]])
    biases = np.array([1.125, 0])
    return Contributions(
        TOKENS, (4,), 0, frozen([0, 0.5]), 4.75, rows, biases, by_head, by_head / 2, alone=ALONE
    )


def test_by_hand() -> None:
    assert AXIS.direction(-1).tolist() == [0, 0.5]
    assert AXIS.offset(-1) == -1  # −(1, 2)·(0, 0.5)
    assert coordinate_of(trace(), [4], AXIS) == 3.5  # (8, 9)·(0, 0.5) − 1
    cuts = {(0,): -0.125, (1,): 0.5, (2, 3): -0.5, (4,): 0.0, (5,): -0.125}
    found = why(sums(), trace(), AXIS, cuts)
    assert found.words == ("[CLS]", "the", "embankment", "bank", "[SEP]")
    assert found.own == (3,)
    assert found.special == (True, False, False, False, True)
    assert found.others == (1, 2)
    assert found.contributions.tolist() == [0.5, -0.25, 1.25, 2.0, 0.125]
    assert found.by_layer[1].tolist() == [0, 0, 0, 4.75, 0]
    assert (found.alone, found.moved) == (-1.25, 4.75)
    assert (found.alone + found.by_layer.sum(axis=1) + found.constants).tolist() == [3.5, 3.5]
    assert found.shown == (0, 1, 2, 3, 4)
    assert found.coordinate == 3.5
    assert found.rest == (0.0, 0)
    assert found.alone + found.contributions.sum() + found.constant == found.coordinate
    assert found.error == 0
    assert found.cuts.tolist() == [-0.125, 0.5, -0.5, 0, -0.125]
    # The mean of 1/6 and .1, with both pieces added; for the word itself, of 1/6 and .5.
    np.testing.assert_allclose(found.attention, np.array([4, 4, 8, 10, 4]) / 30, atol=1e-6)
    assert found.by_head.tolist() == [[11, 41]]  # all but the fifth token: 15 − 4, 51 − 10
    assert found.by_head_own.tolist() == [[4, 10]]  # of the fifth token
    # Of the 3.625 at the words before the layer, heads move 52 from others, 14 from the word.
    assert found.parts.tolist() == [[52, 14, 3.625 - 66, 1.125]]
    assert found.parts.sum(axis=1) == found.moved
    assert found.at_odds == ()  # what contributes upwards is missed when it is cut, and the reverse


def test_a_long_text_keeps_those_that_contribute_most_and_the_word() -> None:
    words = words_to_cut(sums(), trace(), 2)
    assert words == ((2, 3), (4,))
    found = why(sums(), trace(), AXIS, dict.fromkeys(words, 0.0))
    assert [found.words[i] for i in found.shown] == ["embankment", "bank"]
    assert found.others == (2,)
    assert found.rest == (0.375, 3)  # .5 − .25 + .125
    assert found.alone + found.contributions.sum() + found.constant == found.coordinate


def test_another_zero_is_refused() -> None:
    with pytest.raises(ValueError, match="alone"):
        why(replace(sums(), alone=None), trace(), AXIS, {})


def test_where_sum_and_cut_disagree() -> None:
    same_way = {(0,): -0.5, (1,): -0.1, (2, 3): 0.4, (4,): 0.0, (5,): 5.5}
    found = why(sums(), trace(), AXIS, same_way)
    # “embankment” contributes 1.25, and the position is .4 higher without it; “the” contributes −.25,
    # and it is lower. [SEP] contributes .125, and without it the position is 5.5 higher.
    assert [found.words[i] for i in found.at_odds] == ["[SEP]", "embankment", "the"]


def test_they_disagree_by_size_as_well() -> None:
    sizes = {(0,): -3.0, (1,): 0.0625, (2, 3): -0.3125, (4,): 0.0, (5,): -0.08}
    found = why(sums(), trace(), AXIS, sizes)
    # .5 and −3 are six times apart; −.25 and .0625, 1.25 and −.3125 four times, and no more.
    assert [found.words[i] for i in found.at_odds] == ["[CLS]"]
    assert not disagree(0.0125, -0.0625, 0.01, 0.0625)  # five times, and .05 apart
    assert disagree(0.0125, -0.0625, 0.01, 0.045)


def test_words_that_repeat_are_numbered() -> None:
    assert numbered(["a", "bank", "a", "bank", "a"]) == ("a", "bank", "a (2)", "bank (2)", "a (3)")


PALM = (
    ("A palm grew by the beach.", "beach", 1.23),
    ("He had a scar on the palm of his left hand.", "hand", -0.84),
)


@pytest.mark.few(2)
@pytest.mark.parametrize("layer", range(6))
def test_what_put_palm_there(minilm: core.Model, layer: int) -> None:
    """In every layer, the word that a person would name contributes most, and its cut agrees."""
    axis = minilm.sense_axis("palm", ["finger"], ["tree"])
    direction = axis.direction(layer)
    for text, cue, place in PALM:
        here = minilm.trace(text)
        found = minilm.contributions(text, "palm", direction, layer=layer)
        words = words_to_cut(found, here, 20)
        changes = [[core.Cut(q, k) for q in found.word for k in group] for group in words]
        before = coordinate_of(here, found.word, axis, layer)
        runs = minilm.changed(text, changes, keep="hidden")
        cuts = {
            g: coordinate_of(t, found.word, axis, layer) - before
            for g, t in zip(words, runs, strict=True)
        }
        alone = minilm.contributions("palm", "palm", direction, layer=layer)
        told = why(found.from_alone(alone), here, axis, cuts)
        assert told.coordinate == pytest.approx(before, abs=1e-6)
        if layer == axis.n_layers - 1:
            assert told.coordinate == pytest.approx(place, abs=0.005)
        word = minilm.trace("palm")
        assert told.alone == pytest.approx(coordinate_of(word, [1], axis, layer), abs=1e-5)
        assert told.contributions.sum() + told.constant == pytest.approx(told.moved, abs=1e-4)
        np.testing.assert_allclose(told.by_layer.sum(axis=1) + told.constants, told.moved, atol=1e-4)
        assert told.error < 1e-4
        first = max(told.others, key=lambda i: abs(told.contributions[i]))
        assert told.words[first] == cue
        assert told.contributions[first] * told.coordinate > 0
        assert told.cuts[first] * told.coordinate < 0  # without it, the word is nearer to the middle
        assert told.attention.sum() == pytest.approx(1, abs=1e-5)


def test_asked_words_hold_the_word_and_its_strongest_look(minilm: core.Model) -> None:
    axis = minilm.sense_axis("bank", OPENING.low.words, OPENING.high.words)
    found = minilm.contributions(OPENING.text_a, "bank", axis.direction(-1))
    here = minilm.trace(OPENING.text_a)
    # Even with room for two words, one is the most attended one, although [CLS] contributes almost
    # nothing.
    assert words_to_cut(found, here, 2) == ((0,), (*here.find("bank"),))
