from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from core import reading
from core.errors import NotSupported
from core.reading import Choices, Passage, Skipped, sources, understand
from core.reading import files as opened
from core.reading.understood import Refused


def passages(path: Path, **said: Any) -> tuple[list[Passage], list[Skipped]]:
    (source,), _ = sources([path])
    choices = Choices(**said)
    try:
        found = understand(source.file, choices)
    except Refused as error:
        return [], [Skipped(source.name, "", str(error))]
    every = list(reading.passages(source.file, found, choices))
    # A build that goes on reads the same.
    assert list(reading.passages(source.file, found, choices)) == every
    assert understand(source.file, choices) == found
    return (
        [one for one in every if isinstance(one, Passage)],
        [one for one in every if isinstance(one, Skipped)],
    )


def test_wrapped_lines_are_one_paragraph(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_bytes("\ufeffOne\nline.\r\n\r\n \nTwo.".encode())
    texts, skipped = passages(file)
    assert ([one.text for one in texts], skipped) == (["One line.", "Two."], [])


def test_a_line_that_is_not_utf8_is_left_out_alone(tmp_path: Path) -> None:
    """In a file that is UTF-8 otherwise. A file of one other encoding is read in that."""
    file = tmp_path / "a.txt"
    good = "Schöne Grüße über die Flüsse, größer als früher.\n".encode()
    file.write_bytes(good * 4 + b"B\xe4d.\n" + good)
    texts, skipped = passages(file)
    assert len(texts) == 5
    assert [(one.where, one.why) for one in skipped] == [("line 5", "it is not UTF-8")]
    file.write_bytes(b"Good.\n\nB\xe4d.\n\nAlso good.\n")
    assert [one.text for one in passages(file)[0]] == ["Good.", "Bäd.", "Also good."]


def test_letters_beyond_ascii_far_below_decide_too(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_bytes(b"A line of English.\n" * 20_000 + "Он пошёл в банк.\n".encode("cp1251") * 3)
    texts, skipped = passages(file)
    assert texts[-1].text == "Он пошёл в банк."
    assert skipped == []


def test_a_whole_file_in_utf16_is_read(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text("Hello.\nYou.\n", "utf-16")
    assert [one.text for one in passages(file)[0]] == ["Hello.", "You."]


@pytest.mark.parametrize("packed", [False, True])
def test_csv_keeps_its_columns(tmp_path: Path, packed: bool) -> None:
    content = 'Year,TEXT,Genre\n1990,"He said ""no"",\nthen left.",letters\n,Two.,\n1991,Three.\n'
    file = tmp_path / ("a.csv.gz" if packed else "a.csv")
    file.write_bytes(gzip.compress(content.encode()) if packed else content.encode())
    texts, skipped = passages(file)
    assert [(one.text, one.columns) for one in texts] == [
        ('He said "no",\nthen left.', {"Year": "1990", "Genre": "letters"}),
        ("Two.", {"Year": "", "Genre": ""}),
        ("Three.", {"Year": "1991", "Genre": ""}),  # a short row lacks its last cells
    ]
    assert skipped == []


def test_a_table_without_a_header_takes_the_names_that_are_given(tmp_path: Path) -> None:
    file = tmp_path / "a.tsv"
    file.write_text('spoken\tx\tShe said "no and left.\nwritten\ty\tTwo sentences. Here.\n')
    assert passages(file)[0][0].columns == {"column 1": "spoken", "column 2": "x"}
    texts, _ = passages(file, names=("genre", "document", "sentence"))
    assert texts[0].text == 'She said "no and left.'
    assert texts[0].columns == {"genre": "spoken", "document": "x"}


def test_the_column_of_texts_can_be_named(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_text("text,quote\nlong long long text,short\n")
    assert passages(file)[0][0].text == "long long long text"
    assert passages(file, text="quote")[0][0].text == "short"
    texts, (skipped,) = passages(file, text="poem")
    assert texts == []
    assert "no column “poem”" in skipped.why


def test_jsonl_goes_on_after_a_broken_line(tmp_path: Path) -> None:
    rows = [
        json.dumps({"text": "One.", "year": 1990, "tags": ["a"]}),
        "{broken",
        "[1]",
        json.dumps({"text": None}),
        json.dumps({"text": "\ud800"}),
        "[" * 100_000,
        json.dumps({"text": "Two.", "year": 1991.5}),
    ]
    file = tmp_path / "a.jsonl"
    file.write_text("\n".join(rows))
    texts, skipped = passages(file)
    assert [(one.text, one.columns) for one in texts] == [
        ("One.", {"year": 1990, "tags": ["a"]}),
        ("Two.", {"year": 1991.5}),
    ]
    assert [one.where for one in skipped] == [f"line {n}" for n in (2, 3, 4, 5, 6)]


def test_parquet_and_a_broken_one(tmp_path: Path) -> None:
    file = tmp_path / "a.parquet"
    pq.write_table(pa.table({"body": ["One.", None, "Two."], "year": [1, 2, 3]}), file)
    texts, skipped = passages(file)
    assert [(one.text, one.columns) for one in texts] == [("One.", {"year": 1}), ("Two.", {"year": 3})]
    assert [one.where for one in skipped] == ["row 2"]
    file.write_bytes(file.read_bytes()[:-20])
    texts, (broken,) = passages(file)
    assert texts == []
    assert "damaged" in broken.why


def test_a_gzip_that_ends_in_the_middle_gives_what_it_has(tmp_path: Path) -> None:
    file = tmp_path / "a.txt.gz"
    lines = "\n\n".join(f"Sentence number {n} of {n * 7919 % 1009}." for n in range(5_000))
    file.write_bytes(gzip.compress(lines.encode())[:-2_000])
    texts, skipped = passages(file)
    assert len(texts) > 1_000
    assert len(skipped) == 1


def test_a_line_without_end_is_not_held_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opened, "MOST_LINE", 100)
    file = tmp_path / "a.txt"
    file.write_text("One.\n\n" + "x" * 1_000 + "\n\nTwo.\n\n" + "y" * 250)
    texts, skipped = passages(file)
    assert [one.text for one in texts] == ["One.", "Two."]
    assert [one.where for one in skipped] == ["line 3", "line 7"]


def test_folders_are_searched_and_what_is_no_text_is_named(tmp_path: Path) -> None:
    (tmp_path / "in" / "deep").mkdir(parents=True)
    for name in ("b.txt", "deep/a.TXT", ".hidden.txt", "c.pdf", "d.parquet.gz"):
        (tmp_path / "in" / name).write_text(name)
    (tmp_path / "in" / "e.png").write_text("e")
    (tmp_path / "in" / "f.xls").write_text("<table><tr><td>a<td>b</table>")
    found, skipped = sources([tmp_path / "in", tmp_path / "in" / "b.txt"])
    names = ["in/b.txt", "in/c.pdf", "in/d.parquet.gz", "in/deep/a.TXT", "in/f.xls"]
    assert [one.name for one in found] == names
    assert sorted(one.source for one in skipped) == ["b.txt", "in/.hidden.txt", "in/e.png"]
    # What their names promise and their contents are not is said when they are read.
    for one in found[1:3]:
        with pytest.raises(Refused, match="its name ends in"):
            understand(one.file)
    # A file that is named itself is read by its content, whatever its name.
    (source,), _ = sources([tmp_path / "in" / "e.png"])
    assert understand(source.file).format == "text"


def test_two_files_of_one_name_stay_two(tmp_path: Path) -> None:
    for folder in ("x", "y"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "a.txt").write_text(folder)
    found, _ = sources([tmp_path / "x" / "a.txt", tmp_path / "y" / "a.txt"])
    assert [one.name for one in found] == ["a.txt", str(tmp_path / "y" / "a.txt")]


def test_nothing_to_read_is_said(tmp_path: Path) -> None:
    with pytest.raises(NotSupported, match="no file or folder"):
        sources([tmp_path / "missing"])
    (tmp_path / "a.png").write_text("x")
    with pytest.raises(NotSupported, match="None of these"):
        sources([tmp_path])
