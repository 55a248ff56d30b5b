from __future__ import annotations

import pytest

import core
from core.reading import Sentence, merge
from core.records.spelling import CASED, UNCASED


def sentences(*labelled: str) -> list[Sentence]:
    return [Sentence(*one.split("|")) for one in labelled]


def test_copies_are_one_sentence_and_the_first_is_kept() -> None:
    merged = merge(sentences("a|On the bank.", "b|A bank.", "a|On  the bank.", "a|On the bank."))
    assert merged.sentences == (("a", "On the bank."), ("b", "A bank."))
    assert (merged.first, merged.times, merged.copies) == ((0, 1), (3, 1), 2)
    assert not merged.several


def test_forms_of_unicode_are_one_and_capitals_are_where_the_model_has_none() -> None:
    every = sentences("|caf\u00e9 au lait", "|cafe\u0301 au lait", "|CAF\u00c9 au lait")
    assert merge(every, CASED).times == (2, 1)
    assert merge(every, UNCASED).times == (3,)


def test_a_text_with_two_labels_keeps_both_and_is_named() -> None:
    merged = merge(sentences("a|A bank.", "b|A bank.", "b|A bank.", "|A bank."))
    assert [one.label for one in merged.sentences] == ["a", "b", ""]
    assert merged.times == (1, 2, 1)
    assert merged.several == {"A bank.": ("a", "b")}


@pytest.mark.parametrize(
    "text", ["银行在河边。", "البنك على النهر", "🎣 bank", "<b>bank</b>", "a\u200bb"]
)
def test_any_script(text: str, minilm: core.Model) -> None:
    merged = merge([Sentence("a", text)] * 3 + [Sentence("a", f"{text} x")], minilm.spelling)
    assert (merged.times, merged.sentences[0].text) == ((3, 1), text)


def test_nothing() -> None:
    assert merge([]).copies == 0
