"""Senses: one word in many sentences."""

from __future__ import annotations

import streamlit as st

from pages.senses import progress, query, sections
from pages.senses.state import FILE, LESSON, PRESET, SPACE
from ui import layout, permalink, prose, widgets
from ui.models import model_cache
from ui.models.word_vectors import OccurrenceQuery
from ui.stored import hold, resume

STATE = (widgets.MODEL, *LESSON, layout.PROJECTOR)


def page() -> None:
    words = prose.read(__file__)
    layout.head(words)
    permalink.restore(STATE)
    model = widgets.choose_model(load=model_cache.reader)
    layout.tools(STATE)
    word, sentences = query.choose()
    answer = None
    if not sentences or not word:
        file = st.session_state[PRESET.key] == FILE
        st.info(
            "Choose a file, and type the word that its sentences have."
            if file
            else "Type a word, and some sentences that have it, one a line."
        )
    elif model:
        asked = OccurrenceQuery(model, word, tuple(one.text for one in sentences))
        with st.container():  # its progress stands above the pictures, and has a place that stays
            answer = widgets.attempt(progress.answer, asked)
            if answer is not None and answer.job is not None:
                if answer.job.active:
                    progress.watch()
                    if answer.kept is not None:
                        progress.going_on(answer.kept)
                else:
                    progress.stopped(answer.job, answer.kept)
    if answer is not None and answer.kept is not None:
        resume(SPACE)
        sections.show(answer.kept, sentences)
    else:
        hold(SPACE)
    layout.try_this(words, LESSON)
    layout.footnotes(words)
    layout.publish(STATE)


page()
