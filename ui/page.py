"""A page of the app, run from top to bottom: what all pages do around what each shows, in one order."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

import streamlit as st

from ui import layout, permalink, prose, state

S = TypeVar("S", bound=state.PageState)
P = ParamSpec("P")


def run(file: str, chosen: type[S], body: Callable[[S], None]) -> None:
    """Restore, head, the page itself, tools, examples, footnotes, publish.

    Args:
        file: the page's `__file__`, beside which its words lie.
        chosen: the fields that it declares.
        body: draws what only this page has, and takes its fields.
    """
    words = prose.read(file)
    state.begin(chosen)
    layout.head(words)
    body(chosen())
    layout.tools(chosen.link())
    layout.try_this(words, chosen.examples())
    layout.footnotes(words)
    state.end(chosen)


def part(draw: Callable[P, None]) -> Callable[P, None]:
    """A part of a page that runs by itself after a choice in it, and then puts it into the link.

    Streamlit keeps what it is called with as long as its visitor stays: fields and texts, no records.
    """

    @st.fragment
    @wraps(draw)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        draw(*args, **kwargs)
        permalink.publish(permalink.now().parameters)

    return run
