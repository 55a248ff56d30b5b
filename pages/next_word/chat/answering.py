"""The model answers: token by token, until it writes the sign that ends a message."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from core.errors import PolyseeError
from core.localization import _
from core.records.generated import Generated
from pages.next_word.chat import captions, reading
from pages.next_word.conversation import kept
from pages.next_word.state import MOST_WRITTEN, NextWordState
from ui import text
from ui.models import model_cache
from ui.models.long_texts import turn
from ui.state import SessionValue

AT_ONCE = 120  # tokens that one click writes, if the model does not end before
_ASKED = SessionValue("next word chat asked", 0)  # tokens to write in this run
_ENDED = SessionValue("next word chat ended", "")


def said(s: NextWordState) -> reading.Said:
    """What the conversation is made of."""
    return (s.chat_system.get(), s.chat_turns.get(), s.chat_message.get())


def forget(s: NextWordState) -> None:
    """Forget the answer, which belongs to one conversation with one model."""
    s.chat_answer.set(())
    s.chat_at.set(-1)
    _ENDED.set("")


def buttons(s: NextWordState, model: str) -> None:
    """Draw the buttons: answer, go on, take back, reply."""
    answer = s.chat_answer.get()
    full = len(answer) >= MOST_WRITTEN
    ends = model_cache.model(model).ends
    over = bool(answer) and answer[-1] in ends
    with st.container(horizontal=True, gap="small", key="answering"):
        st.button(
            _("Go on") if answer else _("Answer"),
            on_click=_ask,
            args=(s, AT_ONCE),
            type="secondary" if over else "primary",
            disabled=full or over,
        )
        st.button(_("One token"), on_click=_ask, args=(s, 1), disabled=full or over)
        st.button(_("Undo one"), on_click=_to, args=(s, answer[:-1]), disabled=not answer)
        st.button(_("Take the answer back"), on_click=_to, args=(s, ()), disabled=not answer)
        st.button(
            _("Reply"),
            on_click=_reply,
            args=(s, model),
            type="primary" if over else "secondary",
            disabled=not answer,
            help=_(
                "Keeps this answer as a part of the conversation, and empties the box for your next "
                "message."
            ),
        )
        if s.chat_turns.get() or answer:
            st.button(_("New conversation"), on_click=_new, args=(s,))
    if (ended := _ENDED.get()) or over:
        st.caption(ended or captions.ended(_name_of(s, model)))


def _ask(s: NextWordState, count: int) -> None:
    _ASKED.set(count)
    _ENDED.set("")
    s.chat_at.set(-1)


def _to(s: NextWordState, ids: tuple[int, ...]) -> None:
    forget(s)
    s.chat_answer.set(ids)


def put(s: NextWordState, number: int) -> None:
    """Go on with a token that a visitor has chosen."""
    _to(s, (*s.chat_answer.get(), number)[:MOST_WRITTEN])


def _new(s: NextWordState) -> None:
    forget(s)
    s.chat_turns.set(())


def _reply(s: NextWordState, model: str) -> None:
    """The answer becomes a part of the conversation, as text: so the template will read it."""
    try:
        before = reading.chat(model, said(s), ())
        whole = reading.chat(model, said(s), s.chat_answer.get())
    except PolyseeError as error:
        _ENDED.set(text.of_error(error))
        return
    answer = whole.text[len(before.text) :].strip()
    wanted = (*s.chat_turns.get(), (s.chat_message.get(), answer))
    forget(s)
    s.chat_turns.set(kept(wanted))
    s.chat_message.set("")
    if len(s.chat_turns.get()) < len(wanted):
        _ENDED.set(_("The earliest turns were left out: the link has no room for more."))


def _name_of(s: NextWordState, model: str) -> str:
    try:
        return reading.chat(model, said(s), s.chat_answer.get()).tokens[-1]
    except PolyseeError:
        return ""


def go_on(s: NextWordState, model: str, shown: Callable[[str], object]) -> None:
    """Write what was asked for, token by token; what is written stays if a visitor stops it.

    Args:
        s: the state of the page.
        model: the name of the model.
        shown: draws what has been written in this run.
    """
    count = min(_ASKED.get(), MOST_WRITTEN - len(s.chat_answer.get()))
    _ASKED.set(0)
    if count <= 0:
        return
    written = ""
    last: Generated | None = None
    try:
        chat = reading.chat(model, said(s), ())
        with turn(chat.text):
            for one in reading.reader(model).generate(
                chat,
                count,
                more=s.chat_answer.get(),
                temperature=s.temperature.get(),
                top_k=s.top_k.get() or None,
                top_p=s.top_p.get() if s.top_p.get() < 1 else None,
                min_p=s.min_p.get() or None,
                seed=s.seed.get(),
            ):
                last = one
                written += one.added
                s.chat_answer.set((*s.chat_answer.get(), one.id))
                shown(written)
    except PolyseeError as error:
        _ENDED.set(text.of_error(error))
        return
    if last is None:
        _ENDED.set(_("Nothing follows: the answer has ended, or is as long as the model can read."))
    elif last.end:
        _ENDED.set(captions.ended(last.token))
