"""What the server refuses at the door, with a sentence, before a session or a model hears of it."""

from __future__ import annotations

import asyncio
import time

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from core import settings
from ui.serving import logs, metrics
from ui.serving.pace import Bucket
from ui.serving.places import is_page, place

# Streamlit's own, which nobody here needs: its numbers, and its way to drive the app without a browser.
CLOSED = ("/_stcore/metrics", "/_stcore/agent", "/_stcore/script-health-check")
# A browser also sends what is no question (a picture's size, "I am here"), so its messages may come
# this many times as often as pages are computed.
MESSAGES = 4
_FULL = "This server is full: {} pages are open. Reload this one in a minute.\n"


class Gate:
    """ASGI middleware: long addresses, closed doors, too many visitors or messages."""

    def __init__(self, app: ASGIApp, sessions: int, rate: int) -> None:
        self.app = app
        self.sessions = sessions
        self.rate = rate
        self._open = 0  # changed on the server's one event loop alone

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse, or let in."""
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
        asked = len(scope.get("raw_path") or scope["path"].encode()) + len(scope["query_string"])
        if asked > settings.MOST_URL_BYTES:
            most = settings.MOST_URL_BYTES // 1000
            return "long address", 414, f"This link is longer than {most} kB. Shorten its texts.\n"
        if scope["path"].startswith(CLOSED):
            return "closed", 404, "There is nothing here.\n"
        if self._open >= self.sessions and is_page(place(scope["path"])):
            return "full", 503, _FULL.format(self._open)
        return None

    async def _session(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._open >= self.sessions:
            _note("full", scope)
            await receive()
            await send({"type": "websocket.close", "code": 1013})
            return
        bucket = Bucket(self.rate * MESSAGES / 60, self.rate * MESSAGES / 4)
        held = False

        async def heard() -> Message:
            nonlocal held
            message = await receive()
            if message["type"] == "websocket.receive":
                while wait := bucket.wait(time.monotonic()):
                    if not held:
                        held = True
                        _note("rate", scope)
                    await asyncio.sleep(wait)
            return message

        self._open += 1
        metrics.SESSIONS.set(self._open)
        try:
            await self.app(scope, heard, send)
        finally:
            self._open -= 1
            metrics.SESSIONS.set(self._open)


def _note(why: str, scope: Scope) -> None:
    metrics.REFUSED.labels(why).inc()
    logs.event("refused", why=why, place=place(scope["path"]))
