"""Words of many languages: how texts are split, and what is found in them."""

from __future__ import annotations

import unicodedata
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.records import unspaced
from core.records.elision import elided
from core.records.finding import occurrence_spans
from core.records.spelling import CASED
from core.records.words import Counts, split
from tests.records.languages.table import TABLE, uncased

CASES = TABLE["cases"]
LETTERS = "我在银行存钱学生日本語のコーヒーｺﾋｶﾞがか\u3099くธนาคารไปແມ່ນ້ຳຂ້ອຍធនាគារទៅဘဏ်ကိုသွား葛\U000e0100城"
SIGNS = "\u00ad\u200d\u200b\ufe0f\u0301\u3099 l'’eauqu.AIのé"


@pytest.mark.parametrize("case", CASES, ids=[case["language"] for case in CASES])
def test_the_words_of_a_language(case: dict[str, Any]) -> None:
    text = case["text"]
    assert [word.text for word in split(text)] == case["words"]
    for phrase, expected in case["find"].items():
        found = occurrence_spans(text, phrase, spelling=uncased())
        assert [text[start:end] for start, end in found] == expected, phrase


def test_the_table_has_at_least_fifteen_languages() -> None:
    assert len({case["language"].partition(",")[0] for case in CASES}) >= 20


@pytest.mark.property
@given(st.text(st.sampled_from(LETTERS + SIGNS), max_size=40))
def test_words_are_parts_of_the_text_in_order_and_leave_only_what_is_unseen(text: str) -> None:
    at = 0
    for word in split(text):
        assert text[word.start : word.end] == word.text
        assert at <= word.start < word.end
        assert _is_unseen(text[at : word.start])
        at = word.end
    assert _is_unseen(text[at:])


def _is_unseen(text: str) -> bool:
    return all(c.isspace() or unicodedata.category(c)[0] == "C" for c in text)


@pytest.mark.property
@given(st.text(st.sampled_from(LETTERS + SIGNS), max_size=40))
def test_every_word_of_a_text_is_found_by_its_name_and_its_number(text: str) -> None:
    """A trace names each word and its number, and finds it again by both."""
    for spelling in (CASED, uncased()):
        counts = Counts(spelling)
        for word in split(text):
            name, number = counts.count(word.text)
            found = occurrence_spans(text, name, spelling=spelling)
            assert found[number] == (word.start, word.end), name


@pytest.mark.property
@given(st.text(st.sampled_from("学生がかさぎ葛城銀行コヒバト"), min_size=1, max_size=12), st.data())
def test_what_nobody_sees_does_not_change_where_words_end(run: str, data: st.DataObject) -> None:
    composed = [unicodedata.normalize("NFC", c) for c in run]
    decomposed = [unicodedata.normalize("NFD", c) for c in run]
    hidden = [c + data.draw(st.sampled_from(["", "\u00ad", "\u200d", "\ufe00"])) for c in composed]

    def lengths(letters: list[str]) -> list[int]:
        """How many of the letters each word ends behind."""
        behind = [len("".join(letters[: i + 1])) for i in range(len(letters))]
        return [behind.index(end) for end in unspaced.ends("".join(letters))]

    assert lengths(decomposed) == lengths(hidden) == lengths(composed)


@pytest.mark.parametrize(
    ("word", "before"),
    [
        ("l'eau", "l'"),
        ("L’Île", "L’"),
        ("quelqu'un", "quelqu'"),
        ("dall’alto", "dall’"),
        ("quest'e\u0301tat", "quest'"),
        ("l'8", "l'"),
        ("d'où", "d'"),
        ("l'hiver", "l'"),
        *((word, "") for word in ("don't", "o'clock", "l'", "m'lady", "l'2", "c'mon", "entr'acte")),
        *((word, "") for word in ("aujourd'hui", "grand'mère", "C’hoant", "D'oh", "ma'am", "y'all")),
    ],
)
def test_an_elided_word_stands_before_a_vowel(word: str, before: str) -> None:
    assert word[: elided(word)] == before


def test_elided_words_in_a_row() -> None:
    assert [one.text for one in split("d'un'altra")] == ["d'", "un'", "altra"]
    assert [one.text for one in split("qu’aujourd'hui’s")] == ["qu’", "aujourd'hui", "’s"]
