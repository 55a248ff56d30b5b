from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import core
from core import corpus
from core.corpus.storage.manifest import read
from core.errors import CorpusError
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
        ("word = 'bank'", "No field named word"),
        ("text = 'x'", "No field named text"),
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
