"""Ask the class: a button on the card of a lesson, and the wall below the card while a room is open."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import pandas as pd
import streamlit as st

from core import spreadsheet
from core.classroom import LIFE, Opened, Question, Reveal, RoomError, Wall, plain
from core.lessons import Answer, Choice, Click, Number, Step
from ui import text
from ui.classroom import address, wall
from ui.serving.classroom import ROOMS
from ui.session import SessionValue
from ui.state import Place

Texts: TypeAlias = tuple[tuple[str, str], ...]  # (name, text) of a lesson

STORED = (
    f"Answers are anonymous. They stay in this server’s memory alone until the room is closed, at most "
    f"{LIFE / 3600:.0f} hours."
)
ONE_REPLICA = (
    "This server runs under Kubernetes: rooms work there with one replica only, since phones "
    "may be led to another pod than this page."
)


class _Open(NamedTuple):
    """The room of this session, and the step whose question it was asked last, with its texts."""

    room: Opened
    place: Place
    texts: Texts


_OPEN = SessionValue[_Open | None]("class room", None)
_SAID = SessionValue("class said", "")
_REVEALS = SessionValue("class reveals", False)  # computed in the run, which says what goes wrong
_ELSEWHERE = "The class was asked the question of another step: go back to it, or ask this one."


def question_of(step: Step, question: str, options: tuple[str, ...]) -> Question | None:
    """A step's question for phones; None for a click in the picture, which a phone does not have."""
    if isinstance(step.prediction, Click):
        return None
    return Question(plain(question, 600), tuple(plain(one, 200) for one in options))


def reveal_of(step: Step, answer: Answer) -> Reveal:
    """The model's answer for phones."""
    words = plain(answer.reveal)
    if isinstance(step.prediction, Choice):
        found = answer.options.index(str(answer.key)) if answer.key in answer.options else None
        key = plain(str(answer.key))
        return Reveal(f"The model’s answer: {key}. {words}", option=found)
    assert isinstance(step.prediction, Number)
    assert isinstance(answer.key, float)
    tolerance = step.prediction.tolerance
    said = f"The model’s answer: {answer.in_words}. {words}"
    return Reveal(said, number=answer.key, tolerance=tolerance)


def is_open() -> bool:
    """Whether this session has a room."""
    return _OPEN.get() is not None


def can_ask(place: Place) -> bool:
    """Whether the question of a step is not the one that was asked last."""
    now = _OPEN.get()
    return now is None or now.place != place


def button(place: Place, question: Question | None, texts: Texts) -> None:
    """Offer to ask the class.

    Args:
        place: the step on the screen.
        question: its question; None where it cannot be asked so.
        texts: what the lesson's texts are now.
    """
    if question is not None and can_ask(place):
        st.button(
            "Ask the class",
            key="class ask",
            type="tertiary",
            on_click=ask,
            args=(place, question, texts),
            help="A QR code leads phones to this question; their answers appear here.",
        )


def show(place: Place | None, answer: Callable[[Texts], Answer | None]) -> None:
    """Draw the wall of the room that is open; nothing if there is none.

    Args:
        place: the step on the screen; None outside of a lesson.
        answer: computes the model's answer of this step on the lesson's texts.
    """
    if said := _SAID.get():
        st.warning(said)
    now = _OPEN.get()
    if now is not None:
        with st.container(border=True, key="class"):
            _room(now, place, answer)


def _room(now: _Open, place: Place | None, answer: Callable[[Texts], Answer | None]) -> None:
    if _REVEALS.take():
        _reveal(now, answer)
    reached = _reach()
    rounds = ROOMS.every(now.room.name)
    last = rounds[-1] if rounds else None
    wall.show(now.room, address.seat_of(st.context.cookies), reached.origin)
    if reached.why_not:
        st.info(reached.why_not)
    if os.environ.get("KUBERNETES_SERVICE_HOST"):
        st.info(ONE_REPLICA)
    if last is not None and last.reveal is not None:
        st.markdown(f"**{text.plain(last.reveal.words)}**")
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        here = now.place == place
        st.button(
            "Reveal to all",
            key="class reveal",
            type="primary",
            disabled=not here or last is None or last.reveal is not None,
            on_click=_REVEALS.set,
            args=(True,),
            help=None if here else _ELSEWHERE,
        )
        if rounds:
            st.download_button(
                "CSV",
                lambda: table(ROOMS.every(now.room.name)),
                file_name=f"polysee-room-{now.room.name}.csv",
                mime="text/csv",
                key="class csv",
                on_click="ignore",
                icon=":material/download:",
                type="tertiary",
                help="Save the questions of this room, and how often each answer was given.",
            )
        st.button("Close the room", key="class close", type="tertiary", on_click=_close)
        st.caption(STORED)


def _reveal(now: _Open, answer: Callable[[Texts], Answer | None]) -> None:
    """Compute the answer on the texts with which the class was asked, and show it to all."""
    made = answer(now.texts)
    if made is None:
        return
    try:
        ROOMS.reveal(now.room.name, reveal_of(now.place.its_step, made))
    except RoomError as error:
        _SAID.set(str(error))


def ask(place: Place, question: Question, texts: Texts) -> None:
    """Ask in the room, and open it if there is none yet."""
    now = _OPEN.get()
    _SAID.set("")
    try:
        still = now is not None and ROOMS.is_open(now.room.name)
        room = now.room if now is not None and still else ROOMS.open(st.context.ip_address or "")
        ROOMS.ask(room.name, question)
    except RoomError as error:
        _SAID.set(str(error))
        return
    _OPEN.set(_Open(room, place, texts))


def _close() -> None:
    now = _OPEN.take()
    _SAID.set("")
    if now is not None:
        ROOMS.close(now.room.name)


def table(walls: tuple[Wall, ...]) -> str:
    """The tally of a room as CSV: a row for each answer to each question."""
    rows = [
        {
            "question": one.round,
            "asked": "" if one.question is None else one.question.text,
            "answer": bar.label,
            "count": bar.times,
            "right": "" if bar.right is None else ("yes" if bar.right else "no"),
        }
        for one in walls
        for bar in one.tally.bars
    ]
    columns = ["question", "asked", "answer", "count", "right"]
    return spreadsheet.csv(pd.DataFrame(rows, columns=columns), index=False)


def _reach() -> address.Reach:
    listens = str(st.get_option("server.address") or "")
    port = int(st.get_option("server.port"))
    return address.reach(st.context.url or "", listens, port, address.own_address)
