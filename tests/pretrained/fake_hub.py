"""A model hub on 127.0.0.1: the part of its API that `huggingface_hub` needs, and ways to misbehave."""

from __future__ import annotations

import hashlib
import json
import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit

COMMIT = "0123456789abcdef0123456789abcdef01234567"


@dataclass
class FakeHub:
    """The content of the hub, its behaviour, and the requests that it received."""

    repos: dict[str, Path] = field(default_factory=dict)
    gated: set[str] = field(default_factory=set)  # the page is public, the files are not
    closed: set[str] = field(default_factory=set)  # not even the page
    broken: bool = False  # every answer is 500
    silent: threading.Event = field(default_factory=threading.Event)  # never answer the page
    hold: dict[str, int] = field(default_factory=dict)  # file: hang after so many bytes
    cut: dict[str, int] = field(default_factory=dict)  # file: hang up after so many bytes
    hold_head: set[str] = field(default_factory=set)  # file: never answer HEAD
    pause: float = 0.0  # seconds between pieces of a file
    sizes: bool = True  # whether the page lists the sizes
    gone: bool = False  # the files are listed, but not available
    asked: list[str] = field(default_factory=list)
    over: threading.Event = field(default_factory=threading.Event)
    url: str = ""

    def paths(self) -> list[str]:
        """The requested paths, without the method."""
        return [line.split(" ", 1)[1] for line in self.asked]

    def downloads(self) -> list[str]:
        """The files whose bytes were requested."""
        return [
            line.rsplit("/", 1)[1]
            for line in self.asked
            if line.startswith("GET") and "/resolve/" in line
        ]


def _handler(hub: FakeHub) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: object) -> None:
            pass

        def do_HEAD(self) -> None:
            self.answer()

        def do_GET(self) -> None:
            self.answer()

        do_POST = do_GET

        def answer(self) -> None:
            hub.asked.append(f"{self.command} {self.path}")
            path = unquote(urlsplit(self.path).path)
            if hub.silent.is_set():
                hub.over.wait()
            if hub.broken:
                return self.say(500, {"error": "Internal error"})
            page = re.fullmatch(r"/api/models/(.+?)(/revision/\w+)?", path)
            tree = re.fullmatch(r"/api/models/(.+?)/tree/\w+", path)
            file = re.fullmatch(r"/(.+?)/resolve/\w+/(.+)", path)
            if tree:
                return self.tree(tree[1])
            if page:
                return self.page(page[1])
            if file:
                return self.file(file[1], file[2])
            return self.say(404, {"error": "No such page"})

        def page(self, name: str) -> None:
            if name in hub.closed:
                return self.say(403, {"error": "Gated"}, {"X-Error-Code": "GatedRepo"})
            if name not in hub.repos:
                return self.say(401, {"error": "Not found"}, {"X-Error-Code": "RepoNotFound"})
            files = [p for p in sorted(hub.repos[name].rglob("*")) if p.is_file()]
            siblings = [
                {"rfilename": str(p.relative_to(hub.repos[name]))}
                | ({"size": p.stat().st_size} if hub.sizes else {})
                for p in files
            ]
            kind = {}
            with suppress(OSError, ValueError, KeyError, TypeError):
                config = json.loads((hub.repos[name] / "config.json").read_text())
                kind = {"config": {"model_type": config["model_type"]}}
            return self.say(200, {"id": name, "sha": COMMIT, "siblings": siblings} | kind)

        def tree(self, name: str) -> None:
            files = [p for p in sorted(hub.repos[name].rglob("*")) if p.is_file()]
            return self.say(
                200,
                [
                    {
                        "type": "file",
                        "oid": hashlib.sha1(p.read_bytes()).hexdigest(),
                        "size": p.stat().st_size,
                        "path": str(p.relative_to(hub.repos[name])),
                    }
                    for p in files
                ],
            )

        def file(self, name: str, file: str) -> None:
            if name in hub.gated:
                return self.say(403, {"error": "Gated"}, {"X-Error-Code": "GatedRepo"})
            place = hub.repos.get(name, Path("/nowhere")) / file
            if hub.gone or not place.is_file():
                return self.say(404, {"error": "No file"}, {"X-Error-Code": "EntryNotFound"})
            if self.command == "HEAD" and file in hub.hold_head:
                hub.over.wait()
            data = place.read_bytes()
            wanted = re.fullmatch(r"bytes=(\d+)-", self.headers.get("Range", ""))
            start = int(wanted[1]) if wanted else 0
            self.send_response(206 if wanted else 200)
            self.send_header("ETag", f'"{hashlib.sha256(data).hexdigest()}"')
            self.send_header("X-Repo-Commit", COMMIT)
            self.send_header("Accept-Ranges", "bytes")
            if wanted:
                self.send_header("Content-Range", f"bytes {start}-{len(data) - 1}/{len(data)}")
            self.send_header("Content-Length", str(len(data) - start))
            self.end_headers()
            if self.command == "HEAD":
                return None
            end = min(hub.hold.get(file, len(data)), hub.cut.get(file, len(data)))
            with suppress(OSError):  # the other side may have gone
                for at in range(start, end, 2**16):
                    self.wfile.write(data[at : min(at + 2**16, end)])
                    time.sleep(hub.pause)
                self.wfile.flush()
                if file in hub.hold:
                    hub.over.wait()
            if end < len(data):
                self.close_connection = True
            return None

        def say(self, status: int, what: object, headers: dict[str, str] | None = None) -> None:
            body = json.dumps(what).encode()
            self.send_response(status)
            for key, value in (headers or {}).items():
                self.send_header(key, value)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(body)

    return Handler


@contextmanager
def serve() -> Iterator[FakeHub]:
    """Run a hub as long as the block lasts."""
    hub = FakeHub()
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(hub))
    server.daemon_threads = True
    hub.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield hub
    finally:
        hub.over.set()
        server.shutdown()
        server.server_close()
