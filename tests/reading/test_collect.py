"""Uploaded files: lines, tables of every kind, and invalid files."""

from __future__ import annotations

import pytest
from ui.models.sentence_files import MOST_FILE_BYTES, MOST_LINES, Sentence, read_file

from core.errors import NotSupported

TABLE = 'sense,text\nriver,"On the bank, he said ""no""."\nmoney,Die größte bank.\n'
TWO = (Sentence("river", 'On the bank, he said "no".'), Sentence("money", "Die größte bank."))
PLAIN = "The bank closed early,money\nA grassy bank by it,river\nThe bank lent it,money\n"
THREE = (
    Sentence("money", "The bank closed early"),
    Sentence("river", "A grassy bank by it"),
    Sentence("money", "The bank lent it"),
)


@pytest.mark.parametrize(
    "coding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "latin-1"]
)
def test_every_coding(coding: str) -> None:
    found = read_file("a.csv", TABLE.encode(coding))
    assert found.sentences == TWO
    assert found.summary.startswith("2 sentences, from column “text”, their labels from column “sense”")
    assert ("Western European" in found.summary) == (coding == "latin-1")


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_every_separator_with_and_without_a_header(separator: str, end: str) -> None:
    plain = PLAIN.replace(",", separator).replace("\n", end)
    assert read_file("a.csv", plain.encode()).sentences == THREE
    header = separator.join(["Text", "LABEL"]) + end
    assert read_file("a.txt", (header + plain).encode()).sentences == THREE
    unnamed = separator.join(["what", "why"]) + end
    found = read_file("a.csv", (unnamed + plain).encode())
    assert (found.sentences, found.summary) == (
        THREE,
        "3 sentences, from column “what”, their labels from column “why”.",
    )


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


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is empty"),
        (b"\xef\xbb\xbf \n\n", "is empty"),
        (b"text,label\n", "no sentence"),
        (b"PK\x03\x04" + bytes(50), "save the table as CSV"),
        (b"%PDF-1.7", "a PDF"),
        (bytes(range(256)) * 9, "not a text file"),
        (b"\xff\xfea", "not a text file"),
        (b"\xff" * 99 + b"\x01", "not a text file"),
        (b"a bank\n" * (MOST_LINES + 1), "10,001 sentences; this page takes at most 10,000"),
        (b"a\n" * 10**6, "1,000,000 sentences"),
        (b"a" * (MOST_FILE_BYTES + 1), "at most 4 MB"),
        (b"a bank of snow\n" + b"b" * 5001, "Sentence 2 has 5,001 letters"),
        (b"b" * 200_000, "far too long"),
        (b'text,label\n"a,b\n' + b"c,d\n" * 50_000, "never closed"),
    ],
)
def test_what_cannot_be_read_is_told_in_a_sentence(content: bytes, words: str) -> None:
    with pytest.raises(NotSupported, match=words):
        read_file("a.csv" if b"," in content else "a.txt", content)
