"""Lines of a concordance: all of them, their groups and similarities as NumPy has them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import core
from core import corpus
from core.corpus.querying import concordance
from core.corpus.querying.concordance import Groups, Lines
from core.errors import CorpusError
from core.records.sense_axis import SenseAxis
from tests.corpus.synthetic import WIDTH, Row, publish_rows

SENSES = ("river water muddy bank", "money cash loan bank")
COUNT = 211


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> corpus.Corpus:
    """So many banks, every third by a river; “<i>” and emoji in some; one sentence has two of them."""
    rows = [
        Row(
            f"{'<i>🎣 ' * (i % 5 == 0)}{SENSES[min(i % 3, 1)]} {i}{' Bank' * (i == 7)}",
            min(i % 3, 1),
            {"year": 1900 + i % 4 if i % 10 else None},
        )
        for i in range(COUNT)
    ]
    folder = tmp_path_factory.mktemp("synthetic") / "corpus"
    publish_rows(folder, rows, {"year": "int"})
    return corpus.open(folder)


@pytest.fixture(scope="module")
def lines(opened: corpus.Corpus) -> Lines:
    return concordance.read(opened, "Bank")


def test_a_line_for_each_occurrence(opened: corpus.Corpus, lines: Lines) -> None:
    assert len(lines) == lines.total == COUNT + 1
    expected = [(o.left, o.text[o.start : o.end], o.right) for o in opened.occurrences("bank")]
    assert lines.parts() == expected
    assert lines.parts(np.array([0, 8])) == [expected[0], expected[8]]
    assert expected[0][0].startswith("<i>🎣 ")
    assert {word for _, word, _ in expected} == {"bank", "Bank"}
    assert lines.column("year")[:3] == [None, 1901, 1902]
    np.testing.assert_array_equal(lines.vectors, opened.vectors("bank").vectors)


def test_of_a_frequent_word_some_are_taken_from_all_texts(opened: corpus.Corpus, lines: Lines) -> None:
    some = concordance.read(opened, "bank", most=50)
    assert some.total == COUNT + 1
    assert 30 <= len(some) <= 50
    where = {(s, p): i for i, (s, p) in enumerate(places(lines))}
    rows = [where[place] for place in places(some)]
    assert rows == sorted(rows)
    np.testing.assert_array_equal(some.vectors, lines.vectors[rows])
    assert np.diff([0, *some.sentences, COUNT]).max() < 20  # from all parts of the texts


def places(lines: Lines) -> list[tuple[int, int]]:
    return list(zip(lines.sentences, lines.rows["position"].to_pylist(), strict=True))


def test_similarities_are_cosines(lines: Lines) -> None:
    x = lines.vectors.astype(np.float64)
    unit = x / np.linalg.norm(x, axis=1, keepdims=True)
    np.testing.assert_allclose(concordance.similarities(lines, 5), unit @ unit[5], atol=1e-6)


@pytest.mark.check
def test_clusters_find_the_two_senses(opened: corpus.Corpus, lines: Lines) -> None:
    groups = concordance.by_clusters(lines, 2)
    own = np.array([min(number % 3, 1) for number in lines.sentences])
    assert groups.counts == tuple(np.bincount(own)[::-1])
    np.testing.assert_array_equal(groups.of, 1 - own)  # the largest first
    for group in range(2):
        members = np.flatnonzero(groups.of == group)
        far = np.linalg.norm(lines.vectors[members] - lines.vectors[members].mean(axis=0), axis=1)
        np.testing.assert_allclose(groups.distance[members], far, rtol=1e-4)
        assert groups.typical(group).tolist() == members[np.argsort(groups.distance[members])].tolist()
    same = opened.clusters("bank", 2)
    np.testing.assert_array_equal(same.cluster, groups.of)
    money, river = groups.words
    assert {"money", "cash", "loan"} == {*money}
    assert {"river", "water", "muddy"} == {*river}


class Given:
    """An axis that has these coordinates."""

    def __init__(self, *coordinates: float) -> None:
        self.coordinates = np.array(coordinates, np.float32)

    def coordinate(self, vectors: np.ndarray, layer: int) -> np.ndarray:
        return self.coordinates


def test_of_an_axis_the_outermost_lines_stand_first_and_the_middle_third_is_at_neither_end(
    lines: Lines, minilm: core.Model
) -> None:
    few = replace(lines, rows=lines.rows.slice(0, 7), vectors=lines.vectors[:7])
    axis = Given(-0.5, -1.2, 0.1, 0.9, -0.34, 0.33, 0.4)
    groups = concordance.by_axis(few, axis, ("river", "money"))  # type: ignore[arg-type]
    assert groups.names == ("river", "money", "between")
    assert groups.of.tolist() == [0, 0, 2, 1, 0, 2, 1]
    assert [groups.typical(group).tolist() for group in range(3)] == [[1, 0, 4], [3, 6], [2, 5]]
    assert (groups.distance >= 0).all()
    whole: SenseAxis = minilm.sense_axis("bank", ["river"], ["money"])
    coordinate = whole.coordinate(lines.vectors, lines.layer)
    found = concordance.by_axis(lines, whole, ("river", "money"))
    for end, sign in ((0, -1), (1, 1)):
        shown = coordinate[found.typical(end)] * sign
        assert (shown > 1 / 3).all()
        assert (np.diff(shown) <= 0).all()
    assert sum(found.counts) == len(lines)


@pytest.mark.check
def test_as_many_clusters_as_the_silhouette_suggests(lines: Lines) -> None:
    groups = concordance.by_clusters(lines, 0)
    assert len(groups.names) == 2
    np.testing.assert_array_equal(groups.of, concordance.by_clusters(lines, 2).of)
    found = concordance.separates(lines, groups)
    assert found is not None
    assert found.agreement == 1
    assert found.level == "weak"


def test_a_sentence_that_returns_counts_once(tmp_path: Path) -> None:
    texts = ["a bank and a bank", "a bank", "a bank", "a bank and a bank", "the bank"]
    publish_rows(tmp_path / "a", [Row(text) for text in texts], {})
    lines = concordance.read(corpus.open(tmp_path / "a"), "bank")
    assert lines.distinct.tolist() == [0, 1, 2, 6]
    assert concordance.by_clusters(lines, 0).kind == "all"  # four different ones
    few = replace(lines, rows=lines.rows.slice(0, 5), vectors=lines.vectors[:5])
    assert concordance.by_clusters(few, 0).kind == "all"
    assert concordance.separates(few, concordance.by_clusters(few, 0)) is None


def test_groups_that_differ_in_one_line_have_another_digest(lines: Lines) -> None:
    groups = concordance.by_clusters(lines, 2)
    again = concordance.by_clusters(lines, 2)
    last = groups.distance.copy()
    last[-1] += 1
    of = groups.of.copy()
    of[-1] = 1 - of[-1]
    others = [replace(groups, distance=last), replace(groups, of=of), replace(groups, names=("a", "b"))]
    assert groups.digest == again.digest
    assert len({groups.digest, *(one.digest for one in others)}) == 4


def test_words_of_a_single_group_are_not_told_from_others(lines: Lines) -> None:
    one = Groups("clusters", ("all",), np.zeros(len(lines), np.int64), np.zeros(len(lines)))
    assert len(concordance.keywords(lines, one)) == 1


def test_other_layers_of_the_same_lines(opened: corpus.Corpus) -> None:
    some = concordance.read(opened, "bank", layer="last", most=50)
    which = concordance.sample(len(some), 11)
    assert len(which) == 11
    assert (np.diff(which) > 0).all()
    assert concordance.sample(3, 11).tolist() == [0, 1, 2]
    found = concordance.vectors_of_layers(opened, some, which)
    every = {place: i for i, place in enumerate(places(concordance.read(opened, "bank")))}
    rows = [every[places(some)[line]] for line in which]
    for kept, vectors in zip(opened.manifest.layers, found, strict=True):
        assert vectors.shape == (11, WIDTH)
        np.testing.assert_array_equal(vectors, opened.vectors("bank", layer=kept.layer).vectors[rows])


def test_common_words_carry_meaning(opened: corpus.Corpus) -> None:
    assert opened.frequent()["bank"] == COUNT + 1
    first, *others = concordance.commonest(opened, 4)
    assert first == "bank"
    assert {*others} == {"money", "cash", "loan"}


def test_a_word_that_is_spread_comes_before_one_that_a_single_text_repeats(tmp_path: Path) -> None:
    rows = [
        Row(f"the lamp and {'Haus und die ' * (i == 7)} {'storm storm storm ' * (i < 9)}")
        for i in range(20)
    ]
    publish_rows(tmp_path / "a", rows, {})
    first, second = concordance.spread(corpus.open(tmp_path / "a"), 5)
    assert first[:4] == ("lamp", 20, 10, 10)
    assert first.deviation == pytest.approx(0)
    assert second[:4] == ("storm", 27, 5, 10)
    # By hand: 6, 6, 6, 6, 3 of 27, of a tenth each.
    assert second.deviation == pytest.approx((4 * (6 / 27 - 0.1) + (3 / 27 - 0.1) + 5 * 0.1) / 2)


def test_a_corpus_of_few_sentences_has_its_words_as_examples(tmp_path: Path) -> None:
    publish_rows(tmp_path / "a", [Row("银行在河边"), Row("lamp"), Row("lamp")], {})
    found = concordance.spread(corpus.open(tmp_path / "a"))
    assert (found[0].word, found[0].lines, found[0].parts, found[0].of) == ("lamp", 2, 2, 3)


def test_too_few_lines_stay_together(tmp_path: Path) -> None:
    publish_rows(tmp_path / "a", [Row(f"a bank {i}", i % 2) for i in range(14)], {})
    lines = concordance.read(corpus.open(tmp_path / "a"), "bank")
    assert concordance.by_clusters(lines, 2).counts == (7, 7)
    groups = concordance.by_clusters(lines, 3)
    assert (groups.kind, groups.names, groups.counts, groups.words) == (
        "all",
        ("All lines",),
        (14,),
        ((),),
    )
    mean = lines.vectors.mean(axis=0)
    np.testing.assert_allclose(groups.distance, np.linalg.norm(lines.vectors - mean, axis=1), rtol=1e-4)


def test_neighbours_outside_some_sentences(opened: corpus.Corpus) -> None:
    lines = concordance.read(opened, "bank")
    own = lines.sentences[:5]
    near = opened.nearest(lines.vectors[0], k=50, without=own)
    assert len(near) == 50
    assert not {one.occurrence.sentence for one in near} & {*own}
    assert {one.occurrence.sentence for one in opened.nearest(lines.vectors[0], k=50)} & {*own}
    none = opened.nearest(lines.vectors[0], k=5, without=range(COUNT))
    assert none == []
    all_but_one = opened.nearest(lines.vectors[0], k=500, without=range(1, COUNT))
    assert {one.occurrence.sentence for one in all_but_one} == {0}
    brute = [n for n in opened.nearest(lines.vectors[0], k=5_000) if n.occurrence.sentence not in own]
    assert [n.cosine for n in near] == [n.cosine for n in brute[:50]]
    exact = opened.nearest(lines.vectors[0], "bank", k=50, without=own)
    assert not {one.occurrence.sentence for one in exact} & {*own}


@pytest.mark.check
def test_the_similarity_of_unrelated_words_is_a_quantile_of_pairs(
    opened: corpus.Corpus, tmp_path: Path
) -> None:
    texts = [f"{SENSES[i % 2]} {i} {'word ' * 7}" for i in range(200)]
    publish_rows(tmp_path / "a", [Row(text, i % 2) for i, text in enumerate(texts)], {})
    large = corpus.open(tmp_path / "a")
    assert large.manifest.words >= 2_000
    words, sentences, vectors = [], [], []
    for word in large.frequent():
        of = large.vectors(word)
        words += [word.casefold()] * len(of.vectors)
        sentences += of.rows["sentence"].to_pylist()
        vectors.append(of.vectors)
    x = np.concatenate(vectors).astype(np.float64)
    x /= np.linalg.norm(x, axis=1, keepdims=True)
    own, at = np.array(words), np.array(sentences)
    pairs = np.triu((own[:, None] != own) & (at[:, None] != at), 1)
    found = large.unrelated()
    assert found is not None
    below, above = np.quantile((x @ x.T)[pairs], [0.985, 0.995])  # 1,000 of these words are drawn
    assert below <= found <= above
    assert large.unrelated() == found
    assert opened.unrelated() is None  # too small


def test_what_does_not_occur(opened: corpus.Corpus) -> None:
    for word in ("tree", "two words", ""):
        with pytest.raises(CorpusError):
            concordance.read(opened, word)


def test_the_model_must_be_the_one_that_made_it(tmp_path: Path, minilm: core.Model) -> None:
    publish_rows(tmp_path / "a", [Row("A bank.")], {}, checksum="00")
    with pytest.raises(CorpusError, match="weights"):
        corpus.open(tmp_path / "a").require_model(minilm)
    publish_rows(tmp_path / "b", [Row("A bank.")], {}, model="bert")
    with pytest.raises(CorpusError, match="bert"):
        corpus.open(tmp_path / "b").require_model(minilm)
