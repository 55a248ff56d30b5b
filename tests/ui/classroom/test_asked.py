"""One reveal for a class, the card and the picture; the question that a teacher has left."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterator
from functools import partial

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from core.classroom import Opened, StudentView, plain
from core.lessons import lessons
from core.lessons.keys import state
from tests import visits
from tests.visits import run
from ui import navigation
from ui.classroom import address, asked, evidence
from ui.lessons import card
from ui.presenter import view
from ui.serving.classroom import ROOMS
from ui.state import Place

FIRST = lessons()[0]
SIDE = 2  # a choice; the next step is on the same page
HEADS = next(one for one in lessons() if one.name == "heads")


@pytest.fixture(autouse=True)
def _rooms_are_closed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    # Without a browser there is neither an address nor a cookie.
    monkeypatch.setattr(asked, "_reach", lambda: address.Reach("http://10.0.0.1:8501"))
    monkeypatch.setattr(address, "seat_of", lambda cookies: address.NO_SEAT)
    before = {*ROOMS._rooms}
    yield
    for name in {*ROOMS._rooms} - before:
        ROOMS.close(name)


def at(number: int, **more: str) -> AppTest:
    step = FIRST.steps[number - 1]
    link = {**state(step, FIRST.texts), "lesson": str(Place(FIRST.name, number))}
    return visits.visit(navigation.folder(step.page), v="2", **{**link, **more})


def press(app: AppTest, name: str) -> None:
    next(one for one in app.button if (one.key or "").startswith(name)).click()
    run(app)


def there(app: AppTest, name: str) -> bool:
    return any((one.key or "").startswith(name) for one in app.button)


def room(app: AppTest) -> Opened:
    found: Opened = app.session_state["class room"].room
    return found


def phone(app: AppTest, token: str = "a") -> StudentView:
    seen = ROOMS.student_view(room(app).name, token)
    assert seen is not None
    return seen


def covered(app: AppTest) -> bool:
    return any("visibility: hidden" in one.proto.body for one in app.get("html"))


def all_shown(app: AppTest) -> list[bool]:
    """Whether the picture, the card, the wall and the phones show the answer."""
    card = "lesson again" in [one.key for one in app.button]
    wall = ROOMS.wall(*room(app))
    assert wall is not None
    return [not covered(app), card, wall.reveal is not None, phone(app).reveal is not None]


def asked_class() -> AppTest:
    app = at(SIDE)
    press(app, "class ask")
    assert all_shown(app) == [False] * 4
    return app


@pytest.mark.check
def test_one_reveal_shows_the_answer_to_all() -> None:
    app = asked_class()
    folded = [one.value for fold in app.expander for one in fold.caption]
    assert asked._stored() in folded  # behind one line
    ROOMS.vote(room(app).name, "a", "", 1, 1)
    assert not there(app, "lesson reveal")  # beside it, nobody would know which does what
    press(app, "class reveal")  # a teacher need not predict
    assert all_shown(app) == [True] * 4
    assert "You predicted" not in visits.said(app)
    assert [one.disabled for one in app.button if one.key == "class reveal"] == [True]
    press(app, "lesson again")  # hides it here; what the class has seen, it has seen
    assert covered(app)
    assert phone(app).reveal is not None


def buttons_for_the_bar(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, object]]:
    """Draw what the presenter's bar offers as buttons, and keep what it was given."""
    given: list[dict[str, object]] = []

    def buttons(key: str, data: dict[str, object], acts: dict[str, Callable[[], None] | None]) -> None:
        sent: dict[str, dict[str, object]] = {
            "present": {"to": "present"},
            "step": {"to": "step", "step": SIDE},
            "first": {"to": "step", "step": 0},
            "last": {"to": "step", "step": len(FIRST.steps) + 1},
            "farther": {"to": "step", "step": len(FIRST.steps) + 2},
        }
        takes = {name: partial(view._take, {}, one) for name, one in sent.items()}
        given.extend([data] if "answers" in data else [])
        for name, act in {**acts, **takes}.items():
            if act is not None:
                st.button(name, key=f"act {name} {key}", on_click=act)

    monkeypatch.setattr(view, "_mount", buttons)  # those of its bar are drawn by the browser
    return given


@pytest.mark.check
def test_the_presenters_reveal_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    given = buttons_for_the_bar(monkeypatch)  # "answers": the class, and not the picture, is shown
    app = at(SIDE)
    press(app, "class ask")
    press(app, "act present")
    assert given.pop()["answers"] is True  # a class that is asked sees how to join, no covered picture
    press(app, "act step")
    assert given.pop()["answers"] is False  # a new step's words come first
    app = at(SIDE, present="1")
    press(app, "act ask")
    assert given.pop()["answers"] is True
    assert phone(app).question is not None
    assert covered(app)
    press(app, "act reveal")
    assert phone(app).reveal is not None
    assert not covered(app)
    assert not there(app, "act reveal")


@pytest.mark.check
def test_a_teachers_own_prediction_stands_beside_the_answer() -> None:
    app = asked_class()
    app.radio[0].set_value(0)
    run(app)
    press(app, "class reveal")
    assert all_shown(app) == [True] * 4
    assert "You predicted" in visits.said(app)


def test_a_phone_has_the_words_before_the_question_without_what_its_page_alone_has() -> None:
    question = phone(asked_class()).question
    assert question is not None
    assert question.intro.startswith("After the table come six layers.")
    assert (question.language, "*" in question.intro) == ("en", False)
    training = next(one for one in lessons() if one.name == "training")
    texts = training.texts
    for step in training.steps:
        made = card._for_phones(training, step, texts)
        assert made is None or not re.search(r"[Pp]ress (?:Start|Play)", made.intro)


def test_without_a_class_a_prediction_comes_first() -> None:
    app = at(SIDE)
    press(app, "lesson reveal")
    assert covered(app)
    assert not there(app, "lesson again")


@pytest.mark.check
def test_the_next_step_takes_the_question_off_the_phones_and_asks_anew() -> None:
    app = asked_class()
    ROOMS.vote(room(app).name, "a", "", 1, 0)
    press(app, "lesson next")
    assert phone(app) == (1, None, None, None, None, None)
    assert not there(app, "class reveal")
    press(app, "lesson previous")
    assert (phone(app).round, phone(app).given) == (1, 0.0)
    press(app, "class reveal")
    press(app, "lesson next")
    press(app, "class ask next")
    question = phone(app).question
    assert question is not None
    assert phone(app).round == 2
    assert len(question.options) == 3  # that of the next step
    assert covered(app)
    # The step before can be asked again: its answer, which is known here, is hidden.
    press(app, "lesson previous")
    assert not covered(app)
    press(app, "class ask next")
    assert phone(app).round == 3
    assert all_shown(app) == [False] * 4


def test_a_question_stays_while_the_teacher_looks_something_up_and_goes_with_the_lesson() -> None:
    app = asked_class()
    kept = {"class room": app.session_state["class room"]}
    glossary = visits.visit("glossary", kept, v="2", lesson=str(Place(FIRST.name, SIDE)))
    assert phone(glossary).question is not None
    assert [one.disabled for one in glossary.button if one.key == "class reveal"] == [True]
    press(glossary, "lesson leave")
    assert phone(glossary).question is None
    assert asked._no_step() in visits.said(glossary)


def test_a_step_that_is_answered_in_the_picture_is_no_question_for_phones() -> None:
    app = asked_class()
    kept = {"class room": app.session_state["class room"]}
    step = HEADS.steps[0]
    link = {**state(step, HEADS.texts), "lesson": str(Place(HEADS.name, 1))}
    heads = visits.visit(navigation.folder(step.page), kept, v="2", **link)
    assert phone(heads).question is None
    assert asked._by_hand() in visits.said(heads)
    assert not there(heads, "class ask")


@pytest.mark.check
def test_phones_and_wall_have_the_sentences_of_a_question_as_they_were_typed() -> None:
    typed = "<b>*It* is a 🎣 bank.</b> " + "מילה " * 200
    app = at(SIDE, a=typed)
    press(app, "class ask")
    question = phone(app).question
    assert question is not None
    one, two = question.about
    assert one.startswith("A: “<b>*It* is a 🎣 bank.</b> ")
    assert len(one) == 300
    assert two == f"B: “{FIRST.texts['b']}”"


def test_the_question_before_and_after_counts_twice_and_leaves_the_card_alone() -> None:
    app = at(1)
    press(app, "class check")
    asked_first = phone(app).question
    assert asked_first is not None
    assert FIRST.check is not None
    assert len(asked_first.options) == len(FIRST.check.answers)
    assert "{" not in asked_first.text
    name = room(app).name
    ROOMS.vote(name, "a", "1", 1, 0)
    assert not there(app, "class check")
    press(app, "class reveal check")
    assert phone(app).reveal is not None
    assert phone(app).reveal.option == FIRST.check.right  # type: ignore[union-attr]
    assert "lesson again" not in [one.key for one in app.button]  # the step itself is still to predict
    assert "It was asked once." in visits.said(app)
    press(app, "class ask")  # the step's own question comes next
    assert ROOMS.every(name)[-1].question != asked_first


@pytest.mark.check
def test_the_question_before_and_after_is_presented(monkeypatch: pytest.MonkeyPatch) -> None:
    given, of, check = buttons_for_the_bar(monkeypatch), len(FIRST.steps), FIRST.check
    assert check is not None
    app = at(1)
    press(app, "act present")  # who begins with the lesson begins with its question
    assert [given[-1][one] for one in ("at", "of", "first", "last", "alone")] == [
        0,
        of,
        0,
        of + 1,
        True,
    ]
    assert "C) it asks a dictionary" in visits.said(app)
    assert check.because not in visits.said(app)
    assert not there(app, "act reveal")
    press(app, "act ask")
    name = room(app).name
    ROOMS.vote(name, "a", "1", 1, 0)
    assert not there(app, "act ask")
    press(app, "act farther")  # there is none
    assert given[-1]["at"] == 0
    press(app, "act last")
    assert (given[-1]["at"], given[-1]["alone"], app.query_params["check"]) == (of + 1, True, "after")
    press(app, "act ask")
    ROOMS.vote(name, "a", "1", 2, 1)
    press(app, "act reveal")
    assert check.because in visits.said(app)
    assert phone(app).reveal is not None
    assert not there(app, "act reveal")
    press(app, "act step")
    assert (given[-1]["at"], given[-1]["alone"]) == (SIDE, False)
    assert "check" not in app.query_params
    begun = at(1)
    press(begun, "class ask")  # the step's own question
    press(begun, "act present")
    assert (given[-1]["at"], given[-1]["answers"]) == (1, True)
    (of_both,) = ROOMS.evidence(name)
    assert (
        of_both.question.text == "Why does a model have different vectors for “bank” in two sentences?"
    )


@pytest.mark.check
def test_before_and_after_stand_beside_each_other_and_a_teacher_hides_what_was_written() -> None:
    app = at(1)
    press(app, "class check")
    name = room(app).name
    ROOMS.vote(name, "a", "1", 1, 0, "It has <b>two rows</b>")
    ROOMS.vote(name, "b", "2", 1, 1)
    last = len(FIRST.steps)
    app = at_with(app, last)
    press(app, "class check")
    ROOMS.vote(name, "a", "1", 2, 1, "The others!")
    ROOMS.vote(name, "b", "2", 2, 1, "the others")
    assert "who answered" not in visits.said(app)  # nothing before the reveal
    press(app, "class reveal check")
    said = visits.said(app)
    assert "Of 2 who answered both times, **1** changed to the right answer, 1 kept theirs" in said
    assert "before **1**, after **0**" in said
    table = next(one.proto.body for one in app.get("html") if "polysee-evidence" in one.proto.body)
    assert re.findall(r"<b>(\d+)</b>", table) == ["1", "0", "1", "2", "0", "0"]
    assert re.search(r"“The others\\?!” \*\*× 2", said)
    assert phone(app).before == plain(FIRST.check.answers[0])  # type: ignore[union-attr]
    press(app, "class words 1 0")
    assert "The others" not in visits.said(app)
    file = evidence.table(ROOMS.every(name), ROOMS.evidence(name))
    assert "thers" not in file.partition("two rows")[2]
    assert "stored-senses" in file
    press(app, "class words 1 0")
    assert re.search(r"“The others\\?!” \*\*× 2", visits.said(app))


def at_with(app: AppTest, number: int) -> AppTest:
    """Another step of the lesson, with the room that is open."""
    step = FIRST.steps[number - 1]
    link = {**state(step, FIRST.texts), "lesson": str(Place(FIRST.name, number))}
    kept = {"class room": app.session_state["class room"]}
    return visits.visit(navigation.folder(step.page), kept, v="2", **link)


def test_reasons_stand_in_the_file_and_are_no_formulas() -> None:
    app = asked_class()
    name = room(app).name
    ROOMS.vote(name, "a", "1", 1, 0, '=HYPERLINK("http://x")')
    file = evidence.table(ROOMS.every(name), ROOMS.evidence(name))
    header, *rows = csv.reader(io.StringIO(file))  # a text has two lines
    assert header == [*evidence.COLUMNS]
    assert rows[0][-6:] == ["1", "", "", "", "", ""]
    assert rows[-1][-1].startswith("'=HYPERLINK(")
