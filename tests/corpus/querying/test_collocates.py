"""Collocates, keywords and frequencies, against counting word by word in Python."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pytest

from core import corpus
from core.corpus.querying.collocates import MOST_WIDE, Collocates
from core.errors import CorpusError
from core.measures.senses.shares import wilson
from core.records.words import split
from tests.corpus.synthetic import Row, publish_rows

WORDS = ("bank", "banks", "river", "money", "the", "a", ",", "of", "Bank")
COUNT = 120


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> corpus.Corpus:
    """Sentences of words drawn at random, in three genres; one has no word, and one no genre."""
    random = np.random.default_rng(3)
    texts = [" ".join(random.choice(WORDS, random.integers(1, 12))) for _ in range(COUNT)]
    genres = [*("news", "letters", "talk") * (COUNT // 3)]
    rows = [
        Row(text, 0, {"genre": genre if i != 5 else None, "year": 1990 + i % 4})
        for i, (text, genre) in enumerate(zip([", ,", *texts[1:]], genres, strict=True))
    ]
    folder = tmp_path_factory.mktemp("collocates") / "corpus"
    publish_rows(folder, rows, {"genre": "text", "year": "int"})
    return corpus.open(folder)


def likelihood_ratio(cells: list[list[int]]) -> float:
    """SciPy's, of a table of two rows."""
    from scipy.stats import chi2_contingency  # a second

    return chi2_contingency(cells, correction=False, lambda_="log-likelihood").statistic


def spoken(opened: corpus.Corpus) -> list[list[str]]:
    """The words of each sentence, without signs, in lower case."""
    texts = opened.texts(np.arange(COUNT))
    return [[w.text.lower() for w in split(texts[i]) if w.text.isalnum()] for i in range(COUNT)]


def counted(
    texts: Sequence[Sequence[str]], word: str, left: int, right: int
) -> tuple[Counter[str], Counter[str], Counter[str]]:
    """Together, on the left, on the right: each word of a window once, with the nearest occurrence."""
    together, on_left, on_right = Counter[str](), Counter[str](), Counter[str]()
    for words in texts:
        nearest: dict[int, tuple[int, bool]] = {}
        for at in (i for i, one in enumerate(words) if one == word):
            for i in range(max(0, at - left), min(len(words), at + right + 1)):
                far = abs(i - at)
                if far and (i not in nearest or far < nearest[i][0]):
                    nearest[i] = far, i < at
        for i, (_, before) in nearest.items():
            together[words[i]] += 1
            (on_left if before else on_right)[words[i]] += 1
    return together, on_left, on_right


def by_word(found: Collocates, values: np.ndarray) -> dict[str, int]:
    return {word: int(v) for word, v in zip(found.words, values, strict=True) if v}


@pytest.mark.parametrize(("word", "left", "right"), [("bank", 5, 5), ("river", 1, 0), ("of", 0, 3)])
def test_collocates_are_counted_as_by_hand(
    opened: corpus.Corpus, word: str, left: int, right: int
) -> None:
    found, texts = opened.collocates(word, left=left, right=right), spoken(opened)
    together, on_left, on_right = counted(texts, word, left, right)
    assert by_word(found, found.together) == together
    assert by_word(found, found.left) == on_left
    assert by_word(found, found.right) == on_right
    every = Counter(one for words in texts for one in words)
    assert by_word(found, found.frequency) == {one: every[one] for one in together}
    assert (found.count, found.window, found.total) == (
        every[word],
        together.total(),
        every.total(),
    )
    for i, one in enumerate(found.words):
        a, n = together[one], every.total()
        cells = [[a, found.window - a], [every[one] - a, n - found.window - every[one] + a]]
        wanted = likelihood_ratio(cells)
        assert abs(found.log_likelihood[i]) == pytest.approx(wanted, abs=1e-6)
        dice = 14 + np.log2(2 * a / (every[word] + every[one]))
        assert found.log_dice[i] == pytest.approx(dice, abs=1e-6)
        mutual = np.log2(a * n / (found.window * every[one]))
        assert found.mutual_information[i] == pytest.approx(mutual, abs=1e-6)


def test_the_strongest_come_first(opened: corpus.Corpus) -> None:
    found = opened.collocates("bank", by="word")
    for order in ("log_dice", "log_likelihood", "mutual_information", "together"):
        values = getattr(found, order)[found.best(order)]
        assert (np.diff(values) <= 0).all()
        assert (found.together[found.best(order, least=20)] >= 20).all()
    table = found.to_frame()
    assert table["word"].tolist() == [found.words[i] for i in found.best()]
    assert "together_1" not in table


def test_by_lemma_and_around_a_query(opened: corpus.Corpus) -> None:
    forms, lemmas = opened.collocates("river"), opened.collocates("river", by="lemma")
    of = by_word(forms, forms.together)
    assert by_word(lemmas, lemmas.together)["bank"] == of["bank"] + of["banks"]
    assert "banks" not in lemmas.words
    both = opened.collocates("[bank]")
    assert both.count == opened.count("bank") + opened.count("banks")


def test_each_group_has_its_own(opened: corpus.Corpus) -> None:
    count = opened.count("bank")
    groups = np.arange(count) % 3 - 1
    found = opened.collocates("bank", groups=groups)
    assert found.by_group.shape == (2, len(found.words))
    assert found.windows.tolist() == found.by_group.sum(axis=1).tolist()
    assert (found.by_group.sum(axis=0) <= found.together).all()
    all_of_one = opened.collocates("bank", groups=np.zeros(count))
    np.testing.assert_array_equal(all_of_one.by_group[0], all_of_one.together)
    first = opened.collocates("bank", groups=np.zeros(3))
    assert first.count == 3
    sure, ratio = found.of_group(0)
    i = int(np.argmax(sure))
    a, size, all_of_it = found.by_group[0][i], found.windows[0], found.together[i]
    rest = found.window - size
    cells = [[a, size - a], [all_of_it - a, rest - all_of_it + a]]
    wanted = likelihood_ratio(cells)
    assert sure[i] == pytest.approx(wanted, abs=1e-6)
    assert ratio[i] == pytest.approx(np.log2((a / size) / ((all_of_it - a) / rest)))
    assert {"together_1", "log_likelihood_2"} <= {*found.to_frame()}


def collocates(by_group: list[list[int]], windows: list[int]) -> Collocates:
    own = np.array(by_group)
    together, nothing = own.sum(axis=0), np.zeros(own.shape[1], np.int64)
    words = tuple(f"w{i}" for i in range(own.shape[1]))
    return Collocates(
        words, together, nothing, together, together, own, 50, sum(windows), np.array(windows), 9999
    )


def test_a_word_is_surely_of_a_group_if_that_holds_for_all_words_and_groups() -> None:
    own, others = [4, 11, 12, 1, 30], [0, 0, 0, 0, 30]
    found = collocates([own, others], [200, 200])
    # Four words stand there twice, for two groups each: 8 · 2⁻¹¹ is 0.4 %, and 8 · 2⁻⁴ is one half.
    assert found.surely_of_group(0, range(5), least=2) == (1, 2)
    assert found.surely_of_group(1, range(5), least=2) == ()
    assert found.of_group(0)[0][0] > 3.84  # by which one word alone would pass
    # Among 100 words more, 208 · 2⁻¹¹ is 10 %, and 208 · 2⁻¹² is 5.1 %.
    many = collocates([own + [2] * 100, others + [2] * 100], [600, 600])
    assert many.surely_of_group(0, range(5), least=2) == ()
    assert collocates([own, others], [200, 0]).surely_of_group(0, range(5)) == ()


def test_hardly_ever_is_any_word_sure_by_chance() -> None:
    random, wrong = np.random.default_rng(0), 0
    for _again in range(300):
        together = random.integers(2, 30, 80)
        own = random.binomial(together, 0.3)
        found = collocates([own.tolist(), (together - own).tolist()], [300, 700])
        wrong += any(found.surely_of_group(group, range(80), least=2) for group in (0, 1))
    assert wrong / 300 <= 0.05


def test_what_cannot_be_asked(opened: corpus.Corpus) -> None:
    for left, right in ((0, 0), (-1, 5), (5, MOST_WIDE + 1)):
        with pytest.raises(CorpusError, match="0 to 20"):
            opened.collocates("bank", left=left, right=right)
    with pytest.raises(CorpusError, match="does not occur"):
        opened.collocates("banana")
    count = opened.count("bank")
    with pytest.raises(CorpusError, match=f"{count} occurrences for {count + 1} groups"):
        opened.collocates("bank", groups=np.zeros(count + 1))
    with pytest.raises(CorpusError, match="no column"):
        opened.frequency("bank", "gender")
    for where in ("year >= 0", "year < 0"):
        with pytest.raises(CorpusError, match="two parts"):
            opened.keywords(where)


def test_keywords_are_counted_as_by_hand(opened: corpus.Corpus) -> None:
    texts = spoken(opened)
    inside = Counter(one for i, words in enumerate(texts) if i % 4 == 2 for one in words)
    outside = Counter(one for i, words in enumerate(texts) if i % 4 != 2 for one in words)
    found = opened.keywords("year = 1992")
    own = {word: i for i, word in enumerate(found.words)}
    assert {*own} == {*inside, *outside}
    assert (found.size, found.rest) == (inside.total(), outside.total())
    for word, i in own.items():
        a, b = inside[word], outside[word]
        assert (found.inside[i], found.outside[i]) == (a, b)
        wanted = likelihood_ratio([[a, b], [found.size - a, found.rest - b]])
        assert abs(found.log_likelihood[i]) == pytest.approx(wanted, abs=1e-6)
    assert (np.diff(found.to_frame()["log_likelihood"]) <= 0).all()


def test_the_frequency_in_each_part(opened: corpus.Corpus) -> None:
    found, texts = opened.frequency("bank", "genre"), spoken(opened)
    genres = [
        one if i != 5 else None for i, one in enumerate(("news", "letters", "talk") * (COUNT // 3))
    ]
    counts, sizes = defaultdict[str | None, int](int), defaultdict[str | None, int](int)
    for genre, words in zip(genres, texts, strict=True):
        counts[genre] += words.count("bank")
        sizes[genre] += len(words)
    assert found.values == ("letters", "news", "talk", None)
    assert found.counts.tolist() == [counts[one] for one in found.values]
    assert found.sizes.tolist() == [sizes[one] for one in found.values]
    for i, one in enumerate(found.values):
        assert found.per_million[i] == pytest.approx(1e6 * counts[one] / sizes[one])
        low, high = wilson(counts[one], sizes[one])
        np.testing.assert_allclose(found.intervals[i], [1e6 * low, 1e6 * high])
    v, s = found.counts / found.counts.sum(), found.sizes / found.sizes.sum()
    assert found.deviation == pytest.approx(np.abs(v - s).sum() / 2)
    assert [*found.to_frame()] == ["genre", "count", "words", "per_million", "low", "high"]
    assert opened.frequency("bank", "year").values == (1990, 1991, 1992, 1993)
    assert opened.frequency("banana", "year").deviation is None
    some = opened.frequency("bank", "genre", where="year = 1990")
    assert some.counts.sum() == opened.count("bank", where="year = 1990")
    assert some.sizes.sum() == opened.size("year = 1990")  # the words of other years are not counted
    assert set(some.values) <= set(found.values)


def test_each_word_that_a_query_finds_is_counted_in_each_part(opened: corpus.Corpus) -> None:
    found = opened.word_frequencies("the *", "year")
    wanted = Counter[tuple[str, int]]()
    for number, text in opened.texts(np.arange(COUNT)).items():
        parts = [one.text.lower() for one in split(text)]
        for one, two in pairwise(parts):
            if one == "the" and two.isalnum():
                wanted[f"the {two}", 1990 + number % 4] += 1
    own = {
        (word.lower(), year): int(found.counts[i, k])
        for i, word in enumerate(found.words)
        for k, year in enumerate(found.values)
        if found.counts[i, k]
    }
    assert found.values == (1990, 1991, 1992, 1993)
    assert own == wanted
    assert (np.diff(found.total) <= 0).all()
    assert found.total.sum() == opened.count("the *")
    assert found.sizes.tolist() == opened.frequency("the", "year").sizes.tolist()
    v, s = found.counts[0] / found.total[0], found.sizes / found.sizes.sum()
    assert found.deviations[0] == pytest.approx(np.abs(v - s).sum() / 2)
    table = found.to_frame()
    assert table["year: 1991"][0] == pytest.approx(1e6 * found.counts[0, 1] / found.sizes[1])
    low, high = wilson(int(found.total[0]), int(found.sizes.sum()))
    np.testing.assert_allclose(table[["low", "high"]].iloc[0], [1e6 * low, 1e6 * high])
    alone = opened.word_frequencies("bank", "genre", where="year = 1990")
    assert alone.words == ("bank",)
    assert alone.total.tolist() == [opened.count("bank", where="year = 1990")]
    assert opened.word_frequencies("banana", "year").to_frame().empty
