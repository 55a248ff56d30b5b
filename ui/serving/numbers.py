"""The numbers of pictures, sent once: each under the address of its content, where a browser keeps it.

A page names the address in each of its runs; only a browser that has not seen these numbers fetches
them. They are kept here for as long as there is room. A browser that asks later is told 404, and has
its page run again, which stores them anew (`runtime/message.js`).
"""

from __future__ import annotations

import hashlib
from threading import Lock

import cachetools
import streamlit as st
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

ROOM = 128 * 10**6  # bytes; a layer of 512 tokens is 1.7 MB
# Of one visitor's texts: not for a proxy that many share.
_FOR_EVER = "private, max-age=31536000, immutable"

_stored: cachetools.LRUCache[str, bytes] = cachetools.LRUCache(ROOM, getsizeof=len)
_lock = Lock()
_served = False


def store(numbers: bytes) -> str | None:
    """Keep them; where a browser finds them. None where no server of ours answers, as in tests."""
    if not _served or len(numbers) > ROOM:
        return None
    name = hashlib.sha256(numbers).hexdigest()
    with _lock:
        _stored[name] = numbers
    return f"{_root()}/numbers/{name}"


def routes() -> list[Route]:
    """What the server answers at these addresses, from now on."""
    global _served
    _served = True
    return [Route(f"{_root()}/numbers/{{name}}", answer)]


def answer(request: Request) -> Response:
    """The numbers of an address, or 404."""
    with _lock:
        numbers = _stored.get(request.path_params["name"])
    if numbers is None:
        return Response("There are no such numbers.\n", 404, {"Cache-Control": "no-store"})
    return Response(
        numbers, headers={"Cache-Control": _FOR_EVER}, media_type="application/octet-stream"
    )


def _root() -> str:
    """The path in front of all of the app's addresses, "" as a rule."""
    path = str(st.get_option("server.baseUrlPath") or "").strip("/")
    return f"/{path}" if path else ""
