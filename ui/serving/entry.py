"""The parts of the server put together, for the ASGI entry of an app."""

from __future__ import annotations

import streamlit as st
from starlette.middleware import Middleware
from starlette.routing import Route

from core import settings
from ui.serving import files, logs, metrics, sent_once
from ui.serving.gate import Gate
from ui.serving.headers import Headers
from ui.serving.watch import Watch


def set_up() -> None:
    """The log and the port of the metrics: once, before the first visitor.

    Raises:
        SystemExit: the port is taken.
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


def routes() -> list[Route]:
    """What the server answers besides the app."""
    return [*metrics.routes(settings.read().metrics), *sent_once.routes(), *files.routes()]


def middleware() -> list[Middleware]:
    """What every request goes through, the outermost first."""
    chosen = settings.read()
    return [
        Middleware(Watch),
        Middleware(Headers, frames=chosen.frames),
        Middleware(Gate, sessions=chosen.sessions),
    ]
