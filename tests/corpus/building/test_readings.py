"""A corpus of files of several formats: how each was read is kept, and goes with its file."""

from __future__ import annotations

from pathlib import Path

import pytest

import core
from core import corpus
from core.corpus.building.deleting import delete
from tests.corpus.rows import tables

pytestmark = pytest.mark.check


def test_files_of_several_formats_in_one_corpus(tmp_path: Path, minilm: core.Model) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "a.csv").write_text("review;year\nThe bank, wet.;1990\nA green bank.;1991\n;1992\n")
    (folder / "b.srt").write_text("1\n00:00:01,000 --> 00:00:02,000\nANNA: The bank\n\n2\n"
                                  "00:00:02,100 --> 00:00:03,000\nwas closed.\n")  # fmt: skip
    (folder / "c.html").write_text("<!doctype html><nav>Home</nav><p>A bank. It rained.</p>")
    made = corpus.build([folder], tmp_path / "out", model=minilm, layers=("last",))
    _, sentences = tables(tmp_path / "out")
    rows = sentences.to_pylist()
    assert [one["text"] for one in rows] == [
        *("The bank, wet.", "A green bank.", "The bank was closed.", "A bank.", "It rained."),
    ]
    assert [one["year"] for one in rows] == [1990, 1991, None, None, None]
    assert [one["speaker"] for one in rows] == [None, None, "ANNA", None, None]
    assert set(made.readings) == {"in/a.csv", "in/b.srt", "in/c.html"}
    assert "semicolons" in made.readings["in/a.csv"]
    assert {one.source for one in made.skipped} == {"in/a.csv", "in/c.html"}
    left = delete(tmp_path / "out", "source = 'in/a.csv'").manifest
    assert set(left.readings) == {"in/b.srt", "in/c.html"}


def test_what_is_said_decides(tmp_path: Path, minilm: core.Model) -> None:
    (tmp_path / "a.txt").write_bytes("Банк стоит.\nИ всё.\n".encode("koi8-r"))
    made = corpus.build(
        [tmp_path / "a.txt"],
        tmp_path / "out",
        model=minilm,
        layers=("last",),
        encoding="koi8-r",
        running=True,
    )
    assert "KOI8-R" in made.readings["a.txt"]
    _, sentences = tables(tmp_path / "out")
    assert sentences["text"].to_pylist() == ["Банк стоит.", "И всё."]
