"""Heads: every head of a model on one text, from all of them down to one product."""

from __future__ import annotations

import streamlit as st

from core.settings import POEM
from pages.heads import (
    choices,
    difference,
    displayed,
    export,
    importance,
    predictions,
    state,
    writing,
    zoom,
)
from pages.heads.state import SIDES, WORDS
from ui import layout, permalink, prose, sense_ends, widgets
from ui.contributions.state import ON_HEADS
from ui.models import answers, model_cache
from ui.query import TextQuery

TEXT = permalink.Parameter("t", "heads text", POEM, typed=True)
SECOND = permalink.Parameter("t2", "heads second", "", typed=True)
OTHER = permalink.Parameter("m2", "heads other", "")
# A lesson is about MiniLM alone: what it points at is not so in another model.
LESSON = (
    *(widgets.MODEL, OTHER, TEXT, SECOND),
    *state.PARAMETERS,
    *writing.PARAMETERS,
    *(field.parameter for field in (*sense_ends.ENDS, *ON_HEADS)),
)
STATE = (*LESSON, layout.PROJECTOR)


def page() -> None:
    words = prose.read(__file__)
    layout.head(words)
    permalink.restore(STATE)
    room = [4.2, 2, 1.9] if st.session_state[layout.PROJECTOR.key] else [5, 2, 1.25]
    left, middle, right = st.columns(room, vertical_alignment="bottom")
    with left:
        widgets.text_box("Text", TEXT.key, on_change=state.forget)
    with middle:
        widgets.text_box("Text B, of a pair", SECOND.key, placeholder="none", on_change=state.forget)
    right.toggle("Whole words", key=WORDS.key, on_change=state.forget_tokens)
    models = [
        widgets.choose_model(state.forget),
        widgets.choose_other(OTHER, state.forget),
    ]
    layout.tools(STATE)
    typed, second = (str(st.session_state[parameter.key]) for parameter in (TEXT, SECOND))
    readable: list[TextQuery] = []
    if widgets.fits(typed, "The text") and widgets.fits(second or "-", "The second text"):
        asked = [choices.question(model, typed, second) for model in models if model]
        readable = [
            one
            for one in asked
            if (found := widgets.attempt(answers.answer, one)) is not None
            and widgets.reads(displayed.first_of(found), typed, "The text")
        ]
        if readable:
            _panels(readable)
    layout.try_this(words, LESSON)
    layout.footnotes(words)
    if not readable:
        layout.publish(STATE)


# It keeps what it is called with as long as the visitor stays: questions, no answers.
@st.fragment
def _panels(plain: list[TextQuery]) -> None:
    asked = [choices.as_chosen(one, side) for one, side in zip(plain, SIDES, strict=False)]
    places = st.columns(len(asked), gap="medium")
    panels = []
    for place, one, side in zip(places, asked, SIDES, strict=False):
        with place:
            if len(asked) > 1:
                st.markdown(f"**{model_cache.titled(one.model)}**")
            choices.choose(one, side, short=len(asked) > 1)
            panels.append(displayed.shown(one, side, st.session_state))
    links, not_said = displayed.links(panels), prose.read(__file__).not_said
    for number, (place, shown, link) in enumerate(zip(places, panels, links, strict=True)):
        with place:
            zoom.show(asked, number, shown, link)
            export.buttons(asked, number, shown, panels[0], not_said)
    if len(panels) == 2:
        with difference.show(panels[0], panels[1]):
            export.page_button(asked, not_said)
    predictions.show(asked)
    importance.show(panels)
    layout.publish(STATE)  # here, so that a choice in a panel neither loses nor misses what it says


page()
