from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

import core
from core import corpus
from core.corpus.storage.manifest import read
from core.errors import CorpusError
from tests.corpus import builds
from tests.corpus.rows import tables


@pytest.fixture
def own(letters: Path, tmp_path: Path) -> Path:
    """A copy of the letters, to be changed."""
    shutil.copytree(letters, tmp_path / "own")
    return tmp_path / "own"


def holds(folder: Path, text: bytes) -> bool:
    return any(text in path.read_bytes() for path in folder.rglob("*") if path.is_file())


def test_texts_leave_with_their_words_and_old_versions(own: Path) -> None:
    before, (words, sentences) = read(own), tables(own)
    assert holds(own, b"savings")
    deleted = corpus.delete(own, "source = 'note.txt'")
    after = read(own)
    assert (deleted.sentences, deleted.words) == (2, 10)
    assert after == deleted.manifest
    assert (after.sentences, after.words) == (before.sentences - 2, before.words - 10)
    assert "note.txt" not in after.sources
    assert not holds(own, b"savings")
    left, texts = tables(own)
    assert left.equals(words.filter(~(words["source"].to_numpy(zero_copy_only=False) == "note.txt")))
    assert texts.equals(sentences.slice(0, sentences.num_rows - 2))


@pytest.mark.check
def test_no_file_holds_anything_of_a_deleted_text(minilm: core.Model, tmp_path: Path) -> None:
    """Nor its name, nor what was said about what was left out of it, which `build` prints."""
    texts, out = tmp_path / "texts", tmp_path / "out"
    texts.mkdir()
    (texts / "kept.txt").write_text("A boat on the river.\n\n" + "calm " * 2_000, "utf-8")
    # Sentences, one too long, one longer than the model reads; files without a sentence, or no texts.
    secret = {
        "zebra.txt": "Quokka in a lagoon.\n\n" + "axolotl " * 2_000 + "\n\n" + "tapir " * 800 + ".",
        "okapi.txt": "narwhal " * 2_000,
        "gecko.csv": 'text,year\n"' + "ocelot " * 2_000 + '",1900\nmarmot\n',
        "lemur.jsonl": '{"text": 3, "ibex": "wombat"}\n{"text": "dugong", broken\n' + "[" * 900,
        "puffin.parquet": "walrus",
        "heron.pdf": "pelican",
    }
    for name, text in secret.items():
        (texts / name).write_text(text, "utf-8")
    corpus.build([texts], out, model=minilm, layers=("last",))
    before = read(out)
    assert before.skipped_count == len(before.skipped) >= 9
    (out / "staging").mkdir()  # a build that was interrupted
    (out / "staging" / "plan.json").write_text("quokka", "utf-8")
    deleted = corpus.delete(out, "source != 'texts/kept.txt'")
    assert deleted.files == len(secret)
    words = {
        word.lower() for text in [*secret, *secret.values()] for word in re.findall(r"[a-z]+", text)
    }
    words -= {"in", "a", "text", "txt", "csv", "jsonl", "parquet", "pdf", "year", "broken"}
    assert len(words) > 15
    # LanceDB may compress; what the tables hold is compared as well.
    assert not [(word, *holding(out, word)) for word in sorted(words) if holding(out, word)]
    of_words, sentences = tables(out)
    assert {*of_words["source"].to_pylist(), *sentences["source"].to_pylist()} == {"texts/kept.txt"}
    after = read(out)
    assert [one.source for one in after.skipped] == ["texts/kept.txt"]
    assert after.skipped_count == 1
    again = corpus.build([texts / "okapi.txt"], out, model=minilm)  # forgotten, and thus read again
    assert (again.skipped_count, again.words) == (2, after.words)


def holding(folder: Path, word: str) -> list[str]:
    """The files with this word in their content or their path."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return [str(one) for one in files if word in str(one) or word.encode() in one.read_bytes().lower()]


def test_a_file_without_sentences_is_forgotten_without_writing_the_tables_anew(
    minilm: core.Model, tmp_path: Path
) -> None:
    (tmp_path / "a.txt").write_text("A river bank.", "utf-8")
    (tmp_path / "b.txt").write_text("x" * 9_000, "utf-8")
    out = tmp_path / "out"
    before = corpus.build([tmp_path / "a.txt", tmp_path / "b.txt"], out, model=minilm, layers=("last",))
    deleted = corpus.delete(out, "source LIKE 'b%'")
    assert (deleted.sentences, deleted.words, deleted.files) == (0, 0, 1)
    assert deleted.manifest.generation == before.generation
    assert [*deleted.manifest.sources] == ["a.txt"]
    assert not holding(out, "b.txt")


@pytest.mark.fuzz
@pytest.mark.few(1)
@pytest.mark.check
@pytest.mark.parametrize("room", [1_000, 5_000, 20_000])
def test_a_full_disk_deletes_nothing(own: Path, tmp_path: Path, room: int) -> None:
    before, said = read(own), tmp_path / "said.txt"
    (own / "staging").mkdir()
    (own / "staging" / "part").write_text("embedded for hours")
    assert builds.deletion_on_a_full_disk(own, "source = 'note.txt'", room, said) == 2
    (sentence,) = said.read_text().splitlines()[-1:]
    assert "Nothing was deleted" in sentence
    assert "File too large" in sentence  # what this system says
    assert ".rs" not in sentence
    assert read(own) == before
    assert (own / "staging" / "part").exists()
    assert [one.name for one in (own / "tables").iterdir()] == [
        before.generation
    ]  # what it took is free
    assert not list(own.glob(".manifest*"))
    assert corpus.delete(own, "source = 'note.txt'").sentences == 2


def test_an_empty_column_is_no_reason_to_leave(own: Path) -> None:
    deleted = corpus.delete(own, "genre = 'money'")
    assert deleted.sentences == 3
    _, sentences = tables(own)
    assert {*sentences["genre"].to_pylist()} == {"river", None}


def test_what_is_deleted_can_be_added_again_under_new_numbers(
    own: Path, letters: Path, minilm: core.Model
) -> None:
    before = read(own)
    corpus.delete(own, "source = 'note.txt'")
    again = corpus.build([letters.parent / "note.txt"], own, model=minilm)
    assert (again.words, again.sentences) == (before.words, before.sentences)
    _, sentences = tables(own)
    assert sentences["id"].to_pylist()[-2:] == [before.next_sentence, before.next_sentence + 1]


@pytest.mark.parametrize(
    ("where", "why"),
    [
        ("", "1 to 2,000"),
        ("word = 'bank'", "columns are id, text, source, year, genre"),
        ("text = 'x'", "columns are hash, word, written"),
        ("nonsense(", "no filter"),
        ("1=1) OR (1=1", "more than one condition"),
        ("year = 1; DROP TABLE words", "more than one condition"),
        ("year = 1 -- comment", "more than one condition"),
        ("year = 'x'", "no filter"),
        ("source = 'x", "quotation mark"),
        ("1=1", "Nothing would be left"),
    ],
)
def test_a_wrong_filter_changes_nothing(letters: Path, where: str, why: str) -> None:
    before = read(letters)
    with pytest.raises(CorpusError, match=why):
        corpus.delete(letters, where)
    assert read(letters) == before


def test_nothing_to_delete(letters: Path) -> None:
    before = read(letters)
    assert corpus.delete(letters, "source = 'O''Brien; 🎣.txt'").sentences == 0
    assert read(letters) == before


def test_no_corpus(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="no corpus"):
        corpus.delete(tmp_path / "none", "year = 1")
    assert not (tmp_path / "none").exists()
