"""`polysee compare` writes the page that the app saves."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from core.cli.main import main
from core.comparison import Chosen, Question
from core.comparison.heads import Look
from core.comparison.saved_page import page
from ui import sense_ends
from ui.comparison import Cached

ROOT = Path(__file__).resolve().parents[2]
A, B = "fishing on a river bank", "money from a bank"


@pytest.mark.check
@pytest.mark.usefixtures("budget")  # nothing that another test had the app compute beside other texts
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
    assert out.read_text("utf-8") == page(question, look, Cached("minilm"), back=0, link="")


@pytest.mark.check
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
    made = out.read_text("utf-8")
    assert "finance" in made
    assert "shore" in made
    assert "banks" in made


@pytest.mark.fuzz
@pytest.mark.check
def test_it_needs_nothing_of_the_app(tmp_path: Path) -> None:
    arguments = ["compare", A, B, "--word", "bank", "--out", str(tmp_path / "page.html")]
    code = (
        "import sys\nfrom core.cli.main import main\n"
        f"assert main({arguments!r}) == 0\n"
        "print(*sorted({name.split('.')[0] for name in sys.modules} & {'streamlit', 'ui', 'pages'}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == []
