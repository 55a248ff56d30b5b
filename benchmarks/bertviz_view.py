"""What a user of BertViz does for the picture of one sentence, timed in the same browser.

Its HTML asks an outside host for three JavaScript libraries. Here they come from npm, by its ordinary
client, and are served to the page from memory: nothing outside is asked while the clock runs.
"""

from __future__ import annotations

import shutil
import subprocess
import tarfile
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from playwright.sync_api import BrowserContext, Page, Route
from transformers import AutoModel, AutoTokenizer

from benchmarks import stopwatch
from core import settings
from core.pretrained.loading import find

# Package, version, the file in it, and the name under which BertViz's pages ask for it.
LIBRARIES = (
    ("d3", "5.7.0", "dist/d3.min.js", "d3.min.js"),
    ("jquery", "2.2.4", "dist/jquery.min.js", "jquery.min.js"),
    ("requirejs", "2.3.6", "require.js", "require.min.js"),
)
NPM_SECONDS = 60
PAGE = "http://127.0.0.1/bertviz.html"  # answered by the routing, never by a server
LINES = "svg line"  # what both views draw attention with, in one go


class NotThere(RuntimeError):
    """BertViz cannot be measured on this machine; the message says why."""


@dataclass(frozen=True)
class Spent:
    """Seconds for one sentence: in Python, and in the browser until it was painted."""

    call: float
    page: float

    @property
    def both(self) -> float:
        """What the user waits."""
        return self.call + self.page


def libraries() -> dict[str, str]:
    """The code of BertViz's JavaScript libraries, by the name of the file that it asks for.

    Raises:
        NotThere: npm, or what it fetches from, is not there.
    """
    npm = shutil.which("npm")
    if npm is None:
        raise NotThere("npm, which fetches BertViz's JavaScript libraries, is not installed")
    with tempfile.TemporaryDirectory() as place:
        wanted = [f"{name}@{version}" for name, version, *_ in LIBRARIES]
        try:
            subprocess.run(
                [npm, "pack", *wanted, "--ignore-scripts", "--loglevel=error"],
                cwd=place,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=NPM_SECONDS,
                check=True,
            )
            return {asked: _unpacked(Path(place), *found) for *found, asked in LIBRARIES}
        except (OSError, subprocess.SubprocessError, tarfile.TarError, KeyError) as error:
            # Not in npm's own words: they name hosts.
            late = isinstance(error, subprocess.TimeoutExpired)
            within = f" within {NPM_SECONDS} s" if late else ""
            raise NotThere(f"npm did not bring {', '.join(wanted)}{within}") from error


def _unpacked(folder: Path, name: str, version: str, file: str) -> str:
    with tarfile.open(folder / f"{name}-{version}.tgz") as packed:
        content = packed.extractfile(f"package/{file}")
        if content is None:
            raise KeyError(file)
        return content.read().decode("utf-8")


@dataclass
class Peer:
    """BertViz in a page of its own; `html` is what the page shows when it is opened next."""

    page: Page
    views: dict[str, Callable[..., Any]]
    tokenizer: Any
    model: Any
    html: str = ""

    def show(self, view: str, text: str) -> Spent:
        """The forward pass, the view's call and the painting of its page.

        Raises:
            stopwatch.NotPainted: no attention was drawn, or more of it came later.
        """
        start = time.perf_counter()
        inputs = self.tokenizer(text, return_tensors="pt", padding=False)
        with torch.inference_mode():
            attention = self.model(**inputs, output_attentions=True).attentions
        tokens = self.tokenizer.convert_ids_to_tokens(inputs["input_ids"][0])
        self.html = self.views[view](attention, tokens, html_action="return").data
        call = time.perf_counter() - start
        self.page.bring_to_front()
        self.page.goto(PAGE, wait_until="commit")
        ended = self.page.evaluate(
            "([lines, patience]) => stopwatch.shapes(lines, patience)", [LINES, stopwatch.PATIENCE]
        )
        drawn = self.page.locator(LINES).count()
        time.sleep(stopwatch.REST)
        if ended is None or self.page.locator(LINES).count() != drawn:
            raise stopwatch.NotPainted(f"BertViz's {view} did not draw in one go: {drawn} lines")
        return Spent(call, ended / 1e3)


def peer(context: BrowserContext) -> Peer:
    """BertViz with the embedded model in `transformers`' eager mode, ready to be timed.

    Raises:
        NotThere: it cannot be measured here.
    """
    try:
        from bertviz import head_view, model_view
    except ImportError as error:
        raise NotThere("bertviz is not installed (`make bench` installs it)") from error
    code = libraries()
    folder, _ = find("minilm", settings.read())
    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = AutoModel.from_pretrained(folder, attn_implementation="eager").eval()
    page = context.new_page()
    page.add_init_script(stopwatch.CODE)
    made = Peer(page, {"head_view": head_view, "model_view": model_view}, tokenizer, model)

    def answer(route: Route) -> None:
        url = route.request.url
        if url == PAGE:
            route.fulfill(body=made.html, content_type="text/html; charset=utf-8")
        elif url.rpartition("/")[2] in code:
            body = code[url.rpartition("/")[2]]
            route.fulfill(body=body, content_type="text/javascript; charset=utf-8")
        else:
            route.abort()

    page.route("**/*", answer)
    return made
