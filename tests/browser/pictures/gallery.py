"""Our browser pictures, each on its own page: a test that needs no app is faster without one."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit

from core.figures import Picture
from tests.browser.pictures import heads_pictures, matrix_pictures
from tests.browser.pictures.charts import bars_pictures
from tests.browser.pictures.heads import ordered_pictures
from tests.browser.pictures.trajectory import trajectory_pictures

# As wide as in the app, with a focusable element before and after the picture.
PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>A picture</title>
<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<style>body{{margin:1rem;font-family:sans-serif}}
@media (min-width:864px){{body{{margin:1rem 5rem}}}}</style>
<p><label>Before <input></label></p>{picture}<p><button>After</button></p></html>"""


def matrices(asked: Mapping[str, str]) -> Picture:
    """Matrices, vectors, lines and points."""
    n, kind = int(asked.get("n", "14")), asked.get("kind", "heatmap")
    return matrix_pictures.made(kind, n, seed=1)


def bars(asked: Mapping[str, str]) -> Picture:
    """Words and their numbers."""
    return bars_pictures.made(asked.get("kind", "chances"), seed=1)


def heads(asked: Mapping[str, str]) -> Picture:
    """All heads of a model, ordered or not, or one layer."""
    what = ordered_pictures if asked.get("what") == "ordered" else heads_pictures
    return what.asked_for(asked, json.loads(asked.get("state", "{}")))


KEPT: dict[str, Picture] = {}  # pictures that a test made itself, by their names


def kept(asked: Mapping[str, str]) -> Picture:
    """A picture that a test has stored in `KEPT`."""
    return KEPT[asked["name"]]


MADE: dict[str, Callable[[Mapping[str, str]], Picture]] = {
    "": matrices,
    "bars": bars,
    "heads": heads,
    "kept": kept,
    "trajectory": trajectory_pictures.made,
}


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        url = urlsplit(self.path)
        if url.path == "/_stcore/health":  # an empty page, as on a Streamlit server
            self._answer("text/plain", b"ok")
            return
        make = MADE.get(url.path.strip("/"))
        if make is None:
            self.send_error(404)
            return
        picture = make(dict(parse_qsl(url.query))).to_html()
        self._answer("text/html", PAGE.format(picture=picture).encode())

    def _answer(self, kind: str, page: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(page)))
        self.end_headers()
        self.wfile.write(page)

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing into the tests' output."""


@contextmanager
def opened() -> Iterator[str]:
    """The address of the gallery, within this context."""
    with ThreadingHTTPServer(("127.0.0.1", 0), _Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
