"""The text goes on: one token or many, drawn or chosen; each can be taken back."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import streamlit as st

from core.errors import PolyseeError
from core.records.generated import Generated
from pages.next_word.state import MOST_WRITTEN, NextWordState, Path
from ui import text
from ui.models import model_cache
from ui.models.long_texts import turn
from ui.state import SessionValue

AT_ONCE = 20  # tokens that one click writes
_ASKED = SessionValue("next word asked", 0)  # tokens to write in this run
_ENDED = SessionValue("next word ended", "")


def ask(count: int) -> None:
    """Have so many tokens written in the next run."""
    _ASKED.set(count)
    _ENDED.set("")


def buttons(s: NextWordState) -> None:
    """Draw the buttons: go on, take back, start over."""
    drawn = s.temperature.get() > 0
    none, full = not s.written.get(), len(s.written.get()) >= MOST_WRITTEN
    with st.container(horizontal=True, gap="small", key="writing"):
        one = "Draw one" if drawn else "Take the likeliest"
        st.button(one, on_click=ask, args=(1,), type="primary", disabled=full)
        st.button(f"Write {AT_ONCE}", on_click=ask, args=(AT_ONCE,), disabled=full)
        if drawn:
            st.button("Roll again", on_click=_roll, args=(s,))
        st.button("Undo one", on_click=_back, args=(s,), disabled=none)
        st.button("Start over", on_click=_to, args=(s, ()), disabled=none)
    if ended := _ENDED.get():
        st.caption(ended)


def _roll(s: NextWordState) -> None:
    """Another number falls."""
    s.seed.set((s.seed.get() + 1) % (s.seed.most + 1))


def _back(s: NextWordState) -> None:
    _to(s, s.written.get()[:-1])


def _to(s: NextWordState, ids: Path) -> None:
    _ENDED.set("")
    s.written.set(ids)


def go_on(s: NextWordState, model: str, shown: Callable[[str], object]) -> None:
    """Write what was asked for, token by token; what is written stays if a visitor stops it.

    Args:
        s: the state of the page.
        model: the name of the model.
        shown: draws the text written so far in this run.
    """
    count = min(_ASKED.get(), MOST_WRITTEN - len(s.written.get()))
    _ASKED.set(0)
    if count <= 0:
        return
    said = ""
    last: Generated | None = None
    try:
        with turn(s.text.get()):
            for one in written(s, model, count):
                last = one
                said += one.added
                s.put((*s.written.get(), one.id))
                shown(said)
    except PolyseeError as error:
        _ENDED.set(text.of_error(error))
        return
    if last is None:
        _ENDED.set("Nothing follows: the text has ended, or is as long as the model can read.")
    elif last.end:
        _ENDED.set(_why(s, last))


def written(s: NextWordState, model: str, count: int) -> Iterator[Generated]:
    """The next tokens, each as soon as it is written."""
    return model_cache.model(model).generate(
        s.text.get(),
        count,
        more=s.written.get(),
        temperature=s.temperature.get(),
        top_k=s.top_k.get() or None,
        top_p=s.top_p.get() if s.top_p.get() < 1 else None,
        min_p=s.min_p.get() or None,
        seed=s.seed.get(),
        stop=s.stop.get() or (),
    )


def _why(s: NextWordState, last: Generated) -> str:
    """Why the text ends (Markdown)."""
    if s.stop.get() and not last.text:
        return f"It stopped behind “{text.plain(s.stop.get())}”."
    return f"It stopped: it wrote `{last.token}`, the sign with which it ends a text."
