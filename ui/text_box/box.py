"""A box for a text, of our own: it grows with what is typed, and says when it has been typed.

The browser counts what it tells, and the server says how far it has heard. So the box knows what may
be put into it, what is still on its way, and what a server that was begun anew must be told once more.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import streamlit as st

from core.figures import schema
from ui import events, session

PAUSE = 700  # milliseconds without a key, longer than between the keys of somebody who is typing
# What Enter does. It tells what is typed: a "sentence" has no line breaks, a "paragraph" takes one with
# Shift. In "lines", a list, it begins the next one, and Ctrl+Enter tells.
Kind = Literal["sentence", "paragraph", "lines"]

_HERE = Path(__file__).parent
# A text may be in any language, and right to left.
_HTML = """<div class="polysee-text"><label><span></span><div>
<textarea rows="1" dir="auto" spellcheck="false" autocomplete="off"></textarea>
</div></label><small></small><p role="status"></p></div>"""
# Registered once a process, when this module is imported: a second registration would win for all.
_COMPONENT = st.components.v2.component(
    "polysee_text_box",
    html=_HTML,
    css=(_HERE / "box.css").read_text("utf-8"),
    js=(_HERE / "box.js").read_text("utf-8"),
    isolate_styles=False,
)
_EVENT = "typed"


# A text may be of any length that a message carries: the page judges it.
TYPED: schema.Fields = {
    "n": {"type": "integer", "minimum": 1, "maximum": 2**53 - 1},
    "text": {"type": "string", "maxLength": 2**31},
}


def _whole_signs(text: str) -> str:
    """In place of half a sign, what a browser would show."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def overwritten(key: str) -> None:
    """Something has set the text since the box was drawn: what was heard since counts for nothing.

    Called before the new text is noted as drawn: a run may be cut off at any time, and the next one
    then finds the same again.
    """
    now = st.session_state.get(f"{key} heard", 0)
    if now > st.session_state.get(f"{key} heard when drawn", 0):  # both came in one moment
        st.session_state[f"{key} lost"] = now


def draw(
    key: str,
    label: str,
    text: str,
    take: Callable[[str], bool],
    *,
    kind: Kind = "sentence",
    follows: bool = True,
    named: bool = True,
    placeholder: str = "",
    most: int | None = None,
    height: int | None = None,
    width: int | Literal["stretch"] = "stretch",
) -> None:
    """Draw the box, and hear what is typed into it.

    Args:
        key: its name on the page.
        label: what it is called.
        text: what is to stand in it; a visitor who is typing keeps what is typed.
        take: called with what was typed, before the run that follows from it; says whether it counts:
            not where something else, as an example, has set the text by then.
        kind: what Enter does.
        follows: whether a pause tells what is typed by then; else Enter does, and leaving the box.
        named: whether the label stands above it; else only a screen reader says it.
        placeholder: what stands in it while it is empty.
        most: how many letters it takes.
        height: of the box without its label, in pixels; None: as many lines as it needs, up to eight.
        width: in pixels.
    """
    heard, drawn, lost = f"{key} heard", f"{key} heard when drawn", f"{key} lost"

    def receive() -> None:
        events.receive(TYPED, key, _EVENT, take_typed)

    def take_typed(typed: dict[str, Any]) -> None:
        # A browser whose server had forgotten the box may say once more what it said long ago.
        if typed["n"] > st.session_state.get(heard, 0):
            st.session_state[heard] = typed["n"]
            if not take(_whole_signs(typed["text"])):
                st.session_state[lost] = typed["n"]

    now = st.session_state.get(heard, 0)
    st.session_state[drawn] = now
    sent = _COMPONENT(
        key=key,
        data={
            "text": text,
            "heard": now,
            "lost": st.session_state.get(lost, 0),
            "visit": session.name(),
            "label": label,
            "named": named,
            "kind": kind,
            "pause": PAUSE if follows else None,
            "placeholder": placeholder,
            "most": most,
            "height": height,
        },
        width=width,
        on_typed_change=receive,
    )
    try:
        typed = schema.read(TYPED, sent.get(_EVENT))
    except schema.Misfit:
        return
    # No callback has heard it: an earlier server has. The box tells this one what is to count.
    st.session_state[heard] = max(now, typed["n"])
