"""Marks on lines: kept whole, read back, changed, and nothing else taken for them."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from filelock import FileLock

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


def test_two_who_change_at_once_lose_nothing_and_a_change_is_undone(tmp_path: Path) -> None:
    with ThreadPoolExecutor(4) as pool:  # each opens the lock anew, as another process does
        each = [[(Place(i, 0), Mark(f"m{i}", "w", "t"))] for i in range(12)]
        list(pool.map(lambda one: marking.update(tmp_path, one), each))
    assert len(marking.read(tmp_path)) == 12
    before = marking.update(
        tmp_path, [(Place(3, 0), Mark("", "w", "t")), (Place(99, 1), MARKS[Place(7, 2)])]
    )
    marking.update(tmp_path, [*before.items()])
    there = marking.read(tmp_path)
    assert there[Place(3, 0)].mark == "m3"
    assert Place(99, 1) not in there


def test_to_undo_leaves_what_others_have_marked_since(tmp_path: Path) -> None:
    mine = {Place(i, 0): Mark("'=mine", "w", "'= t") for i in range(3)}
    mine[Place(3, 0)] = Mark("", "w", "t")
    marking.update(tmp_path, [(Place(3, 0), Mark("old", "w", "t"))])
    before = marking.update(tmp_path, [*mine.items()])
    others = [(Place(0, 0), Mark("theirs", "w", "t")), (Place(1, 0), Mark("", "w", "t"))]
    marking.update(tmp_path, others)
    assert marking.update(tmp_path, [*before.items()], mine).keys() == {Place(2, 0), Place(3, 0)}
    there = marking.read(tmp_path)
    assert {place: one.mark for place, one in there.items()} == {
        Place(0, 0): "theirs",
        Place(3, 0): "old",
    }


def test_marks_of_another_corpus_are_counted() -> None:
    texts = {place.sentence: f"{one.text} and on" for place, one in MARKS.items()}
    assert marking.elsewhere(MARKS, texts) == 0
    assert marking.elsewhere(MARKS, {**texts, 7: "Another sentence."}) == 1
    assert marking.elsewhere(MARKS, {}) == 2


@pytest.mark.parametrize(
    "sentence",
    ["'= 1 + 1", "'-tis a bank", "a\rbank", "a\r\nbank", "-5", "=it'-s; -a", "'=" + "x" * 300, "\t=1"],
)
def test_marks_of_this_corpus_are_known_after_they_were_in_a_file(sentence: str) -> None:
    marks = marking.changed({}, [(Place(1, 0), Mark("m", "bank", sentence))])
    back = marking.parsed(marking.written(marks))
    assert marking.elsewhere(back, {1: f"{sentence} and on"}) == 0
    assert marking.elsewhere(back, {1: "Another sentence."}) == 1


def test_a_mark_is_no_formula_in_a_spreadsheet_and_comes_back() -> None:
    marks = {Place(1, 0): Mark("=1+1", "-ing", "@home; =A1"), Place(2, 0): Mark("it'-x", "'", "-5")}
    text = marking.written(marks)
    assert "1\t0\t'=1+1\t'-ing\t'@home; '=A1\n" in text
    assert marking.parsed(text) == marks


def test_marks_that_somebody_sends_do_not_fill_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    long = Mark("m", "w" * 300, "t" * 300)
    own = marking.changed({}, [(Place(1, 0), long)])
    assert own[Place(1, 0)] == Mark("m", "w" * 200, "t" * 200)
    assert marking.parsed(marking.written({Place(1, 0): long})) == own
    monkeypatch.setattr(marking, "MOST_MARKS", 1)
    with pytest.raises(CorpusError, match="up to 1 marks"):
        marking.changed(own, [(Place(2, 0), long)])


@pytest.mark.parametrize(
    "text",
    [
        "a,b\n",
        "sentence\tposition\tmark\tword\ttext\n1\t2\tx\n",
        "sentence\tposition\tmark\tword\ttext\n-1\t2\tx\tw\tt\n",
        "sentence\tposition\tmark\tword\ttext\n1\t²\tx\tw\tt\n",
        f"sentence\tposition\tmark\tword\ttext\n{'9' * 30}\t2\tx\tw\tt\n",
        f"sentence\tposition\tmark\tword\ttext\n1\t2\tx\tw\t{'t' * 200_000}\n",  # no ValueError of csv
    ],
)
def test_a_damaged_file_is_refused_in_a_sentence(text: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"columns|line 2|no table"):
        marking.parsed(text)
    (tmp_path / marking.FILE).write_text(text, "utf-8")
    with pytest.raises(CorpusError, match=marking.FILE):
        marking.read(tmp_path)


def test_what_cannot_be_kept_is_said(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="could not be kept"):
        marking.write(tmp_path / "none", MARKS)


def test_a_lock_that_somebody_else_holds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is said names no folder of the server, and nothing is changed."""
    own = [(Place(1, 2), Mark("river", "bank", "A bank."))]
    marking.update(tmp_path, own)
    monkeypatch.setattr(marking, "_LOCK_SECONDS", 0.05)
    with FileLock(tmp_path / marking._LOCK), pytest.raises(CorpusError) as refused:
        marking.update(tmp_path, [(Place(1, 2), Mark("money", "bank", "A bank."))])
    assert str(tmp_path) not in str(refused.value)
    assert marking.read(tmp_path) == dict(own)
