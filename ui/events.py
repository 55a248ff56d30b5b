"""Events that a browser sends to the page: checked here, and only here, and passed on to a handler.

A program in place of a browser can send anything as an event. An event that does not fit the schema,
which both languages read (`core.figures.schema`), is rejected before any of our own code sees it. An
accepted event consists of plain values with the declared types and sizes. An error in a handler is
therefore our own, and is logged and shown like any other error of a page.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from streamlit.runtime.scriptrunner import get_script_run_ctx

from core.figures import schema
from ui import session
from ui.serving import logs

# The animated picture has drawn its dots, and requests the contributions.
WANTED: schema.Fields = schema.EVENTS["wanted"]
# A number of the tiny model has been changed; whether there is such a cell is for the page to check.
EDIT: schema.Fields = schema.EVENTS["edit"]
# The form of a model that learns in a tab: which text by its name, and the recipe in one word.
RECIPE: schema.Fields = schema.EVENTS["recipe"]

# A tab that was opened anew has kept its room.
ROOM: schema.Fields = schema.EVENTS["room"]


def cell(rows: int, columns: int) -> schema.Fields:
    """A cell of a matrix of this size."""
    return _bounded("cell", row=rows, column=columns)


def head(layers: int, heads: int) -> schema.Fields:
    """A head of a model with these numbers of layers and heads."""
    return _bounded("head", layer=layers, head=heads)


def bar(count: int) -> schema.Fields:
    """A bar of a picture with this number of bars."""
    return _bounded("bar", index=count)


def state(module: str) -> schema.Fields:
    """The state of a picture, with the number of the choice that it reports."""
    return {**schema.EVENTS["state"], **schema.STATES[module]}


def receive(
    fields: schema.Fields, key: str, event: str, handler: Callable[[dict[str, Any]], None]
) -> None:
    """Pass an event of a component to its handler, in the callback of the event; see `pass_on`.

    An event can arrive together with the visitor's way to another page, which does not have this
    component: it is then ignored.

    Args:
        fields: the fields that the event may contain.
        key: the name of the component on its page.
        event: the name of the event.
        handler: receives the checked fields.
    """
    sent = session.reported(key)
    if sent is not None:
        pass_on(fields, sent.get(event), handler)


def pass_on(fields: schema.Fields, sent: object, handler: Callable[[dict[str, Any]], None]) -> None:
    """Pass an event from a browser to its handler, if it fits the schema.

    Any other event is counted in the log, without its content, and changes nothing. An error in the
    handler is reported like all errors of the server (`ui.serving.errors`): its number appears above
    the page, which then shows the state of the session. Without such a server, as in tests and in
    `streamlit run` without `app`, the error is raised.

    Args:
        fields: the fields that the event may contain.
        sent: the received event.
        handler: receives the checked fields.
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
