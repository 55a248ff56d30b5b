"""Lessons: the order in which the app is explored, and how far this browser has come."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from core.lessons import Lesson, courses, find, readable
from core.localization import N_, _, gettext, ngettext
from pages.lessons.state import LessonsState
from ui import page, same_in_python, text
from ui.classroom import asked
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
        st.info(_("There are no lessons here: the folder “lessons” is missing."))
        return
    first = every[0]
    route.link()
    label = _("**New here? Start with lesson 1: {title}**").format(title=first.title)
    step_links.link(Place(first.name, 1), label)
    _courses()
    asked.before_class()
    sheets = st.container()
    typed = text_box(s.typed, _("Find a lesson"))
    found = [one for one in every if _about(one, typed)]
    if not found:
        said = _("No lesson is about “{words}”. Look for a shorter word.")
        st.info(said.format(words=text.plain(typed.strip()[:40])))
    under = ""
    for one in found:
        if not typed.strip() and (part := _part(one)) and part != under:
            under = part
            st.markdown(f"##### {part}")
        with st.container(border=True, key=f"lesson {one.name}", gap="xxsmall"):
            _row(one)
    if found:
        with sheets:
            paper.fold(found, s.sheets)
    collected.arrange()
    progress.forget()
    same_in_python.show(s.python, _lines)


def _courses() -> None:
    """The courses that are made of lessons, each a page of its own."""
    every, wrong = courses()
    for why in wrong:  # of a teacher who writes one
        st.error(text.plain(why))
    for one in every:
        about = ngettext(
            "{count} session of lessons, with its links",
            "{count} sessions of lessons, with their links",
            len(one.sessions),
        ).format(count=len(one.sessions))
        link = f'[{one.title}]({paper.course(one.name)} "{about}")'
        st.markdown(_("For teachers, a course: {link}").format(link=link))


def _about(one: Lesson, typed: str) -> bool:
    """Whether a lesson's text contains the typed words."""
    steps = (part for step in one.steps for part in (step.title, step.text, step.question))
    said = " ".join((one.title, one.aim, *one.texts.values(), *steps)).casefold()
    return " ".join(typed.casefold().split()) in said


# The last of our lessons under each heading. A teacher's own stand behind them, under none.
_PARTS = (
    ("position", N_("A word gets its meaning")),
    ("translation", N_("How attention works")),
    ("training", N_("Learning")),
    ("paper-to-today", N_("A model that speaks")),
)


def _part(one: Lesson) -> str:
    """The heading above a lesson in the list; "" for one behind ours, or where ours are not."""
    for last, title in _PARTS:
        if (end := find(last)) is not None and one.number <= end.number:
            return gettext(title)
    return ""


def _row(one: Lesson) -> None:
    left, right = st.columns([5, 2], vertical_alignment="center")
    with left:
        step_links.link(Place(one.name, 1), f"**{one.number}. {one.title}**")
        st.markdown(one.aim)
    with right:
        called = text.plain(lesson_records.called(one.model))
        about = _("About {model}").format(model=called)
        pack = _("[pack to print]({address})").format(address=paper.address(one.name, "pack"))
        st.caption(f"{_length(one)}; {_after(one)}  \n{about}; {pack}")
        progress.show(one.name, len(one.steps))


def _after(one: Lesson) -> str:
    """The lessons that come before it."""
    found = [str(lesson.number) for name in one.needs if (lesson := find(name)) is not None]
    if not found:
        return _("needs nothing")
    *others, last = found
    said = ngettext("after lesson {numbers}", "after lessons {numbers}", len(found))
    both = _("{others} and {last}").format(others=", ".join(others), last=last) if others else last
    return said.format(numbers=both)


def _length(one: Lesson) -> str:
    """How long it takes, and how many steps it has."""
    minutes = ngettext("{count} minute", "{count} minutes", one.minutes).format(count=one.minutes)
    steps = ngettext("{count} step", "{count} steps", len(one.steps)).format(count=len(one.steps))
    return f"{minutes}, {steps}"


def _lines() -> Mapping[str, str]:
    return {
        "Python": "from core import lessons\n\n[(one.number, one.title) for one in lessons.lessons()]"
    }


page.run(__file__, LessonsState, show, picture="presented-page", translated=True)
