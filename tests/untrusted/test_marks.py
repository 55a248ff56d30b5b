"""Normal forms are those of Unicode, and take time in proportion to their text."""

from __future__ import annotations

import sys
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.untrusted import normalized
from tests.growth.measure import grows_with_its_square
from tests.growth.shapes import repeated

FORMS = ("NFC", "NFD", "NFKC", "NFKD")
# Every mark, every sign that becomes marks, and some letters before them.
MARKS = [
    sign
    for sign in map(chr, range(sys.maxunicode + 1))
    if any(map(unicodedata.combining, unicodedata.normalize("NFKD", sign)))
    and (unicodedata.category(sign)[0] == "M" or sign in "\uff9e\uff9f")
]
TEXT = st.text(st.sampled_from([*MARKS, *"aeéｶカ가\u1100\u1161\ufe70"]), min_size=33, max_size=90)


@pytest.mark.few(1)
@pytest.mark.parametrize("form", FORMS)
@given(TEXT, st.sampled_from(MARKS), st.sampled_from(MARKS))
def test_the_forms_are_those_of_unicode(form: str, text: str, one: str, other: str) -> None:
    for given_text in (text, f"e{one * 40}{other * 40}{text}", f"e{(one + other) * 40}"):
        assert normalized(form, given_text) == unicodedata.normalize(form, given_text)  # type: ignore[arg-type]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("unit", ["\u0301\u0316", "\u0f73", "\uff9e\u0301", "\u05b0\u0301\u0316"])
def test_letters_with_marks_without_end(form: str, unit: str) -> None:
    assert not grows_with_its_square(lambda t: normalized(form, t), repeated(unit, "a"), 2_000)  # type: ignore[arg-type]


# Where Python's own is asked, it is for one sign.
ONE_SIGN = {
    "core/pretrained/tokenizer/alignment.py",
    "core/records/elision.py",
    "core/records/spelling.py",
}


def test_nothing_else_normalizes_a_text() -> None:
    root = Path(__file__).parents[2]
    found = {
        file.relative_to(root).as_posix()
        for folder in ("core", "pages", "ui")
        for file in (root / folder).rglob("*.py")
        if "unicodedata.normalize(" in file.read_text("utf-8")
    }
    assert found == ONE_SIGN | {"core/untrusted/marks.py"}
