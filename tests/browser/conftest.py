"""A real Streamlit server, a real Chromium, and a watch on whom the two of them ask."""

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

from tests import corpora, shared
from tests.browser.pictures import gallery
from tools import server as server_process
from tools.browser import FLAGS, find_browser

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 60_000  # milliseconds; a busy machine with two cores is slow, not wrong
expect.set_options(timeout=PATIENCE)
POLICY = "Content Security Policy"  # in what a browser says of a page that breaks it


@dataclass
class Server(server_process.Server):
    """The app in a process of its own, with a watch on whom it asks."""

    shared_pid: int = 0

    def __post_init__(self) -> None:
        watch = {
            "PYTHONPATH": str(Path(__file__).parent / "audit"),
            "POLYSEE_AUDIT": str(self.folder / "audit.log"),
            "POLYSEE_UMAP": "asked",  # or each of our servers would compile it beside the tests
        }
        self.environment = {**watch, **self.environment}

    @property
    def pid(self) -> int:
        """Its process, which another one of the tests may have started."""
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
    """A server that all processes of this run of the tests visit: the first that asks starts it.

    It runs until all have ended. A test that kills its server, or has settings of its own, starts one.
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
    """The app on the embedded model; its operator's folder holds two small models and a broken one."""

    def fill(models: Path) -> None:
        shutil.copytree(made("bert"), models / "small-bert")
        shutil.copytree(made("gpt2"), models / "small-gpt2")
        (models / "broken").mkdir()
        (models / "broken" / "config.json").write_text('{"model_type": "bert"}')
        (models / "broken" / "vocab.txt").write_text("[PAD]\n[UNK]\n")
        (models / "broken" / "model.safetensors").write_bytes(b"not weights")

    corpora.docs()
    models = shared.once("models of the server", fill)
    return for_all("server", {"POLYSEE_MODELS": str(models), "POLYSEE_LONG_WORK": "1"})


@pytest.fixture
def only_here() -> Iterator[None]:
    """No test of another process meanwhile asks the server for what it has few of."""
    with shared.alone("only here"):
        yield


@dataclass(frozen=True)
class Shown:
    """Where our browser pictures of one kind are shown, and nothing else."""

    url: str


@pytest.fixture(scope="session")
def pictures() -> Iterator[Shown]:
    """Matrices, vectors, lines and points, each on a page of its own."""
    with gallery.opened() as url:
        yield Shown(url)


@pytest.fixture(scope="session")
def heads(pictures: Shown) -> Shown:
    """All heads of a model, or one layer, each on a page of its own."""
    return Shown(f"{pictures.url}/heads")


@pytest.fixture(scope="session")
def charts(pictures: Shown) -> Shown:
    """Words and their numbers, each on a page of its own."""
    return Shown(f"{pictures.url}/bars")


@pytest.fixture(scope="session")
def app_pictures() -> Iterator[Shown]:
    """The same in a small app, which runs again and hears; it asks nobody for anything."""
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
    """One for all visits, in a folder: a browser that has read the app's code keeps it translated."""
    with playwright.chromium.launch_persistent_context(
        tmp_path_factory.mktemp("profile"),
        executable_path=find_browser(),
        args=list(FLAGS),
        accept_downloads=True,
    ) as context:
        yield context


class Tabs:
    """The tabs of a browser: one in which our app was open opens it again in two thirds of the time.

    Between two tests a tab rests on a page of its server that holds nothing: its session ends.
    """

    KEPT = 2  # more than a test opens, as a rule

    def __init__(self, profile: BrowserContext) -> None:
        self._profile = profile
        self._resting: list[Page] = []

    def open(self) -> Page:
        """A tab as a new one is: in front, with no media chosen and the mouse nowhere."""
        if not self._resting:
            return self._profile.new_page()
        page = self._resting.pop()
        page.bring_to_front()
        page.mouse.move(0, 0)
        page.emulate_media(media="null", reduced_motion="null", forced_colors="null", contrast="null")
        return page

    def leave(self, page: Page, *, keep: bool) -> None:
        """A test is done with a tab; one that has scripts or listeners of a test is not to be kept."""
        if page.is_closed():
            return
        if page.url.startswith("http"):
            page.evaluate("localStorage.clear(), sessionStorage.clear()")
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
def visit(profile: BrowserContext, tabs: Tabs) -> Iterator[Callable[..., Page]]:
    """Opens a page as a visitor of one's own; afterwards: nobody else was asked, nothing broke.

    A test that adds scripts or listeners to a page opens "about:blank" first, and then the address.
    """
    pages: list[tuple[Page, bool]] = []
    requested: list[str] = []
    errors: list[str] = []

    def asked(request: Request | WebSocket) -> None:
        requested.append(request.url)

    def broke(error: Error) -> None:
        errors.append(str(error))

    def told(message: ConsoleMessage) -> None:
        if POLICY in message.text:
            errors.append(message.text)

    listeners = {"request": asked, "websocket": asked, "pageerror": broke, "console": told}

    def opened(
        url: str, *, width: int = 1440, height: int = 900, scheme: Literal["light", "dark"] = "light"
    ) -> Page:
        shared_tab = url.startswith("http")
        page = tabs.open() if shared_tab else profile.new_page()
        pages.append((page, shared_tab))
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=scheme)
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
    """Waits until this holds of the link; without a script, which our pages forbid."""

    def is_there(url: str) -> bool:
        return holds({key: values[0] for key, values in parse_qs(urlsplit(url).query).items()})

    try:
        page.wait_for_url(is_there, wait_until="commit")
    except OutOfTime as error:
        raise AssertionError(f"the link is {page.url}") from error


def rested(page: Page) -> None:
    """Waits until the run that has begun is over, and the code of all its boxes has come.

    What a visitor does begins a run only some time later: wait for something new of it before.
    """
    expect(page.locator('[data-test-script-state="notRunning"]')).to_be_visible()
    expect(page.get_by_test_id("stSkeleton")).to_have_count(0)


def back(page: Page) -> None:
    """Back, once the run that shows this page has put its state into the link."""
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
    """Opens a file without a network; afterwards: nothing was asked for, nothing broke."""
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
