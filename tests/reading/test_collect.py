"""Uploaded files and what is pasted: their sentences and labels; and files that cannot be read."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from core.errors import NotSupported
from core.reading import (
    Choices,
    Collected,
    File,
    Sentence,
    collect,
    describe,
    pasted,
    typed,
    understand,
)
from core.reading.collect import MOST_BYTES, MOST_SENTENCES, NotRead
from core.reading.understood import Refused

TABLE = 'sense,text\nriver,"On the bank, he said ""no""."\nmoney,Die größte bank.\n'
TWO = (Sentence("river", 'On the bank, he said "no".'), Sentence("money", "Die größte bank."))
PLAIN = "The bank closed early,money\nA grassy bank by it,river\nThe bank lent it,money\n"
THREE = (
    Sentence("money", "The bank closed early"),
    Sentence("river", "A grassy bank by it"),
    Sentence("money", "The bank lent it"),
)


def read_file(name: str, content: bytes, **said: object) -> Collected:
    return collect(File(name, content=content), Choices(**said))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "coding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "latin-1"]
)
def test_every_coding(coding: str) -> None:
    found = read_file("a.csv", TABLE.encode(coding))
    assert found.sentences == TWO
    assert (found.understood.text, found.understood.label) == ("text", "sense")
    assert ("Western European" in describe.summary(found.understood)) == (coding == "latin-1")


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_every_separator_with_and_without_a_header(separator: str, end: str) -> None:
    plain = PLAIN.replace(",", separator).replace("\n", end)
    assert read_file("a.csv", plain.encode()).sentences == THREE
    header = separator.join(["Text", "LABEL"]) + end
    assert read_file("a.txt", (header + plain).encode()).sentences == THREE
    unnamed = separator.join(["what", "why"]) + end
    found = read_file("a.csv", (unnamed + plain).encode())
    assert (found.sentences, found.units) == (THREE, 3)
    assert (found.understood.text, found.understood.label) == ("what", "why")


@pytest.mark.parametrize(
    ("name", "content", "sentences"),
    [
        (
            "a.txt",
            "On the bank.\n\nmoney | At the bank.\n",
            [("", "On the bank."), ("money", "At the bank.")],
        ),
        ("a.txt", "Yes, the bank.\nNo, the bank.\n", [("", "Yes, the bank."), ("", "No, the bank.")]),
        ("a.csv", "Yes, the bank.\nThe bank.\n", [("", "Yes, the bank."), ("", "The bank.")]),
        ("a.csv", "text\nYes, the bank.\n", [("", "Yes, the bank.")]),
        (
            "a.csv",
            '7;"A bank\nof snow"\n8;The bank of it\n',
            [("", "A bank of snow"), ("", "The bank of it")],
        ),
        (
            "a.csv",
            "id,meaning,sentence\n1,x,A bank\n2,,The bank\n",
            [("x", "A bank"), ("", "The bank")],
        ),
        ("a.csv", "text,label\nA bank,x\nThe bank\n", [("x", "A bank"), ("", "The bank")]),
        ("a.txt", "<b>bank</b> 😀\nשלום bank\n", [("", "<b>bank</b> 😀"), ("", "שלום bank")]),
    ],
)
def test_what_is_taken_for_what(name: str, content: str, sentences: list[tuple[str, str]]) -> None:
    assert read_file(name, content.encode()).sentences == tuple(Sentence(*one) for one in sentences)


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.txt", b"", "is empty"),
        ("a.txt", b"\xef\xbb\xbf \n\n", "is empty"),
        ("a.csv", b"text,label\n", "no sentence|no row"),
        ("a.csv", b"PK\x03\x04" + bytes(50), "zip file"),
        ("a.txt", b"%PDF-1.7", "damaged"),
        ("a.pdf", b"Just a text.", "ends in .pdf"),
        ("a.pdf", b"<html><body>404</body></html>", "ends in .pdf"),
        ("a.docx", b"PK\x05\x06" + bytes(18), "ends in .docx|archive"),
        ("a.txt", b"MZ\x90\x00\x03" + bytes(99), "a program"),
        ("a.csv", b"\x7fELF" + bytes(99), "a program"),
        ("a.txt", b"\x89PNG\r\n\x1a\n", "a picture"),
        ("a.doc", bytes.fromhex("d0cf11e0a1b11ae1") + bytes(600), "older Office"),
        ("a.txt", b"{\\rtf1 bank}", "RTF"),
        ("a.gz", b"text", "ends in .gz"),
        ("a.csv", bytes(range(256)) * 9, "no text"),
        ("a.txt", b"\0" * 5_000, "no text|cannot be read"),
        ("a.csv", b"\xff\xfea", "UTF-16"),
        ("a.csv", b"\xff" * 99 + b"\x01" * 9, "no text"),
        ("a.txt", b"a bank\n" * (MOST_SENTENCES + 1), "10,001 sentences; .* at most 10,000"),
        pytest.param(
            "a.txt",
            b"a\n" * (10 * MOST_SENTENCES + 9),
            "more than 100,000 sentences",
            marks=pytest.mark.check,
        ),
        ("a.txt", b"a" * (MOST_BYTES + 1), "at most 4 MB"),
        ("a.txt", b"b" * 5001, r"Line 1: a sentence of 5,001 letters is longer than 5,000"),
        pytest.param(
            "a.csv", b'text,label\n"a,b\n' + b"c,d\n" * 50_000, "letters|never closed|sentences",
            marks=pytest.mark.check,
        ),
        ("a.json", b"[" * 100_000, "nested deeper"),
        ("a.json", b'{"text": 1', "not JSON"),
        ("a.json", b'{"a": [1, 2]}', "no column of texts"),
        ("a.xml", b"<?xml version='1.0'?><a><b>x</b></a>", "no paragraphs"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_told_in_a_sentence(name: str, content: bytes, words: str) -> None:
    with pytest.raises(NotSupported, match=words) as told:
        read_file(name, content)
    assert str(told.value).count(".") >= 1
    assert ".." not in str(told.value)


LONG = "b" * 5_001


@pytest.mark.parametrize(
    ("name", "content", "where"),
    [
        ("a.txt", f"A bank of snow.\n{LONG}\nThe end.\n", "line 2"),
        ("a.csv", f"text,label\nA bank of snow.,x\n{LONG},y\nThe end.,x\n", "line 3"),
        ("a.jsonl", f'"A bank of snow."\n"{LONG}"\n"The end."\n', "line 2"),
        ("a.html", f"<html><p>A bank of snow.</p><p>{LONG}</p><p>The end.</p></html>", "paragraph 2"),
    ],
)  # fmt: skip
def test_a_row_that_is_too_long_is_left_out_alone(name: str, content: str, where: str) -> None:
    found = read_file(name, content.encode())
    assert [one.text for one in found.sentences] == ["A bank of snow.", "The end."]
    assert [(one.where, "5,001" in one.why) for one in found.skipped] == [(where, True)]
    assert found.skipped_count == 1


@pytest.mark.parametrize(
    ("content", "otherwise"),
    [
        (LONG.encode(), True),  # running text, or another delimiter
        (bytes(range(256)) * 9, True),  # another encoding
        (b"id,year\n1,2\n3,4\n", True),  # another column
        (b"\x89PNG\r\n\x1a\n", False),
        (b"", False),
    ],
)
def test_a_refusal_says_whether_a_choice_may_help(content: bytes, otherwise: bool) -> None:
    with pytest.raises(NotRead) as told:
        read_file("a.csv", content)
    assert told.value.otherwise == otherwise


@pytest.mark.check
def test_what_unpacks_without_end_is_refused(tmp_path: Path) -> None:
    bomb = gzip.compress(b"a bank of snow and more\n" * 400_000)
    assert len(bomb) < 100_000
    with pytest.raises(NotSupported):
        read_file("a.txt.gz", bomb)
    one = gzip.compress(b"b" * 20_000_000)  # a line without an end
    with pytest.raises(NotSupported, match=r"4 MB|letters"):
        read_file("a.txt.gz", one)
    assert read_file("a.txt.gz", gzip.compress(b"A bank.\nA river.\n")).units == 2


def test_labelled_rows_of_several_sentences_are_split_and_keep_their_label() -> None:
    content = "label,text\n" + "".join(f'{x},"It was a bank. He sat on it."\n' for x in "abab")
    found = read_file("a.csv", content.encode())
    assert found.understood.running
    assert found.sentences[:3] == (
        Sentence("a", "It was a bank."),
        Sentence("a", "He sat on it."),
        Sentence("b", "It was a bank."),
    )
    assert len(read_file("a.csv", content.encode(), running=False).sentences) == 4


@pytest.mark.parametrize(
    "content",
    [
        "river | I sat on the bank\nmoney | the bank closed\n",  # each label once
        "river|I sat on the bank\nmoney|the bank closed\nriver|a green bank\n",
        "river | I sat on the bank\nmoney | the bank closed\n\na bank of snow\n",
        "label | text\nriver | I sat on the bank\nmoney | the bank closed\n",
        "sense | sentence\nriver | I sat on the bank\nriver | the bank closed\n",
    ],
)
@pytest.mark.parametrize("name", ["a.txt", "a.csv"])
def test_labels_before_a_bar_are_the_same_in_a_file_and_pasted(content: str, name: str) -> None:
    found = read_file(name, content.encode()).sentences
    assert found == typed(content)
    assert found[0] == Sentence("river", "I sat on the bank")


def test_lists_and_objects_are_no_labels() -> None:
    lines = [
        f'{{"text": "A bank {i}.", "user": {{"id": 1}}, "label": ["x"], "tag": {i % 2}}}'
        for i in range(4)
    ]
    found = read_file("a.jsonl", "\n".join(lines).encode())
    assert (found.understood.label, found.sentences[1].label) == ("tag", "1")


def test_what_is_typed_and_what_is_pasted() -> None:
    assert typed("season | It blooms.\n\nA spring | of steel | here.\nAlone.") == (
        Sentence("season", "It blooms."),
        Sentence("A spring", "of steel | here."),
        Sentence("", "Alone."),
    )
    assert typed("fishing on a river bank\ntaking money from a bank") == (
        Sentence("", "fishing on a river bank"),
        Sentence("", "taking money from a bank"),
    )
    cells = pasted("label\ttext\nriver\tThe bank was wet\nmoney\tThe bank was closed\n")
    assert cells.sentences == (
        Sentence("river", "The bank was wet"),
        Sentence("money", "The bank was closed"),
    )
    assert cells.understood is not None
    assert len(typed("It was a bank. He sat there. It rained.")) == 3
    assert len(typed("It was a bank. He sat there.", Choices(running=False))) == 1
    assert typed(" \n") == ()


@pytest.mark.parametrize("sign", ["\u2028", "\u2029", "\x85", "\x0b", "\x0c"])
def test_lines_of_a_file_and_of_what_is_pasted_end_alike(sign: str) -> None:
    text = f"river | The bank{sign}was wet.\nmoney | The bank\r\n"
    assert typed(text) == read_file("a.txt", text.encode()).sentences
    assert len(typed(text)) == 2


@pytest.mark.parametrize("name", ["a.docx", "a.txt", "a.parquet", "a.csv"])
def test_an_empty_file_is_said_to_be(name: str, tmp_path: Path) -> None:
    (tmp_path / name).touch()
    with pytest.raises(Refused, match="it is empty"):
        understand(tmp_path / name)


def test_a_file_that_is_cut_off_is_said_in_our_words() -> None:
    packed = gzip.compress(b"".join(b"Bank number %d of %d.\n" % (i, i * i) for i in range(5_000)))
    found = read_file("a.txt.gz", packed[:-4_000])
    assert "the rest cannot be read: it is damaged, or cut off (after line " in found.skipped[-1].why
    with pytest.raises(NotRead, match="damaged, or cut off") as told:
        read_file("a.txt.gz", packed[:14])
    assert "rest" not in str(told.value)
