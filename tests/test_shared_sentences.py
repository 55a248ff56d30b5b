"""The table of sentences that Python and JavaScript share."""

from __future__ import annotations

import json
import re
import string
from pathlib import Path

import pytest

from core import sentences
from core.sentences import listed, percent, sentence
from tools import node

ROOT = Path(__file__).resolve().parents[1]
TABLE: dict[str, str] = json.loads(sentences.FILE.read_text("utf-8"))


def test_a_template_is_filled_in_and_misses_nothing() -> None:
    assert sentence("reason.unrelated", words="“x”", word="{y}").count("{y}") == 1
    with pytest.raises(KeyError):
        sentence("reason.unrelated", words="“x”")
    with pytest.raises(KeyError):
        sentence("no such sentence")


def test_words_in_a_row() -> None:
    a, b, c = "A", "B", "C"
    assert listed([a]) == a
    assert listed([a, b]).startswith(a)
    assert listed([a, b]).endswith(b)
    assert [letter for letter in listed([a, b, c]) if letter in "ABC"] == [a, b, c]


def test_each_sentence_is_used_and_has_only_named_places() -> None:
    sources = [
        *(ROOT / "core").rglob("*.py"),
        *(ROOT / "ui").rglob("*.py"),
        *(ROOT / "pages").rglob("*.py"),
        ROOT / "tools" / "static.py",
    ]
    sources += (node.WEB / "src").rglob("*.js")
    quoted = re.compile(r"[\"`][^\"`\s]{3,60}[\"`]?")  # in the rest of the code, no name stands
    code = "\n".join(
        sorted({one for path in sources for one in quoted.findall(path.read_text("utf-8"))})
    )
    for name, template in TABLE.items():
        places = [place for _, place, _, _ in string.Formatter().parse(template) if place is not None]
        assert all(re.fullmatch(r"[a-z_]+", place) for place in places), name
        stem = re.sub(r"(\.several|\.side|\.unclear|\.none|s?-nothing)$", "", name)
        first, _, last = name.rpartition(".")
        put_together = any(f"{first}.{sign}" in code for sign in ("{", "${")) and f'"{last}"' in code
        assert put_together or any(f'"{one}' in code or f"{one}." in code for one in (name, stem)), name


@pytest.mark.parametrize(
    ("share", "one", "none", "down"),
    [
        (1.0, "100 %", "100 %", "100 %"),
        (0.0, "0 %", "0 %", "0 %"),
        (0.973, "97.3 %", "97 %", "97.3 %"),
        (0.5, "50 %", "50 %", "50 %"),
        (0.1 + 0.2, "30 %", "30 %", "30 %"),
        (0.9796, "98.0 %", "98 %", "97.9 %"),
        (0.0043, "0.4 %", "0.4 %", "0.4 %"),
        (0.996, "99.6 %", "99.6 %", "99.6 %"),
        (0.0004, "less than 0.1 %", "less than 0.1 %", "less than 0.1 %"),
        (0.9999, "more than 99.9 %", "more than 99.9 %", "99.9 %"),
    ],
)
def test_a_percentage_has_one_form(share: float, one: str, none: str, down: str) -> None:
    assert [percent(share), percent(share, 0), percent(share, down=True)] == [one, none, down]
