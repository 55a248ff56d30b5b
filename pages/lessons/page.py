"""Lessons: the order in which the app is explored, and how far this browser has come."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from core.lessons import Lesson, courses, find, readable
from pages.lessons.state import LessonsState
from ui import page, same_in_python, text
from ui.lessons import progress, route, step_links
from ui.models import lesson_records
from ui.paper import links as paper
from ui.presenter import collected
from ui.state import Place
from ui.state import text as text_box


def show(s: LessonsState) -> None:
    every, wrong = readable()
    for why in wrong:  # of a teacher who writes one
        st.error(text.plain(why))
    if not every:
        st.info("There are no lessons here: the folder “lessons” is missing.")
        return
    first = every[0]
    route.link()
    step_links.link(Place(first.name, 1), f"**New here? Start with lesson 1: {first.title}**")
    _courses()
    typed = text_box(s.typed, "Find a lesson")
    found = [one for one in every if _about(one, typed)]
    if not found:
        st.info(f"No lesson is about “{text.plain(typed.strip()[:40])}”. Look for a shorter word.")
    for one in found:
        with st.container(border=True, key=f"lesson {one.name}", gap="xxsmall"):
            _row(one)
    if found:
        paper.fold(found)
    collected.arrange()
    progress.forget()
    same_in_python.show(s.python, _lines)


def _courses() -> None:
    """The courses that are made of lessons, each a page of its own."""
    every, wrong = courses()
    for why in wrong:  # of a teacher who writes one
        st.error(text.plain(why))
    for one in every:
        about = f"{len(one.sessions)} sessions of lessons, with their links"
        st.markdown(f'For teachers, a course: [{one.title}]({paper.course(one.name)} "{about}")')


def _about(one: Lesson, typed: str) -> bool:
    """Whether a lesson's text contains the typed words."""
    steps = (part for step in one.steps for part in (step.title, step.text, step.question))
    said = " ".join((one.title, one.aim, *one.texts.values(), *steps)).casefold()
    return " ".join(typed.casefold().split()) in said


def _row(one: Lesson) -> None:
    left, right = st.columns([5, 2], vertical_alignment="center")
    with left:
        step_links.link(Place(one.name, 1), f"**{one.number}. {one.title}**")
        st.markdown(one.aim)
    with right:
        called = text.plain(lesson_records.called(one.model))
        st.caption(f"{one.minutes} minutes, {len(one.steps)} steps{_after(one)}  \nAbout {called}")
        progress.show(one.name, len(one.steps))


def _after(one: Lesson) -> str:
    """The lessons that come before it."""
    found = [str(lesson.number) for name in one.needs if (lesson := find(name)) is not None]
    if not found:
        return "; needs nothing"
    return f"; after lesson{'s' if len(found) > 1 else ''} {' and '.join(found)}"


def _lines() -> Mapping[str, str]:
    return {
        "Python": "from core import lessons\n\n[(one.number, one.title) for one in lessons.lessons()]"
    }


page.run(__file__, LessonsState, show, picture="presented-page")
