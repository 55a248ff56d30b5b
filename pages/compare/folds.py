"""Parts of a page that are folded under a question, and computed only when they are unfolded."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ui import page, permalink, state
from ui.state import Field, SessionValue, Switch


def unfold(fold: Switch, inside: Sequence[Field[Any]]) -> None:
    """Open a fold if a link sets a choice inside it; call it before any control is drawn.

    Args:
        fold: whether it is open.
        inside: the fields inside.
    """
    followed, seen = permalink.now().followed, SessionValue(f"{fold.key} after links", 0)
    if seen.get() == followed:
        return
    seen.set(followed)
    if any(one.get() != one.default for one in inside):
        fold.set(True)


def show(question: str, fold: Switch, draw: Callable[[], None], *, at_once: bool = False) -> None:
    """Draw the question, and its answer once it is unfolded.

    The session stores the arguments for as long as the visitor stays: `draw` must not hold results.

    Args:
        question: the heading.
        fold: whether it is open.
        draw: draws the content.
        at_once: for a heading of several folds, which are there before it is opened, each still closed.
    """
    page.part(_show, None, question, fold, draw, at_once)


def _show(question: str, fold: Switch, draw: Callable[[], None], at_once: bool) -> None:
    folded = state.fold(fold, question)
    if at_once or fold.get():
        with folded:
            draw()
