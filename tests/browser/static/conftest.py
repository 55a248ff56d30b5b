"""The folder for any web space, built once, and a plain server for it."""

from __future__ import annotations

import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from core import web
from tests import shared
from tools import static

BELOW = "a school/polysee"  # a subfolder, whatever its name


class Plain:
    """A plain web server for a folder, as `python -m http.server` is one."""

    def __init__(self, folder: Path) -> None:
        handler = partial(_Quiet, directory=str(folder))
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.port = self.server.server_address[1]
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)
        self.thread.start()

    def address(self, host: str = "127.0.0.1") -> str:
        return f"http://{host}:{self.port}/{BELOW.replace(' ', '%20')}/"

    def stop(self) -> None:
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None: ...


def predict(page: Page) -> None:
    """Without a prediction there is no answer; a step whose picture is not here has none to click."""
    box, choices = page.locator("input[size]"), page.locator(".asked ~ fieldset input")
    if box.count() and not box.input_value():
        box.fill("1")
    elif choices.count() and not page.locator(".asked ~ fieldset input:checked").count():
        choices.first.check()


@pytest.fixture(scope="session")
def folder(web_built: web.Built) -> Path:
    """A web space that has the folder in it, in English; built once for all processes of a run."""
    return shared.once("web space", lambda base: static.build(web_built, base / BELOW, ()))


@pytest.fixture(scope="session")
def every_language(web_built: web.Built) -> Path:
    """The same in every language, which takes as long again for each."""
    return shared.once("every language", lambda base: static.build(web_built, base / BELOW))
