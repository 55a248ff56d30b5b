"""The address for the phones of a class, its QR code, and the file with the answers."""

from __future__ import annotations

import csv
import io

import pytest

from core.classroom import Question, Reveal, Wall, tally
from core.lessons import Choice, Click, Number, lessons
from ui.classroom import asked, qr
from ui.classroom.address import NO_NETWORK, NOT_REACHED, reach, seat_of
from ui.models import lesson_records


@pytest.mark.parametrize(
    ("url", "listens", "lan", "origin", "why"),
    [
        ("http://192.168.1.5:8501/heads?t=x", "0.0.0.0", "10.0.0.1", "http://192.168.1.5:8501", ""),
        ("https://polysee.example/compare", "", "10.0.0.1", "https://polysee.example", ""),
        ("http://localhost:8501/", "0.0.0.0", "10.0.0.1", "http://10.0.0.1:8501", ""),
        ("http://localhost:8501/", "", "10.0.0.1", "http://10.0.0.1:8501", ""),
        ("http://127.0.0.1:9000/", "0.0.0.0", "10.0.0.1", "http://10.0.0.1:8501", ""),
        ("http://[::1]:8501/", "::", "fd00::1", "http://[fd00::1]:8501", ""),
        ("http://localhost:8501/", "0.0.0.0", "", "", NO_NETWORK),
        ("http://localhost:8501/", "0.0.0.0", "127.0.1.1", "", NO_NETWORK),
        ("http://localhost:8501/", "localhost", "10.0.0.1", "", NOT_REACHED),
        ("http://127.0.0.1:8501/", "127.0.0.1", "10.0.0.1", "", NOT_REACHED),
        ("http://localhost:8501/", "10.0.0.7", "10.0.0.1", "http://10.0.0.7:8501", ""),
        ("", "0.0.0.0", "10.0.0.1", "http://10.0.0.1:8501", ""),
    ],
)
def test_phones_get_an_address_that_they_reach_or_a_reason(
    url: str, listens: str, lan: str, origin: str, why: str
) -> None:
    assert reach(url, listens, 8501, lambda: lan) == (origin, why)


def test_the_reason_says_how_to_start_for_a_class() -> None:
    assert "HOST=0.0.0.0" in NOT_REACHED


@pytest.mark.parametrize(
    ("cookie", "seat"),
    [("1f2e3d4c5b", "1f2e"), ("1f", "1f"), ("", "0"), ("no/seat", "0"), ("1f/", "0")],
)
def test_the_seat_is_four_digits_of_the_cookie(cookie: str, seat: str) -> None:
    assert seat_of({"polysee_seat": cookie}) == seat


def test_a_code_has_its_quiet_zone_and_differs_by_address() -> None:
    one, other = (qr.code(f"http://192.168.1.20:8501/class/0/{name}") for name in ("dolami", "tiruso"))
    assert one.size == other.size
    assert one.path != other.path
    assert (one.size - 2 * qr.QUIET - 17) % 4 == 0  # 21, 25, 29 … modules
    assert one.path.startswith(f"M{qr.QUIET} {qr.QUIET}h1v1h-1z")  # the first finder pattern's corner


def test_the_file_has_a_row_for_each_answer_and_no_formula() -> None:
    question = Question("=1+1?", ("@a", "b, “c”"))
    walls = (
        Wall(1, question, tally(question, (0.0, 1.0, 1.0), reveal := Reveal("", option=1)), reveal),
        Wall(2, Question("How far?"), tally(Question("How far?"), (-2.0,)), None),
    )
    assert list(csv.reader(io.StringIO(asked.table(walls)))) == [
        ["question", "asked", "answer", "count", "right"],
        ["1", "'=1+1?", "'@a", "1", "no"],
        ["1", "'=1+1?", "b, “c”", "2", "yes"],
        ["2", "How far?", "−2", "1", ""],
    ]


EVERY = [
    pytest.param(lesson, number, id=f"{lesson.name}.{number}")
    for lesson in lessons()
    for number in range(1, len(lesson.steps) + 1)
]


@pytest.mark.parametrize(("lesson", "number"), EVERY)
def test_every_question_of_our_lessons_can_be_asked_unless_it_is_a_click(lesson, number) -> None:
    from core.lessons.expressions import filled
    from core.lessons.keys import options

    step = lesson.steps[number - 1]
    for texts in (lesson.texts, lesson.with_second()):
        question = asked.question_of(
            step, filled(step.question, texts), options(step.prediction, texts)
        )
        assert (question is None) is isinstance(step.prediction, Click)
        if question is not None:
            assert bool(question.options) is isinstance(step.prediction, Choice)
            assert "*" not in question.text


def test_the_models_answer_is_revealed_with_its_choice_and_its_number() -> None:
    lesson = lessons()[0]
    kinds = set()
    for number, step in enumerate(lesson.steps):
        if isinstance(step.prediction, Click):
            continue
        made = lesson_records.answer_of(lesson.name, number, lesson.model, tuple(lesson.texts.items()))
        shown = asked.reveal_of(step, made)
        kinds.add(type(step.prediction))
        if isinstance(step.prediction, Choice):
            assert shown.option is not None
            assert made.options[shown.option] == made.key
            assert shown.holds(float(shown.option))
        else:
            assert shown.number == made.key
            assert shown.holds(shown.number + step.prediction.tolerance)
            assert not shown.holds(shown.number + 2 * step.prediction.tolerance + 0.01)
    assert kinds == {Choice, Number}
