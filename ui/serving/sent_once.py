"""Content that a browser fetches only once: numbers and code of pictures, words, what trains in a tab.

Each is at an address made of the hash of its content, where a browser caches it. In each run, a page
names the address; only a browser that lacks the content fetches it. Numbers are cached here while there
is room (`core.memory`). A later request gets a 404, and the browser then asks for a rerun, which stores
them again (`runtime/message.js`).
"""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from core import localization
from core.figures import web
from core.figures.picture import Numbers
from core.figures.web import bundle
from core.localization import browser
from core.memory import Cache
from core.web.built import SCRIPTS_AT
from ui.serving.routes import root

SCRIPTS = ("owntext", "ownworker")  # the view that trains a model of a text, and its engine
_FOR_EVER = "max-age=31536000, immutable"

_stored: Cache[str, bytes] = Cache()  # a layer of 512 tokens is 1.7 MB
_served = False


def numbers(sent: Numbers) -> str | None:
    """Store numbers; returns their address. None if our server is not running, as in tests."""
    if not _served:
        return None
    if _stored.get(sent.name) is None:  # otherwise, looking it up has marked it as recently used
        try:
            _stored[sent.name] = sent.content
        except ValueError:  # larger than the budget
            return None
    return f"{root()}/numbers/{sent.name}"


def code(module: str) -> str | None:
    """The address of the ES module that draws a kind of picture. None as in `numbers`."""
    return f"{root()}/pictures/{module}.{_version(module)}.js" if _served else None


def library(name: str) -> str | None:
    """The address of a library that a picture needs, a plain script. None as in `numbers`."""
    return f"{root()}/pictures/{name}.{_library_version(name)}.js" if _served else None


def script(name: str) -> str | None:
    """The address of one of the scripts in `SCRIPTS`, an ES module. None as in `numbers`."""
    return f"{root()}/scripts/{name}.{_script(name)[1]}.js" if _served else None


def words() -> str | None:
    """The address of this context's catalogue; None for English, and as in `numbers`."""
    code = localization.current()
    if not _served or code == localization.ENGLISH:
        return None
    return f"{root()}/words/{code}.{_words(code)[1]}.json"


def routes() -> list[Route]:
    """The routes that answer at these addresses."""
    global _served
    _served = True
    return [
        Route(f"{root()}/scripts/{{name}}.js", _scripts),
        Route(f"{root()}/numbers/{{name}}", _numbers),
        Route(f"{root()}/words/{{name}}.json", _catalogues),
        Route(f"{root()}/pictures/{{name}}.js", _code),
    ]


def module_text(module: str) -> str:
    """An ES module that exports `render`."""
    return f"{web.code(module)}export {{ render }};\n"


@cache
def _version(module: str) -> str:
    return hashlib.sha256(module_text(module).encode()).hexdigest()[:16]


@cache
def _library_version(name: str) -> str:
    return hashlib.sha256(bundle.library_code(name)).hexdigest()[:16]


def _numbers(request: Request) -> Response:
    content = _stored.get(request.path_params["name"])
    if content is None:
        return _none()
    # These are numbers of one visitor's texts: not for a shared proxy cache. They are sent
    # uncompressed: to compress a layer of 512 tokens takes 47 ms and saves 8 %; whatever names its
    # encoding is left alone.
    encoding = {"Content-Encoding": "identity"}
    return _answer(content, "application/octet-stream", f"private, {_FOR_EVER}", encoding)


def _code(request: Request) -> Response:
    module, _, version = request.path_params["name"].partition(".")
    if module in bundle.LIBRARIES.values():
        return _library(module, request) if version == _library_version(module) else _none()
    if module not in web.MODULES or version != _version(module):
        return _none()
    return _answer(module_text(module).encode(), "text/javascript", f"public, {_FOR_EVER}")


@cache
def _script(name: str) -> tuple[bytes, str]:
    """A script, gzip-compressed, and its version."""
    code = (SCRIPTS_AT / f"{name}.js").read_bytes()
    return gzip.compress(code, mtime=0), hashlib.sha256(code).hexdigest()[:16]


def _scripts(request: Request) -> Response:
    name, _, version = request.path_params["name"].partition(".")
    if name not in SCRIPTS or version != _script(name)[1]:
        return _none()
    return _compressed(_script(name)[0], request)


@cache
def _words(code: str) -> tuple[bytes, str]:
    """A catalogue, gzip-compressed, and its version."""
    content = browser.content(code)
    return gzip.compress(content, mtime=0), hashlib.sha256(content).hexdigest()[:16]


def _catalogues(request: Request) -> Response:
    code, _, version = request.path_params["name"].partition(".")
    known = {one.code for one in localization.languages()} - {localization.ENGLISH}
    if code not in known or version != _words(code)[1]:
        return _none()
    return _compressed(_words(code)[0], request, "application/json")


def _library(name: str, request: Request) -> Response:
    """The library, compressed once."""
    return _compressed(bundle.library_code(name), request)


def _compressed(packed: bytes, request: Request, kind: str = "text/javascript") -> Response:
    """What is kept compressed, unpacked if the browser does not accept that."""
    caching = f"public, {_FOR_EVER}"
    if "gzip" not in request.headers.get("accept-encoding", ""):
        return _answer(gzip.decompress(packed), kind, caching, {"Vary": "Accept-Encoding"})
    how = {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"}
    return _answer(packed, kind, caching, how)


def _answer(
    content: bytes, kind: str, caching: str, more: Mapping[str, str] = MappingProxyType({})
) -> Response:
    return Response(content, headers={"Cache-Control": caching, **more}, media_type=kind)


def _none() -> Response:
    return Response("There is nothing here.\n", 404, {"Cache-Control": "no-store"})
