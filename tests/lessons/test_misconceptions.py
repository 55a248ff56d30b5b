"""The misconceptions that wrong answers show: the list, what names it, and the page that has it."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from core import localization
from core.lessons import BadMisconceptions, find, lessons, misconceptions_of
from core.lessons.parsing import FOLDER
from tools import misconceptions as tool

ONE = "## one\nsays: This.\ninstead: That,\n  in two lines.\nsource: A, 2001\nsource: B,\n  “C”, 2002\n"


def test_a_list_is_read_in_its_order(tmp_path: Path) -> None:
    (tmp_path / "misconceptions.md").write_text(
        f"# All\n\nWords.\n\n{ONE}\n{ONE.replace('one', 'two-b', 1)}"
    )
    found = misconceptions_of(tmp_path)
    assert [*found] == ["one", "two-b"]
    assert (found["one"].says, found["one"].instead) == ("This.", "That, in two lines.")
    assert found["one"].sources == ("A, 2001", "B, “C”, 2002")
    assert misconceptions_of(tmp_path / "nowhere") == {}


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (ONE * 2, 8),
        (ONE.replace("one", "One"), 1),
        (ONE.replace("instead: That,\n  in two lines.\n", ""), 1),
        (ONE.replace("says", "tells"), 2),
        (ONE.replace("source: ", "source:"), 0),  # a space is not needed
    ],
)
def test_a_mistake_names_its_line(tmp_path: Path, text: str, line: int) -> None:
    (tmp_path / "misconceptions.md").write_text(text)
    if line:
        with pytest.raises(BadMisconceptions, match=f"line {line}: "):
            misconceptions_of(tmp_path)
    else:
        assert misconceptions_of(tmp_path)


def test_each_wrong_answer_of_ours_shows_one_and_each_is_shown() -> None:
    known, shown = misconceptions_of(FOLDER), set()
    for lesson in lessons():
        check = lesson.check
        assert check is not None
        wrong = [name for i, name in enumerate(check.misconceptions) if i != check.right]
        assert len(check.misconceptions) == len(check.answers), lesson.name
        assert check.misconceptions[check.right] == ""
        assert all(wrong), lesson.name
        assert len(check.rubric) == 3, lesson.name
        shown |= {*wrong}
    assert shown == {*known}


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_right_answer_has_no_place_and_no_length_of_its_own(language: str) -> None:
    # A student of all lessons would learn where it stands or how long it is, and not what it says.
    with localization.spoken(language):
        said = [one for lesson in lessons() if (one := find(lesson.name)) is not None]
    asked = {one.name: one.check for one in said if one.check is not None}
    assert len(asked) == 14
    places = Counter(check.right for check in asked.values())
    assert max(places.values()) <= len(asked) / 2, places
    longest = {
        name
        for name, check in asked.items()
        if len(check.answers[check.right]) == max(len(answer) for answer in check.answers)
    }
    assert 3 <= len(longest) <= 5, longest  # of three answers each: about a third


def test_each_of_ours_has_a_source_with_a_year_or_a_name() -> None:
    for one in misconceptions_of(FOLDER).values():
        assert all(re.search(r"\b(19|20)\d\d\b|“.+”|textbook", source) for source in one.sources), one


def test_the_page_of_the_documentation_is_what_the_tool_writes() -> None:
    written = tool.page()
    assert tool.PAGE.read_text("utf-8") == written, "run: python -m tools.misconceptions"
    for one in misconceptions_of(FOLDER).values():
        part = next(part for part in written.split("## ") if f"`{one.name}`" in part)
        assert all(words in part for words in (one.says, one.instead, *one.sources))
        assert "Asked in lesson" in part
