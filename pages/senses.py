"""Senses: one word in many sentences."""

from __future__ import annotations

import streamlit as st

from ui import controls, frame, permalink, prose, shelf, word_senses, word_senses_ask, word_senses_wait
from ui.held import hold, resume
from ui.word_senses_kept import Asked
from ui.word_senses_state import FILE, LESSON, PRESET, SPACE

STATE = (controls.MODEL, *LESSON, frame.PROJECTOR)


def page() -> None:
    words = prose.read(__file__)
    frame.head(words)
    permalink.restore(STATE)
    model = controls.choose_model(load=shelf.reader)
    frame.tools(STATE)
    word, sentences = word_senses_ask.choose()
    answer = None
    if not sentences or not word:
        file = st.session_state[PRESET.key] == FILE
        st.info(
            "Choose a file, and type the word that its sentences have."
            if file
            else "Type a word, and some sentences that have it, one a line."
        )
    elif model:
        asked = Asked(model, word, tuple(one.text for one in sentences))
        with st.container():  # its progress stands above the pictures, and has a place that stays
            answer = controls.attempt(word_senses_wait.answer, asked)
            if answer is not None and answer.job is not None:
                if answer.job.active:
                    word_senses_wait.watch()
                    if answer.kept is not None:
                        word_senses_wait.going_on(answer.kept)
                else:
                    word_senses_wait.stopped(answer.job, answer.kept)
    if answer is not None and answer.kept is not None:
        resume(SPACE)
        word_senses.show(answer.kept, sentences)
    else:
        hold(SPACE)
    frame.try_this(words, LESSON)
    frame.footnotes(words)
    frame.publish(STATE)


page()
