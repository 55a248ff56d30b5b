"""Delimited tables in every dialect: the rows, the header, the column of texts and that of labels."""
# ruff: noqa: E501 (tables, as they stand in files)

from __future__ import annotations

import csv
import io
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.reading import Choices, File, Passage, Skipped, Understood, passages, understand
from tests.tiers import some

WORDS = [
    "the",
    "bank",
    "of",
    "river",
    "was",
    "closed",
    "and",
    "money",
    "lay",
    "on",
    "its",
    "grassy",
    "nobody",
    "came",
]
INSIDE = [", ", "; ", " | ", ' "so" ', "\n", "\t", " it's ", " – ", ",5 ", "…", " # "]
LABELS = ["river", "money", "snow"]


def read(
    content: str | bytes, name: str = "a.csv", **said: Any
) -> tuple[Understood, list[Passage], list[Skipped]]:
    content = content.encode() if isinstance(content, str) else content
    file = File(name, content=content)
    choices = Choices(**said)
    found = understand(file, choices)
    every = list(passages(file, found, choices))
    return (
        found,
        [one for one in every if isinstance(one, Passage)],
        [one for one in every if isinstance(one, Skipped)],
    )


@st.composite
def sentences(draw: st.DrawFn) -> str:
    """A sentence of some words, perhaps with a sign that tables use for themselves."""
    words = draw(st.lists(st.sampled_from(WORDS), min_size=5, max_size=14))
    if draw(st.booleans()):
        at = draw(st.integers(1, len(words) - 1))
        sign = draw(st.sampled_from(INSIDE))
        words[at - 1 : at + 1] = [words[at - 1] + sign + words[at]]
    return " ".join(words).capitalize() + draw(st.sampled_from([".", "!", "?"]))


@st.composite
def tables(draw: st.DrawFn) -> tuple[list[str], list[list[str]]]:
    """A header and rows: a number, a label, a text, in any order, perhaps a year."""
    kinds = draw(st.permutations(["id", "label", "text"]))
    kinds = kinds[: draw(st.integers(2, 3))] if draw(st.booleans()) else kinds
    if "text" not in kinds:
        kinds[0] = "text"
    names = {
        "id": draw(st.sampled_from(["id", "nr", "Nummer", "x1"])),
        "label": draw(st.sampled_from(["label", "sense", "Bedeutung", "which"])),
        "text": draw(st.sampled_from(["text", "Satz", "review_body", "what"])),
    }
    rows = []
    for i in range(draw(st.integers(4, 12))):
        cells = {"id": str(17 * i), "label": LABELS[i % 3], "text": draw(sentences())}
        rows.append([cells[kind] for kind in kinds])
    return [names[kind] for kind in kinds], rows


def written(rows: list[list[str]], **dialect: Any) -> str:
    out = io.StringIO(newline="")
    csv.writer(out, **dialect).writerows(rows)
    return out.getvalue()


DIALECTS = [
    {"delimiter": delimiter, "quoting": quoting, "lineterminator": end, **more}
    for delimiter in ",;\t|"
    for quoting in (csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC)
    for end in ("\n", "\r\n", "\r")
    for more in ({}, {"doublequote": False, "escapechar": "\\"})
]


@pytest.mark.few(2)
@pytest.mark.property
@pytest.mark.parametrize("dialect", some(DIALECTS, 5), ids=str)
@given(table=tables(), header=st.booleans())
@settings(max_examples=6)
def test_what_csv_writes_is_read_back(
    dialect: dict[str, Any], table: tuple[list[str], list[list[str]]], header: bool
) -> None:
    names, rows = table
    if dialect["lineterminator"] == "\r":  # `csv` does not quote the other ends of lines then
        rows = [[cell.replace("\n", " ") for cell in row] for row in rows]
    content = written([names, *rows] if header else rows, **dialect)
    found, texts, skipped = read(content)
    assert skipped == []
    assert found.header == header
    expected = names if header else [f"column {i + 1}" for i in range(len(names))]
    if not header and dialect["delimiter"] == "|" and len(names) == 2 and rows[0][0] in LABELS:
        assert found.dialect is not None
        if found.dialect.marked:  # lines of “label | text” need no header
            expected = ["label", "text"]
    assert list(found.columns) == expected
    at = next(i for i, cell in enumerate(rows[0]) if len(cell) > 12)
    assert found.text == expected[at]
    read_back = [[one.text if n == found.text else one.columns[n] for n in expected] for one in texts]
    assert read_back == rows
    labels = [i for i, cell in enumerate(rows[0]) if cell in LABELS]
    assert found.label == (expected[labels[0]] if labels else "")


IMDB = (
    "review,sentiment\n"
    '"One of the other reviewers mentioned it, and he was right.<br /><br />A good film.",positive\n'
    '"A wonderful little production, and very unassuming. I liked it.",positive\n'
    '"Basically there\'s a family, and a zombie. Bad!",negative\n'
)


def test_a_table_of_reviews_has_its_header_and_its_breaks_are_no_text() -> None:
    found, texts, _ = read(IMDB)
    assert (found.header, found.text, found.label, found.running) == (True, "review", "sentiment", True)
    assert [one.columns for one in texts] == [
        {"sentiment": label} for label in ("positive", "positive", "negative")
    ]
    assert "<" not in texts[0].text


@pytest.mark.parametrize(
    ("content", "header", "text", "label"),
    [
        ("what,why\nThe bank closed early,money\nA grassy bank by it,river\nThe bank lent it,money\n", True, "what", "why"),
        ("The bank closed early,money\nA grassy bank by it,river\nThe bank lent it,money\n", False, "column 1", "column 2"),
        ("money,Bank\nriver,The bank was wet\nmoney,It was a bank of old\n", False, "column 2", "column 1"),
        ("句子,标签\n银行昨天关门了。,钱\n我们坐在河岸上。,河\n", True, "句子", "标签"),
        ("текст;метка\nБанк закрыт сегодня.;деньги\nМы на берегу реки.;река\n", True, "текст", "метка"),
        ("نص,تصنيف\nالبنك مغلق اليوم.,مال\nجلسنا على ضفة النهر.,نهر\n", True, "نص", "تصنيف"),
        ("ข้อความ,ประเภท\nธนาคารปิดวันนี้,เงิน\nเรานั่งริมฝั่งแม่น้ำ,น้ำ\n", True, "ข้อความ", "ประเภท"),
        ("2019,The bank was closed.\n2020,A bank of the river.\n", False, "column 2", ""),
        ("year,what\n2019,The bank was closed.\n2020,A bank of the river.\n", True, "what", ""),
        (",text,label\n0,The bank was closed.,a\n1,The river bank.,b\n2,A bank.,a\n", True, "text", "label"),
        ("title,body,stars\nGood,It was a very good bank indeed.,5\nBad,A bank it was not.,1\n", True, "body", "stars"),
        ("text\nYes, the bank.\nNo, a bank.\n", True, "text", ""),
    ],
)  # fmt: skip
def test_header_texts_and_labels(content: str, header: bool, text: str, label: str) -> None:
    found, _, skipped = read(content)
    assert (found.header, found.text, found.label) == (header, text, label)
    assert skipped == []


@pytest.mark.parametrize(
    ("content", "rows", "left_out"),
    [
        # Excel says what separates.
        ("sep=;\nlabel;text\na;One, two banks.\nb;Three, four.\n", ["One, two banks.", "Three, four."], 0),
        # Decimal commas are no columns.
        ("1,5;The bank, closed;2,5\n2,7;A bank, by it;3,5\n", ["The bank, closed", "A bank, by it"], 0),
        # Bars and semicolons, with commas inside.
        ("who|text\na|He said, then; left\nb|A bank, of snow\n", ["He said, then; left", "A bank, of snow"], 0),
        # Comments and a title above the table.
        ("# by me\n# 2024\nid,text\n1,The bank was closed\n2,A river bank\n", ["The bank was closed", "A river bank"], 2),
        ("My sentences\n\nid,text\n1,The bank was closed\n2,A river bank\n", ["The bank was closed", "A river bank"], 1),
        # A tab in a quoted cell; and a corpus with tabs that quotes nothing.
        ('id\ttext\n1\t"He said\tand left"\n2\t"A ""river"" bank"\n', ["He said\tand left", 'A "river" bank'], 0),
        ('a\tx\tShe said "no and left.\nb\ty\tTwo banks were here.\n', ['She said "no and left.', "Two banks were here."], 0),
        # Commas that nobody quoted belong to the text.
        ("river,A bank, it was, of it.\nmoney,The bank.\nriver,Oh, a bank.\n", ["A bank, it was, of it.", "The bank.", "Oh, a bank."], 0),
        ("text,label\nA bank, of it,river\nThe bank,money\n", ["A bank, of it", "The bank"], 0),
        # In a table that quotes, such a row is broken.
        ('text,label\n"A bank, of it",river\nThe, bank,money\n"On, a bank",x\n', ["A bank, of it", "On, a bank"], 1),
        # Short rows lack their last cells; empty columns at the end are none.
        ("text,label\nA bank,x\nThe bank\n", ["A bank", "The bank"], 0),
        ("text,label,,\nA bank,x,,\nThe bank,y,,\n", ["A bank", "The bank"], 0),
        ("'id','text'\n'1','A bank, of it'\n'2','The, bank'\n", ["A bank, of it", "The, bank"], 0),
        ('"id","text"\n"1","He said \\"no\\", then"\n"2","A bank, \\\\ it"\n', ['He said "no", then', "A bank, \\ it"], 0),
        ("id,text\n1,A bank\n\n2,\n3,The bank\n", ["A bank", "The bank"], 1),
    ],
)  # fmt: skip
def test_odd_tables(content: str, rows: list[str], left_out: int) -> None:
    for end in ("\n", "\r"):
        _, texts, skipped = read(content.replace("\n", end))
        assert [one.text for one in texts] == rows
        assert len(skipped) == left_out
        assert all(one.where.startswith("line ") for one in skipped)


def test_decimal_commas_become_numbers_beside_semicolons() -> None:
    _, texts, _ = read("text;x\nA bank was here;1,5\nThe bank of it;-2,25\n")
    assert [one.columns["x"] for one in texts] == ["1.5", "-2.25"]


@pytest.mark.parametrize(
    "content",
    [
        "Yes, the bank.\nNo, the bank.\nWell, a bank.\n",
        "He came; he saw.\nShe left; he stayed.\nWe sat; they stood.\n",
        "One, two, three.\nFour, five, six.\n",
        "A sentence alone.\n",
    ],
)
def test_prose_is_no_table(content: str) -> None:
    found, texts, _ = read(content, "a.txt")
    assert found.format == "text"
    assert [one.text for one in texts] == content.splitlines()


def test_a_quotation_mark_far_below_is_one_and_one_in_a_corpus_with_tabs_is_not() -> None:
    many = "".join(f"{i},A bank was here\n" for i in range(1_000))
    _, texts, skipped = read("id,text\n" + many + '1000,"A bank, it was"\n1001,The end of it\n')
    assert texts[-2].text == "A bank, it was"
    assert (len(texts), skipped) == (1_002, [])
    many = "".join(f"{i}\tA bank was here\n" for i in range(1_000))
    _, texts, _ = read(many + '1000\t"No, a bank\n1001\tThe end of it\n', "a.tsv")
    assert [one.text for one in texts[-2:]] == ['"No, a bank', "The end of it"]


PLAIN_ROWS = [f"A bank of snow number {i}.,{'ab'[i % 2]}" for i in range(600)]
QUOTED_ROWS = [f'"A bank, of snow number {i}.",{"ab"[i % 2]}' for i in range(600)]


@pytest.mark.parametrize("rows", [PLAIN_ROWS, QUOTED_ROWS], ids=["plain", "quoted"])
@pytest.mark.parametrize("count", [8, 600])
@pytest.mark.parametrize("place", ["first", "fourth", "middle", "last"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_quotation_mark_that_is_never_closed_swallows_nothing(
    rows: list[str], count: int, place: str, end: str
) -> None:
    at = {"first": 0, "fourth": 3, "middle": count // 2, "last": count}[place]
    given = [*rows[:at], '"He sat on the bank.,a', *rows[at:count]]
    found, texts, skipped = read(end.join(["text,label", *given]) + end)
    assert (found.header, found.text, found.label) == (True, "text", "label")
    assert len(texts) == count + 1
    assert texts[at].text.strip('"') == "He sat on the bank."
    assert texts[at].columns["label"].strip() == "a"
    assert texts[-2].text == rows[count - 2 + (at == count)].rpartition(",")[0].strip('"')
    if found.dialect is not None and found.dialect.quote:
        assert [one.where for one in skipped] == [f"line {at + 2}"]
        assert "never closed" in skipped[0].why


def test_cells_of_several_lines_and_marks_inside_them_stay() -> None:
    content = 'text,label\n"He said ""no"",\nand left, at once.",a\n"One, two\nthree\nfour",b\n"A ""bank""",a\n'
    _, texts, skipped = read(content)
    assert [one.text for one in texts] == [
        'He said "no",\nand left, at once.',
        "One, two\nthree\nfour",
        'A "bank"',
    ]
    assert skipped == []


@pytest.mark.parametrize("name", ["a.csv", "a.txt"])
@pytest.mark.parametrize(
    "content",
    [
        "| text | label |\n|---|:-:|\n| I sat on it, a bank. | river |\n| The bank closed. | money |\n",
        "text | label\n--- | :---:\nI sat on it, a bank. | river\nThe bank closed. | money\n",
        "+------+-----+\n| text | label |\n+======+=====+\n| I sat on it, a bank. | river |\n"
        "+------+-----+\n| The bank closed. | money |\n+------+-----+\n",
    ],
)
def test_a_table_that_is_drawn_has_no_row_of_its_lines(content: str, name: str) -> None:
    found, texts, skipped = read(content, name)
    assert (found.text, found.label, skipped) == ("text", "label", [])
    assert [one.text.strip() for one in texts] == ["I sat on it, a bank.", "The bank closed."]
    assert texts[0].where in ("line 3", "line 4")


PAGE = (
    "<html><head><title>My data</title><style>td {}</style></head><body>{before}<table>"
    "<caption>1</caption><tr><th>text</th><th>label</th></tr>"
    "<tr><td>I sat on<br>the <b>bank</b>.</td><td>river</td></tr>"
    "<tr><td>The bank closed.<td>money</table></body></html>"
)


@pytest.mark.parametrize("name", ["a.xls", "a.html", "a.htm"])
def test_a_page_that_is_one_table_is_one(name: str) -> None:
    found, texts, skipped = read(PAGE.replace("{before}", ""), name)
    assert (found.format, found.header, found.text, found.label) == ("table", True, "text", "label")
    assert [(one.text, one.columns["label"]) for one in texts] == [
        ("I sat on the bank.", "river"),
        ("The bank closed.", "money"),
    ]
    assert skipped == []
    # A page of text with a table in it is a page.
    story = f"<p>{'He sat on the bank of the river. ' * 9}</p>"
    found, texts, _ = read(PAGE.replace("{before}", story), "a.html")
    assert found.format == "html"
    assert len(texts) > 3
    found, _, skipped = read(PAGE.replace("{before}", "<p>Mine</p>"), name)
    assert (found.format, len(skipped)) == ("table", 1)
    assert read(PAGE.replace("{before}", ""), name, header=False)[0].columns == ("column 1", "column 2")


def test_what_is_said_is_not_guessed() -> None:
    content = "a,b\nThe bank, and the river,x\n"
    found, texts, _ = read(content, delimiter="")
    assert [one.text for one in texts] == ["a,b", "The bank, and the river,x"]
    assert "delimiter" not in found.guessed
    found, texts, _ = read("a;b;long text here\nc;d;another text\n", text="2", header=False)
    assert [one.text for one in texts] == ["b", "d"]
    found, texts, _ = read("a;b;c\nc;d;another text\n", header=True, label="A", text="c")
    assert (found.text, found.label, texts[0].columns["a"]) == ("c", "a", "c")
    found, _, _ = read("x\ty\tA long text here\n", "a.tsv", names=("genre", "doc", "sentence"))
    assert (found.columns, found.text) == (("genre", "doc", "sentence"), "sentence")
