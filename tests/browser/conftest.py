"""A real Streamlit server, a real Chromium, and a watch on whom the two of them ask."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from urllib.parse import parse_qs, urlsplit

import numpy as np
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, expect

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

    def __post_init__(self) -> None:
        watch = {
            "PYTHONPATH": str(Path(__file__).parent / "audit"),
            "POLYSEE_AUDIT": str(self.folder / "audit.log"),
            "POLYSEE_UMAP": "asked",  # or each of our servers would compile it beside the tests
        }
        self.environment = {**watch, **self.environment}

    def asked(self) -> set[str]:
        """The hosts that the server looked up or connected to, beyond this machine."""
        audit = self.folder / "audit.log"
        lines = audit.read_text().splitlines() if audit.exists() else []
        hosts = {line.split(" ", 1)[1].strip("'b") for line in lines}
        return {
            h for h in hosts if not re.fullmatch(r"127\..*|::1|localhost|0\.0\.0\.0|::|None|/.*", h)
        }


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory, made: Callable[..., Path]) -> Iterator[Server]:
    """The app on the embedded model; its operator's folder holds two small models and a broken one."""
    models = tmp_path_factory.mktemp("models")
    shutil.copytree(made("bert"), models / "small-bert")
    shutil.copytree(made("gpt2"), models / "small-gpt2")
    (models / "broken").mkdir()
    (models / "broken" / "config.json").write_text('{"model_type": "bert"}')
    (models / "broken" / "vocab.txt").write_text("[PAD]\n[UNK]\n")
    (models / "broken" / "model.safetensors").write_bytes(b"not weights")
    settings = {"POLYSEE_MODELS": str(models), "POLYSEE_LONG_WORK": "1"}
    running = Server(tmp_path_factory.mktemp("server"), settings)
    running.start()
    yield running
    running.stop()


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
def app_pictures(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shown]:
    """The same in a small app, which runs again and hears; it asks nobody for anything."""
    running = Server(
        tmp_path_factory.mktemp("pictures"), script="tests/browser/pictures/pictures_app.py"
    )
    running.start()
    yield Shown(running.url)
    running.stop()
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


@pytest.fixture
def visit(profile: BrowserContext) -> Iterator[Callable[..., Page]]:
    """Opens a page as a visitor of one's own; afterwards: nobody else was asked, nothing broke."""
    pages: list[Page] = []
    requested: list[str] = []
    errors: list[str] = []

    def opened(
        url: str, *, width: int = 1440, height: int = 900, scheme: Literal["light", "dark"] = "light"
    ) -> Page:
        page = profile.new_page()
        pages.append(page)
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=scheme)
        page.set_default_timeout(PATIENCE)
        page.on("request", lambda request: requested.append(request.url))
        page.on("websocket", lambda ws: requested.append(ws.url))
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda told: errors.append(told.text) if POLICY in told.text else None)
        page.goto(url)
        return page

    yield opened
    for page in pages:
        if not page.is_closed():
            if page.url.startswith("http"):
                page.evaluate("localStorage.clear(), sessionStorage.clear()")
            page.close()
    profile.clear_cookies()
    hosts = {re.sub(r"^(https?|wss?)://([^/:]+).*", r"\2", u) for u in requested}
    local = {h for h in hosts if h == "127.0.0.1" or h.startswith(("data:", "blob:"))}
    assert hosts == local, f"the page asked {hosts - local}"
    assert not errors


def until_link(page: Page, holds: Callable[[dict[str, str]], bool]) -> None:
    """Waits until this holds of the link; without a script, which our pages forbid."""

    def is_there(url: str) -> bool:
        return holds({key: values[0] for key, values in parse_qs(urlsplit(url).query).items()})

    page.wait_for_url(is_there, wait_until="commit")


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
