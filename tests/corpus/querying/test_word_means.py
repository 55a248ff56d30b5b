"""One vector a word: compared with means that NumPy takes of each word's own vectors."""

from __future__ import annotations

import numpy as np
import pytest

from core import corpus
from core.corpus import Corpus
from core.corpus.querying.word_means import WordMeans, moved
from core.errors import CorpusError
from tests.corpus.synthetic import Row, publish_rows

rng = np.random.default_rng(3)


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    """Three words and a number, in texts of two years; `Bank` and `bank` are one word."""
    rows = [Row("The bank 7.", 0, {"year": 1990}), Row("Bank, bank: the ferry.", 1, {"year": 2005})]
    folder = tmp_path_factory.mktemp("means")
    publish_rows(folder, [*rows, Row("A bank", 0, {"year": 1990})], {"year": "int"})
    return corpus.open(folder)


def test_the_mean_of_each_word_is_that_of_its_vectors(opened: Corpus) -> None:
    seen: list[tuple[int, int]] = []
    means = opened.word_means(least=1, on_progress=lambda *at: seen.append(at))
    assert means.words == ("bank", "the", "a", "ferry")  # no number; ties by their letters
    assert means.counts.tolist() == [4, 2, 1, 1]
    assert seen[-1] == (9, 9)
    for word, mean, spread in zip(means.words, means.vectors, means.spread, strict=True):
        own = opened.vectors(word).vectors.astype(np.float64)
        np.testing.assert_allclose(mean, own.mean(axis=0), atol=1e-5)
        apart = ((own - own.mean(axis=0)) ** 2).sum(axis=1).mean()
        np.testing.assert_allclose(spread, apart, atol=1e-3)


def test_a_filter_and_the_least_number_choose(opened: Corpus) -> None:
    means = opened.word_means(least=2, where="year = 2005", layer=1)
    assert means.words == ("bank",)
    own = opened.vectors("bank", where="year = 2005", layer=1).vectors
    np.testing.assert_allclose(means.vectors[0], own.mean(axis=0), atol=1e-5)
    assert opened.word_means(least=1, most=2).words == ("bank", "the")
    with pytest.raises(CorpusError, match="No word occurs 3 times in these texts"):
        opened.word_means(least=3, where="year = 2005")


def means_of(vectors: np.ndarray, counts: list[int], spread: float = 0.0) -> WordMeans:
    names = tuple(f"w{i}" for i in range(len(vectors)))
    each = np.full(len(vectors), spread, np.float32)
    return WordMeans(names, names, np.array(counts), vectors.astype(np.float32), each)


def test_neighbours_are_exact() -> None:
    x = rng.normal(size=(41, 7))
    means = means_of(x, [5] * 41)
    cosines = (x @ x[3]) / np.linalg.norm(x, axis=1) / np.linalg.norm(x[3])
    expected = [int(i) for i in np.argsort(-cosines) if i != 3][:11]
    found = means.nearest(3, 11)
    assert [i for i, _ in found] == expected
    np.testing.assert_allclose([c for _, c in found], cosines[expected], atol=1e-5)
    assert len(means.nearest(0, 99)) == 40


def test_what_differs_by_chance_is_at_no_distance() -> None:
    """Two samples of one distribution: 0 on average. A word that has moved comes first."""
    d, n, m = 13, 23, 29
    first, second = rng.normal(size=(200, n, d)), rng.normal(size=(200, m, d))
    second[0] += 2.0

    def of(x: np.ndarray) -> WordMeans:
        made = means_of(x.mean(axis=1), [x.shape[1]] * len(x))
        return WordMeans(
            made.words,
            made.keys,
            made.counts,
            made.vectors,
            x.var(axis=1).sum(axis=1).astype(np.float32),
        )

    found = moved(of(first), of(second))
    assert found.here[0] == found.there[0] == 0
    assert abs(found.distance[0] - 4.0 * d) < 0.2 * 4 * d
    assert abs(float(found.distance[1:].mean())) < 0.05
    assert abs(float(found.ratio[1:].mean()) - 1) < 0.1
    plain = ((first.mean(axis=1) - second.mean(axis=1)) ** 2).sum(axis=1)[1:].mean()
    assert plain > 0.8  # what the estimate is corrected by: d (1/n + 1/m) = 1.01


def test_a_word_that_one_part_has_too_rarely_is_left_out() -> None:
    x = rng.normal(size=(3, 5))
    assert moved(means_of(x, [20, 19, 50]), means_of(x, [20, 99, 2])).here.tolist() == [0]
    assert len(moved(means_of(x, [1, 1, 1]), means_of(x, [1, 1, 1]), least=0).here) == 0
