"""Files that the server makes on request, in addition to those that a browser makes of a picture.

A visitor's files belong to the session. In each run, a page names the address of each file; the address
stays the same, and the file reflects the choices at the time of the request. The session's part of an
address cannot be guessed. The files end with their session: a later request gets a 404, and the browser
then asks for a rerun, which names new addresses (`runtime/files.js`).
"""

from __future__ import annotations

import asyncio
import logging
import mimetypes
import secrets
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from hashlib import sha256
from typing import NamedTuple
from weakref import WeakValueDictionary

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from core.errors import PolyseeError
from ui.serving import logs, metrics
from ui.serving.routes import root

AT_ONCE = 2  # files that the server makes at the same time
MOST_ASKED = 4  # pending requests of one visitor
MOST_KEPT = 100  # of one session, more than any page offers
_GONE = "This file is no longer there. Reload the page, and save it again."
_BUSY = "Several files are being made for you already. Try again in a moment."
_SORRY = "Something went wrong in Polysee while this file was made. The server’s log has it under {}."

_makers = ThreadPoolExecutor(AT_ONCE, "polysee file")
_served = False


class File(NamedTuple):
    """A file that can be requested.

    Attributes:
        kind: its name in a menu, for example "CSV".
        name: the file name.
        make: returns the content; called in a separate thread after the page has run, without a
            session.
        about: its content, in a few words.
    """

    kind: str
    name: str
    make: Callable[[], str | bytes]
    about: str


@dataclass(eq=False)
class SessionFiles:
    """The files of one session, keyed by the last parts of their addresses.

    Attributes:
        name: the part of their addresses that stands for the session.
        files: the files, the most recently offered last.
        offered: the files offered since the page began to run.
        asked: how many files are being made.
    """

    name: str = field(default_factory=lambda: secrets.token_urlsafe(16))
    files: dict[str, File] = field(default_factory=dict)
    offered: set[str] = field(default_factory=set)
    asked: int = 0

    def __post_init__(self) -> None:
        _by_session[self.name] = self

    def offer(self, place: str, file: File) -> str | None:
        """Replace the previous file of this place and kind; returns its address.

        Args:
            place: the name of a picture on its page.
            file: the file.

        Returns:
            None if our server is not running, as in tests.
        """
        if not _served:
            return None
        name = sha256(f"{place}\n{file.kind}".encode()).hexdigest()[:16]
        self.files.pop(name, None)
        self.files[name] = file
        self.offered.add(name)
        while len(self.files) > MOST_KEPT:
            del self.files[next(iter(self.files))]
        return f"{root()}/files/{self.name}/{name}"

    def begin(self) -> None:
        """Mark the start of a run of the page."""
        self.offered.clear()

    def end(self) -> None:
        """Mark the end of a run: drop the files that the page no longer offers, with their numbers."""
        for name in [*self.files]:
            if name not in self.offered:
                self.files.pop(name, None)


_by_session: WeakValueDictionary[str, SessionFiles] = WeakValueDictionary()


def routes() -> list[Route]:
    """The routes that answer at these addresses."""
    global _served
    _served = True
    return [Route(f"{root()}/files/{{session}}/{{name}}", _answer)]


async def _answer(request: Request) -> Response:
    session = _by_session.get(request.path_params["session"])
    file = None if session is None else session.files.get(request.path_params["name"])
    if session is None or file is None:
        return _sentence(_GONE, 404)
    content: str | bytes = b""
    # HEAD asks only whether the file exists, and must not cost a minute's work
    if request.method != "HEAD":
        if session.asked >= MOST_ASKED:
            return _sentence(_BUSY, 429)
        session.asked += 1
        try:
            content = await asyncio.get_running_loop().run_in_executor(_makers, file.make)
        except PolyseeError as error:
            return _sentence(str(error), 409)
        except Exception as error:
            return _sentence(_SORRY.format(_noted(error)), 500)
        finally:
            session.asked -= 1
    # We choose the names; they are plain ASCII.
    headers = {
        "Content-Disposition": f'attachment; filename="{file.name}"',
        "Cache-Control": "no-store",
    }
    kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
    return Response(content, headers=headers, media_type=kind)


def _noted(error: Exception) -> str:
    """Log an internal error; returns its number in the log."""
    number = secrets.token_hex(4)
    metrics.ERRORS.inc()
    logs.event("error", logging.ERROR, error, id=number)
    return number


def _sentence(words: str, status: int) -> Response:
    return PlainTextResponse(f"{words}\n", status, {"Cache-Control": "no-store"})
