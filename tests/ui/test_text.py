from __future__ import annotations

import pytest

from core.records.comparison import AnchorGroup
from ui import text


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("money, cash ,money,, loan", ("money", "cash", "loan")),
        ("", ()),
        (" , ,", ()),
        ("river bank, shore", ("river bank", "shore")),
    ],
)
def test_words_of(typed: str, words: tuple[str, ...]) -> None:
    assert text.words_of(typed) == words


@pytest.mark.parametrize(
    ("typed", "group"),
    [
        ("money, cash", AnchorGroup("money", ("money", "cash"))),
        ("finance: money, cash, money", AnchorGroup("finance", ("money", "cash"))),
        ("at 10:30, money", AnchorGroup("at 10:30", ("at 10:30", "money"))),
        ("money, a: b", AnchorGroup("money", ("money", "a: b"))),
        ("", AnchorGroup("", ())),
    ],
)
def test_group_of(typed: str, group: AnchorGroup) -> None:
    assert text.group_of(typed) == group
    if group.words:
        assert text.group_of(text.typed_group(group)) == group


def test_an_error_isolates_what_it_quotes_and_nothing_else() -> None:
    said = text.of_error(ValueError("“נהר” does not occur. Search for “<b>” or “بنك”."))
    assert said.replace("\\", "") == (
        "“\u2068נהר\u2069” does not occur. Search for “<b>” or “\u2068بنك\u2069”."
    )
    assert r"\<b\>" in said


def test_cut_shows_the_last_words_that_were_read() -> None:
    typed = "x" * 50 + " and the *bank* was left out"
    said = text.cut("Sentence A", typed, typed.index(" was"))
    assert said == (
        "Sentence A is longer than the model accepts. It was cut after "
        r"“… and the \*bank\*”."  # from the beginning of a word on
    )
    assert text.cut("B", "one two ", 8).endswith("“… one two”.")


@pytest.mark.parametrize(
    ("read", "most", "end"),
    [
        ("on the pink river bank", 13, "river bank"),  # in the middle of “pink”
        ("on the pink river bank", 10, "river bank"),  # exactly at a word
        ("on the pink river bank", 11, "river bank"),  # at the space before it
        ("Donaudampfschiff", 5, "chiff"),  # a word that is too long shows its end
        (" two\n words ", 30, "two words"),
    ],
)
def test_the_end_of_a_text_begins_with_a_word(read: str, most: int, end: str) -> None:
    assert text.end_of(read, most) == f"“… {end}”"


def test_right_to_left_words_do_not_turn_the_numbers_beside_them() -> None:
    assert text.plain("נהר") == "\u2068נהר\u2069"
    assert "\u2068" not in text.plain("river")


@pytest.mark.parametrize(
    ("seconds", "left"),
    [
        (0.2, "about 1 s left"),
        (17.6, "about 18 s left"),
        (89.0, "about 89 s left"),
        (90.0, "about 2 min left"),
        (179.0, "about 3 min left"),
    ],
)
def test_a_remaining_time(seconds: float, left: str) -> None:
    assert text.time_left(seconds) == left


@pytest.mark.parametrize(
    ("whole", "most", "start", "end"),
    [
        ("on the river bank", 17, "on the river bank", "on the river bank"),
        ("on the river bank", 14, "on the river…", "…river bank"),
        ("Stop, she said", 6, "Stop,…", "…said"),
        ("我们在银行旁边的河岸上散步", 7, "我们在银行…", "…的河岸上散步"),
        ("ذهبنا إلى البنك لنسحب المال", 12, "ذهبنا إلى…", "…لنسحب المال"),
        ("incomprehensibilities", 6, "incom…", "…ities"),  # no word ends early enough
        ("👩‍👩‍👧👩‍👩‍👧", 7, "👩‍👩‍👧…", "…👩‍👩‍👧"),
        ("e\u0301e\u0301e\u0301", 4, "e\u0301…", "…e\u0301"),
        ("", 5, "", ""),
    ],
)
def test_a_clipped_text_ends_where_a_word_ends(whole: str, most: int, start: str, end: str) -> None:
    assert text.clipped(whole, most) == start
    assert text.clipped(whole, most, keep="end") == end


@pytest.mark.parametrize(
    ("read", "token", "shown"),
    [
        (" bank", "Ġbank", "bank"),
        ("\n", "Ċ", "↵"),
        ("\n\n", "ĊĊ", "↵↵"),
        (" ", "Ġ", "␣"),
        (".\n", ".Ċ", ".↵"),
        ("", "<|im_end|>", "<|im_end|>"),
        (" \ufffd", "Ġð", "␣ð"),
        ("ing", "##ing", "##ing"),
    ],
)
def test_no_mark_of_a_vocabulary_is_shown(read: str, token: str, shown: str) -> None:
    assert text.token_text(read, token) == shown


def test_control_tokens_are_known() -> None:
    assert all(map(text.is_control, ("<|im_end|>", "<|endoftext|>", "</s>")))
    assert not any(map(text.is_control, ("Ġbank", "<", "|>", "")))
