"""Senses: one word in many sentences."""

from __future__ import annotations

import streamlit as st

from core.errors import WordNotFound
from core.localization import _, gettext
from pages.senses import captions, progress, query, sections
from pages.senses.state import SensesState
from ui import page, text
from ui.models import model_cache
from ui.models.attempt import attempt, say_special_in_any
from ui.models.choice import choose_model
from ui.models.word_vectors import OccurrenceQuery


def senses(s: SensesState) -> None:
    model = choose_model(model_cache.reader)
    page.tools(s.link())
    word, sentences = query.choose(s)
    if not sentences or not word:
        if what := query.missing(s, word):
            st.info(what)
        return
    if not model:
        return
    merged = attempt(query.merged, model, sentences)
    if merged is None:
        return
    occurrence_query = OccurrenceQuery(model, word, tuple(one.text for one in merged.sentences))
    with st.container():  # the progress is above the pictures, at a permanent place
        answer = attempt(_answer, s, occurrence_query)
        if answer is not None and answer.job is not None:
            if answer.job.active:
                progress.watch()
                if answer.cached is not None:
                    progress.going_on(answer.cached)
            else:
                progress.stopped(answer.job, answer.cached)
    if answer is not None and answer.cached is not None:
        say_special_in_any(model, occurrence_query.texts, _("A sentence"))
        if model_cache.is_decoder(model):
            st.caption(gettext(captions.LEFT_TO_RIGHT))
        sections.show(s, answer.cached, merged)


def _answer(s: SensesState, occurrence_query: OccurrenceQuery) -> progress.Answer | None:
    """The answer; None, with what to do about it, if no sentence contains the word."""
    try:
        return progress.answer(occurrence_query)
    except WordNotFound as error:
        st.error(text.of_error(error))
        query.ways_on(s, occurrence_query.word, occurrence_query.texts)
        return None


page.run(__file__, SensesState, senses, tools=False, translated=True)
