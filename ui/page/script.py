"""Run a page from top to bottom, in the order that all pages share; or run a part of it alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import ParamSpec, TypeVar

import streamlit as st

from core import localization
from core.localization import _
from ui import files, navigation, permalink, state
from ui.classroom import asked
from ui.lessons import card, step_links
from ui.models import typing_turns
from ui.page import (
    also,
    english_parts,
    frame,
    home_links,
    leads,
    lost,
    no_such_page,
    prose,
    transformer_map,
)
from ui.page.rest import BELOW, rest
from ui.presenter import collected, view
from ui.state import control_sync

S = TypeVar("S", bound=state.PageState)
P = ParamSpec("P")


@typing_turns.page()
def run(
    file: str,
    chosen: type[S],
    body: Callable[[S], None],
    *,
    variant: Callable[[S], str] | None = None,
    picture: str = "",
    own_model: Callable[[S], state.OwnModel | None] | None = None,
    tools: bool = True,
    examples: bool | Callable[[prose.Prose], prose.Prose] = True,
    offer: Callable[[], None] | None = None,
    computed: bool = True,
    translated: bool = False,
) -> None:
    """Restore the state; draw head, lesson, page, tools, examples and footnotes; publish the link.

    Args:
        file: the page's `__file__`; its words are stored beside it.
        chosen: the fields of the page.
        body: draws the content of the page; its argument is the fields.
        variant: returns the variant of the words for the current choices (`prose.read`).
        picture: the picture that an example brings into view (`frame.try_this`).
        own_model: returns the model of a page that has its own, for the drawing in the sidebar.
        tools: False for a page that computes for long, and draws its tools itself before it does.
        examples: False for a page that draws its examples itself, among its content; a function gives
            the words whose examples are drawn, where they depend on what there is to show.
        offer: draws what a newcomer is offered beside the point of the page (`frame.head`).
        computed: False for a page that itself says how it computes its numbers (`frame.computed`).
        translated: whether its content, and not only what surrounds it, is in every language.
    """
    state.begin(chosen)
    files.begin()
    leads.follow("/".join(Path(file).parts[-3:]), chosen.link())
    transformer_map.go()
    view.go()
    address = navigation.address(Path(file).parent.name)
    step_links.complete(chosen.link(), address)
    words = prose.read(file, "" if variant is None else variant(chosen()))
    if state.MODEL in chosen.fields:
        words = words.beside(state.MODEL.get())
    if state.PRESENT.get():
        _presented(words, chosen, address, body, picture, translated=translated)
    else:
        drawn = tools, examples, computed, translated
        _page(words, chosen, address, body, picture, own_model=own_model, drawn=drawn, offer=offer)
    files.end()
    with st.sidebar:
        lost.open_again()
        home_links.mend("" if navigation.folder(address) == navigation.HOME else address)
        asked.keep()
    if not state.end(chosen):
        st.caption(_("The texts are too long for a link: it opens the page without them."))


def _page(
    words: prose.Prose,
    chosen: type[S],
    address: str,
    body: Callable[[S], None],
    picture: str,
    *,
    own_model: Callable[[S], state.OwnModel | None] | None,
    drawn: tuple[bool, bool | Callable[[prose.Prose], prose.Prose], bool, bool],
    offer: Callable[[], None] | None,
) -> None:
    """A page with all around it; `drawn`: tools, examples, computed, translated, as in `run`."""
    tools, examples, computed, translated = drawn
    drawing = st.sidebar.container()
    no_such_page.say()
    if state.LESSON.get() is None:
        frame.head(words, offer)
        english_parts.say(translated=translated)
    else:
        frame.short_head(words)
        card.show(chosen.link(), address)
    card.wall(chosen.link(), address)
    with english_parts.part(translated=translated):
        body(chosen())
    own = None if own_model is None else own_model(chosen())
    transformer_map.show(drawing, address, chosen.locations(), own)
    if tools:
        frame.tools(chosen.link())
    with st.sidebar:
        view.offer("present button", _("Present"))
        collected.add(words.title)
        also.links()
    with st.container(key=BELOW), rest(_("About this page")):
        if examples:
            chosen_words = examples(words) if callable(examples) else words
            frame.try_this(chosen_words, chosen.examples(), picture)
        if computed:
            frame.computed(words)
        frame.limitations(words)


def _presented(
    words: prose.Prose,
    chosen: type[S],
    address: str,
    body: Callable[[S], None],
    picture: str,
    *,
    translated: bool,
) -> None:
    """A page in front of a class: its words, its picture, and no more."""
    view.show(words, chosen.link(), address, picture)
    card.wall(chosen.link(), address)
    with st.container(key="presented page"), english_parts.part(translated=translated):
        body(chosen())


def part(
    body: Callable[P, None], every: float | None = None, /, *args: P.args, **kwargs: P.kwargs
) -> None:
    """A part of a page that reruns alone, if a choice in it changes nothing outside it.

    Args:
        body: draws the part. The session keeps it with its arguments, which therefore should hold no
            large arrays.
        every: seconds between automatic reruns; None to rerun only after a choice in it.
        args: the arguments of `body`.
        kwargs: the keyword arguments of `body`.
    """
    alone = False
    code = localization.current()  # of this part of the page

    def drawn() -> None:
        with typing_turns.page():
            if alone:  # a rerun of the part alone, without the start and the end of the page
                control_sync.begin_run(part=True)
                localization.use(code)
            body(*args, **kwargs)
            if alone:
                turned = permalink.publish_changes()
                control_sync.end_run()
                if turned:  # the end of the page says whether a link holds all
                    st.rerun()

    try:
        st.fragment(drawn, run_every=every)()
    finally:
        alone = True
