"""Two words' collocates side by side, against counting word by word in Python."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from core import corpus
from core.corpus.command import main
from core.corpus.querying.collocate_difference import CollocateDifference, collocate_difference
from core.errors import CorpusError
from tests.corpus.querying.test_collocates import counted, likelihood_ratio, opened, spoken

__all__ = ["opened"]  # a fixture


def dice(together: int, word: int, collocate: int) -> float:
    return 14 + math.log2(2 * together / (word + collocate)) if together else -math.inf


@pytest.mark.parametrize(("first", "second"), [("bank", "river"), ("of", "money")])
def test_differences_are_counted_as_by_hand(opened: corpus.Corpus, first: str, second: str) -> None:
    found, texts = opened.collocate_difference(first, second, left=3, right=2), spoken(opened)
    every = [word for words in texts for word in words]
    own = [counted(texts, word, 3, 2)[0] for word in (first, second)]
    assert set(found.words) == {*own[0], *own[1]}
    assert found.compared == (first, second)
    sizes = [sum(one.values()) for one in own]
    for i, word in enumerate(found.words):
        times = [one[word] for one in own]
        assert found.together[:, i].tolist() == times
        points = [
            dice(n, every.count(of), every.count(word))
            for n, of in zip(times, (first, second), strict=True)
        ]
        assert found.log_dice[:, i] == pytest.approx(points)
        assert found.difference[i] == pytest.approx(max(0, points[0]) - max(0, points[1]))
        cells = [times, [size - n for size, n in zip(sizes, times, strict=True)]]
        for k, n in enumerate(times):
            beside, rest = [n, sizes[k] - n], [every.count(word) - n, 0]
            rest[1] = len(every) - sizes[k] - rest[0]
            sign = np.sign(n * len(every) - sizes[k] * every.count(word))
            expected = sign * likelihood_ratio([beside, rest])
            assert found.association[k, i] == pytest.approx(expected, abs=1e-9)
        sign = np.sign(times[0] * sizes[1] - times[1] * sizes[0])
        assert found.log_likelihood[i] == pytest.approx(sign * likelihood_ratio(cells), abs=1e-9)


def test_sides_are_those_of_the_other_order(opened: corpus.Corpus) -> None:
    one, other = (opened.collocate_difference(*both) for both in (("bank", "of"), ("of", "bank")))
    for which, turned in ((0, 1), (1, 0)):
        mine, theirs = one.beside(which), other.beside(turned)  # type: ignore[arg-type]
        assert [one.words[i] for i in mine] == [other.words[i] for i in theirs]
        assert (one.difference[mine] * (turned - which) > 0).all()
    assert len(one.beside(0, least=10_000)) == len(one.beside(0, sure=1e9)) == 0
    table = one.to_frame()
    assert table["difference"].is_monotonic_decreasing
    assert len(table) == len(one.words)


def test_a_word_that_never_meets_one_of_the_two() -> None:
    numbers = np.array([[4, 0], [0, 2]])
    found = CollocateDifference(
        ("a", "b"), ("x", "y"), numbers, np.array([4, 2]), np.array([4, 2]), np.array([9, 9]), 100
    )
    assert found.log_dice.tolist() == [[14, -math.inf], [-math.inf, 14]]
    assert found.difference.tolist() == [14, -14]


def test_texts_that_a_filter_leaves_out_do_not_count(opened: corpus.Corpus) -> None:
    """Their words are no part of a frequency: else all words of the chosen texts were collocates."""
    where = "genre = 'talk'"
    found = opened.collocate_difference("bank", "river", where=where)
    assert found.total == opened.size(where) < opened.size()
    for word, frequency in zip(found.words, found.frequency.tolist(), strict=True):
        assert frequency == opened.count(word, where=where)
    with pytest.raises(CorpusError, match="same texts"):
        collocate_difference(
            opened.collocates("bank"), opened.collocates("bank", where=where), ("", "")
        )


def test_the_command(opened: corpus.Corpus, capsys: pytest.CaptureFixture[str]) -> None:
    folder = str(Path(opened.folder))
    assert main(["query", folder, "bank", "--against", "river", "--most", "3"]) == 0
    head, *rows = capsys.readouterr().out.splitlines()
    assert head.split()[:3] == ["word", "together_1", "together_2"]
    every = opened.collocate_difference("bank", "river").to_frame()["word"]
    assert [row.split()[0] for row in rows] == [*every[:2], *every[-1:]]
