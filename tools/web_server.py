"""Serve what `make web` has built on 127.0.0.1, as an app would, for tests and benchmarks."""

from __future__ import annotations

import gzip
import re
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import NamedTuple

_PAGE = b'<!doctype html><meta charset="utf-8"><title>MiniLM in a tab</title>'
_TYPES = {
    ".js": "text/javascript",
    ".mjs": "text/javascript",
    ".json": "application/json",
    ".wasm": "application/wasm",
}
Change = Callable[[str, bytes], bytes]


class Served(NamedTuple):
    """A running server.

    Attributes:
        url: the address of an empty page; the files are at `url` + "model/".
        requests: name and length, in bytes as sent, of each answer so far.
    """

    url: str
    requests: list[tuple[str, int]]


@contextmanager
def serve(
    files: Mapping[str, Path],
    policy: str,
    *,
    change: Change = lambda name, data: data,
    compressed: bool = False,
) -> Iterator[Served]:
    """Serve files under a content security policy.

    Args:
        files: the name under which each is served, and where it is.
        policy: the header of every answer.
        change: what becomes of the content of a file: a test breaks a download with it.
        compressed: whether to compress, as a proxy in front of an app does.
    """
    requests: list[tuple[str, int]] = []

    @cache
    def content(name: str) -> bytes:
        data = files[name].read_bytes()
        return gzip.compress(data, 6) if compressed else data

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            name = self.path.partition("?")[0].removeprefix("/model/")
            if name != "/" and name not in files:
                self.send_error(404)
                return
            whole = _PAGE if name == "/" else content(name)
            data = whole if name == "/" else change(name, whole)
            asked = re.fullmatch(r"bytes=(\d+)-", self.headers.get("Range", ""))
            start = int(asked[1]) if asked and not compressed else 0
            whole, data = whole[start:], data[start:]
            requests.append((name, len(data)))
            self.send_response(206 if start else 200)
            if start:
                end = start + len(whole)
                self.send_header("Content-Range", f"bytes {start}-{end - 1}/{end}")
            kind = _TYPES.get(Path(name).suffix, "application/octet-stream")
            self.send_header("Content-Type", "text/html" if name == "/" else kind)
            if compressed and name != "/":
                self.send_header("Content-Encoding", "gzip")
            self.send_header("Content-Length", str(len(whole)))
            self.send_header("Content-Security-Policy", policy)
            self.end_headers()
            self.wfile.write(data)
            if len(data) != len(whole):
                self.close_connection = True

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield Served(f"http://127.0.0.1:{server.server_address[1]}/", requests)
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
