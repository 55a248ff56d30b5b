"""The page that every address of the app gets: Streamlit's own, and two scripts before its own.

The first says where its server is. Streamlit's does not know whether /corpus is a page or a base path:
it asks below that address first, and each visit of an inner page began with two requests that find
nothing, in red in the browser's console. The second keeps one entry in the history for each page.
"""

from __future__ import annotations

from functools import cache
from hashlib import blake2b
from pathlib import Path

import streamlit as st
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ui.serving.routes import PAGES, root

# The folder of the page, as the browser sees it: a proxy may serve the app below a path of its own.
BASE = '<script>window.__streamlit = {BACKEND_BASE_URL: new URL(".", location.href).href}</script>'
_ONE_ENTRY = (Path(__file__).parent / "one_entry.js").read_text("utf-8")
_HEAD = "<head>"


@cache
def html() -> str:
    """The page."""
    own = (Path(st.__file__).parent / "static" / "index.html").read_text("utf-8")
    return own.replace(_HEAD, f"{_HEAD}\n    {BASE}\n    <script>{_ONE_ENTRY}</script>", 1)


def routes() -> list[Route]:
    """The routes of all pages; the first one's address is the base path."""
    return [Route(f"{root()}/{page}", _page) for page in ("", *PAGES)]


async def _page(request: Request) -> Response:
    version = f'"{blake2b(html().encode(), digest_size=16).hexdigest()}"'
    headers = {"Cache-Control": "no-cache", "ETag": version}
    if request.headers.get("If-None-Match", "").removeprefix("W/") == version:
        return Response(status_code=304, headers=headers)
    return Response(html(), headers=headers, media_type="text/html")
