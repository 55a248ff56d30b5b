"""Where a word stands between its ends, and the verdict."""

from __future__ import annotations

import numpy as np
import pytest

import core
from core.comparison import Ends, say
from core.comparison.judge import between as judge_between
from core.comparison.source import Direct
from core.errors import NotSupported
from core.examples.first_texts import OPENING
from core.measures.senses.verdict import UNMOVED
from tests.comparison.asking import ask, check_sums, known
from ui.comparison import between, moved, picture, sure


@pytest.mark.check
def test_two_forms_of_one_word_have_an_axis_each(minilm: core.Model) -> None:
    texts = "Ducks nest along the river banks.", "The bank lends money."
    ends = known("bank", *texts)
    asked = ask(*texts, ("banks", "bank"), ends)
    assert asked.is_one_word(minilm.spelling)
    assert asked.names == ("A", "B", "banks alone", "bank alone")
    found = between(asked)
    assert found is not None
    assert [axis.word for axis in found.axes] == ["banks", "bank"]
    assert found.verdict.answer == "two meanings"
    for axis, position, text, word in zip(
        found.axes, found.coordinates, texts, ("banks", "bank"), strict=True
    ):
        trace = minilm.trace(text)
        np.testing.assert_allclose(position, axis.coordinates(trace, trace.find(word)), atol=1e-5)
    check_sums(picture(found, depth=6, adds=True), found.coordinates)


def test_two_different_words_have_paths_and_no_one_dot(minilm: core.Model) -> None:
    asked = ask(OPENING.text_a, OPENING.text_b, ("river", "money"), None)
    assert not asked.is_one_word(minilm.spelling)
    assert between(asked) is None
    found = moved(asked)
    assert len(found.alone) == 2
    assert found.together[0] < 0.99  # two learned vectors
    same = moved(ask(OPENING.text_a, OPENING.text_b, ("bank", "bank"), None))
    assert len(same.alone) == 1
    assert same.together[0] == pytest.approx(1)


@pytest.mark.check
def test_proposed_ends_and_unknown_ones_give_no_verdict(minilm: core.Model) -> None:
    texts = OPENING.text_a, OPENING.text_b
    named = Ends(("money", "river"), ("money", "cash", "loan"), ("river", "water", "shore"))
    for ends, reason in (
        (named._replace(proposed=True), "drawn from the sentences"),
        (named._replace(low=("money 🎣",)), "does not know a piece"),
    ):
        found = between(ask(*texts, ("bank", "bank"), ends))
        assert found is not None
        assert found.verdict.answer is None
        assert any(reason in one for one in found.verdict.reasons)
        check_sums(picture(found, depth=0, adds=True), found.coordinates)
    found = between(ask(*texts, ("bank", "bank"), named))
    assert found is not None
    assert found.verdict.answer is not None
    with pytest.raises(NotSupported, match="does not know “🎣”"):
        between(ask(*texts, ("bank", "bank"), named._replace(low=("🎣",))))
    with pytest.raises(core.WordNotFound, match="does not contain “bank”"):
        between(ask(*texts, ("bank", "bank"), named._replace(low=("He has a lot of money.",))))
    with pytest.raises(NotSupported, match="cannot tell the two ends apart"):
        between(ask(*texts, ("bank", "bank"), Ends(("x", "y"), ("river",), ("river",))))


def test_what_stands_beside_the_verdict(minilm: core.Model) -> None:
    # River is in one sentence, money in the other.
    texts = (
        "Write a poem about a man fishing on a river bank.",
        "Write a poem about a man withdrawing money from a bank.",
    )
    found = between(ask(*texts, ("bank", "bank"), known("bank", *texts)))
    assert found is not None
    beside = sure(found)
    assert beside.ends == "both"
    assert beside.bounds == found.verdict.bounds
    assert {(one.word, one.text) for one in beside.standing} == {
        *(("river", 0), ("fishing", 0), ("money", 1))
    }
    assert beside.cosine == pytest.approx(0.85, abs=0.005)
    assert beside.labelled is not None
    assert beside.labelled.same.count == 2 * 28  # pairs of 8 sentences in each of two senses
    lamp = between(
        ask(
            "A blue lamp.",
            "The lamp of the ship.",
            ("lamp", "lamp"),
            Ends(("a", "b"), ("sea",), ("sky",)),
        )
    )
    assert lamp is not None
    assert sure(lamp).labelled is None


def test_a_word_that_its_sentence_hardly_moved_takes_no_side(minilm: core.Model) -> None:
    # “rock” alone stands with music: a sentence that leaves it there decides nothing.
    texts = "He prefers classical opera to rock.", "The climbers sat on the grey rock."
    source = Direct(minilm)
    found = judge_between(ask(*texts, ("rock", "rock"), known("rock", *texts)), source)
    assert found is not None
    assert found.alone is not None
    axis, alone = found.axes[0], minilm.trace("rock")
    assert found.alone[0] == pytest.approx(axis.coordinates(alone, alone.find("rock"))[-1], abs=1e-5)
    assert abs(found.verdict.a - found.alone[0]) < UNMOVED < abs(found.verdict.b - found.alone[1])
    assert found.verdict.is_clear
    headline, beside = say.said(found, source)[:2]
    assert "stays with **music** in :blue[**A**]" in headline
    assert "sides with" in headline
    assert "In A, the sentence hardly moved it" in beside
    assert f"{found.alone[0]:.2f}".replace("-", "−") in beside
