"""Draw a picture for a file in an installed Chromium, if no displayed widget can draw it.

Chromium opens one page of a server on this computer, which runs until the page has sent the file back.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from ..errors import NotSupported
from ..figures import Picture

PATIENCE = 60.0  # seconds, for a browser that starts on a busy machine
WIDTH = 900  # of a picture in pixels; a PNG is twice as wide
_MOST = 200_000_000  # bytes of a file
# The first has no windows: it takes less to start.
_NAMES = (
    *("chromium-headless-shell", "chromium", "chromium-browser"),
    *("google-chrome", "google-chrome-stable", "chrome", "msedge"),
)
_MAC = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
)
_WINDOWS = (r"Google\Chrome\Application\chrome.exe", r"Microsoft\Edge\Application\msedge.exe")
# Waits until the picture above is drawn, and posts its file to the page's own address.
_SEND = """<script type="module">
const host = document.querySelector("[data-polysee]");
const drawn = () => host.firstElementChild?.shadowRoot?.querySelector(".picture[data-drawn]");
const answer = (body, kind) =>
  fetch(location.href, { method: "POST", body, headers: { "X-Kind": kind } });
try {
  while (!drawn()) await new Promise((done) => setTimeout(done, 30));
  await document.fonts.ready;
  await answer((await host.polysee.made("%(kind)s")).blob, "file");
} catch (error) {
  await answer(String(error), "fault");
}
</script>"""


def find() -> str | None:
    """An installed Chromium, Chrome or Edge; None if there is none.

    The variable `POLYSEE_CHROMIUM` names another program, which then is the only one considered.
    """
    if given := os.environ.get("POLYSEE_CHROMIUM"):
        return shutil.which(given)
    for name in _NAMES:
        if found := shutil.which(name):
            return found
    paths = [Path(name) for name in _MAC] if sys.platform == "darwin" else []
    for variable in ("PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA"):
        if folder := os.environ.get(variable):
            paths += [Path(folder) / name for name in _WINDOWS]
    return next((str(path) for path in paths if path.is_file()), None)


def drawn(picture: Picture, kind: str, program: str) -> bytes:
    """Draw a picture; returns the bytes of the file, as from the picture's own menu.

    Args:
        picture: the picture, in the state to draw.
        kind: "SVG" or "PNG".
        program: the browser.

    Raises:
        NotSupported: the browser did not start, did not answer in time, or could not draw the picture.
    """
    page = (
        '<!DOCTYPE html>\n<meta charset="utf-8">\n<meta name="color-scheme" content="light">\n'
        '<link rel="icon" href="data:,">\n'
        f'<body style="margin:0;width:{WIDTH}px">\n{picture.to_html()}\n{_SEND % {"kind": kind}}'
    )
    with contextlib.closing(_Answer(page.encode())) as answer, _profile() as folder:
        command = [
            program,
            "--headless=new",
            f"--user-data-dir={folder}",
            f"--window-size={WIDTH + 100},1400",
            "--enable-unsafe-swiftshader",  # three dimensions without a graphics card
            "--no-first-run",
            "--disable-extensions",
            "--disable-background-networking",
            "--disable-component-update",
            *(["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []),
            answer.address,
        ]
        quiet: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        try:
            started = subprocess.Popen(command, stdin=subprocess.DEVNULL, **quiet)
        except OSError as error:
            raise NotSupported(f"{program} did not start: {error.strerror}.") from error
        try:
            return answer.wait(started, program)
        finally:
            started.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                started.wait(10)
            if started.poll() is None:
                started.kill()
                started.wait()


@contextlib.contextmanager
def _profile() -> Iterator[str]:
    """A temporary profile. The browser's child processes may write for a moment after it has ended."""
    folder = tempfile.mkdtemp(prefix="polysee-")
    try:
        yield folder
    finally:
        for wait in (0.0, 0.2, 1.0):
            time.sleep(wait)
            shutil.rmtree(folder, ignore_errors=True)
            if not os.path.exists(folder):
                break


class _Server(ThreadingHTTPServer):
    """A server that says nothing if the browser ends while it is being answered.

    The browser is ended as soon as the file has arrived. It may then be waiting for something else,
    such as the icon of the page.
    """

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Report an error of ours; a connection that the browser has broken off is none."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


class _Answer:
    """A server with one page at an unguessable address, to which that page posts one answer."""

    def __init__(self, page: bytes) -> None:
        self._arrived = threading.Event()
        self._kind, self._body = "", b""
        path = f"/{secrets.token_urlsafe(16)}"
        answer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                if self.path != path:
                    self.send_error(404)
                    return
                self.send_response(200)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.send_header("Content-Length", str(len(page)))
                self.end_headers()
                self.wfile.write(page)

            def do_POST(self) -> None:
                length = int(self.headers.get("Content-Length", 0))
                if self.path != path or not 0 < length < _MOST:
                    self.send_error(404)
                    return
                answer._body, answer._kind = self.rfile.read(length), self.headers.get("X-Kind", "")
                self.send_response(204)
                self.end_headers()
                answer._arrived.set()

            def log_message(self, format: str, *args: Any) -> None:
                """Log nothing."""

        self._server = _Server(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self._server.server_port}{path}"
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    def wait(self, started: subprocess.Popen[Any], program: str) -> bytes:
        """Wait for the file; returns its bytes. Raises the errors of `drawn`."""
        waited = 0.0
        while not self._arrived.wait(0.1):
            waited += 0.1
            if waited > PATIENCE or started.poll() is not None:
                what = "ended" if started.poll() is not None else "did not answer in time"
                raise NotSupported(f"{program} {what}; the picture was not drawn.")
        if self._kind != "file":
            raise NotSupported(f"{program} could not draw the picture: {self._body.decode()}")
        return self._body

    def close(self) -> None:
        """Stop the server."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
