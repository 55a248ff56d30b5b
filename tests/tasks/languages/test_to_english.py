"""French to English: the alignment, ambiguous sentences, references."""

from __future__ import annotations

from collections import defaultdict
from itertools import islice

import numpy as np
import pytest

from core.tasks.languages import to_english
from core.tasks.languages.directions import DIRECTIONS
from core.tasks.languages.grammar import Sentence, Writer
from core.tasks.languages.references import LONGEST_FRENCH, references, references_of_french
from core.tasks.languages.to_english import TO_ENGLISH, alignment, is_ambiguous
from core.tasks.languages.translation import ENGLISH, FRENCH, has_unseen_pair, is_held_out
from core.tasks.training.batches import NOWHERE


def drawn(count: int, seed: int = 5) -> list[Sentence]:
    writer = Writer(np.random.default_rng(seed))
    return [writer.sentence() for _ in range(count)]


@pytest.mark.parametrize(
    ("english", "comes_from"),
    [
        ("i am a student", ("je", "suis", None, "étudiant")),
        ("the black cat sleeps", ("le", "noir", "chat", "dort")),
        ("she does not have a red car", ("elle", None, "pas", "a", "de", "rouge", "voiture")),
        ("do you like them ?", ("que", "vous", "aimez", "les", "?")),
    ],
)
def test_where_each_english_word_comes_from(english: str, comes_from: tuple[str | None, ...]) -> None:
    (sentence,) = references(english.split())
    found = [None if at == NOWHERE else sentence.french[at] for at in alignment(sentence)]
    assert tuple(found) == comes_from


def test_an_example_is_the_pair_turned_round() -> None:
    for sentence in drawn(50):
        example = TO_ENGLISH.example(sentence)
        assert example.source == FRENCH.ids(sentence.french)
        assert example.labels[:-1] == ENGLISH.ids(sentence.english)
        assert example.attend_to == (*alignment(sentence), NOWHERE)
        for i, at in enumerate(alignment(sentence)):
            assert at == NOWHERE or sentence.alignment[at] == i


@pytest.mark.fuzz
@pytest.mark.check
def test_one_french_sentence_has_one_english_one_but_where_it_is_left_out() -> None:
    """The claim of the module, on 60,000 sentences."""
    by_french = defaultdict[tuple[str, ...], set[tuple[str, ...]]](set)
    for sentence in drawn(60_000):
        if not is_ambiguous(sentence):
            by_french[sentence.french].add(sentence.english)
    assert len(by_french) > 20_000
    assert [english for english in by_french.values() if len(english) > 1] == []


@pytest.mark.check
def test_what_is_left_out() -> None:
    left_out = [sentence for sentence in drawn(20_000) if is_ambiguous(sentence)]
    assert 0.005 < len(left_out) / 20_000 < 0.03
    for sentence in left_out:
        assert "l'" in sentence.french
        assert {"him", "her"} & {*sentence.english}
    for sentence in to_english.unseen_sentences(300):
        assert is_held_out(sentence.english)
        assert not has_unseen_pair(sentence)
        assert not is_ambiguous(sentence)
    assert all(has_unseen_pair(one) and not is_ambiguous(one) for one in to_english.unseen_pairs(100))
    unseen = {TO_ENGLISH.example(one) for one in to_english.unseen_sentences(300)}
    shown = set(islice(TO_ENGLISH.examples(np.random.default_rng(0)), 5_000))
    assert not unseen & shown
    elided = FRENCH.ids(["l'"])[0]
    either = set(ENGLISH.ids(["him", "her"]))
    assert sum(elided in one.source and bool(either & {*one.labels}) for one in shown) > 20


def test_references_of_french_find_every_drawn_sentence() -> None:
    for sentence in drawn(150, seed=3):
        assert len(sentence.french) <= LONGEST_FRENCH
        found = references_of_french(sentence.french)
        assert sentence in found
        english = {one.english for one in found}
        assert len(english) == 1 + is_ambiguous(sentence)


def test_two_references_and_none() -> None:
    found = references_of_french(("je", "l'", "aime"))
    assert {" ".join(one.english) for one in found} == {"i like him", "i like her"}
    for wrong in ((), ("je",), ("chat", "je"), ("je", "aime", "le"), ("zèbre",) * 3, ("je",) * 40):
        assert references_of_french(wrong) == ()


def test_both_directions_say_which_side_is_read() -> None:
    sentence = references(["i", "am", "a", "student"])[0]
    for direction in DIRECTIONS.values():
        words = {"English": sentence.english, "French": sentence.french}
        assert direction.read(sentence) == words[direction.source]
        assert direction.written(sentence) == words[direction.target]
        assert len(direction.alignment(sentence)) == len(direction.written(sentence))
        assert direction.references(direction.read(sentence)) == (sentence,)
