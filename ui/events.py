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

from core.figures import schema
from ui.serving import logs

# The moving picture has drawn its dots, and asks for what each word adds.
WANTED: schema.Fields = schema.EVENTS["wanted"]


def cell(rows: int, columns: int) -> schema.Fields:
    """A cell of a matrix of this size."""
    return _bounded("cell", row=rows, column=columns)


def head(layers: int, heads: int) -> schema.Fields:
    """A head of so many layers with so many heads each."""
    return _bounded("head", layer=layers, head=heads)


def bar(count: int) -> schema.Fields:
    """One of so many bars."""
    return _bounded("bar", index=count)


def state(module: str) -> schema.Fields:
    """The state of a picture, with the number of the choice that it tells."""
    return {**schema.EVENTS["state"], **schema.STATES[module]}


def pass_on(fields: schema.Fields, sent: object, handler: Callable[[dict[str, Any]], None]) -> None:
    """Give a handler what a browser sent, if it is what a picture sends.

    What it is not is counted in the log, without a word of it, and changes nothing. A fault of the
    handler is told as the server tells errors (`ui.serving.errors`), with its number above the page,
    which is then drawn by what the session holds. Where no server has been told how to tell errors, as
    in tests and in `streamlit run` without `app`, it is raised.

    Args:
        fields: what the event may hold.
        sent: what came.
        handler: takes the checked fields.
    """
    try:
        checked = schema.read(fields, sent)
    except schema.Misfit:
        logs.event("sent what no picture sends", logging.WARNING)
        return
    try:
        handler(checked)
    except Exception as error:
        context = get_script_run_ctx(suppress_warning=True)
        show_error = None if context is None else context.on_script_error
        if show_error is None or not show_error(error):
            raise


def _bounded(event: str, **counts: int) -> schema.Fields:
    """An event of a picture of which it is known how many of each there are."""
    return {
        name: {**field, "maximum": counts[name] - 1} for name, field in schema.EVENTS[event].items()
    }
