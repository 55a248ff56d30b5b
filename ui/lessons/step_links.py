"""The ways to a step of a lesson: a link from anywhere, and the query that it has."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Literal

import streamlit as st
from streamlit.errors import StreamlitAPIException

from core.lessons import keys
from ui import navigation, permalink
from ui.models import lesson_records
from ui.state import LANGUAGE, LESSON, MODEL, PRESENT, PROJECTOR, Field, Place

Kind = Literal["primary", "secondary", "tertiary"]  # of a button


def query(place: Place) -> dict[str, str]:
    """The query of the link to a step."""
    lesson = place.lesson
    texts = lesson.with_second() if place.second else lesson.texts
    state = keys.state(place.its_step, texts)
    model = place.its_step.model
    if lesson_records.is_text_model(model) and model != MODEL.default:
        state = {MODEL.url: model, **state}
    if PROJECTOR.get():
        state[PROJECTOR.url] = "1"
    if PRESENT.get():
        state[PRESENT.url] = "1"
    if LANGUAGE.get():
        state[LANGUAGE.url] = LANGUAGE.get()
    return {**permalink.VERSION, **state, LESSON.url: str(place)}


def on_page(fields: permalink.Fields) -> dict[str, str]:
    """What the page's link says, with its defaults."""
    return written({one: one.get() for one in fields})


def written(values: Mapping[Field[Any], Any]) -> dict[str, str]:
    """The values of fields by their keys in a link; "" for what is as usual."""
    return {one.url: "" if value is None else one.write(value) for one, value in values.items()}


def script(page: str) -> str:
    """The script of the page at an address, as the app's frame knows it."""
    return navigation.script(navigation.folder(page))


def link(place: Place, label: str) -> None:
    """A link to a step, which another page has."""
    # A page that runs alone, without the frame of the app, knows no other.
    with suppress(StreamlitAPIException):
        st.page_link(script(place.its_step.page), label=label, query_params=query(place))


def button(
    label: str,
    key: str,
    place: Place,
    fields: permalink.Fields,
    page: str,
    *,
    kind: Kind = "secondary",
    icon: str | None = None,
) -> None:
    """A button to a step: on this page it sets the fields, another page it opens.

    Args:
        label: its text.
        key: the first part of its name.
        place: the step.
        fields: those of the page.
        page: the address of the page.
        kind: its look.
        icon: before its text.
    """
    here = place.its_step.page == page
    to = {"on_click": permalink.go, "args": (fields, query(place))} if here else {}
    # A name of its own: in the run after a click, the button of the next step is another one.
    if st.button(label, key=f"{key} {place}", type=kind, icon=icon, **to) and not here:  # type: ignore[arg-type]
        go(place)


def complete(fields: permalink.Fields, page: str) -> None:
    """Set the page as its step does, where a link names the step and says nothing else of the page.

    The app's address with a step of another page leads to that page.

    Call it before any control is drawn.

    Args:
        fields: those of the page.
        page: its address.
    """
    place, along = LESSON.get(), {LESSON.url, PRESENT.url, PROJECTOR.url}
    if place is None or not permalink.says_only(along):
        return
    if place.its_step.page == page:
        permalink.go(fields, query(place))
    elif page == navigation.HOME and not permalink.by_history():  # Back would lead there again
        go(place)


def go(place: Place) -> None:
    """Open a step on another page: in a run, not in a callback."""
    go_to(place.its_step.page, query(place))


def go_to(page: str, state: Mapping[str, str]) -> None:
    """Open the page at an address with exactly this state: in a run, not in a callback."""
    with suppress(StreamlitAPIException):  # as in `link`
        st.switch_page(script(page), query_params=dict(state))
