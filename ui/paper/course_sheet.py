"""A course as one page: its sessions in order, with links to the lessons and their packs."""

from __future__ import annotations

import html
from urllib.parse import urlencode

from core.lessons import Course, Lesson, Session
from core.lessons.keys import state
from ui import navigation, permalink
from ui.models import lesson_records
from ui.paper.links import address
from ui.paper.markdown_html import block, inline
from ui.serving.routes import root
from ui.state import LESSON, MODEL, Place


def sheet(course: Course) -> str:
    """The page of a course, without a frame around it."""
    minutes = sum(one.minutes for one in course.sessions)
    top = (
        f'<p class="top"><b>A course of {len(course.sessions)} sessions</b>'
        f"<span>{minutes} minutes</span></p>"
    )
    who = f"<p><b>For</b> {inline(course.audience)}.</p>" if course.audience else ""
    aim = f"<p><b>Aim.</b> {inline(course.aim)}</p>"
    header = f"<header>{top}<h1>{inline(course.title)}</h1>{aim}{who}</header>"
    parts = "".join(_session(i, one) for i, one in enumerate(course.sessions, 1))
    how = (
        "<p>The minutes beside a lesson (′) are those of one person alone; in class, the plan in its "
        "pack makes 45 of them. Each lesson begins and ends with the same question: its two answers "
        "show what the class thought before and thinks after.</p>"
    )
    return f"{header}{how}{parts}"


def _session(number: int, one: Session) -> str:
    rows = [f"<li>{_lesson(lesson)}</li>" for lesson in one.lessons]
    home = "".join(f"<li>{_lesson(lesson)}</li>" for lesson in one.home)
    can = "".join(f"<li>{inline(words)}</li>" for words in one.can)
    links = "".join(
        f'<li><a href="{html.escape(root() + where)}">{inline(words)}</a></li>'
        for words, where in one.links
    )
    needs = ", ".join(f"lesson {lesson.number}" for lesson in one.missing)
    parts = [
        f"<h2>{number}. {inline(one.title)} <span class=where>· {one.minutes} minutes</span></h2>",
        '<div class="two"><div>',
        f"<p><b>In class</b></p><ul>{''.join(rows)}{links}</ul>",
        f"<p><b>At home</b></p><ul>{home}</ul>" if home else "",
        f"</div><div><p><b>Afterwards one can</b></p><ul>{can}</ul></div></div>",
        block(one.text) if one.text else "",
        f"<p><b>Not in this course:</b> it builds on {needs}.</p>" if needs else "",
    ]
    return f"<section>{''.join(parts)}</section>"


def _lesson(one: Lesson) -> str:
    first = one.steps[0]
    where = "" if first.page == navigation.HOME else first.page
    other = lesson_records.is_text_model(first.model) and first.model != MODEL.default
    model = {MODEL.url: first.model} if other else {}
    place = {LESSON.url: str(Place(one.name, 1))}
    query = urlencode({**permalink.VERSION, **model, **state(first, one.texts), **place})
    to = html.escape(f"{root()}/{where}?{query}")
    return (
        f'<a href="{to}">Lesson {one.number}: {inline(one.title)}</a> '
        f'({one.minutes}′; <a href="{address(one.name, "pack")}">pack</a>)'
    )
