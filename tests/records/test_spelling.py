"""Which spellings are one word, by rules of tokenizers that are written here."""

from __future__ import annotations

import copy
import pickle

import pytest

from core.records.spelling import CASED, UNCASED, Spelling
from tests.records.languages.table import TABLE, uncased


@pytest.mark.parametrize("spellings", TABLE["alike"], ids=str)
def test_what_an_uncased_bert_reads_alike_is_one_word(spellings: list[str]) -> None:
    assert len({uncased().key(one) for one in spellings}) == 1


@pytest.mark.parametrize("spellings", TABLE["apart"], ids=str)
def test_what_it_reads_apart_is_not(spellings: list[str]) -> None:
    assert len({uncased().key(one) for one in spellings}) == len(spellings)


@pytest.mark.parametrize(
    ("spelling", "one", "other", "same"),
    [
        (CASED, "Bank", "bank", False),
        (CASED, "café", "cafe", False),
        (CASED, "cafe\u0301", "caf\u00e9", True),
        (CASED, "ba\u00adnk", "bank", True),
        (CASED, "❤", "❤️", True),
        (CASED, "don’t", "don't", True),
        (UNCASED, "Straße", "STRASSE", True),
        (UNCASED, "σοφος", "ΣΟΦΟΣ", True),
        (UNCASED, "café", "cafe", False),
        (Spelling(False, str.lower), "Bank", "bank", True),
        (Spelling(False, str.lower), "Straße", "STRASSE", False),  # as its rules have it
        (Spelling(False, str.title), "BANK", "bank", True),
        (Spelling(False, lambda word: word), "BANK", "bank", True),  # ignores case without rules for it
        (Spelling(True, lambda word: f" ▁{word} "), "Bank", "bank", False),
        (Spelling(True, lambda word: ""), "Bank", "bank", False),  # rules that leave nothing
    ],
)
def test_keys(spelling: Spelling, one: str, other: str, same: bool) -> None:
    assert (spelling.key(one) == spelling.key(other)) is same


def test_a_key_has_no_sign_that_rules_add_and_keeps_the_spaces_of_a_phrase() -> None:
    marked = Spelling(True, lambda word: f"▁{word.replace('行', ' 行 ')}")
    assert marked.key("银行") == "银行"
    assert marked.key("a  Bank") == "a Bank" != marked.key("aBank")
    assert marked.key("▁") == "▁"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("ﬁne", "fine"),
        ("Ｂａｎｋ", "Bank"),
        ("بـــنك", "بنك"),
        ("البَنْكِ", "البنك"),
        ("בַּנְק", "בנק"),
        ("ﻚﻨﺑ", "كنب"),
    ],
)
def test_letters_in_another_shape_are_loosely_the_same_even_if_case_matters(
    one: str, other: str
) -> None:
    assert CASED.loose(one) == CASED.loose(other)


@pytest.mark.parametrize(
    ("one", "other"), [("Bank", "bank"), ("café", "cafe"), ("x²", "x2"), ("①", "1")]
)
def test_what_is_written_differently_is_loosely_different(one: str, other: str) -> None:
    assert CASED.loose(one) != CASED.loose(other)


def test_a_long_word_is_not_given_to_rules_that_could_make_much_of_it() -> None:
    spelling = Spelling(True, lambda word: word * 10)
    assert spelling.key("a" * 10) == "a" * 100
    assert spelling.key("a" * 100_000) == "a" * 100_000


def test_it_is_copied_and_pickled_with_its_rules() -> None:
    spelling = Spelling(False, str.lower)
    assert copy.deepcopy(spelling) is spelling
    back = pickle.loads(pickle.dumps(spelling))
    assert (back.cased, back.key("BANK")) == (False, "bank")
