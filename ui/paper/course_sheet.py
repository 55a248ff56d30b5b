"""A course as one page: its sessions in order, with links to the lessons and their packs."""

from __future__ import annotations

import html
from urllib.parse import urlencode

from core import localization
from core.lessons import Course, Lesson, Session
from core.lessons.keys import state
from core.localization import _, ngettext
from ui import navigation, permalink
from ui.models import lesson_records
from ui.paper.links import address, short
from ui.paper.markdown_html import block, inline
from ui.serving.routes import root
from ui.state import LANGUAGE, LESSON, MODEL, Place


def sheet(course: Course) -> str:
    """The page of a course, without a frame around it."""
    minutes = sum(one.minutes for one in course.sessions)
    count = len(course.sessions)
    title = ngettext("A course of {count} session", "A course of {count} sessions", count)
    top = f'<p class="top"><b>{title.format(count=count)}</b><span>{_minutes(minutes)}</span></p>'
    audience, goal = _("For"), _("Aim.")
    who = f"<p><b>{audience}</b> {inline(course.audience)}.</p>" if course.audience else ""
    aim = f"<p><b>{goal}</b> {inline(course.aim)}</p>"
    header = f"<header>{top}<h1>{inline(course.title)}</h1>{aim}{who}</header>"
    parts = "".join(_session(i, one) for i, one in enumerate(course.sessions, 1))
    how = _(
        "The minutes beside a lesson (′) are those of one person alone; in class, the plan in its pack "
        "makes 45 of them. Each lesson begins and ends with the same question: its two answers show "
        "what the class thought before and thinks after."
    )
    own = _("A course of your own")
    pages = _(
        "<i>My lesson</i>, on the page <i>Lessons</i>, puts pages of the app in the order that you "
        "want."
    )
    file = _(
        "Whoever has the files of Polysee can copy {file} and change its sessions; {manual} says how."
    ).format(
        file=f"<code>lessons/course-{html.escape(course.name)}.md</code>",
        manual="<code>docs/lessons.md</code>",
    )
    fold = f"<details class=own><summary>{own}</summary><p>{pages} {file}</p></details>"
    return f"{header}<p>{how}</p><div class=course>{parts}</div>{fold}"


def _minutes(count: int) -> str:
    return ngettext("{count} minute", "{count} minutes", count).format(count=count)


def _session(number: int, one: Session) -> str:
    rows = [f"<li>{_lesson(lesson)}</li>" for lesson in one.lessons]
    home = "".join(f"<li>{_lesson(lesson)}</li>" for lesson in one.home)
    can = "".join(f"<li>{inline(words)}</li>" for words in one.can)
    links = "".join(
        f'<li><a href="{html.escape(root() + _spoken(where))}">{inline(words)}</a></li>'
        for words, where in one.links
    )
    lesson_number = _("lesson {number}")
    needs = ", ".join(lesson_number.format(number=lesson.number) for lesson in one.missing)
    in_class, at_home, afterwards = _("In class"), _("At home"), _("Afterwards one can")
    lacks = _("<b>Not in this course:</b> it builds on {lessons}.").format(lessons=needs)
    parts = [
        f"<h2>{number}. {inline(one.title)} <span class=where>· {one.minutes}′</span></h2>",
        '<div class="two"><div>',
        f"<p><b>{in_class}</b></p><ul>{''.join(rows)}{links}</ul>",
        f"<p><b>{at_home}</b></p><ul>{home}</ul>" if home else "",
        f"</div><div><p><b>{afterwards}</b></p><ul>{can}</ul></div>"
        f"<div class=said>{block(one.text)}</div></div>",
        f"<p>{lacks}</p>" if needs else "",
    ]
    return f"<section>{''.join(parts)}</section>"


def _spoken(address: str) -> str:
    """An address of the app in the language of this page."""
    query = urlencode(_language())
    return f"{address}{'&' if '?' in address else '?'}{query}" if query else address


def _language() -> dict[str, str]:
    spoken = localization.current()
    return {} if spoken == localization.ENGLISH else {LANGUAGE.url: spoken}


def _lesson(one: Lesson) -> str:
    first = one.steps[0]
    where = "" if first.page == navigation.HOME else first.page
    is_other = lesson_records.is_text_model(first.model) and first.model != MODEL.default
    model = {MODEL.url: first.model} if is_other else {}
    place = {LESSON.url: str(Place(one.name, 1))}
    link = {**permalink.VERSION, **model, **state(first, one.texts), **place, **_language()}
    query = urlencode(link)
    to = html.escape(f"{root()}/{where}?{query}")
    title = _("Lesson {number}").format(number=one.number)
    return (
        f'<a href="{to}">{title}: {inline(one.title)}</a> '
        f"({one.minutes}′<span class=more>; "
        f'<a href="{address(one.name, "pack")}">{short("pack")}</a></span>)'
    )
