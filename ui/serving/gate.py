"""Requests that the server refuses, with a sentence, before they reach a session or a model."""

from __future__ import annotations

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from ui.serving import logs, metrics
from ui.serving.routes import is_page, path_of, route

# Streamlit's own routes that are not needed here: its metrics, and its interface to drive the app
# without a browser.
CLOSED = ("/_stcore/metrics", "/_stcore/agent", "/_stcore/script-health-check")
_FULL = "This server is full: {} pages are open. Reload this one in a minute.\n"


class Gate:
    """ASGI middleware: refuses closed routes, and visitors beyond the limit."""

    def __init__(self, app: ASGIApp, sessions: int) -> None:
        self.app = app
        self.sessions = sessions
        self._open = 0  # changed only on the server's one event loop

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse a request, or pass it on."""
        if scope["type"] == "websocket":
            await self._session(scope, receive, send)
            return
        refused = self._refuses(scope) if scope["type"] == "http" else None
        if refused is None:
            await self.app(scope, receive, send)
            return
        why, status, sentence = refused
        _note(why, scope)
        headers = {"Retry-After": "60"} if status == 503 else {}
        await PlainTextResponse(sentence, status, headers)(scope, receive, send)

    def _refuses(self, scope: Scope) -> tuple[str, int, str] | None:
        path = path_of(scope)
        if path.startswith(CLOSED):
            return "closed", 404, "There is nothing here.\n"
        if self._open >= self.sessions and is_page(route(path)):
            return "full", 503, _FULL.format(self._open)
        return None

    async def _session(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._open >= self.sessions:
            _note("full", scope)
            await receive()
            await send({"type": "websocket.close", "code": 1013})
            return
        self._open += 1
        metrics.SESSIONS.set(self._open)
        try:
            await self.app(scope, receive, send)
        finally:
            self._open -= 1
            metrics.SESSIONS.set(self._open)


def _note(why: str, scope: Scope) -> None:
    metrics.REFUSED.labels(why).inc()
    logs.event("refused", why=why, place=route(path_of(scope)))
