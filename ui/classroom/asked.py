"""Ask the class: a button on the card of a lesson, and the wall below the card while a room is open."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import NamedTuple, TypeAlias

import streamlit as st

from core.classroom import (
    LIFE,
    MOST_ABOUT,
    MOST_INTRO,
    Opened,
    Question,
    Reveal,
    RoomError,
    plain,
)
from core.lessons import Answer, Choice, Click, Number, Step, Watch, keys
from core.localization import ENGLISH, _
from ui.classroom import address, evidence, kept, wall
from ui.lessons import reveal as step_reveal
from ui.paper.without_buttons import for_paper
from ui.serving.classroom import ROOMS
from ui.session import SessionValue
from ui.state import Place

Texts: TypeAlias = tuple[tuple[str, str], ...]  # (name, text) of a lesson


OfWords: TypeAlias = Callable[[Counter[str]], Reveal | None]


class Next(NamedTuple):
    """The step on the screen: its question, None where it cannot be asked, and the lesson's texts."""

    question: Question | None
    texts: Texts


class _Open(NamedTuple):
    """The room of this session, and the step where it was asked last, with the lesson's texts.

    Attributes:
        room: the room.
        place: the step; None for a question of a page itself.
        texts: the lesson's texts.
        ready: the reveal of a question that no step answers; or what makes it of the free words that
            were given, and says on the page why it cannot (None).
    """

    room: Opened
    place: Place | None
    texts: Texts
    ready: Reveal | OfWords | None = None


_OPEN = SessionValue[_Open | None]("class room", None)
_GONE = SessionValue("class gone", "")  # the room that the tab need not keep
_SAID = SessionValue("class said", "")
_REACH = SessionValue("class reach", 0)  # the round that was just asked, whose wall comes into view
_REVEALS = SessionValue("class reveals", False)  # computed in the run, which says what goes wrong


def _by_hand() -> str:
    return _("This step is answered in the picture. Ask for raised hands; the phones wait.")


def _again() -> str:
    return _("The phones wait until you ask again.")


def _no_step() -> str:
    return _("The phones wait until you ask the question of a step.")


def _stored() -> str:
    return _(
        "Answers are anonymous (a reason is kept as it was typed), and gone when the room is closed, "
        "after {hours} hours at most."
    ).format(hours=round(LIFE / 3600))


def question_of(
    step: Step,
    question: str,
    options: tuple[str, ...],
    about: tuple[str, ...] = (),
    intro: str = "",
    language: str = ENGLISH,
) -> Question | None:
    """A step's question for phones; None for a click in the picture, and for a scene that asks nothing.

    Args:
        step: the step.
        question: its question in words.
        options: its answers in words.
        about: the sentences that it is about.
        intro: the words of the step before it.
        language: the code of that in which the lesson is written.
    """
    if isinstance(step.prediction, Click | Watch):
        return None
    answers = tuple(plain(one, 200) for one in options)
    try:
        kind = step.prediction.kind if isinstance(step.prediction, Number) else "number"
        return Question(
            plain(question, 600),
            answers,
            bounded(about),
            kind=kind,
            intro=plain(intro, MOST_INTRO),
            language=language,
        )
    except RoomError:  # a text of one's own left nothing of it
        return None


def bounded(about: tuple[str, ...]) -> tuple[str, ...]:
    """The sentences of a question as a class sees them: as they were typed, none too long, and few."""
    return tuple(one if len(one) <= 300 else f"{one[:299]}…" for one in about[:MOST_ABOUT])


def reveal_of(step: Step, answer: Answer) -> Reveal:
    """The model's answer for phones; it stands once."""
    words, said = plain(for_paper(answer.reveal)), keys.says_key(step)
    if isinstance(step.prediction, Choice):
        found = answer.options.index(str(answer.key)) if answer.key in answer.options else None
        return Reveal(words, None if said else plain(str(answer.key)), option=found)
    assert isinstance(step.prediction, Number)
    assert isinstance(answer.key, float)
    key = None if said else answer.key
    return Reveal(words, key, number=answer.key, tolerance=step.prediction.tolerance)


def is_open() -> bool:
    """Whether this session has a room."""
    return _OPEN.get() is not None


def can_ask(place: Place) -> bool:
    """Whether the question of a step is not the one that was asked last."""
    now = _OPEN.get()
    return now is None or now.place != place or now.ready is not None


def waits(place: Place) -> bool:
    """Whether a class is asked the question of this step, and waits for its answer."""
    now = _OPEN.get()
    if now is None or now.place != place or now.ready is not None:
        return False
    rounds = ROOMS.every(now.room.name)
    return bool(rounds) and rounds[-1].reveal is None


def waits_on_page(about: tuple[str, ...] = ()) -> bool:
    """Whether a class is asked a question of a page itself, not of a step, and waits for its answer.

    Args:
        about: the sentences that it has to be about; none for any question.
    """
    now = _OPEN.get()
    if now is None or now.place is not None or now.ready is None:
        return False
    rounds = ROOMS.every(now.room.name)
    if not rounds or rounds[-1].reveal is not None:
        return False
    question = rounds[-1].question
    return not about or (question is not None and question.about == about)


def is_asked(place: Place | None) -> bool:
    """Whether a class is asked a question where its teacher is, and waits for the answer.

    Args:
        place: the step where the teacher is; None outside of a lesson.
    """
    now = _OPEN.get()
    rounds = () if now is None or now.place != place else ROOMS.every(now.room.name)
    return bool(rounds) and rounds[-1].reveal is None


def reveal(place: Place) -> None:
    """Reveal a step to the class that waits for it, if there is one; in a callback."""
    if waits(place):
        _REVEALS.set(True)


def button(place: Place, question: Question | None, texts: Texts) -> None:
    """Offer to ask the class.

    Args:
        place: the step on the screen.
        question: its question; None where it cannot be asked so.
        texts: what the lesson's texts are now.
    """
    if question is not None and can_ask(place):
        st.button(
            _("Ask the class"),
            key="class ask",
            type="tertiary",
            on_click=ask,
            args=(place, question, texts),
            help=_("A QR code leads phones to this question; their answers appear here."),
        )


def show(place: Place | None, then: Next | None, answer: Callable[[Texts], Answer | None]) -> None:
    """Draw the wall of the room that is open; nothing if there is none.

    Args:
        place: the step where the teacher is; None outside of a lesson.
        then: the step, if its page is on the screen; otherwise None.
        answer: computes the model's answer of this step on the lesson's texts.
    """
    if said := _SAID.get():
        st.warning(said)
    now = _OPEN.get()
    if now is not None:
        with st.container(border=True, key="class"):
            _room(now, place, then, answer)


def _room(
    now: _Open,
    place: Place | None,
    then: Next | None,
    answer: Callable[[Texts], Answer | None],
) -> None:
    if _REVEALS.take() and (then is not None or now.ready is not None):
        _reveal(now, answer)
    # Who looks something up on another page is still at the step; who goes on has left its question.
    ROOMS.set_aside(now.room.name, now.place != place)
    reached = _reach()
    rounds = ROOMS.every(now.room.name)
    wall.show(now.room, address.seat_of(st.context.cookies), reached.origin, _REACH.take())
    if os.environ.get("KUBERNETES_SERVICE_HOST"):
        st.info(
            _(
                "This server runs under Kubernetes: rooms work there with one replica only, since "
                "phones may be led to another pod than this page."
            )
        )
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        _next(now, place, then)
        if rounds:
            _file(now.room, "CSV", "class csv")
        with st.popover(_("Close the room"), key="class close", type="tertiary"):
            st.markdown(_("What was answered is then gone."))
            if rounds:
                _file(now.room, _("Save the CSV first"), "class csv last")
            st.button(_("Close it"), key="class close now", type="primary", on_click=_close)
    _how_phones_join(reached)
    last = rounds[-1] if rounds and now.place == place else None
    if last is None or last.question is None or not last.reveal:
        return
    hide = partial(ROOMS.hide, now.room.name)
    if not last.question.twice:
        evidence.reasons([("", ROOMS.reasons(now.room.name))], hide)
    for one in ROOMS.evidence(now.room.name):
        if one.question == last.question:
            evidence.show(one, hide)


def _file(room: Opened, label: str, key: str) -> None:
    """Offer the answers of a room as a file."""
    st.download_button(
        label,
        lambda: evidence.table(ROOMS.every(room.name), ROOMS.evidence(room.name)),
        file_name=f"polysee-room-{room.name}.csv",
        mime="text/csv",
        key=key,
        on_click="ignore",
        icon=":material/download:",
        type="tertiary",
        help=_(
            "Save the questions of this room, how often each answer was given, what changed, "
            "which misconceptions the answers show, and the reasons that you have not hidden."
        ),
    )


def _how_phones_join(reached: address.Reach) -> None:
    """What only who prepares a lesson reads, behind one line."""
    label = (
        _("How phones join, and what is kept")
        if reached.origin
        else _("Phones cannot join yet: how to let them in")
    )
    with st.container(key="class reach"), st.expander(label):
        if reached.said:
            st.markdown(reached.said)
        st.caption(_stored())


def _next(now: _Open, place: Place | None, then: Next | None) -> None:
    """What comes next in the room: the answer, or the question of the step on the screen."""
    rounds = ROOMS.every(now.room.name)
    checks = now.ready is not None and now.place == place and rounds and rounds[-1].reveal is None
    if checks:
        st.button(
            _("Reveal to all"),
            key="class reveal check",
            on_click=_REVEALS.set,
            args=(True,),
            type="tertiary" if _is_before(now.place) else "primary",
        )
        if _is_before(now.place):
            st.caption(_("Leave it open, and begin: the last step asks it again."))
    if place is not None and now.place == place and now.ready is None:
        st.button(
            _("Reveal to all"),
            key="class reveal",
            type="primary",
            disabled=then is None or not waits(place),
            on_click=_reveal_all,
            args=(place,),
            help=None if then is not None else _("The question belongs to another page."),
        )
    elif place is None or then is None:
        if not waits_on_page():
            st.caption(_again() if now.place is None else _no_step())  # a page itself has no steps
    elif then.question is None:
        st.caption(_by_hand())
    else:
        st.button(
            _("Ask this question"),
            key="class ask next",
            # One button leads on: first the answer that the class waits for.
            type="secondary" if checks and not _is_before(now.place) else "primary",
            on_click=ask,
            args=(place, then.question, then.texts),
            help=_("The phones that are in the room show it at once."),
        )


def _is_before(place: Place | None) -> bool:
    """Whether a lesson's question is asked at its first step, before the others."""
    return place is not None and place.step == 1 < len(place.lesson.steps)


def _reveal_all(place: Place) -> None:
    """Show the answer on the wall, on the phones, on the card and in the picture."""
    step_reveal.show(place, step_reveal.given(place))
    reveal(place)


def _reveal(now: _Open, answer: Callable[[Texts], Answer | None]) -> None:
    """Compute the answer on the texts with which the class was asked, and show it to all."""
    told: Reveal | None = None
    if callable(now.ready):
        told = now.ready(ROOMS.words(now.room.name))
    elif now.ready is not None:
        told = now.ready
    elif now.place is not None and (made := answer(now.texts)) is not None:
        told = reveal_of(now.place.its_step, made)
    if told is None:
        return
    try:
        ROOMS.reveal(now.room.name, told)
    except RoomError as error:
        _SAID.set(str(error))


def check_button(place: Place, question: Question, told: Reveal) -> None:
    """Offer to ask the class a lesson's question before and after it; the wall then has both counts."""
    if can_ask_check(place):
        st.button(
            _("Ask before the lesson") if place.step == 1 else _("Ask again after it"),
            key="class check",
            type="tertiary",
            on_click=ask,
            args=(place, question, (), told),
            help=_("The same question at the first step and at the last; the wall shows both counts."),
        )


def can_ask_check(place: Place) -> bool:
    """Whether a lesson's question, before it or after it, is not what was asked last."""
    now = _OPEN.get()
    return now is None or now.place != place or now.ready is None


def reveal_check(place: Place) -> None:
    """Reveal a lesson's question to the class that waits for it, if there is one; in a callback."""
    if not can_ask_check(place) and is_asked(place):
        _REVEALS.set(True)


def ask(
    place: Place | None, question: Question, texts: Texts, ready: Reveal | OfWords | None = None
) -> None:
    """Ask in the room, and open it if there is none yet; an answer that is shown is hidden again.

    Args:
        place: see `_Open`.
        question: the question.
        texts: see `_Open`.
        ready: see `_Open`.
    """
    now = _OPEN.get()
    _SAID.set("")
    try:
        still = now is not None and ROOMS.is_open(now.room.name)
        room = now.room if now is not None and still else ROOMS.open(st.context.ip_address or "")
        _REACH.set(ROOMS.ask(room.name, question))
    except RoomError as error:
        _SAID.set(str(error))
        return
    if ready is None and place is not None:
        step_reveal.cover(place)
    now = _Open(room, place, texts, ready)
    _OPEN.set(now)
    ROOMS.hold(room.name, now)


def keep() -> None:
    """Let the tab keep the room of this session, or open that which it has kept; on each page."""
    now = _OPEN.get()
    kept.show(now.room if now is not None else None, _GONE.get(), _open_again)


def _open_again(room: Opened) -> None:
    held = ROOMS.held(*room)
    if isinstance(held, _Open):
        _OPEN.set(held)
    else:
        _GONE.set(room.name)


def _close() -> None:
    now = _OPEN.take()
    _SAID.set("")
    if now is not None:
        _GONE.set(now.room.name)
        ROOMS.close(now.room.name)


def before_class() -> None:
    """Whether phones can join, for a teacher who prepares a lesson; folded."""
    with st.expander(_("In front of a class: how phones join")):
        reached = _reach()
        if reached.origin:
            said = _(
                "*For a class*, on the card of a step, opens a room: phones join it by a QR code, at "
                "`{address}`. {more}"
            )
            st.markdown(said.format(address=reached.origin, more=reached.said).strip())
        else:
            st.markdown(reached.said)
        st.caption(_stored())


def _reach() -> address.Reach:
    return address.reached(st.context.url or "")
