from __future__ import annotations

import gzip
import shutil
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import core
from core import corpus
from core.corpus.building import publishing
from core.corpus.building.alone import alone
from core.corpus.building.parts import SENTENCES
from core.corpus.building.progress import Progress
from core.corpus.storage.manifest import Manifest, exists, read
from core.errors import CorpusError
from tests.corpus import builds
from tests.corpus.conftest import write_letters
from tests.corpus.rows import comparable, tables


def test_each_word_has_the_vector_that_the_model_gives_it(
    letters: Path, manifest: Manifest, minilm: core.Model
) -> None:
    words, sentences = tables(letters)
    texts = dict(zip(sentences["id"].to_pylist(), sentences["text"].to_pylist(), strict=True))
    assert [layer.layer for layer in manifest.layers] == [1, 5]
    assert words.num_rows == manifest.words
    rows = words.to_pylist()
    expected = []
    for number, text in texts.items():
        trace = minilm.trace(text, keep="hidden")
        for one in trace.occurrences():
            if any(map(str.isalnum, one.word)):
                expected.append((number, one.start, one.end))
                (row,) = (r for r in rows if (r["sentence"], r["start"]) == (number, one.start))
                for layer in manifest.layers:
                    assert trace.hidden is not None
                    wanted = trace.hidden[layer.layer, one.tokens].mean(axis=0)
                    np.testing.assert_allclose(row[layer.column], wanted, atol=2e-3)
    assert sorted((r["sentence"], r["start"], r["end"]) for r in rows) == sorted(expected)
    assert {r["word"] for r in rows} >= {"bank", "don't", "quotes", "42", "naive", "cafe"}
    assert {r["written"] for r in rows} >= {"bank", "don't", "quotes", "42", "naïve", "café"}
    assert not {r["word"] for r in rows} & {".", ",", "🎣", "'"}


def test_rows_of_a_word_lie_together_and_know_their_columns(letters: Path) -> None:
    words, _ = tables(letters)
    every = words["word"].to_pylist()
    changes = sum(a != b for a, b in pairwise(every))
    assert changes == len(set(every)) - 1
    assert words["hash"].to_pylist() == sorted(words["hash"].to_pylist())
    bank = [row for row in words.to_pylist() if row["word"] == "bank"]
    assert sorted((row["year"] or 0, row["genre"] or "") for row in bank) == [
        (0, ""),
        (0, ""),
        *[(1990, "money")] * 2,
        *[(1990, "river")] * 2,
        (2005, "money"),
        *[(2005, "river")] * 2,
    ]
    assert {row["source"] for row in bank} == {"letters.csv", "note.txt"}


def test_building_again_adds_nothing(letters: Path, minilm: core.Model, manifest: Manifest) -> None:
    folder = letters.parent
    again = corpus.build([folder / "letters.csv"], letters, model=minilm)
    assert again == manifest


@pytest.mark.check
def test_added_texts_equal_one_build(
    tmp_path: Path, minilm: core.Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(publishing, "MERGE_RUNS", 3)
    texts = [
        write_letters(
            tmp_path / f"{n}.csv", [(str(1990 + n), "", f"The bank of {n} rivers. Yes, {n}!")]
        )
        for n in range(4)
    ]
    made = corpus.build(texts, tmp_path / "once", model=minilm, layers=("last",))
    runs = []
    for text in texts:
        added = corpus.build([text], tmp_path / "added", model=minilm, layers=("last",))
        runs.append(added.runs)
    assert runs == [1, 2, 1, 2]
    assert (added.words, added.sentences, added.next_sentence) == (
        made.words,
        made.sentences,
        made.next_sentence,
    )
    (words, sentences), (own, of) = tables(tmp_path / "added"), tables(tmp_path / "once")
    assert comparable(words).equals(comparable(own))
    assert sentences.equals(of)
    assert len(list((tmp_path / "added" / "tables").iterdir())) == 1


def test_a_changed_file_is_not_added_beside_its_former_text(tmp_path: Path, minilm: core.Model) -> None:
    text = tmp_path / "a.txt"
    text.write_text("The bank.")
    before = corpus.build([text], tmp_path / "out", model=minilm, layers=("last",))
    text.write_text("The other bank.")
    after = corpus.build([text], tmp_path / "out", model=minilm, layers=("last",))
    assert (after.words, after.sources) == (before.words, before.sources)


def test_a_file_that_was_broken_or_empty_is_read_once_it_is_mended(
    tmp_path: Path, minilm: core.Model
) -> None:
    texts, out = tmp_path / "texts", tmp_path / "corpus"
    texts.mkdir()
    (texts / "good.txt").write_text("The bank is open.", "utf-8")
    (texts / "broken.csv.gz").write_bytes(b"no gzip")
    (texts / "empty.txt").touch()
    (texts / ".hidden.txt").write_text("A hidden bank.", "utf-8")
    first = corpus.build([texts], out, model=minilm, layers=("last",))
    left_out = ["texts/.hidden.txt", "texts/broken.csv.gz", "texts/empty.txt"]
    assert [one.source for one in first.skipped] == left_out
    with gzip.open(texts / "broken.csv.gz", "wt") as stream:
        stream.write("text\nA clerk at the bank.\n")
    (texts / "empty.txt").write_text("A muddy bank.", "utf-8")
    then = corpus.build([texts], out, model=minilm, layers=("last",))
    assert corpus.open(out).count("bank") == 3
    assert [one.source for one in then.skipped] == ["texts/.hidden.txt"]
    assert (then.skipped_count, read(out)) == (1, then)


@pytest.mark.check
def test_a_changed_file_is_said_even_if_nothing_else_is_new(tmp_path: Path, minilm: core.Model) -> None:
    file = write_letters(tmp_path / "a.csv")
    corpus.build([file], tmp_path / "corpus", model=minilm, layers=("last",))
    write_letters(file, [("1999", "", "Another text.")])
    for _ in range(2):  # said once, however often it is tried
        then = corpus.build([file], tmp_path / "corpus", model=minilm)
        assert [one.source for one in then.skipped] == ["a.csv"]
        assert (then.skipped_count, read(tmp_path / "corpus")) == (1, then)
    corpus.delete(tmp_path / "corpus", "source = 'a.csv' AND year < 2000")
    assert corpus.build([file], tmp_path / "corpus", model=minilm).skipped_count == 1  # 2005 is there


def test_files_without_a_word_are_added_once(tmp_path: Path, minilm: core.Model) -> None:
    file = write_letters(tmp_path / "a.csv")
    before = corpus.build([file], tmp_path / "corpus", model=minilm, layers=("last",))
    (tmp_path / "signs.txt").write_text("... !!! 🎣", "utf-8")
    (tmp_path / "broken.parquet").write_bytes(b"PAR1")
    more = [tmp_path / "signs.txt", tmp_path / "broken.parquet"]
    then = corpus.build(more, tmp_path / "corpus", model=minilm)
    assert (then.words, then.words_version) == (before.words, before.words_version)
    assert {*then.sources} == {"a.csv", "signs.txt", "broken.parquet"}
    assert corpus.build(more, tmp_path / "corpus", model=minilm) == then
    with pytest.raises(CorpusError):
        corpus.build(more, tmp_path / "none", model=minilm, layers=("last",))
    assert not (tmp_path / "none" / "manifest.json").exists()


def test_a_value_that_fits_no_column_of_the_corpus_is_left_empty(
    tmp_path: Path, minilm: core.Model
) -> None:
    first = write_letters(tmp_path / "a.csv", [("1990", "x", "One.")])
    second = write_letters(tmp_path / "b.csv", [("unknown", "y", "Two.")])
    corpus.build([first], tmp_path / "out", model=minilm, layers=("last",))
    corpus.build([second], tmp_path / "out", model=minilm, layers=("last",))
    _, sentences = tables(tmp_path / "out")
    assert sentences["year"].to_pylist() == [1990, None]


@pytest.mark.check
def test_what_cannot_be_read_is_said_and_the_rest_goes_on(tmp_path: Path, minilm: core.Model) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "long.txt").write_text("word " * 200_000 + "\n\nShort. " + "tired " * 800 + "bank.")
    (folder / "bad.txt").write_bytes(b"\0\n\nGood.")  # a single other byte would be another encoding
    (folder / "broken.parquet").write_text("no")
    (folder / "x.pdf").write_text("no PDF")
    made = corpus.build([folder], tmp_path / "out", model=minilm, layers=("last",))
    said = {one.source: one.why for one in made.skipped if "of its words" not in one.why}
    assert set(said) == {"in/long.txt", "in/bad.txt", "in/broken.parquet", "in/x.pdf"}
    assert "999,999" in said["in/long.txt"]
    (cut,) = (one.why for one in made.skipped if "of its words" in one.why)
    words, sentences = tables(tmp_path / "out")
    read = words["word"].to_pylist().count("tired")
    assert cut.startswith(f"{800 + 1 - read} of its words")
    assert sentences["text"].to_pylist()[0] == "Good."
    assert made.skipped_count == len(made.skipped) == 5


@pytest.mark.check
def test_texts_without_a_sentence_are_refused(tmp_path: Path, minilm: core.Model) -> None:
    (tmp_path / "a.txt").write_text("  \n\n")
    with pytest.raises(CorpusError, match="no word"):
        corpus.build([tmp_path / "a.txt"], tmp_path / "out", model=minilm)
    assert not (tmp_path / "out" / "manifest.json").exists()


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"model": "bert"}, "“bert”, not “minilm”"),
        ({"checksum": "0" * 64}, "other weights"),
        ({"language": "de"}, "the language “de”"),
    ],
)
def test_another_model_is_refused(
    letters: Path, minilm: core.Model, tmp_path: Path, change: dict[str, Any], why: str
) -> None:
    shutil.copytree(letters, tmp_path / "out")
    replace(read(letters), **change).write(tmp_path / "out")
    (tmp_path / "a.txt").write_text("One.")
    with pytest.raises(CorpusError, match=why):
        corpus.build([tmp_path / "a.txt"], tmp_path / "out", model=minilm)


def test_two_builders_do_not_meet(tmp_path: Path, minilm: core.Model) -> None:
    (tmp_path / "a.txt").write_text("One.")
    with alone(tmp_path / "out", ""), pytest.raises(CorpusError, match="Another program"):
        corpus.build([tmp_path / "a.txt"], tmp_path / "out", model=minilm)


def test_progress_ends_with_all_sentences(tmp_path: Path, minilm: core.Model) -> None:
    (tmp_path / "a.txt").write_text("One. Two. Three.")
    seen: list[Progress] = []
    corpus.build(
        [tmp_path / "a.txt"], tmp_path / "out", model=minilm, layers=("1",), on_progress=seen.append
    )
    embedded = [one for one in seen if one.step == "embed"]
    assert (embedded[-1].done, embedded[-1].total, embedded[-1].left) == (3, 3, 0)
    assert seen[-1].step == "publish"


@pytest.mark.parametrize("layers", [("7",), ("0",), ("first",), ()])
def test_a_layer_that_is_not_there(tmp_path: Path, minilm: core.Model, layers: tuple[str, ...]) -> None:
    (tmp_path / "a.txt").write_text("One.")
    with pytest.raises(CorpusError, match="layer"):
        corpus.build([tmp_path / "a.txt"], tmp_path / "out", model=minilm, layers=layers)


@pytest.mark.fuzz
def test_a_full_disk_is_said_and_the_build_goes_on_later(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("The bank was full of people that day, and so was the river. " * 20)
    out, said = tmp_path / "out", tmp_path / "said.txt"
    assert builds.on_a_full_disk(tmp_path / "a.txt", out, said) == 2
    assert "could not be written" in said.read_text()
    assert "Traceback" not in said.read_text()
    assert not (out / "manifest.json").exists()
    builds.build(tmp_path / "a.txt", out, sentences=SENTENCES)
    assert tables(out)[1].num_rows == 20


@pytest.mark.fuzz
@pytest.mark.parametrize("room", [1_000, 5_000])
def test_a_disk_that_is_full_when_all_is_embedded_costs_nothing(tmp_path: Path, room: int) -> None:
    for number, name in enumerate(("a.txt", "b.txt")):  # the first build, and one that adds to it
        text = f"The bank number {number} was full of people that day, and so was the river. "
        (tmp_path / name).write_text(text * 20)
        out, said = tmp_path / "out", tmp_path / "said.txt"
        before = read(out) if exists(out) else None
        assert builds.publishing_on_a_full_disk(tmp_path / name, out, room, said) == 2
        (sentence,) = said.read_text().splitlines()[-1:]
        assert "unchanged" in sentence
        assert (read(out) if exists(out) else None) == before
        assert list((out / "staging").rglob("*.words.arrow"))  # what was embedded is kept
        builds.build(tmp_path / name, out, sentences=SENTENCES)
        assert tables(out)[1].num_rows == 20 * (number + 1)
