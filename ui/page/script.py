"""A page run from top to bottom, what all pages do in one order; and a part of it that runs alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import ParamSpec, TypeVar

import streamlit as st

from ui import files, permalink, state
from ui.lessons import card
from ui.page import frame, prose
from ui.state import telling

S = TypeVar("S", bound=state.PageState)
P = ParamSpec("P")


def run(
    file: str,
    chosen: type[S],
    body: Callable[[S], None],
    *,
    variant: Callable[[S], str] | None = None,
    picture: str = "",
    tools: bool = True,
    examples: bool = True,
) -> None:
    """Restore, head, the card of a lesson, the page itself, tools, examples, footnotes, publish.

    Args:
        file: the page's `__file__`, beside which its words lie.
        chosen: the fields that it declares.
        body: draws what only this page has, and takes its fields.
        variant: which of its words it shows, by what is chosen (`prose.read`).
        picture: what an example brings into view (`frame.try_this`).
        tools: False of a page that computes long, and draws its tools by itself before that.
        examples: False of a page that has them in its midst, and draws them by itself.
    """
    state.begin(chosen)
    files.begin()
    words = prose.read(file, "" if variant is None else variant(chosen()))
    if state.LESSON.get() is None:
        frame.head(words)
    else:
        frame.short_head(words)
        card.show(chosen.link(), Path(file).parent.name.replace("_", "-"))
    body(chosen())
    if tools:
        frame.tools(chosen.link())
    if examples:
        frame.try_this(words, chosen.examples(), picture)
    frame.footnotes(words)
    files.end()
    if not state.end(chosen):
        st.caption("The texts are too long for a link: it opens the page without them.")


def part(
    body: Callable[P, None], every: float | None = None, /, *args: P.args, **kwargs: P.kwargs
) -> None:
    """A part of a page that runs alone, where what is chosen in it changes nothing outside of it.

    Args:
        body: draws it. A visitor's session keeps it with its arguments: they should hold no numbers.
        every: seconds after which it runs by itself; None: only after a choice in it.
        args: of `body`.
        kwargs: of `body`.
    """
    alone = False

    def drawn() -> None:
        if alone:  # without the start and the end of the page
            telling.begin_run(part=True)
        body(*args, **kwargs)
        if alone:
            permalink.publish_changes()
            telling.end_run()

    try:
        st.fragment(drawn, run_every=every)()
    finally:
        alone = True
