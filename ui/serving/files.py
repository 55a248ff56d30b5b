"""What pictures can be saved as beside what a browser makes of them itself, made when it is asked for.

A visitor's files stand on a shelf that lives in the session. A page names the address of each in each
of its runs; it stays the same, and what is made there is of what is chosen by then. A shelf's name
cannot be guessed. It goes with its session: a browser that asks later is told 404, and has its page run
again, which names other addresses (`runtime/files.js`).
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
from ui.serving.sent_once import root

AT_ONCE = 2  # files that the server makes at the same time
MOST_ASKED = 4  # files that one visitor may wait for
MOST_KEPT = 100  # on one shelf: more than a page offers
_GONE = "This file is no longer there. Reload the page, and save it again."
_BUSY = "Several files are being made for you already. Try again in a moment."
_SORRY = "Something went wrong in Polysee while this file was made. The server’s log has it under {}."

_makers = ThreadPoolExecutor(AT_ONCE, "polysee file")
_served = False


class File(NamedTuple):
    """A file that can be asked for.

    Attributes:
        kind: what a menu calls it, as "CSV".
        name: that it is saved by.
        make: its content; called in a thread of its own, after the page has run, without a session.
        about: what is in it, in a few words.
    """

    kind: str
    name: str
    make: Callable[[], str | bytes]
    about: str


@dataclass(eq=False)
class Shelf:
    """The files of one session, by what stands in their addresses.

    Attributes:
        name: of the shelf.
        files: the one that was offered last is the last.
        offered: those since the page began to run.
        asked: how many are being made.
    """

    name: str = field(default_factory=lambda: secrets.token_urlsafe(16))
    files: dict[str, File] = field(default_factory=dict)
    offered: set[str] = field(default_factory=set)
    asked: int = 0

    def __post_init__(self) -> None:
        _shelves[self.name] = self

    def offer(self, place: str, file: File) -> str | None:
        """Put a file where the last one of this place and kind was; its address.

        Args:
            place: the name of a picture on its page.
            file: what can be asked for there.

        Returns:
            None where no server of ours answers, as in tests.
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
        """The page begins to run."""
        self.offered.clear()

    def end(self) -> None:
        """The page has run to its end: what it offers no more goes, and the numbers that it holds."""
        for name in [*self.files]:
            if name not in self.offered:
                self.files.pop(name, None)


_shelves: WeakValueDictionary[str, Shelf] = WeakValueDictionary()


def routes() -> list[Route]:
    """What the server answers at these addresses, from now on."""
    global _served
    _served = True
    return [Route(f"{root()}/files/{{shelf}}/{{name}}", _answer)]


async def _answer(request: Request) -> Response:
    shelf = _shelves.get(request.path_params["shelf"])
    file = None if shelf is None else shelf.files.get(request.path_params["name"])
    if shelf is None or file is None:
        return _sentence(_GONE, 404)
    content: str | bytes = b""
    if request.method != "HEAD":  # which asks whether it is there, and not for a minute's work
        if shelf.asked >= MOST_ASKED:
            return _sentence(_BUSY, 429)
        shelf.asked += 1
        try:
            content = await asyncio.get_running_loop().run_in_executor(_makers, file.make)
        except PolyseeError as error:
            return _sentence(str(error), 409)
        except Exception as error:
            return _sentence(_SORRY.format(_noted(error)), 500)
        finally:
            shelf.asked -= 1
    # A name is ours, and plain ASCII.
    headers = {
        "Content-Disposition": f'attachment; filename="{file.name}"',
        "Cache-Control": "no-store",
    }
    kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
    return Response(content, headers=headers, media_type=kind)


def _noted(error: Exception) -> str:
    """Log a fault of ours: the number that it has in the log."""
    number = secrets.token_hex(4)
    metrics.ERRORS.inc()
    logs.event("error", logging.ERROR, error, id=number)
    return number


def _sentence(words: str, status: int) -> Response:
    return PlainTextResponse(f"{words}\n", status, {"Cache-Control": "no-store"})
