"""Log and count each request when it ends, without its query or address."""

from __future__ import annotations

import time

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ui.serving import logs, metrics
from ui.serving.routes import path_of, route

# A page fetches a hundred files, a health check comes every few seconds, and each phone of a class
# sends a request every second and a half.
QUIET = ("static", "component", "numbers", "ready", "metrics", "class")


class Watch:
    """ASGI middleware that logs each request."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and log how it ended."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began = time.perf_counter()
        at = route(path_of(scope))  # a router inside may change the scope
        status = 500  # if the app never begins a response

        async def answer(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self.app(scope, receive, answer)
        finally:
            metrics.REQUESTS.labels(at, str(status)).inc()
            if at != "probe" and (at not in QUIET or status >= 400):
                took = round(1000 * (time.perf_counter() - began))
                logs.event("request", method=_method(scope), place=at, status=status, ms=took)


def _method(scope: Scope) -> str:
    known = ("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH")
    return scope["method"] if scope["method"] in known else "other"
