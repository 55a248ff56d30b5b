"""`polysee compare` writes the page that the app saves."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.cli.main import main
from pages.compare import saved_comparison
from pages.compare.attention import Look
from ui import sense_ends
from ui.comparison import Question
from ui.selection import Chosen

A, B = "fishing on a river bank", "money from a bank"


def test_it_is_the_page_of_the_app(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "page.html"
    assert main(["compare", A, B, "--word", "bank", "--out", str(out)]) == 0
    assert capfd.readouterr() == ("", "")
    question = Question(
        "minilm",
        Chosen(A, "bank", 0),
        Chosen(B, "bank", 0),
        sense_ends.ends_for("minilm", "bank", (A, B)),
    )
    look = Look(layer=0, head=0, special=False)
    assert out.read_text("utf-8") == saved_comparison.comparison(question, look, back=0, link="")


def test_named_meanings_are_the_ends(tmp_path: Path) -> None:
    out = tmp_path / "page.html"
    ends = ["--low", "finance, loan", "--high", "shore"]
    assert (
        main(
            [
                "compare",
                A,
                "the banks closed",
                "--word",
                "bank",
                "--word-b",
                "banks",
                *ends,
                "--out",
                str(out),
            ]
        )
        == 0
    )
    page = out.read_text("utf-8")
    assert "finance" in page
    assert "shore" in page
    assert "banks" in page
