from __future__ import annotations

import pytest

from core.examples import ANCHORS, known_ends, known_word, labelled, words
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
