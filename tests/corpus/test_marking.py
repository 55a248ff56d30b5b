"""Marks on lines: kept whole, read back, changed, and nothing else taken for them."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.corpus import marking
from core.corpus.marking import Mark, Place
from core.errors import CorpusError

MARKS = {
    Place(7, 2): Mark("money", "bank", 'She said "the bank\tpaid".'),
    Place(3, 11): Mark("Fluß, 河", "bank", "Am\nUfer = \u2028 bank"),
}


def test_marks_come_back_as_they_were_in_the_order_of_the_corpus(tmp_path: Path) -> None:
    assert marking.read(tmp_path) == {}
    marking.write(tmp_path, MARKS)
    assert marking.read(tmp_path) == MARKS
    assert [*marking.parsed(marking.written(MARKS))] == [Place(3, 11), Place(7, 2)]
    assert marking.parsed("") == {}


def test_a_mark_is_changed_and_taken_away() -> None:
    now = marking.changed(
        MARKS,
        [(Place(7, 2), Mark("", "bank", "")), (Place(1, 0), Mark(f"  a \n b {'x' * 90}", "bank", "t"))],
    )
    assert [*now] == [Place(3, 11), Place(1, 0)]
    assert now[Place(1, 0)].mark == f"a b {'x' * 56}"
    assert MARKS[Place(7, 2)].mark == "money"  # the old ones stay as they are


@pytest.mark.parametrize(
    "text",
    [
        "a,b\n",
        "sentence\tposition\tmark\tword\ttext\n1\t2\tx\n",
        "sentence\tposition\tmark\tword\ttext\n-1\t2\tx\tw\tt\n",
        "sentence\tposition\tmark\tword\ttext\n1\t²\tx\tw\tt\n",
        f"sentence\tposition\tmark\tword\ttext\n{'9' * 30}\t2\tx\tw\tt\n",
    ],
)
def test_a_damaged_file_is_refused_in_a_sentence(text: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"columns|line 2"):
        marking.parsed(text)
    (tmp_path / marking.FILE).write_text(text, "utf-8")
    with pytest.raises(CorpusError, match=marking.FILE):
        marking.read(tmp_path)


def test_what_cannot_be_kept_is_said(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="could not be kept"):
        marking.write(tmp_path / "none", MARKS)
