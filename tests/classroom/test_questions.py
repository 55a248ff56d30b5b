"""Answers become bars, and a lesson's Markdown becomes plain text."""

from __future__ import annotations

import random

import pytest

from core import localization
from core.classroom import (
    MOST_INTRO,
    Question,
    Reveal,
    RoomError,
    mentioned,
    plain,
    tally,
    vote_of,
    wanted,
)
from core.classroom.questions import LARGEST, MOST_BINS
from core.untrusted import Kind

NUMBER = Question("How far?")


@pytest.mark.parametrize("options", [("one",), tuple("abcdefghi"), ("a", ""), ("a", "b" * 300)])
def test_a_question_that_cannot_be_asked_is_refused(options: tuple[str, ...]) -> None:
    with pytest.raises(RoomError):
        Question("Which?", options)


def test_the_words_before_a_question_are_few() -> None:
    assert Question("Which?", intro="x" * MOST_INTRO).intro
    with pytest.raises(RoomError, match="1000"):
        Question("Which?", intro="x" * (MOST_INTRO + 1))


@pytest.mark.parametrize("words", ["", "x" * 601])
def test_a_question_has_words(words: str) -> None:
    with pytest.raises(RoomError):
        Question(words)


def test_few_numbers_have_a_bar_each() -> None:
    counted = tally(NUMBER, (0.5, -2.0, 0.5), Reveal("", number=0.55, tolerance=0.1))
    assert [(bar.label, bar.times, bar.right) for bar in counted.bars] == [
        ("−2", 1, False),
        ("0.5", 2, True),
    ]
    assert (counted.answers, counted.right) == (3, 2)
    assert tally(NUMBER, ()) == (0, (), None)


def test_ranges_are_written_for_whoever_looks() -> None:
    given = [one / 2 for one in range(-2, 20)]
    with localization.spoken("de"):
        labels = [bar.label for bar in tally(NUMBER, given).bars]
        assert [bar.label for bar in tally(NUMBER, [0.5]).bars] == ["0,5"]
    english = [bar.label for bar in tally(NUMBER, given).bars]
    assert (labels[0], english[0]) == ("−2 bis 0", "−2 to 0")


@pytest.mark.parametrize("scale", [1e-9, 0.01, 1.0, 1e9])
def test_many_numbers_have_few_ranges_and_none_is_lost(scale: float) -> None:
    draw = random.Random(1)
    said = [draw.uniform(-scale, scale) for _ in range(300)]
    given = [one for x in said if (one := vote_of(NUMBER, x)) is not None]
    assert len(given) == 300
    counted = tally(NUMBER, given)
    assert len(counted.bars) <= 2 * MOST_BINS
    assert sum(bar.times for bar in counted.bars) == 300


def test_a_phone_cannot_send_a_number_that_breaks_the_wall() -> None:
    said = [i * 5e-324 for i in range(12)] + [i * 1e-300 for i in range(12)] + [LARGEST, -LARGEST, -0.0]
    given = [one for x in said if (one := vote_of(NUMBER, x)) is not None]
    assert sum(bar.times for bar in tally(NUMBER, given).bars) == len(said)
    for wrong in (1e10, float("nan"), 10**400, "9" * 11, "one", True):
        assert vote_of(NUMBER, wrong) is None


@pytest.mark.parametrize(
    ("kind", "typed", "value"),
    [
        *(("share", ".5", 0.5), ("share", "0,5", 0.5), ("share", "50 %", 0.5), ("share", "50", None)),
        *(("whole", "7", 7.0), ("whole", ".5", None), ("whole", "50 %", None)),
        ("number", "−1,5", -1.5),
    ],
)
def test_a_phone_sends_a_number_as_it_is_typed(kind: Kind, typed: str, value: float | None) -> None:
    asked = Question("How much?", kind=kind)
    assert vote_of(asked, typed) == value
    assert wanted(asked).startswith("Type a ")
    assert vote_of(Question("Which?", ("a", "b")), "1") is None  # a choice is sent by its place


@pytest.mark.parametrize(
    ("markdown", "words"),
    [
        ("On which side does *bank* end?", "On which side does bank end?"),
        ("**Two** `tokens` of $W_O$ \\* 3", "Two tokens of W_O * 3"),
        ("a [head](/glossary?g=head),\n  once", "a head, once"),
        ("<b>&amp; {x}", "<b>&amp; {x}"),
    ],
)
def test_markdown_becomes_plain_words(markdown: str, words: str) -> None:
    assert plain(markdown) == words


def test_long_words_end_in_an_ellipsis() -> None:
    assert plain("a" * 50, 10) == "a" * 9 + "…"


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("Is *cat* nearer to *dog*s?", "Is “cat” nearer to “dog”s?"),
        (r"Is \*this\* **bold**, or 2 * 3?", r"Is \*this\* **bold**, or 2 * 3?"),
    ],
)
def test_what_a_question_mentions_stands_in_quotation_marks(asked: str, said: str) -> None:
    assert mentioned(asked) == said
