"""Sentences and presets for a model that reads from left to right: the cue comes before the word."""

from __future__ import annotations

import pytest

from core.examples import ANCHORS, CUE_FIRST, PRESETS, LabelledSentence, Preset, labelled, words
from core.examples.ends import known_ends
from core.records.finding import occurrence_spans
from core.records.spelling import UNCASED

EVERY = [one for word in words() for one in labelled(word, causal=True)]


def spans(text: str, word: str) -> list[tuple[int, int]]:
    return [*occurrence_spans(text, word, spelling=UNCASED)]


def test_each_sense_has_six_sentences_of_its_own() -> None:
    for word in words():
        senses = [one.sense for one in labelled(word, causal=True)]
        assert [senses.count(end.name) for end in ANCHORS[word]] == [6, 6]
    texts = [one.text for one in EVERY]
    assert len({*texts}) == len(texts)
    presets = {text for one in (*PRESETS, *CUE_FIRST) for text in (one.text_a, one.text_b)}
    assert not presets & {*texts}


@pytest.mark.parametrize("word", words())
def test_the_word_comes_last(word: str) -> None:
    for one in labelled(word, causal=True):
        ((start, end),) = spans(one.text, word)
        before, after = one.text[:start].split(), one.text[end:].split()
        assert len(before) >= 5, one
        assert after in ([], ["."]), one
        assert one.text.isascii()


def test_no_sentence_names_an_anchor_word_of_the_other_sense() -> None:
    def other(one: LabelledSentence) -> tuple[str, ...]:
        low, high = ANCHORS[one.word]
        return (high if one.sense == low.name else low).words

    assert not [one for one in EVERY for anchor in other(one) if spans(one.text, anchor)]


@pytest.mark.parametrize("preset", CUE_FIRST, ids=lambda p: p.label)
def test_each_preset_has_its_cue_first(preset: Preset) -> None:
    for text in (preset.text_a, preset.text_b):
        ((start, end),) = spans(text, preset.word)
        if "too late" in preset.label:
            assert preset.text_a[:end] == preset.text_b[:end]
        else:
            assert len(text[:start].split()) >= 4
            assert text[end:] == "."
    assert preset.look_for.endswith((".", "?"))


def test_the_ends_are_those_of_such_a_model() -> None:
    found, usual = known_ends("bank", causal=True), known_ends("bank")
    assert found is not None
    assert usual is not None
    assert found.names == usual.names
    assert {one.text for one in labelled("bank", causal=True)} <= {*found.low, *found.high}
    assert not {*found.low[6:], *found.high[6:]} & {*usual.low[6:], *usual.high[6:]}
