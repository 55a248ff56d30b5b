from __future__ import annotations

import pytest

from core.examples import ANCHORS, known_ends, known_word, labelled, words
from core.examples.uncued import uncued
from core.examples.unrelated import UNRELATED


@pytest.mark.parametrize(
    ("word", "known"),
    [("bank", "bank"), ("Banks", "bank"), ("mice", "mouse"), ("river", None), ("banker", None)],
)
def test_a_known_word_in_whatever_form(word: str, known: str | None) -> None:
    assert known_word(word) == known


def test_a_known_word_uses_all_that_there_is() -> None:
    for word in words():
        ends = known_ends(word)
        assert ends is not None
        assert ends.names == (ANCHORS[word].low.name, ANCHORS[word].high.name)
        assert len(ends.low) + len(ends.high) == 12 + len(labelled(word))
        for end, group in ((ends.low, ANCHORS[word].low), (ends.high, ANCHORS[word].high)):
            assert end[:6] == group.words
            assert {*end[6:]} == {s.text for s in labelled(word) if s.sense == group.name}
    assert known_ends("river") is None


def test_a_sentence_is_not_measured_against_itself() -> None:
    one = labelled("bank")[0].text
    ends = known_ends("banks", ["  " + one.upper(), "Another."])
    assert ends is not None
    assert ends.word == "bank"
    assert one not in ends.low
    assert len(ends.low) + len(ends.high) == 12 + len(labelled("bank")) - 1


def test_unrelated_words_are_no_anchors() -> None:
    anchors = {word for ends in ANCHORS.values() for group in ends for word in group.words}
    every = [word for group in UNRELATED for word in group]
    assert not anchors & {*every}
    assert len({*every}) == len(every)
    assert {len(group) for group in UNRELATED} == {6}


def test_sentences_without_a_cue_hold_their_word_and_no_anchor() -> None:
    for word in words():
        group = {anchor for end in ANCHORS[word] for anchor in end.words}
        labelled_texts = {one.text for one in labelled(word)}
        for text in uncued(word):
            there = text.casefold().strip(".?").split()
            assert there.count(word) == 1
            assert not group & {*there}
            assert text not in labelled_texts
        assert len(uncued(word)) == len({*uncued(word)}) == 10
