"""A page of the app, run from top to bottom: what all pages do around what each shows, in one order."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from ui import layout, prose, state

S = TypeVar("S", bound=state.PageState)


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
