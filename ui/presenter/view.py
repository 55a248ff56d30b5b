"""The presenter: one picture and its sentence on the whole screen; the next step by PageDown.

The browser shows less of a page that is drawn as always: a style hides all but the words, one picture
and the bar (`presenter.css`), and `presenter.js` says which picture, hears the keys, and asks for the
whole screen. The whole screen is the document's, which Streamlit does not redraw.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import streamlit as st

from core.figures import schema
from core.lessons import Slide
from core.localization import _
from ui import events, navigation, permalink, text
from ui.classroom import asked
from ui.lessons import card, parts, step_links
from ui.page import leads, prose, terms
from ui.session import SessionValue
from ui.state import AT, CHECK, LESSON, MINE, MOMENTS, PRESENT, PROJECTOR, Place

_HERE = Path(__file__).parent
# Registered once a process, when this module is imported: a second registration would win for all.
_COMPONENT = st.components.v2.component(
    "polysee_presenter",
    html='<div class="polysee-presenter"></div>',
    js=(_HERE / "presenter.js").read_text("utf-8"),
    isolate_styles=False,
)
_STYLE = f"<style>{(_HERE / 'presenter.css').read_text('utf-8')}</style>"
# A lesson's own sentences take the room of the page's.
_OF_LESSON = """<style>
.stMainBlockContainer :is(.st-key-presented-line, .st-key-presented-line-meanings,
.st-key-presented-line-ways,
[class*="st-key-"]:has(.st-key-presented-line):not(:has([data-presented]))) {display: none !important;}
</style>"""
# A line of the picture's own says more than the page's promise, which makes room for the picture; while
# a class chooses meanings, the title makes room, too.
_OF_PAGE = """<style>
.stMainBlockContainer:has(.st-key-presented-line p) .st-key-presented-words p,
.stMainBlockContainer:has(.st-key-presented-line-meanings button) .st-key-presented-words {
display: none !important;}
</style>"""
_OFFER_STYLE = f"<style>{(_HERE / 'offer.css').read_text('utf-8')}</style>"
_GO: schema.Fields = {
    "to": {"enum": ["present", "mine", "step", "reveal", "ask", "answers", "picture", "leave"]},
    "step": {"type": "integer", "minimum": 0, "maximum": 999},
}
_WANTED = SessionValue[tuple[str, dict[str, str]] | None]("presenter wanted", None)
_ANSWERS = SessionValue("presenter answers", False)  # instead of the picture


class Series(NamedTuple):
    """Where one is among the steps that are presented: `at` of `of`, from 1.

    A lesson's question before it and after it stands in front of them and behind them: at `first`, 0,
    and at `last`, `of` + 1.
    """

    at: int
    of: int
    first: int = 1
    last: int = 1


def series() -> Series:
    """The steps of one's own lesson, of a lesson, or this page alone."""
    mine, place = MINE.get().slides, LESSON.get()
    if 0 < AT.get() <= len(mine):
        return Series(AT.get(), len(mine), 1, len(mine))
    if place is None:
        return Series(1, 1)
    of, asked_twice = len(place.lesson.steps), _asked_twice(place)
    at = next((one for one, when in asked_twice.items() if when == card.moment(place)), place.step)
    return Series(at, of, min((1, *asked_twice)), max((of, *asked_twice)))


def _asked_twice(place: Place) -> dict[int, str]:
    """Where a lesson's question stands among its steps, and when it is asked there; empty for none."""
    ends = 0, len(place.lesson.steps) + 1
    return {} if place.lesson.check is None else dict(zip(ends, MOMENTS, strict=True))


def slide() -> Slide | None:
    """The step of one's own lesson that is presented."""
    mine = MINE.get().slides
    return mine[AT.get() - 1] if 0 < AT.get() <= len(mine) else None


def target(number: int) -> tuple[str, dict[str, str]] | None:
    """The page and the state of a step of the series; None if there is none, or no such page."""
    mine, place = MINE.get().slides, LESSON.get()
    if AT.get():
        return _of_mine(number) if 0 < number <= len(mine) else None
    if place is None:
        return None
    of, asked_twice = len(place.lesson.steps), _asked_twice(place)
    if not (0 < number <= of or number in asked_twice):
        return None
    to = place._replace(step=min(max(number, 1), of))
    query = step_links.query(to)
    if number in asked_twice:
        query[CHECK.url] = asked_twice[number]
    return to.its_step.page or navigation.HOME, query


def _of_mine(number: int) -> tuple[str, dict[str, str]] | None:
    one = MINE.get().slides[number - 1]
    if not leads.known(one.page):
        return None
    along = {PRESENT.url: "1", AT.url: str(number)}
    if PROJECTOR.get():
        along[PROJECTOR.url] = "1"
    return one.page, {**permalink.VERSION, **one.state(), **along}


def go() -> None:
    """At the start of a run: to the step of another page that was asked for, if any."""
    if (wanted := _WANTED.take()) is not None:
        step_links.go_to(*wanted)


def offer(key: str, label: str, to: str = "present") -> None:
    """A button that begins to present.

    Args:
        key: its name on the page.
        label: its text.
        to: "present" this page, or one's own lesson: "mine".
    """
    st.html(_OFFER_STYLE)
    _mount(key, {"do": "offer", "label": label, "to": to}, {})


def show(words: prose.Prose, fields: permalink.Fields, page: str, picture: str) -> None:
    """Draw what is presented beside the picture: its words, and the bar.

    Args:
        words: those of the page.
        fields: the fields of the page.
        page: its address.
        picture: the key of the container of its picture, with "-" for " "; "" for its first one.
    """
    offers, own = card.Offers(), slide()
    of = "" if own is not None else _OF_PAGE if LESSON.get() is None else _OF_LESSON
    st.html(_STYLE + terms.STYLE + of)
    terms.begin(words.point)
    with st.container(key="presented words", gap="small"):
        if own is not None:
            st.markdown(f"## {text.plain(own.title)}")
        if own is not None and own.note:
            st.markdown(text.plain(own.note))
        elif LESSON.get() is not None:
            offers = card.present(fields, page)
        else:
            if own is None:
                st.markdown(f"## {words.title}")
            st.markdown(terms.linked(words.point))
    where = series()
    room = asked.is_open()
    data = {
        "do": "present",
        "words": _words(),
        "at": where.at,
        "of": where.of,
        "first": where.first,
        "last": where.last,
        "alone": own is None and bool(card.moment(LESSON.get())),
        "reveal": offers.reveal is not None,
        "ask": offers.ask is not None,
        "room": room,
        "answers": room and _ANSWERS.get(),
        "picture": picture,
        "covers": _covered(page) if own is None else [],
        "turn": f"{page} {where.at} {bool(own)} {LESSON.get() or ''}",
    }
    acts = {"reveal": offers.reveal, "ask": None if offers.ask is None else lambda: _ask(offers)}
    _mount("presenter", data, acts)


def _words() -> dict[str, str]:
    """What the bar says."""
    return {
        "screen": _("Full screen"),
        "bar": _("Presenter"),
        "previous": _("Previous step"),
        "next": _("Next step"),
        "before": _("before"),
        "after": _("after"),
        "back": _("Keys: ← or Page Up"),
        "on": _("Keys: →, Page Down or the space bar"),
        "reveal": _("Reveal"),
        "ask": _("Ask the class"),
        "picture": _("Picture"),
        "answers": _("Class"),
        "type": _("Your own text"),
        "leave": _("Leave"),
    }


def _covered(page: str) -> list[str]:
    """The selectors of the parts that say a step's answer: its picture is among them."""
    place = LESSON.get()
    if place is None or place.its_step.page != page:
        return []
    return [parts.selector([one]) for one in place.its_step.covers]


def _ask(offers: card.Offers) -> None:
    if offers.ask is not None:
        offers.ask()
        _ANSWERS.set(True)


def _mount(key: str, data: Mapping[str, Any], acts: Mapping[str, Any]) -> None:
    def gone() -> None:
        events.receive(_GO, key, "go", partial(_take, acts))

    _COMPONENT(key=key, data=dict(data), height="content", on_go_change=gone)


def _take(acts: Mapping[str, Any], sent: Mapping[str, Any]) -> None:
    """Do what was pressed, in a callback."""
    to = sent["to"]
    if (act := acts.get(to)) is not None:
        act()
    elif to == "step":
        _ANSWERS.set(False)  # its own words and picture come before the class
        _open(target(sent["step"]))
    elif to == "mine" and MINE.get().slides:
        _open(next(filter(None, map(_of_mine, range(1, len(MINE.get().slides) + 1))), None))
    elif to == "present":
        PRESENT.set(True)
        CHECK.set(card.begins_with(LESSON.get()))
        _ANSWERS.set(asked.is_asked(LESSON.get()))
    elif to in ("answers", "picture"):
        _ANSWERS.set(to == "answers")
    elif to == "leave":
        PRESENT.set(False)
        CHECK.set("")
        AT.set(0)


def _open(to: tuple[str, dict[str, str]] | None) -> None:
    """Open a step: on this page at once, on another one in the run."""
    if to is None:
        return
    page, state = to
    if navigation.folder(page) == leads.here():
        permalink.go(permalink.now().fields, state)
    else:
        _WANTED.set((page, state))
