"""Our own box for a text: it grows with the text, and sends it when the visitor has finished typing.

The browser numbers its messages, and the server confirms the last number that it has received. From
that, the box knows which texts of the server it may show, which of its own are still on their way, and
which it must send again to a server that was restarted.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, NamedTuple

import streamlit as st

from core.figures import schema
from core.localization import _
from ui import events, session
from ui.session import SessionValue

PAUSE = 700  # milliseconds without a key, longer than between the keys of somebody who is typing
# The action of Enter. In a "sentence" and in a "paragraph", it sends the text; Shift+Enter starts a new
# line in a paragraph. In "lines", a list, it starts a new line, and Ctrl+Enter sends the text.
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
    """The text with half surrogate pairs replaced, as a browser shows them."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _hints(kind: Kind, most: int | None) -> dict[str, str]:
    """What a screen reader hears of the box: how its text is applied, and that it is full."""
    breaks = {
        "sentence": "",
        "paragraph": _(" Shift+Enter begins a new line."),
        "lines": _(" Enter begins a new line."),
    }[kind]
    key = _("Ctrl+Enter applies the text.") if kind == "lines" else _("Enter applies the text.")
    full = _("At most {most} characters.").format(most=most)
    return {
        "applies": key + breaks,
        "follows": _("The page follows as you type.") + breaks,
        "full": full,
    }


class _Numbers(NamedTuple):
    """The number of a box's last message: of all, of those before it was drawn, of the discarded."""

    heard: SessionValue[int]
    drawn: SessionValue[int]
    lost: SessionValue[int]


def _numbers(key: str) -> _Numbers:
    return _Numbers(*(SessionValue(f"{key} {one}", 0) for one in ("heard", "heard when drawn", "lost")))


def overwritten(key: str) -> None:
    """Discard messages that arrived since the box was drawn, because something else has set the text.

    Call it before the new text is noted as drawn: if the run is cut off in between, the next one finds
    the same state again.
    """
    numbers = _numbers(key)
    if numbers.heard.get() > numbers.drawn.get():  # both arrived together
        numbers.lost.set(numbers.heard.get())


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
    """Draw the box, and receive the text that is typed into it.

    Args:
        key: its name on the page.
        label: the text of its label.
        text: its content; while a visitor is typing, the typed text stays.
        take: called with the typed text, before the run that it causes; returns whether the text is
            accepted: not if something else, such as an example, has set the text meanwhile.
        kind: the action of Enter.
        follows: whether a pause sends the text; otherwise only Enter and leaving the box do.
        named: whether the label is above it; otherwise only a screen reader reads it.
        placeholder: the text shown while it is empty.
        most: the most letters that it accepts.
        height: the height without the label, in pixels; None for as many lines as needed, up to eight.
        width: the width in pixels.
    """
    heard, drawn, lost = _numbers(key)

    def receive() -> None:
        events.receive(TYPED, key, _EVENT, take_typed)

    def take_typed(typed: dict[str, Any]) -> None:
        # After its server has forgotten the box, a browser may repeat an old message.
        if typed["n"] > heard.get():
            heard.set(typed["n"])
            if not take(_whole_signs(typed["text"])):
                lost.set(typed["n"])

    now = heard.get()
    drawn.set(now)
    sent = _COMPONENT(
        key=key,
        data={
            "name": key,
            "text": text,
            "heard": now,
            "lost": lost.get(),
            "visit": session.name(),
            "label": label,
            "named": named,
            "kind": kind,
            "pause": PAUSE if follows else None,
            "placeholder": placeholder,
            "hints": _hints(kind, most),
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
    # No callback of this server has received it, only an earlier server. The box sends the valid text
    # again.
    heard.set(max(now, typed["n"]))
