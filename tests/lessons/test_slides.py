"""A lesson that a teacher collects: written and read again, and bounded, whoever wrote it."""

from __future__ import annotations

import pytest

from core.lessons import BadLesson, Slide, slides

TWO = (
    Slide("Compare: the *bank* & <b>", "compare", "a=The+river%0Abank.&w=bank%29&v=2", "Look at B."),
    Slide("Heads", "heads", ""),
)


def test_what_is_written_is_read_again() -> None:
    assert slides.read(slides.written(TWO)) == TWO
    assert TWO[0].state() == {"a": "The river\nbank.", "w": "bank)", "v": "2"}


def test_a_teacher_edits_it_by_hand() -> None:
    (one,) = slides.read("# Anything\n\n## A\n\n[See](/step-by-step?p=layer)\nFirst line.\n\nSecond.\n")
    assert one == Slide("A", "step-by-step", "p=layer", "First line. Second.")


@pytest.mark.parametrize(
    "address",
    [
        "javascript:alert",
        "https://example.org/compare?w=bank",
        "//example.org/compare",
        "/\\example.org",
        "/compare/../../etc",
        "compare?w=bank",
        "/COMPARE",
        "/",
        "",
    ],
)
def test_a_link_leads_to_a_page_of_the_app_alone(address: str) -> None:
    with pytest.raises(BadLesson, match="Line 3: a link leads to a page of this app"):
        slides.read(f"# T\n## A\n[x]({address})\n")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "There is no step"),
        ("# T\naim: none\n## A\n", "Line 2: a step begins"),
        ("## A\nno link\n", "Line 1: this step lacks a link"),
        ("## A\n[x](/compare)\nask: Why?\n", "Line 3: “ask:” belongs to a lesson with questions"),
        ("## A\n[x](/compare)\nlet a = 1\n", "Line 3: “let” belongs"),
        ("## A\n[x](/compare)\n" * 41, "Line 81: a lesson of your own has at most 40 steps"),
        ("x" * 60_001, "at most 60,000 letters, and this one has 60,001"),
        (f"## A\n[x](/compare?a={'b' * 3_000})\n", "Line 2: a link has at most 3,000 letters"),
    ],
)
def test_what_is_no_lesson_is_refused_with_its_line(text: str, said: str) -> None:
    with pytest.raises(BadLesson, match=said):
        slides.read(text)


def test_words_are_bounded_and_hold_no_unseen_signs() -> None:
    (one,) = slides.read(f"## \u202eA\x00 {'b' * 200}\n[x](/compare)\n{'c ' * 400}\n")
    assert one.title.startswith("A b")
    assert "\u202e" not in one.title
    assert len(one.title) == slides.MOST_TITLE
    assert len(one.note) <= slides.MOST_NOTE
    assert one.note.endswith("…")
