"""Answers of a corpus, against brute force over all of its rows with NumPy."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import core
from core import corpus, settings
from core.corpus.building import publishing
from core.corpus.querying.corpus import Corpus
from core.corpus.storage.manifest import read
from core.errors import CorpusError
from core.pretrained.load_model import find, weights_checksum
from core.records.words import split
from tests.corpus.rows import tables

HOSTILE = ("'", "’", "🎣", "%", "_", "\\", '"', "é", "drop", "null", "a'b", "a" * 5_000)


@pytest.fixture(scope="module")
def opened(letters: Path) -> Corpus:
    return corpus.open(letters)


def brute(folder: Path, query: np.ndarray, column: str) -> Iterator[tuple[float, str, int, int]]:
    words, _ = tables(folder)
    for row in words.to_pylist():
        vector = np.array(row[column], np.float64)
        cosine = vector @ query / np.linalg.norm(vector) / np.linalg.norm(query)
        yield cosine, row["word"], row["sentence"], row["position"]


@pytest.mark.check
def test_counts_and_occurrences(opened: Corpus, letters: Path) -> None:
    words, sentences = tables(letters)
    every = words["word"].to_pylist()
    for word in set(every):
        assert opened.count(word) == every.count(word)
    assert opened.count("Bank") == opened.count("BANK") == 9
    assert opened.count("riverbank") == 0
    texts = dict(zip(sentences["id"].to_pylist(), sentences["text"].to_pylist(), strict=True))
    found = list(opened.occurrences("bank"))
    assert len(found) == 9
    assert [(one.sentence, one.position) for one in found] == sorted(
        (one.sentence, one.position) for one in found
    )
    for one in found:
        assert one.text == texts[one.sentence]
        assert one.text[one.start : one.end].lower() == "bank"
        assert one.left + one.text[one.start : one.end] + one.right == one.text


def test_a_filter_over_columns(opened: Corpus) -> None:
    assert opened.count("bank", where="year = 1990") == 4
    assert opened.count("bank", where="genre = 'river' AND year > 1990") == 2
    assert {one.source for one in opened.occurrences("bank", where="genre IS NULL")} == {"note.txt"}
    assert all(one.columns["year"] == 2005 for one in opened.occurrences("bank", where="year=2005"))


@pytest.mark.parametrize("word", HOSTILE)
def test_a_word_is_never_read_as_a_condition(opened: Corpus, word: str) -> None:
    assert opened.count(word) == 0
    assert list(opened.occurrences(word)) == []


@pytest.mark.check
def test_a_phrase_is_found_where_its_words_stand_in_a_row(opened: Corpus, letters: Path) -> None:
    words, sentences = tables(letters)
    own = {(row["sentence"], row["position"]): row for row in words.to_pylist()}
    texts = dict(zip(sentences["id"].to_pylist(), sentences["text"].to_pylist(), strict=True))
    column = opened.layer().column
    pairs = {
        (row["word"], after["word"])
        for (sentence, position), row in own.items()
        if (after := own.get((sentence, position + 1)))
    }
    assert len(pairs) > 5
    for first, second in sorted(pairs)[:20]:
        wanted = [
            (row, own[sentence, position + 1])
            for (sentence, position), row in sorted(own.items())
            if row["word"] == first and own.get((sentence, position + 1), row)["word"] == second
        ]
        phrase = f" {first.upper()}  {second} "
        found, vectors = [*opened.occurrences(phrase)], opened.vectors(phrase).vectors
        assert opened.count(phrase) == len(found) == len(wanted) == len(opened.sentences_of(phrase))
        for one, vector, (a, b) in zip(found, vectors, wanted, strict=True):
            assert (one.sentence, one.position) == (a["sentence"], a["position"])
            assert (one.start, one.end) == (a["start"], b["end"])
            assert one.text == texts[one.sentence]
            assert one.word == f"{first} {second}"
            mean = (np.array(a[column], np.float32) + np.array(b[column], np.float32)) / 2
            np.testing.assert_allclose(vector, mean, atol=1e-6)
            np.testing.assert_allclose(opened.vector(one), mean, atol=1e-6)
        assert opened.words(phrase) == {f"{first} {second}": len(wanted)}


def test_a_phrase_is_filtered_like_a_word(opened: Corpus) -> None:
    first = next(one for one in opened.occurrences("bank") if one.columns["year"] and one.right.strip())
    phrase, year = f"bank {split(first.right)[0].text}", first.columns["year"]
    found = [*opened.occurrences(phrase, where=f"year = {year}")]
    every = [one for one in opened.occurrences(phrase) if one.columns["year"] == year]
    assert found == every
    assert first.sentence in {one.sentence for one in found}
    assert opened.count("no such phrase here") == 0
    assert [*opened.occurrences("no such phrase here")] == []


@pytest.mark.parametrize("word", ["bank' OR '1'='1", "x'; DROP TABLE words; --", "river' OR bank"])
def test_a_phrase_is_never_read_as_a_condition(opened: Corpus, word: str) -> None:
    assert opened.count(word) == 0
    assert not len(opened.vectors(word).vectors)


@pytest.mark.parametrize("word", ["", " ", "''", "o'", "--", "a b c d e f g h i"])
def test_only_a_word_or_a_phrase_is_searched(opened: Corpus, word: str) -> None:
    with pytest.raises(CorpusError, match="one word"):
        opened.count(word)


@pytest.mark.parametrize(
    "where",
    [
        "1=1) OR (1=1",
        "1=1; DROP TABLE words",
        "year = 1 --",
        "year = 1 /* x",
        "year",
        "",
        "x = 1",
        "'",
        "🎣",
    ],
)
def test_a_filter_cannot_reach_other_words(opened: Corpus, where: str) -> None:
    with pytest.raises(CorpusError):
        opened.count("bank", where=where)
    assert opened.count("bank", where="1=1 OR word = 'the'") == 9


@pytest.mark.parametrize("layer", [1, 5, "last"])
def test_the_nearest_of_a_word_are_the_nearest(opened: Corpus, letters: Path, layer: int | str) -> None:
    of = opened.layer(layer)
    query = opened.vectors("bank", layer=layer).vectors.mean(axis=0)
    expected = sorted(
        (one for one in brute(letters, query, of.column) if one[1] == "bank"), reverse=True
    )
    found = opened.nearest(query, "bank", k=5, layer=layer)
    assert [(n.occurrence.sentence, n.occurrence.position) for n in found] == [
        e[2:] for e in expected[:5]
    ]
    np.testing.assert_allclose([n.cosine for n in found], [e[0] for e in expected[:5]], atol=1e-5)


def test_nearest_over_all_words_without_an_index_is_exact(opened: Corpus, letters: Path) -> None:
    (line, *_) = opened.occurrences("cash")
    query = opened.vector(line).astype(np.float64)
    expected = sorted(brute(letters, query, opened.layer().column), reverse=True)
    found = opened.nearest(line, k=7)
    assert [(n.occurrence.sentence, n.occurrence.position) for n in found] == [
        e[2:] for e in expected[1:8]
    ]
    assert opened.recall() == 1.0


def test_what_else_is_used_like_this_leaves_the_word_out(opened: Corpus, letters: Path) -> None:
    (line, *_) = opened.occurrences("bank")
    found = opened.nearest(line, k=6, other_words=True)
    query = opened.vector(line).astype(np.float64)
    every = sorted((one for one in brute(letters, query, opened.layer().column)), reverse=True)
    expected = [one[2:] for one in every if one[1] != "bank"][:6]
    assert [(n.occurrence.sentence, n.occurrence.position) for n in found] == expected


@pytest.mark.parametrize(
    "query", [np.zeros(384), np.full(384, np.nan), np.ones(7), np.ones((2, 384)), "bank"]
)
def test_a_vector_without_neighbours(opened: Corpus, query: object) -> None:
    with pytest.raises(CorpusError):
        opened.nearest(query)  # type: ignore[arg-type]


def test_senses_are_coordinates_of_the_axis(opened: Corpus, minilm: core.Model) -> None:
    found = opened.senses("bank", ["money"], ["river"], layer="last", model=minilm)
    axis = minilm.sense_axis("bank", ["money"], ["river"])
    for line, coordinate in zip(opened.lines(found.of.rows), found.coordinates, strict=True):
        trace = minilm.trace(line.text, keep="hidden")
        tokens = next(o.tokens for o in trace.occurrences() if o.start == line.start)
        assert coordinate == pytest.approx(axis.coordinates(trace, tokens)[-1], abs=5e-3)
    genres = [one.columns["genre"] for one in opened.lines(found.of.rows)]
    money, river = (
        np.mean([at for at, own in zip(found.coordinates, genres, strict=True) if own == genre])
        for genre in ("money", "river")
    )
    assert money < -0.3 < river


def test_another_model_gives_no_senses(opened: Corpus, minilm_hf: core.Model) -> None:
    class Other:
        name = "bert"

    with pytest.raises(CorpusError, match="made with “minilm”"):
        opened.senses("bank", ["money"], ["river"], model=Other())  # type: ignore[arg-type]


def test_clusters_are_ordered_and_their_typical_lines_too(opened: Corpus) -> None:
    found = opened.clusters("bank", 2)
    counts = np.bincount(found.cluster)
    assert counts.sum() == 9
    assert list(counts) == sorted(counts, reverse=True)
    for number, members in enumerate(found.typical):
        assert set(members) == set(np.flatnonzero(found.cluster == number))
        vectors = found.of.vectors[members]
        far = np.linalg.norm(vectors - vectors.mean(axis=0), axis=1)
        assert list(far) == sorted(far)
    with pytest.raises(CorpusError, match="does not occur"):
        opened.clusters("zebra", 2)
    with pytest.raises(CorpusError, match="2 to 8"):
        opened.clusters("bank", 9)


def test_an_open_corpus_keeps_its_version(letters: Path, tmp_path: Path, minilm: core.Model) -> None:
    import shutil

    shutil.copytree(letters, tmp_path / "own")
    before = corpus.open(tmp_path / "own")
    (tmp_path / "a.txt").write_text("One more bank.")
    corpus.build([tmp_path / "a.txt"], tmp_path / "own", model=minilm)
    assert before.count("bank") == 9
    assert corpus.open(tmp_path / "own").count("bank") == 10
    assert len(list(corpus.open(tmp_path / "own").occurrences("bank"))) == 10
    corpus.delete(tmp_path / "own", "source = 'a.txt'")
    with pytest.raises(CorpusError, match="changed while it was read"):
        list(before.occurrences("bank"))
    assert corpus.open(tmp_path / "own").count("bank") == 9


@pytest.mark.check
def test_threads_that_share_a_corpus_get_their_own_answers(opened: Corpus) -> None:
    words = ["bank", "the", "boat", "river", "cash", "clerk", "roof", "apples"] * 4

    def answer(word: str) -> tuple[object, ...]:
        lines = list(opened.occurrences(word))
        return opened.count(word), lines, opened.nearest(lines[0], word), opened.nearest(lines[0])

    alone = [answer(word) for word in words]
    with ThreadPoolExecutor(16) as pool:
        assert list(pool.map(answer, words)) == alone


@pytest.mark.fuzz
@pytest.mark.check
def test_an_index_finds_nearly_all_and_words_stay_exact(
    tmp_path: Path, minilm: core.Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    from core.corpus.storage import store

    monkeypatch.setattr(publishing, "EXACT_ROWS", 1_000)
    assert store.EXACT_ROWS == 100_000
    lines = [f"The {a} of the {b} was {c}." for a in ("bank", "seat", "wall", "price", "colour", "end")
             for b in ("river", "house", "town", "ship", "book", "game", "year", "snow")
             for c in ("old", "new", "high", "low", "lost", "found")]  # fmt: skip
    (tmp_path / "a.txt").write_text("\n\n".join(lines))
    made = corpus.build([tmp_path / "a.txt"], tmp_path / "out", model=minilm, layers=("last",))
    assert made.indexed == (5,)
    opened = corpus.open(tmp_path / "out")
    assert opened.recall(sample=30) >= 0.9
    query = opened.vectors("bank").vectors[0].astype(np.float64)
    expected = sorted(one for one in brute(tmp_path / "out", query, "vector_6") if one[1] == "bank")
    found = opened.nearest(query, "bank", k=10)
    np.testing.assert_allclose(
        [n.cosine for n in found], [e[0] for e in expected[::-1][:10]], atol=1e-5
    )


@pytest.mark.check
def test_a_path_in_a_manifest_is_no_model(
    letters: Path, minilm: core.Model, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor is a hub id fetched because a file names it; whoever made the corpus passes the model."""
    weights = weights_checksum("minilm")
    elsewhere, _ = find("minilm", settings.read())
    monkeypatch.chdir(elsewhere.parent)
    beside = f"../{elsewhere.parent.name}/{elsewhere.name}"
    for name in (str(elsewhere), f"./{elsewhere.name}", beside, "owner/name"):
        own = tmp_path / hashlib.sha256(name.encode()).hexdigest()
        shutil.copytree(letters, own)
        replace(read(own), model=name).write(own)
        opened = Corpus(own)
        with pytest.raises(CorpusError, match="pass it as"):
            opened.senses("bank", ["money"], ["river"])
    loaded = core.load(elsewhere)
    replace(read(own), model=loaded.name).write(own)
    assert read(own).checksum == weights
    Corpus(own).require_model(loaded)
