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


def test_columns_keep_their_names_in_every_script(tmp_path: Path, minilm: core.Model) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "zh.csv").write_text(
        "编号,句子,义项\n7,银行昨天关门了。,钱\n8,我们坐在河岸上。,河\n", "utf-8"
    )
    (folder / "ja.csv").write_text(
        "番号,例文,意味\n1,銀行は休みです。,金\n2,川の土手に座る。,川\n", "utf-8"
    )
    (folder / "th.csv").write_text("ลำดับที่,ประโยค\n5,ธนาคารปิด\n6,นั่งริมแม่น้ำ\n", "utf-8")
    made = corpus.build([folder], tmp_path / "out", model=minilm, layers=("last",))
    number = "ลำดับที่".replace("ำ", "\u0e4d\u0e32")
    assert made.columns == {"编号": "int", "义项": "text", "番号": "int", "意味": "text", number: "int"}
    opened = corpus.open(tmp_path / "out")
    assert opened.count("我们", where="编号 > 7 AND 义项 = '河'") == 1
    assert opened.count("我们", where="番号 > 0") == 0
    assert opened.count("ธนาคาร", where="ลำดับที่ >= 5") == 1
    assert opened.count("ธนาคาร", where="NOT ลำดับที่ < 6") == 0
    assert delete(tmp_path / "out", "ลำดับที่ = 5").sentences == 1


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
