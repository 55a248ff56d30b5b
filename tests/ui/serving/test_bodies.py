"""Bodies that never end: bounded in number, ended soon and quietly, while others are answered."""

from __future__ import annotations

import asyncio
import logging
import socket
import threading
import time
from collections import Counter
from collections.abc import Iterator

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.types import Message, Receive, Scope, Send

from core.classroom import Opened, Question, Rooms
from ui.serving import bodies
from ui.serving.bodies import Bodies
from ui.serving.classroom import rooms as served
from ui.serving.watch import Watch

SIDE = Question("On which side?", ("the river", "the money"))
SECONDS = 0.6


async def taken(request: Request) -> PlainTextResponse:
    """As Streamlit reads an upload: the whole body."""
    return PlainTextResponse(str(len(await request.body())))


async def unread(_: Request) -> PlainTextResponse:
    return PlainTextResponse("here")


@pytest.fixture
def room(monkeypatch: pytest.MonkeyPatch) -> Opened:
    monkeypatch.setattr(served, "ROOMS", Rooms())
    opened = served.ROOMS.open()
    served.ROOMS.ask(opened.name, SIDE)
    return opened


@pytest.fixture
def port(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """A server with our routes and one that reads uploads; bodies have less time than usual."""
    monkeypatch.setattr(bodies, "SECONDS", SECONDS)
    routes = [
        *served.routes(),
        Route("/upload", taken, methods=["PUT", "POST"]),
        Route("/unread", unread, methods=["GET", "POST"]),
    ]
    app = Starlette(routes=routes, middleware=[Middleware(Watch), Middleware(Bodies)])
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        number = free.getsockname()[1]
    server = uvicorn.Server(
        uvicorn.Config(app, "127.0.0.1", number, log_level="warning", lifespan="off")
    )
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield number
    server.should_exit = True
    thread.join(10)


def begin(
    port: int, path: str, *, method: str = "POST", length: int = 100, body: bytes = b"{"
) -> socket.socket:
    """A request of which only the beginning is sent."""
    opened = socket.create_connection(("127.0.0.1", port), 10)
    head = f"{method} {path} HTTP/1.1\r\nHost: here\r\nContent-Type: application/json\r\n"
    head += f"Cookie: polysee_room={'a' * 24}\r\nContent-Length: {length}\r\n\r\n"
    opened.sendall(head.encode() + body)
    return opened


def ended(opened: socket.socket) -> tuple[int, bytes]:
    """The status of the answer, and all that the server sent until it closed the connection."""
    whole = b""
    while part := opened.recv(65536):
        whole += part
    opened.close()
    return int(whole.split()[1]), whole


@pytest.mark.check
def test_bodies_that_never_end_are_ended_soon_and_quietly(
    port: int, room: Opened, caplog: pytest.LogCaptureFixture
) -> None:
    path = f"/class/0/{room.name}/vote"
    caplog.set_level(logging.INFO)
    began = time.perf_counter()
    slow = [begin(port, path if i % 2 else "/upload") for i in range(150)]
    # meanwhile, a phone answers, from the same address
    other = begin(port, path, length=24, body=b'{"round": 1, "answer":1}')
    other.close()
    assert {ended(one)[0] for one in slow} == {408}
    assert time.perf_counter() - began < 20 * SECONDS
    wall = served.ROOMS.wall(*room)
    assert wall is not None
    assert wall.tally.answers == 1
    assert not [one for one in caplog.records if one.exc_info or one.levelno >= logging.ERROR]
    after = begin(port, "/upload", length=1)
    assert b"200 OK" in after.recv(65536)
    after.close()


@pytest.mark.check
def test_a_sender_who_leaves_makes_no_noise(
    port: int, room: Opened, caplog: pytest.LogCaptureFixture
) -> None:
    for path in (f"/class/0/{room.name}/vote", "/upload"):
        for _ in range(5):
            begin(port, path).close()
    time.sleep(2 * SECONDS)
    assert not [one for one in caplog.records if one.exc_info or one.levelno >= logging.ERROR]


@pytest.mark.check
def test_a_slow_upload_goes_on_while_it_goes_on(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bodies, "BYTES_PER_SECOND", 1_000)
    opened = begin(port, "/upload", length=4_000, body=b"")
    for _ in range(8):  # twice the seconds that it would have without sending anything
        opened.sendall(b"x" * 500)
        time.sleep(SECONDS / 4)
    opened.settimeout(5)
    assert b"200 OK" in opened.recv(65536)
    opened.close()


@pytest.mark.parametrize(
    ("path", "method"), [("/unread", "GET"), ("/unread", "POST"), ("/nowhere", "POST")]
)
def test_a_body_that_nobody_reads_keeps_no_connection_open(port: int, path: str, method: str) -> None:
    status, whole = ended(begin(port, path, method=method))
    assert status in (200, 404)
    assert b"connection: close" in whole.lower()


def test_an_answer_that_is_too_long_is_not_awaited(port: int, room: Opened) -> None:
    began = time.perf_counter()
    status, _ = ended(begin(port, f"/class/0/{room.name}/vote", length=10**9, body=b"{" * 1300))
    assert status == 413
    assert time.perf_counter() - began < SECONDS


def scope(address: str) -> dict[str, object]:
    return {"type": "http", "headers": [(b"content-length", b"2")], "client": (address, 1)}


async def never() -> Message:
    await asyncio.Event().wait()
    raise AssertionError


async def ignored(_: Message) -> None:
    return


def test_bodies_are_waited_for_in_a_bounded_number(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of one address, and of all; a body that is there is none of them, so that a class is answered."""
    monkeypatch.setattr(bodies, "AT_ONCE", 0.01)
    monkeypatch.setattr(bodies, "SECONDS", 5.0)
    gone: Counter[str] = Counter()

    async def app(of: Scope, receive: Receive, _: Send) -> None:
        message = await receive()
        gone[of["client"][0]] += message["type"] == "http.disconnect"

    async def there() -> Message:
        return {"type": "http.request", "body": b"{}", "more_body": False}

    async def all_of_them() -> None:
        gate = Bodies(app)
        slow = [
            asyncio.create_task(gate(scope(address), never, ignored))
            for address in ("a", "b", "c", "d")
            for _ in range(bodies.MOST_OF_ADDRESS + 20)
        ]
        await asyncio.sleep(0.5)
        assert gate._waiting.total() == bodies.MOST
        assert max(gate._waiting.values()) == bodies.MOST_OF_ADDRESS
        assert gone == {"a": 20, "b": 20, "c": 20, "d": bodies.MOST_OF_ADDRESS + 20}
        await asyncio.gather(*(gate(scope("a"), there, ignored) for _ in range(300)))
        assert gone["a"] == 20
        for one in slow:
            one.cancel()
        await asyncio.gather(*slow, return_exceptions=True)
        assert not gate._waiting

    asyncio.run(all_of_them())
