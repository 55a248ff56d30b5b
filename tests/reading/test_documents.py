"""Documents of every format: what is text in them, in which order, and what is left out."""
# ruff: noqa: E501 (texts, as they stand in files)

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import pytest

from core.errors import NotSupported
from core.reading import Choices, Collected, File, collect
from tests.tiers import some


def read(name: str, content: bytes | str, **said: Any) -> Collected:
    content = content.encode() if isinstance(content, str) else content
    return collect(File(name, content=content), Choices(**said))


def texts(found: Collected) -> list[str]:
    return [one.text for one in found.sentences]


def reasons(found: Collected) -> str:
    return " ".join(one.why for one in found.skipped)


@cache
def word() -> bytes:
    docx = pytest.importorskip("docx")
    made = docx.Document()
    made.add_heading("On banks", 1)
    made.add_paragraph("We sat on the river bank. It was wet.")
    table = made.add_table(1, 2)
    table.cell(0, 0).text = "A cell about a bank."
    table.cell(0, 1).text = "Another one."
    made.add_paragraph("Money in the bank. And more of it.")
    made.sections[0].header.paragraphs[0].text = "Running head"
    out = io.BytesIO()
    made.save(out)
    return out.getvalue()


@cache
def sheet() -> bytes:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    rows = [("Reviews",), ("id", "review", "sentiment"), (1, "The bank was good.", "pos")]
    for row in [*rows, (2, "A bad bank it was.", "neg"), (3, "The bank again.", "pos")]:
        book.active.append(row)
    book.create_sheet("other").append(["one"])
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def pdf(pages: list[list[str]], *, password: str = "") -> bytes:
    """A PDF of lines, written by hand: no library of ours writes one."""
    objects = ["<< /Type /Catalog /Pages 2 0 R >>"]
    kids = " ".join(f"{4 + 2 * i} 0 R" for i in range(len(pages)))
    objects.append(f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>")
    objects.append("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>")
    for i, lines in enumerate(pages):
        shown = "".join(f"({line}) Tj T*\n" for line in lines)
        stream = f"BT /F1 12 Tf 14 TL 50 780 Td\n{shown}ET"
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents {5 + 2 * i} 0 R "
            "/Resources << /Font << /F1 3 0 R >> >> >>"
        )
        objects.append(f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream")
    out = b"%PDF-1.4\n"
    places = []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += f"{number} 0 obj\n{body}\nendobj\n".encode()
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    start = len(out)
    out += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}".encode()
    out += f"trailer << /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF".encode()
    if password:
        pypdf = pytest.importorskip("pypdf")
        writer = pypdf.PdfWriter(io.BytesIO(out))
        writer.encrypt(password, algorithm="RC4-128")
        made = io.BytesIO()
        writer.write(made)
        return made.getvalue()
    return out


def zipped(parts: Mapping[str, str | bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return out.getvalue()


CONTAINER = '<container><rootfiles><rootfile full-path="O/c.opf"/></rootfiles></container>'
PACKAGE = (
    '<package><manifest><item id="n" href="n.xhtml" properties="nav"/><item id="a" href="a.xhtml"/>'
    '<item id="b" href="b%20c.xhtml"/></manifest><spine><itemref idref="n"/><itemref idref="b"/>'
    '<itemref idref="a"/></spine></package>'
)
BOOK = {
    "mimetype": "application/epub+zip",
    "META-INF/container.xml": CONTAINER,
    "O/c.opf": PACKAGE,
    "O/n.xhtml": "<html><body><p>Contents</p></body></html>",
    "O/a.xhtml": "<html><body><p>The second bank.</p></body></html>",
    "O/b c.xhtml": "<html><body><h1>One</h1><p>The first <i>b</i>ank.</p></body></html>",
}
HTML = """<!doctype html><html><head><title>T</title><style>p{}</style><script>var bank = 1;</script></head>
<body><nav><a href="/">Home of the bank</a></nav><h1>The bank</h1><p>On the <b>river</b> bank.<sup>[1]</sup>
We sat<br>down, 10<sup>2</sup>.<ul><li>One bank<li>Two banks</ul><table><tr><td>a cell<td>b</table>
<form><button>Search</button></form><footer>Imprint</footer></body></html>"""
MARKDOWN = """---
title: x
---
# The bank

On the *river* [bank](http://x.org) we
sat, `code` and all.[^1]

```py
bank = 1
```

- one **bank**
- two banks

| a | b |
|---|---|
| in a cell | c |

[^1]: A note on the bank.
"""
SUBTITLES = """1
00:00:01,000 --> 00:00:02,000
I went to the

2
00:00:02,100 --> 00:00:04,000
<i>bank</i> of the river.

3
00:00:04,100 --> 00:00:05,000
- No!
- Yes.

4
00:00:10,000 --> 00:00:11,000
ANNA: Money. [door]
"""
WEBVTT = """WEBVTT

NOTE by me

a
00:01.000 --> 00:02.000 align:start
<v Anna>The bank</v>

00:02.100 --> 00:03.000
<v Anna>was closed.
"""
TEI = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE TEI [<!ENTITY eacute "&#233;">]>
<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><p>About the file</p></teiHeader><text><body>
<head>A head</head><p>On the <hi>bank</hi><note>not this</note> of <choice><sic>teh</sic><corr>the</corr>
</choice> ri-<lb break="no"/>ver, caf&eacute;.</p><lg><l>A line</l><l>of verse</l></lg>
<s><w>The</w><w>bank</w></s></body></text></TEI>"""
CONLLU = """# sent_id = 1
# text = The bank's here.
1\tThe\tthe\tDET\t_\t_\t2\tdet\t_\t_
2\tbank\tbank\tNOUN\t_\t_\t0\troot\t_\t_

1-2\tdu\t_\t_\t_\t_\t_\t_\t_\t_
1\tde\tde\tADP\t_\t_\t3\tcase\t_\t_
2\tle\tle\tDET\t_\t_\t3\tdet\t_\t_
3\tbanc\tbanc\tNOUN\t_\t_\t0\troot\t_\tSpaceAfter=No
4\t.\t.\tPUNCT\t_\t_\t3\tpunct\t_\t_
"""
ROWS = [{"text": "One bank.", "label": "a"}, {"text": "Two banks.", "label": "b"}]

CASES: list[tuple[str, Callable[[], bytes | str], str, list[str], list[str]]] = [
    (
        "a.docx", word, "docx",
        ["On banks", "We sat on the river bank.", "It was wet.", "A cell about a bank.", "Another one.",
         "Money in the bank.", "And more of it."],
        ["header or footer"],
    ),
    ("a.xlsx", sheet, "xlsx", ["The bank was good.", "A bad bank it was.", "The bank again."], ["other"]),
    ("a.epub", lambda: zipped(BOOK), "epub", ["One", "The first bank.", "The second bank."], []),
    (
        "a.html", lambda: HTML, "html",
        ["The bank", "On the river bank. We sat down, 102.", "One bank", "Two banks", "a cell", "b"],
        ["navigation", "form", "footer", "footnote"],
    ),
    (
        "a.md", lambda: MARKDOWN, "markdown",
        ["The bank", "On the river bank we sat, code and all.", "one bank", "two banks", "a", "b", "in a cell", "c"],
        ["front matter", "code", "footnote"],
    ),
    ("a.srt", lambda: SUBTITLES, "srt", ["I went to the bank of the river.", "No!", "Yes.", "Money."], ["sound"]),
    ("a.vtt", lambda: WEBVTT, "vtt", ["The bank was closed."], []),
    (
        "a.xml", lambda: TEI, "xml",
        ["A head", "On the bank of the river, café.", "A line", "of verse", "The bank"], ["note"],
    ),
    ("a.conllu", lambda: CONLLU, "conllu", ["The bank's here.", "du banc."], []),
    ("a.json", lambda: json.dumps(ROWS), "json", ["One bank.", "Two banks."], []),
    ("a.json", lambda: json.dumps({"n": 2, "data": ROWS}, indent=1), "json", ["One bank.", "Two banks."], []),
    ("a.json", lambda: json.dumps(["One bank.", "Two banks."]), "json", ["One bank.", "Two banks."], []),
    ("a.json", lambda: json.dumps({"text": {"0": "One bank.", "1": "Two banks."}, "x": {"0": 1, "1": 2}}),
     "json", ["One bank.", "Two banks."], []),
    ("a.json", lambda: json.dumps([["text", "x"], ["One bank.", 1], ["Two banks.", 2]]), "json",
     ["One bank.", "Two banks."], []),
    ("a.ndjson", lambda: "\n".join(map(json.dumps, ROWS)), "jsonl", ["One bank.", "Two banks."], []),
]  # fmt: skip


@pytest.mark.few(6)
@pytest.mark.parametrize(("name", "make", "kind", "expected", "left_out"), CASES)
def test_what_is_text_in_it(
    name: str, make: Callable[[], bytes | str], kind: str, expected: list[str], left_out: list[str]
) -> None:
    found = read(name, make())
    assert found.understood.format == kind
    assert texts(found) == expected
    assert [word for word in left_out if word not in reasons(found)] == []


@pytest.mark.check
@pytest.mark.parametrize(("name", "make", "kind", "expected", "left_out"), some(CASES, 5))
def test_the_content_tells_the_format_and_not_the_name(
    name: str, make: Callable[[], bytes | str], kind: str, expected: list[str], left_out: list[str]
) -> None:
    if kind == "markdown":
        pytest.skip("only its name tells Markdown from plain text")
    found = read("file.txt", make())
    assert (found.understood.format, texts(found)) == (kind, expected)


@pytest.mark.check
@pytest.mark.parametrize(
    ("inside", "text"),
    [
        ("<wf>How</wf><instance id='1'>long</instance><wf>has</wf><wf>?</wf>", "How long has?"),
        ("<wf>How</wf>\n<instance id='1'>long</instance>\n<wf>has</wf>", "How long has"),
        (
            "<word surface_form='How'/><word surface_form='so_long'/><word surface_form='?'/>",
            "How so long?",
        ),
        ("<tok>How</tok><tok>long</tok>", "How long"),
    ],
)
def test_words_in_elements_of_their_own_stay_apart(inside: str, text: str) -> None:
    xml = f"<?xml version='1.0'?><corpus><text><sentence>{inside}</sentence></text></corpus>"
    assert [one.text for one in read("a.xml", xml).sentences] == [text]


@pytest.mark.check
def test_labels_out_of_a_workbook_and_json() -> None:
    assert [one.label for one in read("a.xlsx", sheet()).sentences] == ["pos", "neg", "pos"]
    assert [one.label for one in read("a.json", json.dumps(ROWS)).sentences] == ["a", "b"]


@pytest.mark.check
@pytest.mark.parametrize("kind", ["parquet", "feather"])
def test_tables_of_arrow(kind: str) -> None:
    import pyarrow as pa
    import pyarrow.feather
    import pyarrow.parquet

    table = pa.table({"body": ["One bank.", None, "Two banks."], "year": [1, 2, 3]})
    out = io.BytesIO()
    if kind == "parquet":
        pyarrow.parquet.write_table(table, out)
    else:
        pyarrow.feather.write_feather(table, out)
    found = read(f"a.{kind}", out.getvalue())
    assert texts(found) == ["One bank.", "Two banks."]
    assert [one.where for one in found.skipped] == ["row 2"]


PAGES = [
    ["We sat on the bank of the river, and all of us were hap-", "py. It was a well-"],
    ["known place, and nobody came to us there in all of that", "summer. A second one followed, and it was wet."],
    ["Nobody knew it for a well-known bank, and we left it soon", "for another one."],
]  # fmt: skip


def test_pages_of_a_pdf_are_put_together() -> None:
    pages = [["A Book of Banks", *lines, str(n)] for n, lines in enumerate(PAGES, 7)]
    found = read("a.pdf", pdf([*pages, []]))
    assert texts(found) == [
        "We sat on the bank of the river, and all of us were happy.",
        "It was a well-known place, and nobody came to us there in all of that summer.",
        "A second one followed, and it was wet.",
        "Nobody knew it for a well-known bank, and we left it soon for another one.",
    ]
    assert "6 running heads and page numbers" in reasons(found)
    assert [one.where for one in found.skipped if "no text" in one.why] == ["page 4"]


@pytest.mark.check
@pytest.mark.parametrize(
    ("content", "words"),
    [
        (lambda: pdf([[], []]), "its 2 pages have no text"),
        (lambda: pdf([["A bank."]], password="secret"), "password"),
        (lambda: b"%PDF-1.7\n" + bytes(200), "damaged"),
    ],
)
def test_a_pdf_without_text(content: Callable[[], bytes], words: str) -> None:
    with pytest.raises(NotSupported, match=words):
        read("a.pdf", content())


@pytest.mark.check
def test_a_pdf_that_only_its_owner_may_change_is_read() -> None:
    pypdf = pytest.importorskip("pypdf")
    writer = pypdf.PdfWriter(io.BytesIO(pdf([["A bank of snow."]])))
    writer.encrypt("", "owner", algorithm="RC4-128")
    out = io.BytesIO()
    writer.write(out)
    assert texts(read("a.pdf", out.getvalue())) == ["A bank of snow."]


def test_cues_can_be_texts_of_their_own() -> None:
    assert texts(read("a.srt", SUBTITLES, running=False))[:2] == ["I went to the", "bank of the river."]
