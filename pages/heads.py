"""Heads: every head of a model on one text, from all of them down to one product."""

from __future__ import annotations

import streamlit as st

from core.settings import POEM
from ui import (
    answers,
    controls,
    frame,
    ladder,
    ladder_choices,
    ladder_difference,
    ladder_saved,
    ladder_shown,
    ladder_state,
    permalink,
    predictions,
    prose,
    sense_ends,
    shelf,
    why_heads,
    why_state,
    writing_on,
)
from ui.asked import Asked
from ui.ladder_state import SIDES, WORDS

TEXT = permalink.Parameter("t", "heads text", POEM, typed=True)
SECOND = permalink.Parameter("t2", "heads second", "", typed=True)
OTHER = permalink.Parameter("m2", "heads other", "")
# A lesson is about MiniLM alone: what it points at is not so in another model.
LESSON = (
    *(controls.MODEL, OTHER, TEXT, SECOND),
    *ladder_state.PARAMETERS,
    *writing_on.PARAMETERS,
    *(*sense_ends.ENDS, *why_state.ON_HEADS),
)
STATE = (*LESSON, frame.PROJECTOR)


def page() -> None:
    words = prose.read(__file__)
    frame.head(words)
    permalink.restore(STATE)
    room = [4.2, 2, 1.9] if st.session_state[frame.PROJECTOR.key] else [5, 2, 1.25]
    left, middle, right = st.columns(room, vertical_alignment="bottom")
    with left:
        controls.text_box("Text", TEXT.key, on_change=ladder_state.forget)
    with middle:
        controls.text_box(
            "Text B, of a pair", SECOND.key, placeholder="none", on_change=ladder_state.forget
        )
    right.toggle("Whole words", key=WORDS.key, on_change=ladder_state.forget_tokens)
    models = [
        controls.choose_model(ladder_state.forget),
        controls.choose_other(OTHER, ladder_state.forget),
    ]
    frame.tools(STATE)
    typed, second = (str(st.session_state[parameter.key]) for parameter in (TEXT, SECOND))
    readable: list[Asked] = []
    if controls.fits(typed, "The text") and controls.fits(second or "-", "The second text"):
        asked = [ladder_choices.question(model, typed, second) for model in models if model]
        readable = [
            one
            for one in asked
            if (found := controls.attempt(answers.answer, one)) is not None
            and controls.reads(ladder_shown.first_of(found), typed, "The text")
        ]
        if readable:
            _ladders(readable)
    frame.try_this(words, LESSON)
    frame.footnotes(words)
    if not readable:
        frame.publish(STATE)


# It keeps what it is called with as long as the visitor stays: questions, no answers.
@st.fragment
def _ladders(plain: list[Asked]) -> None:
    asked = [ladder_choices.as_chosen(one, side) for one, side in zip(plain, SIDES, strict=False)]
    places = st.columns(len(asked), gap="medium")
    ladders = []
    for place, one, side in zip(places, asked, SIDES, strict=False):
        with place:
            if len(asked) > 1:
                st.markdown(f"**{shelf.titled(one.model)}**")
            ladder_choices.choose(one, side, _publish, short=len(asked) > 1)
            ladders.append(ladder_shown.shown(one, side, st.session_state))
    links, not_said = ladder_shown.links(ladders), prose.read(__file__).not_said
    for number, (place, shown, link) in enumerate(zip(places, ladders, links, strict=True)):
        with place:
            ladder.show(asked, number, shown, link, _publish)
            ladder_saved.buttons(asked, number, shown, ladders[0], not_said)
    if len(ladders) == 2:
        with ladder_difference.show(ladders[0], ladders[1]):
            ladder_saved.page_button(asked, not_said)
    predictions.show(asked, _publish)
    why_heads.show(ladders, _publish)
    frame.publish(STATE)  # here, so that a choice in a ladder neither loses nor misses what it says


def _publish() -> None:
    """At once, before the fragment runs: what is saved meanwhile is what is chosen."""
    permalink.publish(STATE)


page()
