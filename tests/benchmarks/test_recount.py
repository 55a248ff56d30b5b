"""The program that counts again: by hand on three sentences, and a wrong figure is seen."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.corpus import recount
from core import corpus
from tests.corpus.synthetic import Row, publish_rows

SENTENCES = (
    ("news", "a", "The bank's light was right."),
    ("news", "a", "O _ K, they don’t play a very, very sad case."),
    ("talk", "b", "Love runs the court; run to the fam\N{SOFT HYPHEN}ily!"),
)


def test_words_are_split_as_ours_by_another_expression() -> None:
    assert recount.split(SENTENCES[0][2]) == ["the", "bank", "'s", "light", "was", "right"]
    assert recount.split(SENTENCES[1][2])[:5] == ["o", "k", "they", "don't", "play"]
    assert recount.split(SENTENCES[2][2])[-1] == "family"
    assert all(recount.agrees(text) for _, _, text in SENTENCES)
    assert not recount.agrees("S'E_X is a name.")  # "s'" is a word of French


@pytest.mark.check
def test_each_figure_agrees_and_another_count_does_not(tmp_path: Path) -> None:
    rows = [Row(text, 0, {"genre": genre, "document": of}) for genre, of, text in SENTENCES]
    publish_rows(tmp_path / "corpus", rows, {"genre": "text", "document": "text"})
    opened = corpus.open(tmp_path / "corpus")
    texts = [recount.Text(genre, of, recount.split(text)) for genre, of, text in SENTENCES]
    far = dict(recount.compared(opened, texts))
    assert list(far) == ["frequency", "together", "logDice", "MI", "log-likelihood", "DP"]
    assert max(far.values()) <= 1e-6
    other = recount.Text("talk", "b", ["love", *texts[-1].words])
    assert dict(recount.compared(opened, [*texts[:-1], other]))["frequency"] == 1
