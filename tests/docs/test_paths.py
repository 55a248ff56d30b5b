"""The files and folders that the papers about the code name are there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ABOUT_CODE = ["CONTRIBUTING.md", "docs/architecture.md", "docs/parts.md", "docs/state.md"]
ABOUT_CODE += [f"docs/adding/{path.name}" for path in sorted((ROOT / "docs" / "adding").glob("*.md"))]
# What a path may leave out, for brevity.
BELOW = ("", "core", "core/figures/web/src", "core/figures/web", "core/corpus", "tests", "ui", "tools")
# Made by `make`, or by whoever follows the recipe.
MADE = re.compile(r"(build|dist|tables|staging|static)/|.*[<*{…]|.*\bNAME\b")


@pytest.mark.parametrize("paper", ABOUT_CODE)
def test_what_a_paper_names_is_there(paper: str) -> None:
    text = re.sub(r"^```.*?^```", "", (ROOT / paper).read_text("utf-8"), flags=re.M | re.S)
    named = {
        path
        for path in re.findall(r"`([\w./<>*{}…-]+/[\w./<>*{}…-]*)`", text)
        if not path.startswith("/") and not MADE.match(path)
    }
    assert [
        path for path in sorted(named) if not any((ROOT / below / path).exists() for below in BELOW)
    ] == []


def test_the_map_of_the_house_takes_two_pages() -> None:
    """Some 7,500 characters; and every act says which files it passes."""
    text = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    assert len(text) < 7_500
    acts = text.partition("## Three acts")[2].partition("\n## ")[0].split("| | Files |")[1:]
    counts = [len(set(re.findall(r"`[\w./]+\.(?:py|js)`", act))) for act in acts]
    assert len(counts) == 3
    assert min(counts) > 4
