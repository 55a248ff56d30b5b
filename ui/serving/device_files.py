"""The files with which a visitor's own device computes: graph, run-time, vocabulary, code, weights.

`make web` writes all but the weights, which lie in the installed model package and are served from
there. Their addresses hold the checksum of everything, so that a browser caches them for good, and a
new build never mixes with an old one.
"""

from __future__ import annotations

import gzip
from functools import cache
from pathlib import Path

from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from core import web
from core.web.built import MODEL
from ui.serving.routes import root

__all__ = ["MODEL", "base", "built", "routes"]
# What a page imports, and what saved files have inside: a comparison, and Next word.
OURS = ("device.js", "graphics.js", "saved.js", "speaking.js")
_FOR_EVER = "public, max-age=31536000, immutable"
# Everything that is fetched has one of these endings; what else lies in the folder is served to nobody.
_KINDS = {
    ".js": "text/javascript",
    ".mjs": "text/javascript",
    ".json": "application/json",
    ".txt": "text/plain",
    ".wasm": "application/wasm",
    ".onnx": "application/octet-stream",
    ".safetensors": "application/octet-stream",
    ".gguf": "application/octet-stream",
}
_COMPRESSED = frozenset({".js", ".mjs", ".json", ".txt", ".wasm", ".onnx"})  # weights hardly shrink
_served = False


@cache
def built() -> web.Built | None:
    """The files that a page fetches; None if there are none, which `core.web.why_not` explains."""
    found = web.find()
    return None if found is None else found.and_scripts(*OURS)


def base() -> str | None:
    """The address of the folder of these files, with "/" at its end; None if there are none."""
    made = built() if _served else None
    return None if made is None else f"{root()}/device/{made.version}/"


def routes() -> list[Route]:
    """The route that answers at these addresses."""
    global _served
    _served = True
    return [Route(f"{root()}/device/{{version}}/{{name:path}}", _file)]


def _file(request: Request) -> Response:
    made = built()
    name = request.path_params["name"]
    path = None if made is None else made.files.get(name)  # a name that we list, never a path
    if made is None or path is None or request.path_params["version"] != made.version:
        return Response("There is nothing here.\n", 404, {"Cache-Control": "no-store"})
    headers = {"Cache-Control": _FOR_EVER}
    kind = _KINDS[path.suffix]
    if path.suffix not in _COMPRESSED:
        return FileResponse(path, headers={**headers, "Content-Encoding": "identity"}, media_type=kind)
    headers["Vary"] = "Accept-Encoding"
    accepted = "gzip" in request.headers.get("accept-encoding", "")
    if not accepted or "range" in request.headers:  # a range counts the bytes of the file itself
        return FileResponse(path, headers={**headers, "Content-Encoding": "identity"}, media_type=kind)
    return Response(_packed(path), headers={**headers, "Content-Encoding": "gzip"}, media_type=kind)


@cache
def _packed(path: Path) -> bytes:
    """The file compressed, once for all visitors; the largest, the run-time, takes 4 MB."""
    return gzip.compress(path.read_bytes(), 6, mtime=0)
