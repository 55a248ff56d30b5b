"""Pushes, cuts and looks by word: by hand, and on the real model by the published story of `bank`."""

from __future__ import annotations

import numpy as np
import pytest

import core
from core.causes import Contributions
from core.measures import SenseAxis, sense_axis, word_path
from core.measures.why import asked, disagree, measure, numbered, place_of, why
from core.settings import ANCHOR_FRAME, OPENING
from core.trace import Attention, Trace, frozen

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


AXIS = SenseAxis((frozen([1.0, 2.0]),), (frozen([0.0, 2.0]),))
PUSHES = np.array([0.5, -0.25, 1.0, 0.25, 2.0, 0.125])


def sums() -> Contributions:
    carried = np.arange(12, dtype=np.float32).reshape(1, 2, 6)
    rows = np.stack([PUSHES, [0, 0, 0, 0, 4.5, 0]])
    biases = np.array([0.875, 0])
    return Contributions(TOKENS, (4,), 0, frozen([0, 0.5]), 4.5, rows, biases, carried, carried / 2)


def test_by_hand() -> None:
    direction, zero = measure(AXIS)
    assert direction.tolist() == [0, 0.5]
    assert float(zero) == 1  # (1, 2)·(0, 0.5)
    assert place_of(trace(), [4], AXIS) == 3.5  # (8, 9)·(0, 0.5) − 1
    cuts = {(0,): -0.125, (1,): 0.5, (2, 3): -0.5, (4,): 0.0, (5,): -0.125}
    found = why(sums(), trace(), AXIS, cuts)
    assert found.words == ("[CLS]", "the", "embankment", "bank", "[SEP]")
    assert found.own == (3,)
    assert found.special == (True, False, False, False, True)
    assert found.others == (1, 2)
    assert found.pushes.tolist() == [0.5, -0.25, 1.25, 2.0, 0.125]
    assert found.by_layer[1].tolist() == [0, 0, 0, 4.5, 0]
    assert (found.by_layer.sum(axis=1) + found.constants).tolist() == [3.5, 3.5]
    assert found.shown == (0, 1, 2, 3, 4)
    assert found.place == 3.5
    assert found.rest == (0.0, 0)
    assert found.pushes.sum() + found.constant == found.place
    assert found.error == 0
    assert found.cuts.tolist() == [-0.125, 0.5, -0.5, 0, -0.125]
    # The mean of 1/6 and .1, of both pieces added up; of itself, of 1/6 and .5.
    np.testing.assert_allclose(found.looks, np.array([4, 4, 8, 10, 4]) / 30, atol=1e-6)
    assert found.carried.tolist() == [[11, 41]]  # all but the fifth token: 15 − 4, 51 − 10
    assert found.kept.tolist() == [[4, 10]]  # of the fifth token
    # Of the 3.625 at the words before the layer, heads carry 52 from others, 14 from the word.
    assert found.parts.tolist() == [[52, 14, 3.625 - 66, -0.125]]
    assert found.parts.sum(axis=1) == found.place
    assert found.at_odds == ()  # what pushes up is missed when it is cut, and the reverse


def test_a_long_text_keeps_those_that_push_most_and_the_word() -> None:
    words = asked(sums(), trace(), 2)
    assert words == ((2, 3), (4,))
    found = why(sums(), trace(), AXIS, dict.fromkeys(words, 0.0))
    assert [found.words[i] for i in found.shown] == ["embankment", "bank"]
    assert found.others == (2,)
    assert found.rest == (0.375, 3)  # .5 − .25 + .125
    assert found.pushes.sum() + found.constant == found.place


def test_where_sum_and_cut_disagree() -> None:
    same_way = {(0,): -0.5, (1,): -0.1, (2, 3): 0.4, (4,): 0.0, (5,): 5.5}
    found = why(sums(), trace(), AXIS, same_way)
    # “embankment” adds 1.25, and the place is .4 higher without it; “the” adds −.25, and it is lower.
    # [SEP] adds .125, and without it the place is 5.5 higher.
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


def test_what_put_bank_there(minilm: core.Model) -> None:
    """facts.md, “Why did bank move”: the words that a person would name come first in the sum."""

    def paths(words: tuple[str, ...]) -> list:
        traces = minilm.trace_many([ANCHOR_FRAME.format(word=word) for word in words])
        return [word_path(t, t.find(w)) for t, w in zip(traces, words, strict=True)]

    assert OPENING.low is not None
    axis = sense_axis(paths(OPENING.low.words), paths(OPENING.high.words))
    direction, _ = measure(axis)
    for text, cues, place in (
        (OPENING.text_a, {"fishing", "river"}, -0.17),
        (OPENING.text_b, {"withdrawing", "money"}, -0.66),
    ):
        here = minilm.trace(text)
        found = minilm.contributions(text, "bank", direction)
        # Even of two words one is that which it looks at most, though [CLS] adds next to nothing.
        assert asked(found, here, 2) == ((0,), (*here.find("bank"),))
        words = asked(found, here, 20)
        changes = [[core.Cut(q, k) for q in found.word for k in group] for group in words]
        before = place_of(here, found.word, axis)
        runs = minilm.changed(text, changes, keep="hidden")
        cuts = {g: place_of(t, found.word, axis) - before for g, t in zip(words, runs, strict=True)}
        told = why(found, here, axis, cuts)
        assert told.place == pytest.approx(place, abs=0.005)
        assert told.pushes.sum() + told.constant == pytest.approx(told.place, abs=1e-4)
        first = sorted(told.others, key=lambda i: -abs(told.pushes[i]))[:2]
        assert {told.words[i] for i in first} == cues
        assert told.looks.sum() == pytest.approx(1, abs=1e-5)
