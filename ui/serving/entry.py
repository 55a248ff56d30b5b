"""Assemble the parts of the server for the ASGI entry of an app."""

from __future__ import annotations

import streamlit as st
from starlette.middleware import Middleware
from starlette.routing import Route

from core import settings, web
from ui.serving import classroom, device_files, files, home, logs, metrics, page_html, sent_once
from ui.serving.bodies import Bodies
from ui.serving.gate import Gate
from ui.serving.headers import Headers
from ui.serving.watch import Watch


def set_up() -> None:
    """Set up the log and the port of the metrics, once, before the first visitor.

    Raises:
        SystemExit: if the port is taken.
    """
    chosen = settings.read()
    logs.set_up(chosen.log)
    address = st.get_option("server.address") or "0.0.0.0"
    try:
        metrics.listen(chosen.metrics, address)
    except OSError:
        raise SystemExit(
            f"Polysee cannot start: POLYSEE_METRICS is {chosen.metrics}, and that port is taken."
        ) from None
    logs.event(
        "start",
        streamlit=st.__version__,
        hub=chosen.hub,
        sessions=chosen.sessions,
        metrics=chosen.metrics,
    )
    if why := web.why_not():  # a matter of the operator's, not of a visitor's
        logs.event("no computing in a tab", why=why)


def routes() -> list[Route]:
    """The routes that the server answers besides the app's own."""
    return [
        *metrics.routes(settings.read().metrics),
        *sent_once.routes(),
        *files.routes(),
        *device_files.routes(),
        *classroom.routes(),
        *home.routes(),
        *page_html.routes(),
    ]


def middleware() -> list[Middleware]:
    """The middleware for every request, the outermost first."""
    chosen = settings.read()
    return [
        Middleware(Watch),
        Middleware(Headers, frames=chosen.frames, computes=True),
        Middleware(Gate, sessions=chosen.sessions),
        Middleware(Bodies),
    ]
