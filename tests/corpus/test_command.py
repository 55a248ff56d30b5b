"""The commands of a corpus, and the others, in a pipe that nobody reads to its end."""

from __future__ import annotations

import io
import re
from pathlib import Path

import docx
import pandas as pd
import pytest

from core import corpus
from core.console import NOBODY_READS
from core.corpus.building.progress import Progress
from core.corpus.command import _Shown, main
from tests.test_console import closed


@pytest.mark.few(2)
@pytest.mark.check
@pytest.mark.parametrize(
    "arguments",
    [
        ("-m", "core", "--help"),
        ("-m", "core", "--version"),
        ("-m", "core", "corpus", "--help"),
        ("-m", "core", "corpus", "info", "{corpus}"),
        ("-m", "core.corpus", "info", "{corpus}"),
        pytest.param(("-m", "core", "trace", "a bank", "--json"), marks=pytest.mark.fuzz),
    ],
    ids=lambda arguments: " ".join(arguments[1:]),
)
def test_every_command_exits_quietly_where_nobody_reads(
    arguments: tuple[str, ...], letters: Path
) -> None:
    command = [one.format(corpus=letters) for one in arguments]
    status, said = closed(*command, stream="stdout")
    assert said == ""
    assert status in (NOBODY_READS, 0)


@pytest.mark.fuzz
def test_a_build_goes_on_where_nobody_reads_its_progress(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("A bank of the river.", "utf-8")
    command = ("-m", "core", "corpus", "build", str(tmp_path / "a.txt"), "--out", str(tmp_path / "out"))
    status, said = closed(*command, "--layers", "last", stream="stderr")
    assert (status, bool(re.search(r"5 words in 1 sentence", said))) == (0, True)
    assert (tmp_path / "out" / "manifest.json").exists()


def test_progress_that_nobody_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    class Closed:
        def isatty(self) -> bool:
            return False

        def write(self, text: str) -> int:
            raise BrokenPipeError

        def flush(self) -> None:
            raise BrokenPipeError

    monkeypatch.setattr("sys.stderr", Closed())
    _Shown()(Progress("read", 1, 2))


def answered(corpus: Path, *arguments: str, capsys: pytest.CaptureFixture[str]) -> str:
    """What `polysee corpus query` prints."""
    assert main(["query", str(corpus), *arguments]) == 0
    return capsys.readouterr().out


@pytest.mark.check
def test_a_query_on_the_command_line(letters: Path, capsys: pytest.CaptureFixture[str]) -> None:
    opened = corpus.open(letters)
    said = answered(letters, "the|her *", capsys=capsys).splitlines()
    assert len(said) == 1 + opened.count("the|her *")
    at = said[0].index("word")
    assert all(line[at - 1] == " " and line[at] != " " for line in said[1:])
    assert answered(letters, "bank", "--count", capsys=capsys) == f"{opened.count('bank')}\n"
    rows = answered(letters, "[bank]", "--csv", "--sample", "3", "--most", "2", capsys=capsys)
    table = pd.read_csv(io.StringIO(rows))
    texts = {one.text for one in opened.occurrences("bank")}
    assert len(table) == 2
    assert all(f"{a}{b}{c}" in texts for a, b, c in table[["left", "word", "right"]].fillna("").values)
    by = pd.read_csv(io.StringIO(answered(letters, "bank", "--by", "genre", "--csv", capsys=capsys)))
    assert by["count"].sum() == opened.count("bank")
    beside = answered(letters, "bank", "--collocates", "2,2", "--csv", "--lemmas", capsys=capsys)
    wanted = opened.collocates("bank", left=2, right=2, by="lemma").to_frame()
    assert pd.read_csv(io.StringIO(beside))["together"].tolist() == wanted["together"].tolist()
    often = answered(letters, "bank", "--collocates", "2,2", "--least", "2", "--csv", capsys=capsys)
    assert (pd.read_csv(io.StringIO(often))["together"] >= 2).all()
    words = answered(letters, "b*|the", "--words", "--most", "1", capsys=capsys).splitlines()
    assert words[1].split() == ["the", str(opened.count("the"))]
    rows = answered(letters, "b*|the", "--words", "--by", "genre", "--csv", capsys=capsys)
    each = opened.word_frequencies("b*|the", "genre").to_frame()
    assert pd.read_csv(io.StringIO(rows))["word"].tolist() == each["word"].tolist()


@pytest.mark.check
def test_lines_are_saved_as_each_kind_of_file(
    letters: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [tmp_path / f"lines.{end}" for end in ("csv", "parquet", "docx")]
    for file in files:
        said = answered(letters, "bank", "--save", str(file), capsys=capsys)
        assert said.strip() == f"{file}: {corpus.open(letters).count('bank')} rows"
    table, same = pd.read_csv(files[0]), pd.read_parquet(files[1])
    assert table["right"].fillna("").tolist() == same["right"].tolist()
    (printed,) = docx.Document(str(files[2])).tables
    assert [row.cells[1].text for row in printed.rows] == same["word"].tolist()
    assert "1 row; there may be more" in answered(
        letters, "bank", "--most", "1", "--save", str(files[0]), capsys=capsys
    )


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("[pos='N']",), "no attribute"),
        (("bank", "--collocates", "x"), "such as 5,5"),
        (("bank", "--most", "0"), "1 or more"),
        (("bank", "--by", "gender"), "no column"),
        (("bank", "--by", "genre", "--count"), "goes with --words"),
        (("bank", "--count", "--save", "a.csv"), "prints a number"),
        (("bank", "--save", "lines.odt"), "none of .csv"),
        (("bank", "--save", "/no/such/folder/a.csv"), "could not be written"),
        (("bank", "--words", "--save", "words.docx"), "holds lines"),
    ],
)
@pytest.mark.check
def test_a_wrong_query_is_said(
    arguments: tuple[str, ...], says: str, letters: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        status = main(["query", str(letters), *arguments])
    except SystemExit as error:  # of the arguments themselves
        status = int(str(error.code))
    assert status != 0
    assert says in capsys.readouterr().err
