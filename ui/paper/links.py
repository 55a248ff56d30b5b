"""The links from the app to the sheets of a lesson, which lead to each other.

They open in a new tab, so that the page stays as it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias, get_args

import streamlit as st

from core import localization
from core.lessons import Lesson
from core.localization import _, pgettext
from ui import state
from ui.serving.routes import root
from ui.state import Switch

LANGUAGE = "lang"  # the key of a language in the query of a sheet
# One sheet each; slides and pack are several.
Kind: TypeAlias = Literal["notes", "questions", "check", "key", "plan", "rubric", "slides", "pack"]
EVERY: tuple[Kind, ...] = get_args(Kind)
KINDS: tuple[Kind, ...] = EVERY[:-2]
# The columns of the table: all sheets in one, what a class is given, what its teacher needs.
_FOR: tuple[tuple[Kind, ...], ...] = (
    ("pack",),
    ("notes", "questions", "check"),
    ("key", "plan", "rubric", "slides"),
)
_STYLE = """<style>
.st-key-lesson-sheets table {width: 100%;}
.st-key-lesson-sheets :is(th, td) {border-width: 0 0 1px !important; text-align: left;
padding: .4rem .8rem .4rem 0 !important; vertical-align: top;}
.st-key-lesson-sheets tr:last-child td {border: 0 !important;}
@media (max-width: 640px) {
.st-key-lesson-sheets :is(th, td) {font-size: .8rem; line-height: 1.6; padding-right: .5rem !important;}
}
</style>"""


def address(lesson: str, kind: Kind, *, second: bool = False) -> str:
    """The path of a sheet.

    Args:
        lesson: its name.
        kind: of the sheet.
        second: with the lesson's second sentences.
    """
    query = "&".join(filter(None, ("second" if second else "", _spoken())))
    return f"{root()}/paper/{lesson}/{kind}{query and '?'}{query}"


def _spoken() -> str:
    """The part of a query that names the language; "" for English."""
    code = localization.current()
    return "" if code == localization.ENGLISH else f"{LANGUAGE}={code}"


def on_paper() -> str:
    """The heading above the links to all packs."""
    return _("On paper: a pack for each lesson, with plan, sheets, key, slides and rubric")


def fold(lessons: Sequence[Lesson], is_open: Switch) -> None:
    """The links to all sheets of these lessons, folded: each link is a stop for the Tab key."""
    query = _spoken()
    with state.fold(is_open, on_paper()):
        st.markdown(
            _("[All packs]({address}), a ZIP file of pages to print (made in minutes)").format(
                address=f"{root()}/paper/packs.zip{query and '?'}{query}"
            )
        )
        st.html(_STYLE)
        with st.container(key="lesson sheets"):
            st.markdown(_table(lessons))


def _table(lessons: Sequence[Lesson]) -> str:
    """A row for each lesson, with the links to its sheets (a Markdown table)."""
    heads = (_("Lesson"), _("All of it"), _("For the class"), _("For you"))
    rows = [heads, ("---",) * len(heads)]
    for one in lessons:
        sheets = (" · ".join(_link(one, kind) for kind in kinds) for kinds in _FOR)
        title = one.title.replace("|", "\\|")
        rows.append((f"{one.number}. {title}", *sheets))
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _link(one: Lesson, kind: Kind) -> str:
    about = _("Lesson {number}: {sheet}").format(number=one.number, sheet=short(kind))
    return f'[{_called(kind)}]({address(one.name, kind)} "{about}")'


def button(lesson: str, *, second: bool) -> None:
    """A link to the questions of a lesson, in a word: on its card there is little room."""
    about = _("Questions, notes, key, and a plan of 45 minutes: a sheet of paper each.")
    link = f'({address(lesson, "questions", second=second)} "{about}")'
    st.markdown("[" + _("Print") + "]" + link, width="content")


def course(name: str) -> str:
    """The path of a course's page."""
    query = _spoken()
    return f"{root()}/paper/course/{name}{query and '?'}{query}"


def _called(kind: str) -> str:
    return f"**{short(kind)}**" if kind == "pack" else short(kind)


def short(kind: str) -> str:
    """The name of a kind of sheet in a row of links."""
    return {
        "notes": _("notes"),
        "questions": _("questions"),
        "check": _("before and after"),
        "key": pgettext("of answers", "key"),
        "plan": _("plan"),
        "rubric": _("rubric"),
        "slides": _("slides"),
        "pack": _("pack"),
    }[kind]
