"""A real Streamlit server, a real Chromium, and a record of the hosts that they contact."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from urllib.parse import parse_qs, urlsplit

import numpy as np
import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Error,
    Page,
    Playwright,
    Request,
    WebSocket,
    expect,
)
from playwright.sync_api import TimeoutError as OutOfTime
from safetensors.numpy import load_file, save_file

from tests import corpora, shared
from tests.browser.pictures import gallery
from tests.conftest import BROWSER_FLAGS
from tools import server as server_process
from tools.browser import find_browser

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 60_000  # milliseconds; a busy machine with two cores is slow, not wrong
expect.set_options(timeout=PATIENCE)
POLICY = "Content Security Policy"  # part of the browser's message about a violation


@dataclass
class Server(server_process.Server):
    """The app in a separate process, with a record of the hosts that it contacts."""

    shared_pid: int = 0

    def __post_init__(self) -> None:
        watch = {
            "PYTHONPATH": str(Path(__file__).parent / "audit"),
            "POLYSEE_AUDIT": str(self.folder / "audit.log"),
            "POLYSEE_UMAP": "asked",  # otherwise each server would compile it beside the tests
        }
        self.environment = {**watch, **self.environment}

    @property
    def pid(self) -> int:
        """The id of its process, which another worker of the tests may have started."""
        return self.process.pid if self.process else self.shared_pid

    def asked(self) -> set[str]:
        """The hosts that the server looked up or connected to, beyond this machine."""
        audit = self.folder / "audit.log"
        lines = audit.read_text().splitlines() if audit.exists() else []
        hosts = {line.split(" ", 1)[1].strip("'b") for line in lines}
        return {
            h for h in hosts if not re.fullmatch(r"127\..*|::1|localhost|0\.0\.0\.0|::|None|/.*", h)
        }


def for_all(name: str, environment: dict[str, str], script: str = "app.py") -> Server:
    """A server for all workers of this test run: the first that needs it starts it.

    It runs until all have ended. A test that kills its server, or needs other settings, starts its own.
    """

    environment = {**environment, "POLYSEE_AUDIT_OWNER": os.environ[shared.OWNER]}
    server = Server(shared.folder() / name, environment, script)

    def start() -> dict[str, int]:
        server.folder.mkdir(exist_ok=True)
        server.start()
        return {"pid": server.pid, "port": server.port}

    found = shared.running(name, start)
    server.port, server.shared_pid = found["port"], found["pid"]
    return server


@pytest.fixture(scope="session")
def server(made: Callable[..., Path]) -> Server:
    """The app; the operator’s folder has two small models, a training, and a broken one."""

    def fill(models: Path) -> None:
        shutil.copytree(made("bert"), models / "small-bert")
        shutil.copytree(made("gpt2"), models / "small-gpt2")
        for step in (10, 20):  # a training, of which two checkpoints were kept
            shutil.copytree(made("gpt2"), models / "small-run" / f"checkpoint-{step}")
        later = models / "small-run" / "checkpoint-20" / "model.safetensors"
        weights = load_file(later)
        largest = max(weights, key=lambda name: weights[name].size)
        save_file({**weights, largest: weights[largest] * 1.5}, later, {"format": "pt"})
        (models / "broken").mkdir()
        (models / "broken" / "config.json").write_text('{"model_type": "bert"}')
        (models / "broken" / "vocab.txt").write_text("[PAD]\n[UNK]\n")
        (models / "broken" / "model.safetensors").write_bytes(b"not weights")

    corpora.docs()
    corpora.english()
    models = shared.once("models of the server", fill)
    return for_all("server", {"POLYSEE_MODELS": str(models), "POLYSEE_LONG_WORK": "1"})


@pytest.fixture
def only_here() -> Iterator[None]:
    """Within this context, no other worker's test uses a scarce resource of the server."""
    with shared.alone("only here"):
        yield


@dataclass(frozen=True)
class Shown:
    """The addresses at which pictures of one kind are shown."""

    url: str


@pytest.fixture(scope="session")
def pictures() -> Iterator[Shown]:
    """Matrices, vectors, lines and points, each on its own page."""
    with gallery.opened() as url:
        yield Shown(url)


@pytest.fixture(scope="session")
def heads(pictures: Shown) -> Shown:
    """All heads of a model, or one layer, each on its own page."""
    return Shown(f"{pictures.url}/heads")


@pytest.fixture(scope="session")
def charts(pictures: Shown) -> Shown:
    """Words and their numbers, each on its own page."""
    return Shown(f"{pictures.url}/bars")


@pytest.fixture(scope="session")
def app_pictures() -> Iterator[Shown]:
    """The same pictures in a small app that reruns and receives events; it contacts no host."""
    running = for_all("pictures", {}, "tests/browser/pictures/pictures_app.py")
    yield Shown(running.url)
    assert running.asked() == set()


@pytest.fixture(scope="session")
def app_heads(app_pictures: Shown) -> Shown:
    """All heads of a model, or one layer, in that app."""
    return Shown(f"{app_pictures.url}/heads")


@pytest.fixture(scope="session")
def app_charts(app_pictures: Shown) -> Shown:
    """Words and their numbers, in that app."""
    return Shown(f"{app_pictures.url}/bars")


@pytest.fixture(scope="session")
def profile(
    playwright: Playwright, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[BrowserContext]:
    """One profile for all visits, in a folder: the browser then caches the compiled code of the app."""
    with playwright.chromium.launch_persistent_context(
        tmp_path_factory.mktemp("profile"),
        executable_path=find_browser(),
        args=list(BROWSER_FLAGS),
        accept_downloads=True,
    ) as context:
        yield context


# A model that the visitor before has fetched would compute in the browser of the next one.
_FORGET = """async () => { localStorage.clear(); sessionStorage.clear();
for (const name of await globalThis.caches?.keys() ?? []) await caches.delete(name); }"""


class Tabs:
    """The tabs of a browser: a tab in which the app was open opens it again in two thirds of the time.

    Between two tests, a tab shows an empty page of its server, which ends its session.
    """

    KEPT = 2  # more than most tests open

    def __init__(self, profile: BrowserContext) -> None:
        self._profile = profile
        self._resting: list[Page] = []

    def open(self) -> Page:
        """A tab in the state of a new one: in front, no emulated media, the mouse outside."""
        if not self._resting:
            return self._profile.new_page()
        page = self._resting.pop()
        page.bring_to_front()
        page.mouse.move(0, 0)
        page.emulate_media(media="null", reduced_motion="null", forced_colors="null", contrast="null")
        return page

    def leave(self, page: Page, *, keep: bool) -> None:
        """Return a tab after a test; do not keep one that has the test's scripts or listeners."""
        if page.is_closed():
            return
        if page.url.startswith("http"):
            page.evaluate(_FORGET)
            if keep and len(self._resting) < self.KEPT:
                with suppress(Error):  # its server was killed
                    page.goto("{0.scheme}://{0.netloc}/_stcore/health".format(urlsplit(page.url)))
                    self._resting.append(page)
                    return
        page.close()


@pytest.fixture(scope="session")
def tabs(profile: BrowserContext) -> Tabs:
    return Tabs(profile)


@pytest.fixture
def visit(
    request: pytest.FixtureRequest, profile: BrowserContext, tabs: Tabs
) -> Iterator[Callable[..., Page]]:
    """Open pages as a new visitor; afterwards, check that no other host was contacted and none failed.

    Pictures that play when a page opens cost as much as all else on it. They play in tests that are
    marked "motion"; in all others, the visitor prefers none.

    A test that adds scripts or listeners to a page first opens "about:blank", and then the address.
    """
    pages: list[tuple[Page, bool]] = []
    requested: list[str] = []
    errors: list[str] = []

    moves = request.node.get_closest_marker("motion") is not None

    def asked(sent: Request | WebSocket) -> None:
        requested.append(sent.url)

    def broke(error: Error) -> None:
        errors.append(str(error))

    def told(message: ConsoleMessage) -> None:
        if POLICY in message.text:
            errors.append(message.text)

    listeners = {"request": asked, "websocket": asked, "pageerror": broke, "console": told}

    def opened(
        url: str,
        *,
        width: int = 1440,
        height: int = 900,
        scheme: Literal["light", "dark"] = "light",
    ) -> Page:
        shared_tab = url.startswith("http")
        page = tabs.open() if shared_tab else profile.new_page()
        pages.append((page, shared_tab))
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=scheme, reduced_motion="no-preference" if moves else "reduce")
        page.set_default_timeout(PATIENCE)
        for event, listener in listeners.items():
            page.on(event, listener)  # type: ignore[call-overload]
        page.goto(url)
        return page

    yield opened
    for page, keep in pages:
        for event, listener in listeners.items():
            page.remove_listener(event, listener)
        tabs.leave(page, keep=keep)
    profile.clear_cookies()
    hosts = {re.sub(r"^(https?|wss?)://([^/:]+).*", r"\2", u) for u in requested}
    local = {h for h in hosts if h == "127.0.0.1" or h.startswith(("data:", "blob:"))}
    assert hosts == local, f"the page asked {hosts - local}"
    assert not errors


def until_link(page: Page, holds: Callable[[dict[str, str]], bool]) -> None:
    """Wait until the link satisfies a condition; without a script, which our pages forbid."""

    def is_there(url: str) -> bool:
        return holds({key: values[0] for key, values in parse_qs(urlsplit(url).query).items()})

    try:
        page.wait_for_url(is_there, wait_until="commit")
    except OutOfTime as error:
        raise AssertionError(f"the link is {page.url}") from error


def rested(page: Page) -> None:
    """Wait until the current run has ended, and the code of all its components has been loaded.

    A visitor's action starts a run only after a moment: first wait for something new from that run.
    """
    expect(page.locator('[data-test-script-state="notRunning"]')).to_be_visible()
    expect(page.get_by_test_id("stSkeleton")).to_have_count(0)


def back(page: Page) -> None:
    """Go back, once the run that shows this page has written its state into the link."""
    page.locator('[data-test-script-state="notRunning"]').wait_for()
    page.go_back()


@pytest.fixture(scope="session")
def minilm_eager(minilm_folder: Path) -> Callable[[str], tuple[list[str], list[np.ndarray]]]:
    """Tokens and attention of each layer, (heads, tokens, tokens), by plain eager `transformers`."""
    from transformers import AutoModel, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(minilm_folder)
    model = AutoModel.from_pretrained(minilm_folder, attn_implementation="eager").eval()

    def run(text: str) -> tuple[list[str], list[np.ndarray]]:
        inputs = tokenizer(text, return_tensors="pt", padding=False, truncation=False)
        out = model(**inputs, output_attentions=True)
        tokens = tokenizer.convert_ids_to_tokens(inputs["input_ids"][0])
        return tokens, [layer[0].detach().numpy() for layer in out.attentions]

    return run


@pytest.fixture
def offline(chromium: Browser) -> Iterator[Callable[[Path], Page]]:
    """Open files without a network; afterwards, check that nothing was requested and none failed."""
    contexts = []
    asked: list[str] = []
    errors: list[str] = []

    def opened(path: Path) -> Page:
        context = chromium.new_context(
            viewport={"width": 1440, "height": 900}, offline=True, accept_downloads=True
        )
        contexts.append(context)
        page = context.new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(path.as_uri())
        return page

    yield opened
    for context in contexts:
        context.close()
    assert [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == []
    assert not errors
