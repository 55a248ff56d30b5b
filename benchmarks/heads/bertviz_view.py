"""A user's steps in BertViz to see one sentence, timed in the same browser.

Its HTML, opened as a file, requests three JavaScript libraries from an outside host. Here they come
from npm, by its ordinary client, and are served to the page from memory: nothing is requested from
outside while the clock runs.
"""

from __future__ import annotations

import re
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
from playwright.sync_api import TimeoutError as Late
from transformers import AutoModel, AutoTokenizer

from benchmarks import stopwatch

# The package, its version, the file in it, and the name under which BertViz's pages request it.
LIBRARIES = (
    ("d3", "5.7.0", "dist/d3.min.js", "d3.min.js"),
    ("jquery", "2.2.4", "dist/jquery.min.js", "jquery.min.js"),
    ("requirejs", "2.3.6", "require.js", "require.min.js"),
)
NPM_SECONDS = 60
LONGEST = 600_000  # milliseconds after which the page itself gives up
HEAVY = 2_000  # milliseconds: a page that took longer is not reused
LINES = "svg line"  # the lines with which both views draw attention, all at once
COUNT = f"document.querySelectorAll('{LINES}').length"


class NotThere(RuntimeError):
    """BertViz cannot be measured on this machine; the message says why."""


@dataclass(frozen=True)
class Spent:
    """The seconds for one sentence: in Python, and in the browser until it was painted."""

    call: float
    page: float
    size: int  # of the page, in bytes

    @property
    def both(self) -> float:
        """The total time that the user waits."""
        return self.call + self.page


def libraries() -> dict[str, str]:
    """The code of BertViz's JavaScript libraries, by the requested file name.

    Raises:
        NotThere: if npm or its registry is not available.
    """
    npm = shutil.which("npm")
    if npm is None:
        raise NotThere("npm, which fetches BertViz's JavaScript libraries, is not installed")
    with tempfile.TemporaryDirectory() as folder:
        wanted = [f"{name}@{version}" for name, version, *_ in LIBRARIES]
        try:
            subprocess.run(
                [npm, "pack", *wanted, "--ignore-scripts", "--loglevel=error"],
                cwd=folder,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=NPM_SECONDS,
                check=True,
            )
            return {file: _unpacked(Path(folder), *package) for *package, file in LIBRARIES}
        except (OSError, subprocess.SubprocessError, tarfile.TarError, KeyError) as error:
            # Not npm's own output, which names hosts.
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
    """BertViz with one model, in its own page; `html` is the file that the page shows."""

    context: BrowserContext
    views: dict[str, Callable[..., Any]]
    tokenizer: Any
    model: Any
    code: dict[str, str]
    html: Path
    page: Page | None = None

    def show(self, view: str, text: str, *, seconds: float, **options: Any) -> Spent:
        """The forward pass, the call of the view, and the painting of its page.

        Args:
            view: "head_view" or "model_view".
            text: the text that the model reads.
            seconds: the limit for the call and the page together.
            **options: further arguments of the view.

        Raises:
            stopwatch.NotPainted: if no attention was drawn in time, or if more of it was drawn later.
        """
        start = time.perf_counter()
        inputs = self.tokenizer(text, return_tensors="pt", padding=False)
        with torch.inference_mode():
            attention = self.model(**inputs, output_attentions=True).attentions
        tokens = self.tokenizer.convert_ids_to_tokens(inputs["input_ids"][0])
        made = self.views[view](attention, tokens, html_action="return", **options).data
        call = time.perf_counter() - start
        self.html.write_text(made, encoding="utf-8")
        del attention, made
        return Spent(call, self._painted(view, seconds - call), self.html.stat().st_size)

    def _painted(self, view: str, seconds: float) -> float:
        """Open the file; returns the seconds. A late page is closed, because it no longer responds."""
        page = self._page()
        page.bring_to_front()
        try:
            page.goto(self.html.as_uri(), wait_until="commit")
            page.wait_for_function(
                "() => globalThis.ended !== undefined", timeout=1e3 * max(1, seconds)
            )
        except Late as late:
            page.close()
            self.page = None
            raise stopwatch.NotPainted(f"BertViz's {view} did not draw in time") from late
        ended, drawn = page.evaluate("ended"), page.evaluate(COUNT)
        time.sleep(stopwatch.REST)
        if ended is None or page.evaluate(COUNT) != drawn:
            raise stopwatch.NotPainted(f"BertViz's {view} did not draw in one go: {drawn} lines")
        if ended > HEAVY:  # leaving this page would cost the next one seconds
            page.close()
            self.page = None
        return float(ended / 1e3)

    def _page(self) -> Page:
        if self.page is not None:
            return self.page
        self.page = page = self.context.new_page()
        page.add_init_script(stopwatch.CODE)
        page.add_init_script(f"""stopwatch.shapes("{LINES}", {LONGEST}).then((time) => {{
            globalThis.ended = time;
        }});""")

        def answer(route: Route) -> None:
            body = self.code.get(route.request.url.rpartition("/")[2])
            if body is None:
                route.abort()
            else:
                route.fulfill(body=body, content_type="text/javascript; charset=utf-8")

        page.route(re.compile("^http"), answer)
        return page


def peer(context: BrowserContext, page_folder: Path, folder: Path) -> Peer:
    """BertViz with a model in `transformers`' eager mode, ready for timing.

    Args:
        context: the browser context for its page.
        page_folder: a folder for its file.
        folder: the folder of the model.

    Raises:
        NotThere: if it cannot be measured here.
    """
    try:
        from bertviz import head_view, model_view
    except ImportError as error:
        raise NotThere("bertviz is not installed (`make bench` installs it)") from error
    code = libraries()
    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = AutoModel.from_pretrained(folder, attn_implementation="eager").eval()
    views = {"head_view": head_view, "model_view": model_view}
    return Peer(context, views, tokenizer, model, code, page_folder / "bertviz.html")
