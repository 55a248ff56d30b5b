from __future__ import annotations

import dataclasses
import tomllib
from itertools import chain
from pathlib import Path

import pytest

from core import settings
from core.examples import ANCHORS, PRESETS, Anchors, LabelledSentence, Preset, labelled, words
from core.examples.first_texts import OPENING
from core.records.finding import occurrence_spans
from core.records.spelling import UNCASED

ROOT = Path(__file__).parents[2]
EVERY = [sentence for word in words() for sentence in labelled(word)]


def holds(text: str, word: str) -> int:
    """How often the text contains the word as a whole word."""
    return len(occurrence_spans(text, word, spelling=UNCASED))


def test_at_least_ten_words_of_two_senses_with_eight_sentences_each() -> None:
    assert len(words()) >= 10
    for word in words():
        senses = [sentence.sense for sentence in labelled(word)]
        assert len(set(senses)) == 2
        assert min(map(senses.count, senses)) >= 8, word


@pytest.mark.parametrize("sentence", EVERY, ids=lambda s: s.text)
def test_each_sentence_is_one_plain_sentence_with_its_word_once(sentence: LabelledSentence) -> None:
    text = sentence.text
    assert holds(text, sentence.word) == 1
    assert 6 <= len(text.removesuffix(".").split()) <= 18
    assert text == text.strip()
    assert text.isascii()
    assert text[0].isupper()
    assert text.endswith(".")


def test_no_sentence_is_there_twice() -> None:
    texts = [sentence.text.casefold() for sentence in EVERY]
    assert len(set(texts)) == len(texts)


def test_the_word_stands_at_different_places() -> None:
    for word in words():
        starts = [s.text.casefold().index(word) / len(s.text) for s in labelled(word)]
        assert min(starts) < 1 / 3 < 2 / 3 < max(starts), word


def test_an_unknown_word_has_no_sentences_and_capitals_do_not_matter() -> None:
    assert labelled("table") == ()
    assert labelled("Bank") == labelled("bank") != ()


def test_records_are_frozen() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        labelled("bank")[0].text = "no"  # type: ignore[misc]
    with pytest.raises(dataclasses.FrozenInstanceError):
        PRESETS[0].word = "no"  # type: ignore[misc]
    with pytest.raises(TypeError):
        ANCHORS["bank"] = Anchors(OPENING.low, OPENING.high)  # type: ignore[index]


def test_the_file_is_in_the_package() -> None:
    with (ROOT / "pyproject.toml").open("rb") as file:
        data = tomllib.load(file)["tool"]["setuptools"]["package-data"]
    assert "*.csv" in data["*"]


def test_anchor_groups_are_named_by_the_senses() -> None:
    assert set(ANCHORS) == set(words())
    for word, (low, high) in ANCHORS.items():
        assert {low.name, high.name} == {sentence.sense for sentence in labelled(word)}
        both = [*low.words, *high.words]
        assert len(low.words) == len(high.words) == 6
        assert len(set(both)) == 12
        assert word not in both


def test_no_sentence_names_an_anchor_word_of_the_other_sense() -> None:
    for sentence in EVERY:
        low, high = ANCHORS[sentence.word]
        other = high if sentence.sense == low.name else low
        assert [word for word in other.words if holds(sentence.text, word)] == [], sentence


def test_the_opening_comes_first() -> None:
    first = PRESETS[0]
    shown = (first.text_a, first.text_b, first.word, first.low, first.high)
    assert shown == (OPENING.text_a, OPENING.text_b, OPENING.word, OPENING.low, OPENING.high)
    assert not first.same_sense


def test_there_are_presets_enough() -> None:
    assert len(PRESETS) >= 14
    assert len({preset.label for preset in PRESETS}) == len(PRESETS)
    assert len({preset.word for preset in PRESETS if not preset.same_sense}) >= 8
    assert sum(preset.same_sense for preset in PRESETS) >= 4
    turned = next(p for p in PRESETS if p.text_a == "On the river bank")
    assert turned.text_b == "On the bank of the river"
    assert turned.same_sense


@pytest.mark.parametrize("preset", PRESETS, ids=lambda p: p.label)
def test_each_preset_holds_its_word_once_and_says_what_to_look_for(preset: Preset) -> None:
    for text in (preset.text_a, preset.text_b):
        assert holds(text, preset.word) == 1
        assert text not in {sentence.text for sentence in EVERY}
    assert preset.text_a != preset.text_b
    assert (preset.low, preset.high) == ANCHORS.get(preset.word, (None, None))
    assert 20 <= len(preset.look_for) <= 110
    assert "\n" not in preset.look_for


def test_what_neither_river_nor_money_says_of_its_texts_is_true() -> None:
    preset = next(p for p in PRESETS if p.label == "bank: neither river nor money")
    for anchor in chain(OPENING.low.words, OPENING.high.words):
        assert holds(f"{preset.text_a} {preset.text_b}", anchor) == 0


@pytest.mark.parametrize("label", ["bank: one word exchanged", "bark: of a dog or of a tree"])
def test_where_one_word_differs_one_word_differs(label: str) -> None:
    preset = next(p for p in PRESETS if p.label == label)
    pairs = zip(preset.text_a.split(), preset.text_b.split(), strict=True)
    assert sum(a != b for a, b in pairs) == 1


def test_opening_texts_hold_the_word() -> None:
    for text in (OPENING.text_a, OPENING.text_b):
        assert OPENING.word in text
    assert "{word}" in settings.ANCHOR_FRAME
    assert not set(OPENING.low.words) & set(OPENING.high.words)
