"""The real server around the pages: headers, limits, logs and metrics."""

from __future__ import annotations

import json
import re
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Server, rested
from tests.tiers import some

SECRET = "zymurgic"


# Base paths: all that is not about addresses is run under one by `make fuzz` alone.
BOTH = pytest.mark.parametrize(
    "small", ["", pytest.param("poly/see", marks=pytest.mark.check)], indirect=True
)
FEW = pytest.mark.parametrize(
    "small", ["", pytest.param("poly/see", marks=pytest.mark.fuzz)], indirect=True
)


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Iterator[Server]:
    """A small app behind our server, with and without a base path; 2 pages at once."""
    running = Server(
        tmp_path_factory.mktemp("serving"),
        {
            "POLYSEE_LOG": "json",
            "POLYSEE_METRICS": "route",
            "POLYSEE_SESSIONS": "2",
        },
        script="tests/browser/serving/serving_app.py",
        base=request.param,
    )
    running.start()
    yield running
    running.stop()


def get(url: str) -> tuple[int, dict[str, str], str]:
    try:
        with urllib.request.urlopen(url, timeout=10) as answer:
            return answer.status, dict(answer.headers), answer.read().decode("utf-8", "replace")
    except urllib.error.HTTPError as error:
        return error.code, dict(error.headers), error.read().decode()


def lines(server: Server) -> list[dict[str, object]]:
    """The log; lines that are not JSON are Streamlit's greeting, before our first line."""
    return [json.loads(line) for line in server.log.splitlines() if line.startswith("{")]


def number(server: Server, name: str) -> float:
    _, _, told = get(f"{server.origin}/metrics")
    found = re.search(rf"^{re.escape(name)} (\S+)$", told, re.MULTILINE)
    assert found, told
    return float(found[1])


@BOTH
def test_every_answer_has_our_headers(small: Server) -> None:
    script = re.search(r'src="\./(static/js/index[^"]+)"', get(small.url)[2])
    assert script
    files = "media/none.csv", "files/a/b"
    paths = "", script[1], *files, "class/0/none", "paper/none/key", "_stcore/health", "no-such-page"
    for path in paths:
        _, headers, _ = get(f"{small.url}/{path}")
        assert headers["referrer-policy"] == "no-referrer", path
        assert headers["x-content-type-options"] == "nosniff", path
        lonely = path.startswith(("class/", "paper/"))
        assert headers["x-frame-options"] == ("DENY" if lonely else "SAMEORIGIN"), path
        rules = headers["content-security-policy"]
        assert rules.startswith("default-src 'none'; "), path
        frames = "'none'" if lonely or path in files else "'self'"
        assert f"frame-ancestors {frames}" in rules, path
        assert ("sandbox" in rules) == (path in files), path
        assert "'unsafe-eval'" not in rules, path
        assert not re.search(r"\*|https?:", rules), path


@FEW
def test_the_policy_stops_what_a_page_of_ours_never_does(chromium: Browser, small: Server) -> None:
    context = chromium.new_context()
    page = context.new_page()
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.goto(small.url)
    page.get_by_role("button", name="Again").wait_for()
    assert [text for text in said if "Content Security Policy" in text] == []
    for tried in (
        "fetch('http://127.0.0.1:9/').catch(() => 0)",
        "void (document.body.append(Object.assign(document.createElement('script'), {text: '1'})))",
        "void (document.body.append(Object.assign(new Image(), {src: 'http://127.0.0.1:9/'})))",
    ):
        with page.expect_console_message(lambda told: "Content Security Policy" in told.text):
            page.evaluate(tried)
    context.close()


@BOTH
def test_closed_doors_and_long_links(small: Server) -> None:
    for path in ("_stcore/metrics", "_stcore/agent/openapi.json", "_stcore/agent/mcp"):
        for at in (small.url, small.origin):
            status, _, told = get(f"{at}/{path}")
            assert (status, told) == (404, "There is nothing here.\n"), at
    assert get(f"{small.url}/?say={SECRET}{'x' * 32_000}")[0] == 200


@FEW
def test_an_error_has_a_number_and_no_text_reaches_the_log(
    small: Server, visit: Callable[..., Page]
) -> None:
    page = visit(f"{small.url}/?say={SECRET}-link")
    expect(page.get_by_text("13 letters")).to_be_visible()
    page.get_by_label("Say").fill(f"{SECRET}-typed {SECRET}")
    page.get_by_label("Say").press("Enter")
    expect(page).to_have_url(re.compile("typed"))
    expect(page.get_by_text("23 letters")).to_be_visible()
    page.get_by_role("button", name="Break").click()
    told = page.get_by_role("alert").filter(has_text="Something went wrong in Polysee")
    expect(told).to_be_visible()
    found = re.search(r"under the number (\w{8})\.", told.inner_text())
    assert found
    assert SECRET not in told.inner_text()
    assert page.get_by_label("Say").input_value() == f"{SECRET}-typed {SECRET}"  # nothing is lost
    get(f"{small.url}/{SECRET}?{SECRET}")
    get(f"{small.url}/_stcore/upload_file/{SECRET}/{SECRET}")
    assert number(small, "polysee_errors_total") == 1
    wanted = {"compare", "other", "upload"}
    while not wanted <= {line.get("place") for line in lines(small)}:
        page.wait_for_timeout(100)  # a line is written when all of an answer is over
    log = lines(small)
    [error] = [line for line in log if line["event"] == "error"]
    assert (error["id"], error["error"]) == (found[1], "ValueError from KeyError")
    assert str(error["at"]).count("tests/browser/serving/serving_app.py:") == 1
    assert SECRET not in small.log
    assert "Traceback" not in small.log
    assert SECRET not in get(f"{small.origin}/metrics")[2]


@FEW
def test_every_run_is_counted(small: Server, visit: Callable[..., Page]) -> None:
    page = visit(small.url)
    expect(page.get_by_text("0 letters")).to_be_visible()
    for typed in ("a", "aa", "aaa"):
        page.get_by_label("Say").fill(typed)
        page.get_by_label("Say").press("Enter")
        # a run each: of two that come together one is left out
        expect(page.get_by_text(f"{len(typed)} letters")).to_be_visible()
    rested(page)  # a run is counted when it is over
    assert number(small, 'polysee_run_seconds_count{page="small"}') >= 4


@FEW
def test_a_full_server_says_so_and_goes_on(small: Server, visit: Callable[..., Page]) -> None:
    pages: list[Page] = []
    for count in (1, 2):
        pages.append(visit(small.url))
        expect(pages[-1].get_by_role("button", name="Again")).to_be_visible()
        while number(small, "polysee_sessions") > count:
            pages[-1].wait_for_timeout(100)  # a page of the test before may not be gone yet
    assert number(small, "polysee_sessions") == 2
    status, headers, sentence = get(small.url)
    assert (status, headers["retry-after"]) == (503, "60")
    assert sentence == "This server is full: 2 pages are open. Reload this one in a minute.\n"
    assert get(f"{small.url}/_stcore/health")[0] == 200
    pages[0].close()
    while number(small, "polysee_sessions") > 1:
        pages[1].wait_for_timeout(100)  # the server hears of it a little later
    late = visit(f"{small.url}/?say=late")
    expect(late.get_by_text("4 letters")).to_be_visible()


@pytest.mark.parametrize(
    ("frames", "older"), some([("https://school.example", None), ("none", "DENY")], 1)
)
def test_who_may_frame_it(frames: str, older: str | None, tmp_path: Path) -> None:
    environment = {"POLYSEE_FRAMES": frames, "POLYSEE_LOG": "off"}
    server = Server(tmp_path, environment, script="tests/browser/serving/serving_app.py")
    server.start()
    try:
        _, headers, _ = get(server.url)
        allowed = {"none": "'none'"}.get(frames, f"'self' {frames}")
        assert headers["content-security-policy"].endswith(f"frame-ancestors {allowed}")
        assert headers.get("x-frame-options") == older
        # Unless requested, there are no metrics: this is the app's page.
        assert get(f"{server.url}/metrics")[1]["content-type"].startswith("text/html")
        assert "{" not in server.log
        assert "info" not in server.log
    finally:
        server.stop()
