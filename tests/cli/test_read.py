"""`polysee read`: what files are read as, on the command line."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from core.cli.main import main


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.csv").write_text("review;sense\nThe bank, and all.;money\nA bank, wet.;river\n;x\n")
    (tmp_path / "b.txt").write_bytes("Die größte Bank.\nEine Bank.\n".encode("cp1252"))
    (tmp_path / "c.pdf").write_text("no PDF")
    return tmp_path


def test_it_says_how_and_shows_the_first(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["read", str(folder)]) == 0
    said = capsys.readouterr().out
    assert "semicolons" in said
    assert "texts in “review”; labels in “sense”" in said
    assert "money | The bank, and all." in said
    assert "no text in “review” (line 4)" in said
    assert "Windows-1252" in said
    assert "Die größte Bank." in said
    assert "c.pdf: its name ends in .pdf" in said


def test_what_is_said_is_not_guessed_and_all_sentences_are_written(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = folder / "out.csv"
    arguments = ["read", str(folder / "a.csv"), "--no-header", "--label", "none", "--text", "1"]
    assert main([*arguments, "--delimiter", "semicolon", "--out", str(out)]) == 0
    with out.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.reader(stream))
    assert rows == [
        ["label", "sentence"],
        ["", "review"],
        ["", "The bank, and all."],
        ["", "A bank, wet."],
    ]
    assert main(["read", str(folder / "b.txt"), "--encoding", "cp1251"]) == 0
    assert "grц" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--encoding", "klingon"], "no encoding “klingon”"),
        (["--delimiter", "ab"], "cannot be between columns"),
        (["--text", "poem"], "no column “poem”"),
        (["--running", "--one-a-line"], "not allowed with"),
    ],
)
def test_wrong_options_give_a_sentence(
    folder: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], words: str
) -> None:
    status: object = 0
    try:
        status = main(["read", str(folder / "a.csv"), *arguments])
    except SystemExit as ended:
        status = ended.code
    assert status == 2
    told = capsys.readouterr()
    assert words in told.err + told.out
