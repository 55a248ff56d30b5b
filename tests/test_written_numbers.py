"""Numbers in words: one form of a percentage, in whatever a reader sees."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
GLUED = re.compile(r"\d%(?![\w;)\"'])")
_CODE = re.compile(r"```.*?```|`[^`]*`|\]\([^)]*\)|\$[^$\n]*\$", re.DOTALL)


def test_a_percent_sign_stands_apart_from_its_number() -> None:
    texts = [
        *ROOT.glob("pages/**/*.md"),
        *ROOT.glob("lessons/*.md"),
        *ROOT.glob("docs/**/*.md"),
        ROOT / "core/glossary/terms.md",
        ROOT / "README.md",
    ]
    assert len(texts) > 30
    glued = {
        path.name: found
        for path in texts
        if (found := GLUED.findall(_CODE.sub("", path.read_text("utf-8"))))
    }
    assert not glued


def test_no_page_formats_a_percentage_with_the_sign_glued_to_it() -> None:
    """Python’s own "%" format does so; `core.sentences.percent` does not."""
    sources = [path for top in ("pages", "ui") for path in ROOT.glob(f"{top}/**/*.py")]
    assert len(sources) > 150
    assert not [path.name for path in sources if re.search(r":\.\d%\}", path.read_text("utf-8"))]
