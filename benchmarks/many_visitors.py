"""The folder of `make static` behind one nginx: what 1,000 visitors fetch, computed; 20 for real."""

from __future__ import annotations

import http.client
import os
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Page, sync_playwright

from benchmarks.side_by_side import table
from core import web
from tools import static
from tools.browser import FLAGS, find_browser
from tools.nginx import find_nginx
from tools.server import free_port

TITLE = "## One nginx for many visitors of the folder"
VISITORS, FETCHED = 1000, 20
MOST_SECONDS = 120  # that the visitors who really fetch may take together
CHUNK = 1 << 20
START = 180_000  # milliseconds until the model computes in the tab
# A server of files and no more: any other would do.
_CONFIGURATION = """
worker_processes 1; daemon off; pid {folder}/pid; error_log {folder}/errors crit; {user}
events {{ worker_connections 256; }}
http {{
  types {{ text/html html; text/css css; text/javascript js mjs; application/json json;
    application/wasm wasm; image/svg+xml svg; }}
  default_type application/octet-stream;
  sendfile on; etag on; absolute_redirect off;
  log_format visits '$status $body_bytes_sent $request_uri';
  access_log {folder}/visits visits;
  {temporary}
  server {{ listen 127.0.0.1:{port}; root {root}; }}
}}
"""
_STORED = "navigator.serviceWorker.ready.then(() => caches.keys()).then((names) => names.length)"


class Answer(NamedTuple):
    """One answer of the server, as its log has it."""

    status: int
    bytes: int
    address: str


class Nginx(NamedTuple):
    """A running server and its log."""

    port: int
    log: Path

    def answers(self, after: int = 0) -> list[Answer]:
        """What it has answered, without the first ones."""
        lines = self.log.read_text().splitlines()[after:]
        return [
            Answer(int(status), int(sent), where)
            for status, sent, where in (line.split(" ", 2) for line in lines)
        ]


def run() -> str:
    """The section of the report."""
    built, nginx = web.find(), find_nginx()
    if built is None or nginx is None:
        return f"{TITLE}\n\nNot measured. {web.why_not() or 'There is no nginx here.'}"
    with tempfile.TemporaryDirectory() as place, sync_playwright() as playwright:
        root = static.build(built, Path(place) / "web")
        with serving(nginx, root, Path(place)) as server:
            browser = playwright.chromium.launch(executable_path=find_browser(), args=list(FLAGS))
            page = browser.new_page()
            first = visited(page, server)
            second = visited(page, server)
            browser.close()
            rows = [_row("first", first, server), _row("second", second, server)]
    head = (
        *("visit", "requests", "bytes of one"),
        *(f"of {VISITORS:,}, computed", f"of {FETCHED}, computed", f"of {FETCHED}, fetched", "time"),
    )
    return (
        f"{TITLE}\n\n"
        "The folder of `make static` on 127.0.0.1, one worker process, nothing compressed. A visit is "
        "what a headless Chromium asks for until the picture is drawn and the pages are stored; "
        f"{FETCHED} threads then ask for the same at once. A second visit asks with the marks of the "
        "first (ETag).\n\n" + table(head, rows)
    )


@contextmanager
def serving(nginx: str, root: Path, folder: Path) -> Iterator[Nginx]:
    """One nginx for a folder, until the block ends.

    Args:
        nginx: its path.
        root: what it serves.
        folder: for its own files.
    """
    port = free_port()
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    temporary = " ".join(f"{kind}_temp_path {folder}/{kind};" for kind in kinds)
    # If root starts it, its worker belongs to a user who may not enter our folders.
    user = "user root;" if os.geteuid() == 0 else ""
    (folder / "conf").write_text(
        _CONFIGURATION.format(folder=folder, port=port, root=root, user=user, temporary=temporary)
    )
    process = subprocess.Popen([nginx, "-p", folder, "-c", folder / "conf"], stderr=subprocess.DEVNULL)
    try:
        _wait(port, process)
        yield Nginx(port, folder / "visits")
    finally:
        process.terminate()
        process.wait(20)


def _wait(port: int, process: subprocess.Popen[bytes]) -> None:
    for _ in range(100):
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            assert process.poll() is None, "nginx did not start"
            time.sleep(0.1)
        else:
            return
    raise TimeoutError("nginx did not answer")


def visited(page: Page, server: Nginx) -> list[Answer]:
    """What one visit of Compare asks for."""
    before = len(server.answers())
    page.goto(f"http://127.0.0.1:{server.port}/compare/")
    offer = page.get_by_role("button", name="Fetch the model")
    picture = page.locator(".picture[data-drawn]").first
    offer.or_(picture).first.wait_for(timeout=START)
    if offer.is_visible():
        offer.click()
    picture.wait_for(timeout=START)
    assert page.evaluate(_STORED)
    page.wait_for_timeout(1000)  # the log has the last ones
    return server.answers(before)


def _row(name: str, visit: list[Answer], server: Nginx) -> tuple[object, ...]:
    one = sum(answer.bytes for answer in visit)
    marks: dict[str, str] = {}
    for answer in visit:
        if answer.status == 304:
            marks[answer.address] = _fetch(server.port, answer.address)[1]
    start = time.perf_counter()
    with ThreadPoolExecutor(FETCHED) as visitors:
        fetched = sum(visitors.map(lambda _: _replay(server.port, visit, marks), range(FETCHED)))
    seconds = time.perf_counter() - start
    if seconds > MOST_SECONDS:
        raise TimeoutError(f"{FETCHED} visitors took {seconds:.0f} s")
    sizes = (one, VISITORS * one, FETCHED * one, fetched)
    return name, len(visit), *(_size(size) for size in sizes), f"{seconds:.2f} s"


def _size(size: int) -> str:
    """Bytes in the unit in which they can be read."""
    for unit, of in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if size >= of:
            return f"{size / of:.2f} {unit}"
    return f"{size} bytes"


def _replay(port: int, visit: list[Answer], marks: dict[str, str]) -> int:
    """The bytes of one more visitor; each file is read, and thrown away."""
    return sum(_fetch(port, one.address, marks.get(one.address, ""))[0] for one in visit)


def _fetch(port: int, address: str, mark: str = "") -> tuple[int, str]:
    """How many bytes the content of an answer has, and its mark."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=MOST_SECONDS)
    try:
        connection.request("GET", address, headers={"If-None-Match": mark} if mark else {})
        answer = connection.getresponse()
        size = 0
        while part := answer.read(CHUNK):
            size += len(part)
        return size, answer.getheader("ETag", "")
    finally:
        connection.close()
