"""The border between what browsers send and our own code: whose fault an error is.

What a browser sends is checked where it comes in (`ui.picture_events`). So an error behind that is our
own: it is logged and said like any other error of a page, and never taken for somebody's mischief.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from streamlit.runtime.scriptrunner import get_script_run_ctx

from ui import picture_events
from ui.serving import logs


def pass_on(
    schema: picture_events.Schema, sent: object, handler: Callable[[dict[str, Any]], None]
) -> None:
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
        checked = picture_events.read(schema, sent)
    except picture_events.NotAPicture:
        logs.event("sent what no picture sends", logging.WARNING)
        return
    try:
        handler(checked)
    except Exception as error:
        context = get_script_run_ctx(suppress_warning=True)
        tell = None if context is None else context.on_script_error
        if tell is None or not tell(error):
            raise
