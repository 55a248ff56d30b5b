"""The body of a request arrives in its time, or the request ends with a sentence.

A program can send the first byte of an answer, and the next one never. Without a limit, each such
request would wait until its sender has had enough, and then end in a trace in the log.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable

from starlette.datastructures import MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ui.serving import metrics

# Seconds in which a body arrives, and bytes for which it has one more: 4 MB may take 13 minutes.
SECONDS = 5.0
BYTES_PER_SECOND = 5_000
# A phone sends its answer in one packet: after so many seconds, a body is one that is waited for.
AT_ONCE = 0.25
# Bodies that are waited for at the same time: of all, and of one network address, such as a school's.
MOST, MOST_OF_ADDRESS = 300, 100
_SLOW = "This request did not arrive in time. Send it again.\n"


class Bodies:
    """ASGI middleware that limits how long bodies take, and for how many the server waits.

    Args:
        app: the application.
        clock: returns seconds, which never decrease.
    """

    def __init__(self, app: ASGIApp, clock: Callable[[], float] = time.monotonic) -> None:
        self.app = app
        self._clock = clock
        self._waiting: Counter[str] = (
            Counter()
        )  # by address; changed only on the server's one event loop

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, with a body that ends in time."""
        if scope["type"] != "http" or not _has_body(scope):
            await self.app(scope, receive, send)
            return
        body = _Body(
            self._clock, receive, self._waiting, scope["client"][0] if scope.get("client") else ""
        )
        started = False

        async def noted(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                if not body.ended:  # what comes still would keep the connection open, at any pace
                    MutableHeaders(scope=message)["Connection"] = "close"
            await send(message)

        try:
            await self.app(scope, body.receive, noted)
        except ClientDisconnect:  # its sender may be gone, which then costs nothing
            if not started:
                sentence = PlainTextResponse(_SLOW, 408, {"Connection": "close"})
                await sentence(scope, receive, send)
        finally:
            body.end()


class _Body:
    """One body; `ended` once all of it has come, or its time is over."""

    def __init__(
        self, clock: Callable[[], float], receive: Receive, waiting: Counter[str], address: str
    ) -> None:
        self.ended = False
        self._clock, self._receive = clock, receive
        self._waiting, self._address = waiting, address
        self._began, self._received, self._counted = clock(), 0, False

    async def receive(self) -> Message:
        """The next message; that its sender has gone, if it has taken too long."""
        if self.ended:
            return await self._receive()
        message = await self._within(AT_ONCE)
        if message is None and self._count():
            message = await self._within(self._left())
        if message is None:
            metrics.REFUSED.labels("slow body").inc()
            message = {"type": "http.disconnect"}
        self._received += len(message.get("body", b""))
        if message["type"] == "http.request" and not message.get("more_body", False):
            self.end()
        return message

    def end(self) -> None:
        """Note that nothing is waited for any more."""
        self.ended = True
        if self._counted:
            self._counted = False
            self._waiting[self._address] -= 1
            if not self._waiting[self._address]:
                del self._waiting[self._address]

    def _left(self) -> float:
        return self._began + SECONDS + self._received / BYTES_PER_SECOND - self._clock()

    def _count(self) -> bool:
        """Count this body among those that are waited for; False if there are too many."""
        if not self._counted:
            if self._waiting.total() >= MOST or self._waiting[self._address] >= MOST_OF_ADDRESS:
                return False
            self._counted = True
            self._waiting[self._address] += 1
        return True

    async def _within(self, seconds: float) -> Message | None:
        """The next message; None if none comes in this time."""
        try:
            async with asyncio.timeout(max(0, min(seconds, self._left()))):
                return await self._receive()
        except TimeoutError:
            return None


def _has_body(scope: Scope) -> bool:
    headers = dict(scope["headers"])
    return b"transfer-encoding" in headers or headers.get(b"content-length", b"0").strip() != b"0"
