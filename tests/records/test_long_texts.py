"""What is bounded in words and phrases changes nothing for texts that people write."""

from __future__ import annotations

import pytest

from core.records.finding import occurrence_spans
from core.records.spelling import UNCASED
from core.records.unspaced import _PIECE, ends
from core.records.words import split


@pytest.mark.parametrize(
    "sentence", ["银行在河边，他去了", "ฉันไปธนาคารริมแม่น้ำ", "銀行は川のそばにあります"]
)
def test_long_runs_have_the_words_of_short_ones(sentence: str) -> None:
    run = split(sentence)[0].text + "".join(
        word.text for word in split(sentence)[1:] if word.text != "，"
    )
    long = run * (3 * _PIECE // len(run))
    found = [*ends(long)]
    assert found[-1] == len(long)
    assert found == sorted({*found})
    once = [*ends(run)]
    inner = [*ends(run * 8)]  # words may join where the sentence repeats
    period = [end for end in inner if len(run) < end <= 6 * len(run)]
    for end in period:
        assert end + len(run) in found, (run[:20], end)
    assert once[-1] == len(run)


def test_a_phrase_is_sought_in_texts_of_its_size() -> None:
    phrase = " ".join(["bank"] * 300)
    assert occurrence_spans(phrase, phrase, spelling=UNCASED) == ((0, len(phrase)),)
    assert occurrence_spans(f"a {phrase}.", phrase, spelling=UNCASED)
    assert not occurrence_spans("bank", phrase, spelling=UNCASED)
    # Spellings differ in length: spaces, ligatures, full width, invisible signs.
    assert occurrence_spans("\ufdfa", "\ufdfa", spelling=UNCASED)
    assert occurrence_spans("a b", f"a{' ' * 50}b", spelling=UNCASED)
