"""The ways to a step of a lesson: a link from anywhere, and the query that it has."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress

import streamlit as st
from streamlit.errors import StreamlitAPIException

from core.lessons import keys
from ui import navigation, permalink
from ui.models import lesson_records
from ui.state import LESSON, MODEL, PRESENT, PROJECTOR, Place


def query(place: Place) -> dict[str, str]:
    """The query of the link to a step."""
    lesson = place.lesson
    texts = lesson.with_second() if place.second else lesson.texts
    state = keys.state(place.its_step, texts)
    if lesson_records.is_text_model(lesson.model) and lesson.model != MODEL.default:
        state = {MODEL.url: lesson.model, **state}
    if PROJECTOR.get():
        state[PROJECTOR.url] = "1"
    if PRESENT.get():
        state[PRESENT.url] = "1"
    return {**permalink.VERSION, **state, LESSON.url: str(place)}


def script(page: str) -> str:
    """The script of the page at an address, as the app's frame knows it."""
    return navigation.script(navigation.folder(page))


def link(place: Place, label: str) -> None:
    """A link to a step, which another page has."""
    # A page that runs alone, without the frame of the app, knows no other.
    with suppress(StreamlitAPIException):
        st.page_link(script(place.its_step.page), label=label, query_params=query(place))


def go(place: Place) -> None:
    """Open a step on another page: in a run, not in a callback."""
    go_to(place.its_step.page, query(place))


def go_to(page: str, state: Mapping[str, str]) -> None:
    """Open the page at an address with exactly this state: in a run, not in a callback."""
    with suppress(StreamlitAPIException):  # as in `link`
        st.switch_page(script(page), query_params=dict(state))
