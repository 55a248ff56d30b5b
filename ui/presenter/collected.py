"""The lesson that a teacher collects: a button on every page adds its state; a list arranges them."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from core.lessons import BadLesson, Slide, slides
from core.localization import N_, _, gettext, ngettext
from ui import navigation, permalink, session, text
from ui.lessons import step_links
from ui.page import leads
from ui.presenter import view
from ui.session import SessionValue
from ui.state import AT, CHECK, LANGUAGE, MINE, PRESENT, PROJECTOR, Mine, thread, upload
from ui.state import present as of_link

MOST_LINK = 4_000  # characters of the lesson in a link
_TOO_LONG = N_("Your lesson is full: shorten its texts, or save it as a file and begin another.")
_SAID = SessionValue("my lesson said", "")
_TURN = SessionValue("my lesson turn", 0)  # how often the list was changed: its boxes are then others


def keep(collected: tuple[Slide, ...]) -> None:
    """Make this one's own lesson, if a link can carry it; in a callback."""
    _TURN.set(_TURN.get() + 1)
    made = Mine(collected)
    if len(collected) > slides.MOST_SLIDES or len(of_link.write(made)) > MOST_LINK:
        _SAID.set(_TOO_LONG)
        return
    _SAID.set("")
    MINE.set(made)


def add(title: str) -> None:
    """A button that adds the state of this page to one's own lesson.

    Args:
        title: of the page.
    """
    count = len(MINE.get().slides)
    st.button(
        _("Add to my lesson"),
        key="my lesson add",
        on_click=_add,
        args=(title,),
        width="stretch",
        help=_(
            "Keeps this page as it is now as a step of a lesson of your own. On the page Lessons, you "
            "arrange, save and present it."
        ),
    )
    if leads.here() == "lessons":  # the list itself says all of this
        return
    if said := _SAID.get():
        st.caption(gettext(said))
    if count:
        label = ngettext("My lesson: {count} step", "My lesson: {count} steps", count)
        leads.down(label.format(count=count), "lessons", {})


def _add(title: str) -> None:
    own = (PRESENT.url, CHECK.url, AT.url, MINE.url, PROJECTOR.url, LANGUAGE.url)
    state = {key: value for key, value in permalink.shown().items() if key not in own}
    query = permalink.as_query(state)
    if len(query) > slides.MOST_QUERY:
        _SAID.set(_("The texts of this page are too long for a step of a lesson."))
        return
    sentence = thread.here().get("sentence")
    name = slides.bounded(f"{title}: {sentence}" if sentence else title, slides.MOST_TITLE)
    page = navigation.address(leads.here())
    keep((*MINE.get().slides, Slide(name, page, query)))


def arrange() -> None:
    """The list of one's own lesson, with all that can be done with it; on the page of lessons."""
    now = MINE.get()
    with st.expander(_("My lesson"), expanded=bool(now.slides or now.wrong), key="my lesson list"):
        for wrong in filter(None, (now.wrong, _SAID.get())):
            st.warning(text.plain(gettext(wrong)))
        if not now.slides:
            st.markdown(
                _(
                    "“Add to my lesson”, in the sidebar of every page, collects pages as they are: "
                    "their texts, words, layers and heads. Here you put them in order and present "
                    "them. No account is needed: the lesson is in the address of the page, and in a "
                    "file if you save it."
                )
            )
        for at in range(len(now.slides)):
            _row(at)
        with st.container(horizontal=True, gap="small", vertical_alignment="center"):
            if now.slides:
                view.offer("present mine", _("Present my lesson"), "mine")
                st.download_button(
                    _("Save as a file"),
                    slides.written(now.slides),
                    file_name="my-lesson.md",
                    mime="text/markdown",
                    key="my lesson save",
                    on_click="ignore",
                    icon=":material/download:",
                    help=_("A file of Markdown, which you can edit and open here again."),
                )
                st.button(
                    _("Empty it"), key="my lesson empty", type="tertiary", on_click=keep, args=((),)
                )
        upload("my lesson file", _("Open a file"), endings=["md"], most_mb=1, take=_take)


def _take(file: object) -> None:
    try:
        found = slides.read(file.getvalue().decode("utf-8"))  # type: ignore[attr-defined]
    except UnicodeDecodeError:
        _SAID.set(_("This file is no text."))
    except BadLesson as error:
        _SAID.set(_("This file cannot be read. {why}").format(why=error))
    else:
        keep(found)


def _row(at: int) -> None:
    every = MINE.get().slides
    one = every[at]
    key = f"my lesson {_TURN.get()}.{at}"

    def rename() -> None:
        title = slides.bounded(session.reported(f"{key} title"), slides.MOST_TITLE)
        _put(
            at,
            lambda left, right: (
                *left,
                Slide(title or one.title, one.page, one.query, one.note),
                *right,
            ),
        )

    with st.container(horizontal=True, gap="xsmall", vertical_alignment="center"):
        st.markdown(f"{at + 1}.", width="content")
        st.text_input(
            _("Title of step {number}").format(number=at + 1),
            one.title,
            max_chars=slides.MOST_TITLE,
            key=f"{key} title",
            on_change=rename,
            label_visibility="collapsed",
        )
        if leads.known(one.page):
            st.page_link(
                step_links.script(one.page),
                label=_("Open"),
                query_params={**permalink.VERSION, **one.state()},
            )
        else:
            none = _("This app has no page “{name}”.").format(name=text.plain(one.page))
            st.markdown(none, width="content")
        for sign, does, about, off, change in (
            (
                "↑",
                "up",
                _("Move up"),
                at == 0,
                lambda left, right: (*left[:-1], one, *left[-1:], *right),
            ),
            (
                "↓",
                "down",
                _("Move down"),
                at == len(every) - 1,
                lambda left, right: (*left, *right[:1], one, *right[1:]),
            ),
            ("✕", "remove", _("Remove"), False, lambda left, right: (*left, *right)),
        ):
            st.button(
                sign,
                key=f"{key} {does}",
                help=_("{does}: step {number}").format(does=about, number=at + 1),
                disabled=off,
                on_click=_put,
                args=(at, change),
                type="tertiary",
            )


_Slides = tuple[Slide, ...]


def _put(at: int, change: Callable[[_Slides, _Slides], _Slides]) -> None:
    """Change one's own lesson around the step at this place, from 0."""
    every = MINE.get().slides
    keep(tuple(change(every[:at], every[at + 1 :])))
