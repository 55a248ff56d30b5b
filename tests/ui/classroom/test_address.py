"""The address for the phones of a class, and its QR code."""

from __future__ import annotations

import pytest

from core.lessons import Choice, Click, Number, keys, lessons
from ui.classroom import asked, qr
from ui.classroom.address import INSIDE, NO_NETWORK, NOT_REACHED, SAME_NETWORK, reach, seat_of
from ui.models import lesson_records


@pytest.mark.parametrize(
    ("url", "listens", "lan", "origin", "why"),
    [
        ("http://192.168.1.5:8501/heads?t=x", "0.0.0.0", "10.0.0.1", "http://192.168.1.5:8501", ""),
        ("https://polysee.example/compare", "", "10.0.0.1", "https://polysee.example", ""),
        ("http://localhost:8501/", "0.0.0.0", "10.0.0.1", "http://10.0.0.1:8501", SAME_NETWORK),
        ("http://localhost:8501/", "", "10.0.0.1", "http://10.0.0.1:8501", SAME_NETWORK),
        ("http://127.0.0.1:9000/", "0.0.0.0", "10.0.0.1", "http://10.0.0.1:8501", SAME_NETWORK),
        ("http://[::1]:8501/", "::", "fd00::1", "http://[fd00::1]:8501", SAME_NETWORK),
        ("http://localhost:8501/", "0.0.0.0", "", "", NO_NETWORK),
        ("http://localhost:8501/", "0.0.0.0", "127.0.1.1", "", NO_NETWORK),
        ("http://localhost:8501/", "0.0.0.0", "169.254.3.4", "", NO_NETWORK),
        ("http://localhost:8501/", "0.0.0.0", "0.0.0.0", "", NO_NETWORK),
        ("http://localhost:8501/", "10.0.0.7", "10.0.0.1", "http://10.0.0.7:8501", SAME_NETWORK),
        ("", "0.0.0.0", "10.0.0.1", "http://10.0.0.1:8501", SAME_NETWORK),
    ],
)
def test_phones_get_an_address_that_they_reach_or_a_reason(
    url: str, listens: str, lan: str, origin: str, why: str
) -> None:
    assert reach(url, listens, 8501, lambda: lan) == (origin, why.format(address=origin))


@pytest.mark.parametrize("listens", ["localhost", "127.0.0.1", "::1"])
def test_on_localhost_a_sentence_says_how_to_start_and_what_phones_then_type(listens: str) -> None:
    found = reach("http://localhost:8501/", listens, 8501, lambda: "10.0.0.1")
    assert found.origin == ""
    for said in ("HOST=0.0.0.0", "polysee --host 0.0.0.0", "`http://10.0.0.1:8501`"):
        assert said in found.said
    unknown = reach("http://localhost:8501/", listens, 8501, lambda: "")
    assert unknown == ("", NOT_REACHED.format(then="").strip())


@pytest.mark.parametrize("listens", ["0.0.0.0", "", "172.17.0.2"])
def test_an_address_inside_a_container_never_becomes_a_code(listens: str) -> None:
    found = reach("http://localhost:9000/", listens, 8501, lambda: "172.17.0.2", inside=True)
    assert found == ("", INSIDE.format(address="http://ADDRESS:9000"))
    assert "172" not in found.said
    shut = reach("http://localhost:9000/", "localhost", 8501, lambda: "172.17.0.2", inside=True)
    assert shut == ("", NOT_REACHED.format(then="").strip())
    around = reach("http://192.168.1.5:9000/", listens, 8501, lambda: "172.17.0.2", inside=True)
    assert around == ("http://192.168.1.5:9000", "")


def test_a_server_that_speaks_https_is_reached_by_https() -> None:
    found = reach("https://localhost:8501/", "", 8501, lambda: "10.0.0.1", secure=True)
    assert found.origin == "https://10.0.0.1:8501"
    assert "`https://10.0.0.1:8501`" in found.said


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


@pytest.mark.check
def test_the_models_answer_is_revealed_with_its_choice_and_its_number() -> None:
    lesson = lessons()[0]
    kinds = set()
    for number, step in enumerate(lesson.steps):
        if isinstance(step.prediction, Click):
            continue
        made = lesson_records.answer_of(lesson.name, number, lesson.model, tuple(lesson.texts.items()))
        shown = asked.reveal_of(step, made)
        kinds.add(type(step.prediction))
        assert (shown.key is None) is keys.says_key(step)  # it stands once
        assert "model’s answer" not in shown.words  # whoever looks has that in the own language
        if isinstance(step.prediction, Choice):
            assert shown.option is not None
            assert made.options[shown.option] == made.key
            assert shown.holds(float(shown.option))
        else:
            assert isinstance(step.prediction, Number)
            assert shown.number == made.key
            assert shown.holds(shown.number + step.prediction.tolerance)
            assert not shown.holds(shown.number + 2 * step.prediction.tolerance + 0.01)
    assert kinds == {Choice, Number}
