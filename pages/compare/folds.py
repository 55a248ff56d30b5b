"""Parts of a page that are folded under a question. What is folded is not computed; a link opens it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ui import page, permalink, state
from ui.state import Field, SessionValue, Switch


def unfold(fold: Switch, inside: Sequence[Field[Any]]) -> None:
    """Open a fold when a link is followed that chooses something in it; before any control is drawn.

    Args:
        fold: whether it is open.
        inside: what is chosen inside.
    """
    followed, seen = permalink.now().followed, SessionValue(f"{fold.key} after links", 0)
    if seen.get() == followed:
        return
    seen.set(followed)
    if any(one.get() != one.default for one in inside):
        fold.set(True)


def show(question: str, fold: Switch, draw: Callable[[], None]) -> None:
    """The question, and under it what answers it.

    A session keeps what it is called with for as long as the visitor stays: no answers in `draw`.

    Args:
        question: the heading.
        fold: whether it is open.
        draw: draws what is folded.
    """
    page.part(_show, None, question, fold, draw)


def _show(question: str, fold: Switch, draw: Callable[[], None]) -> None:
    folded = state.fold(fold, question)
    if fold.get():
        with folded:
            draw()
