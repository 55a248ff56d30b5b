"""The words of one or two texts, as named in a link."""

from __future__ import annotations

import pytest

from core.comparison.word import WordOccurrence
from pages.embeddings.trajectories import chosen_words as path_words
from pages.embeddings.trajectories.chosen_words import Picked


def places(*words: str) -> tuple[WordOccurrence, ...]:
    return tuple(WordOccurrence(word, words[:i].count(word), 0, 0) for i, word in enumerate(words))


A = places("she", "saw", "the", "bank", "on", "the", "bank")
B = places("a", "river", "bank")


@pytest.mark.parametrize(
    ("typed", "there", "found"),
    [
        ("bank:2, she", [A], [(0, "bank", 1), (0, "she", 0)]),
        ("bank:9", [A], [(0, "bank", 1)]),  # the last there is
        ("BANK", [A], [(0, "bank", 0)]),
        ("bank, bank, nothing", [A], [(0, "bank", 0)]),
        ("she", [A, B], [(0, "she", 0), (1, "bank", 0)]),  # two known senses
        ("bank:2", [A, B], [(0, "bank", 1), (1, "bank", 0)]),
        ("she; bank", [A, B], [(0, "she", 0), (1, "bank", 0)]),
        ("she; ", [A, B], [(0, "she", 0)]),  # emptied
        ("; bank", [A, B], [(0, "bank", 0), (0, "bank", 1), (1, "bank", 0)]),
        ("nothing", [A], [(0, "bank", 0), (0, "bank", 1)]),  # what it has twice
        ("", [places("the", "plant", "was", "closed")], [(0, "plant", 0)]),  # two known senses
        ("", [places("the", "cat", "saw", "the", "plant")], [(0, "plant", 0)]),  # not "the" twice
        ("", [places("cat", "and", "cat", "of", "plant")], [(0, "cat", 0), (0, "cat", 1)]),
        ("", [places("a", "hungry", "dog")], [(0, "hungry", 0)]),  # the longest
        ("", [B], [(0, "bank", 0)]),  # two known senses
        ("bank", [()], []),
        (":;,:2;x:y:-1", [A], [(0, "bank", 0), (0, "bank", 1)]),
    ],
)
def test_a_link_names_words(
    typed: str, there: list[tuple[WordOccurrence, ...]], found: list[tuple[int, str, int]]
) -> None:
    assert [tuple(one) for one in path_words.read(typed, there)] == found


@pytest.mark.parametrize(
    ("typed", "shared", "found"),
    [
        ("", [("seal", "seals")], [(0, "seal", 0), (1, "seals", 0), (1, "seals", 1)]),
        ("bank, bank:2", [("lid", "fish"), ("seal", "seals")], [(0, "lid", 0), (1, "fish", 0)]),
        (
            "",
            [("whale", "seals"), ("seal", "seals")],
            [(0, "seal", 0), (1, "seals", 0), (1, "seals", 1)],
        ),
        ("lid", [("seal", "seals")], [(0, "lid", 0), (1, "seals", 0), (1, "seals", 1)]),  # asked for
        ("", [], [(0, "seal", 0), (1, "seals", 0), (1, "seals", 1)]),
    ],
)
def test_two_texts_show_the_word_that_both_have(
    typed: str, shared: list[tuple[str, str]], found: list[tuple[int, str, int]]
) -> None:
    there = [
        places("the", "seal", "of", "the", "lid"),
        places("the", "seals", "ate", "the", "fish", "seals"),
    ]
    assert [tuple(one) for one in path_words.read(typed, there, shared=lambda: shared)] == found


def test_a_word_that_both_texts_repeat_is_shown_in_both() -> None:
    many = places(*["seal"] * 12)
    picked = path_words.read("", [many, many], shared=lambda: [("seal", "seal")])
    assert [one.text for one in picked] == [0] * 4 + [1] * 4
    picked = path_words.read("", [many, places("seal")], shared=lambda: [("seal", "seal")])
    assert [one.text for one in picked] == [0] * 7 + [1]


def test_what_is_written_is_read() -> None:
    picked = (Picked(0, "bank", 1), Picked(0, "she", 0), Picked(1, "river", 0))
    assert path_words.typed(picked) == "bank:2, she; river"
    assert path_words.read(path_words.typed(picked), [A, B]) == picked
    only_b = (Picked(1, "bank", 0),)
    assert path_words.typed(only_b) == "; bank"
    assert path_words.typed(()) == ""


def test_never_more_than_can_be_distinguished() -> None:
    many = places(*"abcdefghijkl")
    assert len(path_words.read(",".join("abcdefghijkl"), [many])) == path_words.MOST


def test_names_tell_places_and_texts_apart() -> None:
    picked = path_words.read("bank, bank:2, she; bank", [A, B])
    assert [*path_words.called(picked, [A, B]).values()] == [
        "bank (1) in A",
        "bank (2) in A",
        "she in A",
        "bank in B",
    ]
    assert [*path_words.called(path_words.read("she", [A]), [A]).values()] == ["she"]


def test_words_that_are_in_no_text_are_known() -> None:
    assert path_words.missing("bank:2, zebra, zebra:3, ", [A]) == ("zebra",)
    assert path_words.missing("river", [A, B]) == ()  # it is in one of them
    assert path_words.missing("river; she", [A, B]) == ("river", "she")
    assert path_words.missing("; ", [A, B]) == ()
