"""One sentence a line, paragraphs a line, or text that is wrapped."""
# ruff: noqa: E501 (texts, as they stand in files)

from __future__ import annotations

import pytest

from core.reading import Choices, File, collect

WRAPPED = """\
Call me Ishmael. Some years ago, never mind how long precisely, having
little or no money in my purse, and nothing particular to interest me
on shore, I thought I would sail about a little.

It is a way I have of driving off the spleen.
"""
GUTENBERG = f"""\
The Project Gutenberg eBook of Moby Dick

This eBook is for the use of anyone anywhere.

*** START OF THE PROJECT GUTENBERG EBOOK MOBY DICK ***

CHAPTER 1. Loomings.

{WRAPPED}
*** END OF THE PROJECT GUTENBERG EBOOK MOBY DICK ***

Section 1. General Terms of Use.
"""


def texts(content: str, name: str = "a.txt", running: bool | None = None) -> list[str]:
    found = collect(File(name, content=content.encode()), Choices(running=running))
    return [one.text for one in found.sentences]


@pytest.mark.parametrize(
    ("content", "running", "count"),
    [
        ("The bank closed.\nWe sat on the bank.\nA bank of snow.\n", False, 3),
        ("fishing on a river bank\ntaking money from a bank\nno bank at all\n", False, 3),
        ("The bank closed early that day\nWe sat on the bank\n", False, 2),
        (
            "The bank closed. We left.\nA bank of snow. It was cold.\nHe sat. She left. I came.\n",
            True,
            7,
        ),
        (WRAPPED, True, 3),
        ("One\nline.\n\nTwo.", True, 2),
        ("银行关门了。我们走了。\n河岸很美。他坐下。\n", True, 4),
        ("银行关门了。\n河岸很美。\n", False, 2),
        *(
            (
                f"{a} I sat on the bank.\n{b} The bank closed.\n{c} A bank of snow, and of ice\n",
                False,
                3,
            )
            for a, b, c in (
                ("1.", "2.", "3."),
                ("1)", "2)", "3)"),
                ("(1)", "(2)", "(3)"),
                ("a.", "b.", "c."),
                ("A)", "B)", "C)"),
                ("i.", "ii.", "iii."),
                ("-", "-", "-"),
                ("•", "•", "•"),
                ("9.\t", "10.\t", "11.\t"),
            )
        ),
        ("1. We sat. The bank closed.\n2. It was cold. He left.\n", True, 4),
        ("１．銀行は休みです。\n２．川の土手に座る。\n", False, 2),
        ("1、银行关门了。\n2、河岸很美。\n", False, 2),
        ("It was in 1990. He left in 1995. Then it rained.\n" * 2, True, 6),
        ("He lives in St. Louis.\nDr. Smith saw the bank.\nIt closed at 5 p.m. today.\n", False, 3),
    ],
)
def test_what_is_running_text(content: str, running: bool, count: int) -> None:
    found = collect(File("a.txt", content=content.encode()))
    assert found.understood.running == running
    assert "running" in found.understood.guessed
    assert len(found.sentences) == count


def test_wrapped_lines_are_joined_before_they_are_split() -> None:
    assert texts(WRAPPED)[1].startswith("Some years ago, never mind how long precisely, having little")
    dense = "银行昨天关门了，我们大家都坐在河岸上看着河水慢慢流过去，一直看到天黑才\n回家去吃晚饭。第二天又是一样的。\n"
    assert texts(dense * 3)[0].endswith("天黑才回家去吃晚饭。")


def test_a_book_from_gutenberg_without_its_licence() -> None:
    found = collect(File("pg.txt", content=GUTENBERG.encode()))
    assert [one.text for one in found.sentences][:2] == ["CHAPTER 1.", "Loomings."]
    assert not any("Gutenberg" in one.text or "Terms" in one.text for one in found.sentences)
    assert len([one for one in found.skipped if "licence" in one.why]) == 2


def test_the_switch() -> None:
    assert len(texts("The bank closed. We left.\n" * 3, running=False)) == 3
    assert len(texts("The bank closed.\nWe left.\n", running=True)) == 2
    lines = texts(WRAPPED, running=False)
    assert lines == [line for line in WRAPPED.splitlines() if line]
