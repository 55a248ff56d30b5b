"""The files with which a visitor's own device computes: graph, run-time, vocabulary, code, weights.

`make web` writes all but the weights, which lie in the installed model package and are served from
there. Their addresses hold the checksum of everything, so that a browser caches them for good, and a
new build never mixes with an old one.
"""

from __future__ import annotations

import gzip
import hashlib
import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from core import settings
from ui.serving.sent_once import root

MODEL = "minilm"
CODE = "device.js"  # the module that a page imports
WEIGHTS = "model.safetensors"  # the name by which the graph asks for them
_FOLDER = Path(__file__).resolve().parents[2] / "build" / "web"
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
}
_COMPRESSED = frozenset({".js", ".mjs", ".json", ".txt", ".wasm", ".onnx"})  # weights hardly shrink
_served = False


@dataclass(frozen=True)
class Built:
    """What `make web` has built.

    Attributes:
        version: the checksum of all files.
        files: their paths by their names.
        bytes_fetched: how much a browser fetches once, uncompressed.
    """

    version: str
    files: Mapping[str, Path]
    bytes_fetched: int


@cache
def built() -> Built | None:
    """The files; None if `make web` was not run, or the model package is not installed."""
    weights = _weights()
    if not (_FOLDER / CODE).is_file() or weights is None:
        return None
    files = {
        path.relative_to(_FOLDER).as_posix(): path
        for path in sorted(_FOLDER.rglob("*"))
        if path.suffix in _KINDS and path.is_file()
    }
    hashed = hashlib.sha256(f"{settings.CATALOGUE[MODEL].sha256}\n".encode())
    for name, path in files.items():
        hashed.update(f"{name}\n{hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    files[WEIGHTS] = weights
    size = sum(os.path.getsize(path) for path in files.values())
    return Built(hashed.hexdigest()[:16], files, size)


def _weights() -> Path | None:
    """The weights in the installed package, found without importing it."""
    package = settings.CATALOGUE[MODEL].package
    found = None if package is None else find_spec(package)
    for folder in (found and found.submodule_search_locations) or ():
        path = Path(folder) / "model" / "model.safetensors"
        if path.is_file():
            return path
    return None


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
