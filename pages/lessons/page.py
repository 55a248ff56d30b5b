"""Lessons: the order in which the app is explored, and how far this browser has come."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby

import streamlit as st

from core.lessons import Lesson, courses, find, readable
from core.localization import N_, _, gettext, ngettext
from pages.lessons.state import LessonsState
from ui import navigation, page, same_in_python, text
from ui.classroom import asked
from ui.lessons import progress, route, step_links
from ui.models import lesson_records
from ui.page.icons import drawn
from ui.paper import links as paper
from ui.presenter import collected
from ui.state import Place
from ui.state import text as text_box

# Readable from the last row of a room, where the list is projected.
_LOOK = """
[class*="st-key-card-of-"] {padding: .9rem 1rem .2rem 4.1rem !important; position: relative;}
[class*="st-key-card-of-"]::before {content: ""; position: absolute; left: 1.05rem; top: 1rem;
width: 2.1rem; height: 2.1rem; background: light-dark(#3B6EA8, #7FB2E5);
mask: var(--drawn) center / contain no-repeat;}
[class*="st-key-card-of-"] .stPageLink :is(a, span, p) {white-space: normal;}
[class*="st-key-card-of-"] .stPageLink p {font-size: 1.15rem !important;}
[class*="st-key-card-of-"] p {line-height: 1.35;}
[class*="st-key-card-of-"] :is([data-testid="stCaptionContainer"], [data-testid="stMarkdownContainer"])
{margin-bottom: 0;}
.stMain h4 {padding: .8rem 0 .4rem !important; font-size: 1.25rem !important;}
.st-key-lessons-ways {row-gap: .3rem;}
"""


def show(s: LessonsState) -> None:
    every, wrong = readable()
    for why in wrong:  # of a teacher who writes one
        st.error(text.plain(why))
    if not every:
        st.info(_("There are no lessons here: the folder “lessons” is missing."))
        return
    first = every[0]
    st.html(_style(every))
    with st.container(horizontal=True, vertical_alignment="center", gap="medium", key="lessons ways"):
        label = _("**New here? Start with lesson 1: {title}**").format(title=first.title)
        step_links.link(Place(first.name, 1), label)
        route.link()
    typed = text_box(s.typed, _("Find a lesson"))
    found = [one for one in every if _about(one, typed)]
    if not found:
        said = _("No lesson is about “{words}”. Look for a shorter word.")
        st.info(said.format(words=text.plain(typed.strip()[:40])))
    for part, some in groupby(found, _part):
        if not typed.strip() and part:
            st.markdown(f"#### {part}")
        _rows([*some])
    title = _("For teachers")
    st.markdown(f"#### {title}")
    _courses()
    if found:
        paper.fold(found, s.sheets)
    asked.before_class()
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
        st.markdown(_("A course: {link}").format(link=link))


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


def _rows(lessons: Sequence[Lesson]) -> None:
    """Two lessons in each row; on a phone, one."""
    for first in range(0, len(lessons), 2):
        for column, one in zip(st.columns(2), lessons[first : first + 2], strict=False):
            key = f"card of {one.name}"
            with column, st.container(border=True, key=key, gap="xxsmall", height="stretch"):
                _card(one)


def _card(one: Lesson) -> None:
    step_links.link(Place(one.name, 1), f"**{one.number}. {one.title}**")
    st.markdown(one.aim)
    pack = _("[pack to print]({address})").format(address=paper.address(one.name, "pack"))
    st.caption(" · ".join((_length(one), _model(one), *_after(one), pack)))
    progress.show(one.name, len(one.steps))


def _style(lessons: Sequence[Lesson]) -> str:
    """The look of the cards; each has the icon of the page on which its lesson begins."""
    icons = "\n".join(
        f".st-key-card-of-{one.name} {{--drawn: {drawn(navigation.folder(one.steps[0].page))};}}"
        for one in lessons
    )
    return f"<style>{_LOOK}\n{icons}</style>"


def _after(one: Lesson) -> tuple[str, ...]:
    """The lessons that come before it, in words; nothing if it needs none."""
    found = [str(lesson.number) for name in one.needs if (lesson := find(name)) is not None]
    if not found:
        return ()
    *others, last = found
    said = ngettext("after lesson {numbers}", "after lessons {numbers}", len(found))
    both = _("{others} and {last}").format(others=", ".join(others), last=last) if others else last
    return (said.format(numbers=both),)


def _model(one: Lesson) -> str:
    """The name of its model, which takes little room."""
    if one.model == lesson_records.TRANSLATOR:
        return _("a small translator")
    if one.model.startswith(lesson_records.TASK):
        return _("a model that learns")
    return text.plain(lesson_records.called(one.model).partition(" (")[0])


def _length(one: Lesson) -> str:
    """How long it takes."""
    return ngettext("**{count} minute**", "**{count} minutes**", one.minutes).format(count=one.minutes)


def _lines() -> Mapping[str, str]:
    return {
        "Python": "from core import lessons\n\n[(one.number, one.title) for one in lessons.lessons()]"
    }


page.run(__file__, LessonsState, show, picture="presented-page", translated=True)
