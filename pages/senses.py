"""Senses: one word in many sentences."""

from __future__ import annotations

import streamlit as st

from core.examples import words as preset_words
from ui import controls, frame, permalink, prose, word_senses, word_senses_kept
from ui.word_senses_state import LESSON, LINES, OWN, PRESET, WORD, lines_of

STATE = (controls.MODEL, *LESSON, frame.PROJECTOR)


def page() -> None:
    words = prose.read(__file__)
    frame.head(words)
    permalink.restore(STATE)
    model = controls.choose_model()
    frame.tools(STATE)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.selectbox(
            "Sentences",
            [OWN, *preset_words()],
            index=[OWN, *preset_words()].index(st.session_state[PRESET.key]),
            key=PRESET.key,
            format_func=lambda name: "your own" if name == OWN else f"ours about “{name}”",
            on_change=_take,
            width=230,
        )
        st.text_input("Word", key=WORD.key, width=200)
    with st.expander("The sentences, one a line: label | sentence"):
        st.text_area(
            "Sentences, one a line",
            key=LINES.key,
            height=260,
            on_change=_typed,
            label_visibility="collapsed",
        )
    sentences = word_senses_kept.read(str(st.session_state[LINES.key]))
    word = str(st.session_state[WORD.key]).strip()
    if not sentences or not word:
        st.info("Type a word, and some sentences that have it, one a line.")
    elif model:
        asked = word_senses_kept.Asked(model, word, tuple(one.text for one in sentences))
        with st.container():  # its progress stands above the pictures, and has a place that stays
            found = controls.attempt(word_senses_kept.vectors, *asked)
        if found is not None:
            word_senses.show(asked, found, sentences)
    frame.try_this(words, LESSON)
    frame.footnotes(words)
    frame.publish(STATE)


def _take() -> None:
    """Another set of sentences brings its word."""
    name = st.session_state[PRESET.key]
    if name != OWN:
        st.session_state[WORD.key], st.session_state[LINES.key] = name, lines_of(name)


def _typed() -> None:
    st.session_state[PRESET.key] = OWN


page()
