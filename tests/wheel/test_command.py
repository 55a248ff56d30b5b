"""The command `polysee`, in an environment without the checkout: trace, compare, and the app."""

from __future__ import annotations

import json
import re
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

import core
from ui import navigation

from .conftest import Installed

pytestmark = pytest.mark.check


def test_it_says_its_version(installed: Installed) -> None:
    for command in ([installed.command], [installed.python, "-m", "polysee"]):
        assert installed.run(*command, "--version").stdout == f"polysee {core.__version__}\n"


@pytest.mark.fuzz  # `make wheel` runs it, and tests/cli the same from the checkout
def test_it_traces(installed: Installed) -> None:
    done = installed.run(installed.command, "trace", "a river bank", "--word", "bank", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    assert len(json.loads(done.stdout)["word"]["layers"]) == 6


@pytest.mark.fuzz
def test_it_compares(installed: Installed) -> None:
    texts = ("fishing on a river bank", "money from a bank")
    done = installed.run(installed.command, "compare", *texts, "--word", "bank", "--out", "page.html")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    page = (installed.folder / "page.html").read_text("utf-8")
    assert "fishing on a river" in page
    assert not re.search(r"<(?:script|link|img)[^>]+(?:src|href)=[\"']https?:", page)


def test_an_error_is_one_sentence(installed: Installed) -> None:
    done = installed.run(installed.command, "trace", "", "--word", "bank")  # before torch is imported
    assert (done.returncode, done.stdout, done.stderr) == (2, "", "Polysee: The sentence is empty.\n")


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def answer(url: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(url, timeout=30) as answered:
            return answered.status, answered.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, ""
    except OSError:
        return 0, ""


@pytest.fixture(scope="module")
def app(installed: Installed) -> Iterator[str]:
    """The address of the app, once its model has answered."""
    port = free_port()
    command = [str(installed.command), "--port", str(port), "--host", "127.0.0.1"]
    environ = {**installed.environ, "POLYSEE_UMAP": "asked"}
    log = installed.folder / "server.log"
    with log.open("w") as out:
        server = subprocess.Popen(
            command, cwd=installed.folder, env=environ, stdout=out, stderr=subprocess.STDOUT
        )
    try:
        url = f"http://127.0.0.1:{port}"
        for _ in range(600):
            if answer(f"{url}/ready")[0] == 200:
                break
            assert server.poll() is None, log.read_text()
            time.sleep(0.2)
        else:
            raise AssertionError(log.read_text())
        yield url
    finally:
        server.terminate()
        server.wait(20)


@pytest.mark.fuzz
def test_the_app_answers(app: str) -> None:
    assert answer(f"{app}/ready") == (200, "ready\n")
    assert answer(f"{app}/_stcore/health")[0] == 200
    assert answer(f"{app}/heads")[0] == 200
    assert answer(f"{app}/class/0/nothing")[0] == 404  # a route of our own


@pytest.mark.fuzz  # `make wheel` runs it
def test_every_page_shows_in_a_browser(app: str, chromium: Browser) -> None:
    tab = chromium.new_page()
    try:
        for name in (page.path for page in navigation.pages().values()):
            tab.goto(f"{app}/{name}")
            main = tab.get_by_test_id("stMain")
            main.get_by_role("heading", level=1).wait_for(timeout=60_000)
            if not name:
                main.get_by_text("Two meanings").first.wait_for(timeout=60_000)
            assert tab.get_by_test_id("stException").count() == 0, name
        tab.goto(f"{app}/glossary?g=attention")  # names the code by the package's own name
        tab.get_by_text("polysee.transformer.attention").first.wait_for(timeout=60_000)
        tab.goto(f"{app}/?py=1")
        tab.get_by_text("import polysee").first.wait_for(timeout=60_000)
        tab.goto(f"{app}/step-by-step")
        tab.get_by_test_id("stSidebarNav").get_by_text("Heads").click()
        tab.wait_for_url(re.compile("/heads"), timeout=60_000)
    finally:
        tab.close()
