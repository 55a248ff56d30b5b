from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from weakref import ref

import numpy as np
import pytest

import core
from core.measures import blocks, head_similarity, mean_of_all, part, whole_words
from ui.models import answers
from ui.models import blocks as cached
from ui.query import TextQuery

ASKED = TextQuery("minilm", "an unbelievability of banks")


def test_whole_words_are_merged_once_and_hold_no_trace(
    minilm: core.Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = cached.words(ASKED, 0)
    monkeypatch.setattr(cached, "whole_words", lambda block: pytest.fail("merged once more"))
    again = cached.words(TextQuery(*ASKED), 0)
    assert again.attention is first.attention
    assert again.trace is answers.answer(ASKED)  # the one that is kept there, and no other
    assert cached._words(ASKED, 0).trace is None
    (block,) = blocks(minilm.trace(ASKED.text)).values()
    np.testing.assert_array_equal(again.attention.weights, whole_words(block).attention.weights)


def test_between_two_texts_nothing_is_merged(monkeypatch: pytest.MonkeyPatch) -> None:
    (block,) = blocks(answers.answer(ASKED)).values()
    apart = core.measures.AttentionBlock(block.attention, block.special, block.marks)
    monkeypatch.setattr(cached, "block", lambda asked, place: apart)
    assert cached.words(ASKED, 0) is apart


def test_a_mean_is_taken_once_for_each_part_and_for_words(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = TextQuery("minilm", "an unbelievability of banks", "a shore")
    asks = [("", False), ("ab", False), ("", True)]
    found = [cached.mean(asked, 0, which, whole=whole) for which, whole in asks]
    (block,) = blocks(answers.answer(asked)).values()
    for one, of in zip(found, (block, part(block, "ab"), whole_words(block)), strict=True):
        np.testing.assert_array_equal(one.attention.weights, mean_of_all(of).attention.weights)
        assert one.attention.queries == of.attention.queries
        assert one.trace is None
    monkeypatch.setattr(cached, "mean_of_all", lambda block: pytest.fail("taken once more"))
    again = [cached.mean(asked, 0, which, whole=whole) for which, whole in asks]
    assert all(one is before for one, before in zip(again, found, strict=True))


def test_similarity_is_worked_out_once_for_each_layer(monkeypatch: pytest.MonkeyPatch) -> None:
    trace = answers.trace(ASKED.model, ASKED.text)
    found = cached.similarity(ASKED, 0, 2)
    np.testing.assert_array_equal(found, head_similarity(trace, 2))
    monkeypatch.setattr(cached, "head_similarity", lambda *which: pytest.fail(f"once more: {which}"))
    assert cached.similarity(ASKED, 0, 2) is found
    with pytest.raises(ValueError, match="read-only"):
        found[0, 0, 0] = 2


@pytest.mark.check
def test_the_blocks_of_an_answer_are_found_once_and_go_with_it(
    made: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    three = core.load(str(made("t5"))).trace("a river bank", "a bank")
    answers_by_text = {"a bank": core.load("minilm").trace("a bank"), "three": three}
    monkeypatch.setattr(answers, "answer", lambda asked: answers_by_text[asked.text])
    found = {text: cached.named(TextQuery("any", text)) for text in answers_by_text}
    expected = {text: blocks(answer) for text, answer in answers_by_text.items()}
    monkeypatch.setattr(cached, "blocks", lambda answer: pytest.fail("found once more"))
    for text, answer in answers_by_text.items():
        again = cached.named(TextQuery("any", text))
        assert [*again] == [*found[text]] == [*expected[text]]
        for name, block in again.items():
            assert block.marks is found[text][name].marks
            assert block.marks == expected[text][name].marks
            assert block.trace is expected[text][name].trace
        assert answer in cached._stored
    gone = [ref(answer) for answer in answers_by_text.values()]
    del answer, again, block, found, expected, three
    answers_by_text.clear()
    assert [one() for one in gone] == [None, None]  # at once, by no garbage collection
