"""What a browser tells the page, as a picture or a text box does: checked here, once, and passed on.

A program in place of a browser may send anything under the name of an event. What does not fit the
schema that both languages read (`core.figures.schema`) is turned away before any of our own code sees
it; what passes is plain, of the types that are sent, and no larger than they can be. So an error behind
that is our own: it is logged and said like any other error of a page, and is nobody's mischief.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from streamlit.runtime.scriptrunner import get_script_run_ctx

from core.figures.schema import EVENTS
from core.figures.schema import STATES as STATES
from core.figures.schema import Fields as Schema
from core.figures.schema import Misfit as NotAPicture
from core.figures.schema import read as read
from ui.serving import logs

__all__ = [
    "STATES",
    "WANTED",
    "NotAPicture",
    "Schema",
    "bar",
    "cell",
    "head",
    "pass_on",
    "read",
    "state",
]

# The moving picture has drawn its dots, and asks for what each word adds.
WANTED: Schema = EVENTS["wanted"]


def cell(rows: int, columns: int) -> Schema:
    """A cell of a matrix of this size."""
    return _within("cell", row=rows, column=columns)


def head(layers: int, heads: int) -> Schema:
    """A head of so many layers with so many heads each."""
    return _within("head", layer=layers, head=heads)


def bar(count: int) -> Schema:
    """One of so many bars."""
    return _within("bar", index=count)


def state(module: str) -> Schema:
    """The state of a picture, with the number of the choice that it tells."""
    return {**EVENTS["state"], **STATES[module]}


def pass_on(schema: Schema, sent: object, handler: Callable[[dict[str, Any]], None]) -> None:
    """Give a handler what a browser sent, if it is what a picture sends.

    What it is not is counted in the log, without a word of it, and changes nothing. A fault of the
    handler is told as the server tells errors (`ui.serving.errors`), with its number above the page,
    which is then drawn by what the session holds. Where no server has been told how to tell errors, as
    in tests and in `streamlit run` without `app`, it is raised.

    Args:
        schema: what the event may hold.
        sent: what came.
        handler: takes the checked fields.
    """
    try:
        checked = read(schema, sent)
    except NotAPicture:
        logs.event("sent what no picture sends", logging.WARNING)
        return
    try:
        handler(checked)
    except Exception as error:
        context = get_script_run_ctx(suppress_warning=True)
        tell = None if context is None else context.on_script_error
        if tell is None or not tell(error):
            raise


def _within(event: str, **counts: int) -> Schema:
    """An event of a picture of which it is known how many of each there are."""
    return {name: {**field, "maximum": counts[name] - 1} for name, field in EVENTS[event].items()}
