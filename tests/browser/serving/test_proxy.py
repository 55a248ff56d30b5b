"""Three real servers behind the proxy of `deploy/`: many visitors, and one server that dies."""

from __future__ import annotations

import asyncio
import re
import shutil
import signal
import ssl
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Self
from urllib.parse import parse_qs

import pytest
from playwright.sync_api import Browser, Page, expect

from core import web
from tests.browser.conftest import PATIENCE
from tools.nginx import Proxy, find_nginx
from tools.server import Server
from tools.streamlit_client import Visitor, wait_for
from ui.serving import device_files

SECRET = "zymurgic"
SMALL = "tests/browser/serving/serving_app.py"
pytestmark = pytest.mark.skipif(
    find_nginx() is None or shutil.which("openssl") is None,
    reason="no nginx, or no openssl, is to be had",
)
TRUSTING = ssl.create_default_context()
TRUSTING.check_hostname = False
TRUSTING.verify_mode = ssl.CERT_NONE  # the certificate is our own


@dataclass
class Seat(Visitor):
    """A visitor through the proxy, with the cookie that it has set."""

    tls: ssl.SSLContext | None = TRUSTING

    async def __aenter__(self) -> Self:
        self.cookie = self.cookie or await asyncio.to_thread(seat, f"https://{self.host}/")
        return await super().__aenter__()

    def port(self) -> int:
        """The port of the server that drew the page."""
        found = re.search(r"port (\d+)", self.page.sentences())
        assert found, self.page.sentences()
        return int(found[1])


def fetch(url: str, cookie: str = "") -> tuple[int, dict[str, str], str]:
    asked = urllib.request.Request(url, headers={"Cookie": cookie} if cookie else {})
    try:
        with urllib.request.urlopen(asked, timeout=30, context=TRUSTING) as answer:
            return answer.status, dict(answer.headers), answer.read().decode("utf-8", "replace")
    except urllib.error.HTTPError as error:
        return error.code, dict(error.headers), error.read().decode("utf-8", "replace")


def seat(url: str) -> str:
    return fetch(url)[1]["Set-Cookie"].partition(";")[0]


@pytest.fixture(scope="module")
def three(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Proxy, dict[int, Server]]]:
    """Three servers and the proxy; their logs are checked at the end."""
    servers = [
        Server(tmp_path_factory.mktemp(name), {"POLYSEE_LOG": "json"}, script=SMALL) for name in "abc"
    ]
    with ThreadPoolExecutor(3) as at_once:
        list(at_once.map(Server.start, servers))
    proxy = Proxy(tmp_path_factory.mktemp("proxy"), [server.port for server in servers])
    proxy.start()
    yield proxy, {server.port: server for server in servers}
    proxy.stop()
    for server in servers:
        server.stop()
    for log in (proxy.log, *(server.log for server in servers)):
        assert SECRET not in log


@pytest.mark.fuzz
def test_thirty_visitors_and_a_server_that_dies(
    three: tuple[Proxy, dict[int, Server]],
) -> None:
    proxy, servers = three
    wait_for(lesson(proxy, servers, 30))


async def lesson(proxy: Proxy, servers: dict[int, Server], n: int) -> None:
    host = f"127.0.0.1:{proxy.port}"
    seats = [Seat(host) for _ in range(n)]
    await asyncio.gather(*(one.__aenter__() for one in seats))
    await asyncio.gather(*(one.open() for one in seats))
    await asyncio.gather(*(one.change("Say", f"{SECRET}{'x' * i}") for i, one in enumerate(seats)))
    at = [one.port() for one in seats]
    assert len(Counter(at)) == 3, "all servers have visitors"
    assert len({one.cookie for one in seats}) == n

    dead = Counter(at).most_common(1)[0][0]
    servers[dead].stop(signal.SIGKILL)
    # Those of the other servers go on, on the very connection that they have.
    staying = [(i, one) for i, one in enumerate(seats) if at[i] != dead]
    await asyncio.gather(*(one.change("Say", f"{SECRET}{'y' * (i + 2)}") for i, one in staying))
    for i, one in staying:
        assert f"{len(SECRET) + i + 2} letters" in one.page.sentences()
        assert one.port() == at[i]
        await one.__aexit__(None, None, None)
    # Those of the dead one come back with their cookie and their link, and find what they had.
    for i, one in enumerate(seats):
        if at[i] == dead:
            assert parse_qs(one.page.query)["say"] == [f"{SECRET}{'x' * i}"]
            async with Seat(host, query=one.page.query, cookie=one.cookie) as again:
                await again.open()
                assert f"{len(SECRET) + i} letters" in again.page.sentences()
                assert again.port() != dead
    # And when it is there again, so are they.
    servers[dead].start()
    await asyncio.sleep(11)  # as long as the proxy leaves it alone
    back = next(one for i, one in enumerate(seats) if at[i] == dead)
    async with Seat(host, query=back.page.query, cookie=back.cookie) as again:
        await again.open()
        assert again.port() == dead


def test_a_class_comes_to_the_server_of_its_teacher(three: tuple[Proxy, dict[int, Server]]) -> None:
    wait_for(rooms(three[0]))


async def rooms(proxy: Proxy) -> None:
    """Six teachers on three servers; phones bring no cookie, or one of another server."""
    host = f"127.0.0.1:{proxy.port}"
    at: set[int] = set()
    strangers = [seat(f"{proxy.url}/") for _ in range(6)]
    for _ in range(6):
        async with Seat(host) as teacher:
            await teacher.open()
            await teacher.change("Room", True)
            found = re.search(r"room (/class/([0-9a-f]+)/[a-z]+) (\S+)", teacher.page.sentences())
            assert found
            path, digits, key = found.groups()
            at.add(teacher.port())
            assert len(digits) == 4
            assert teacher.cookie.startswith(f"polysee_seat={digits}")
            for cookie in ("", teacher.cookie, *strangers):
                status, headers, page = fetch(f"{proxy.url}{path}", cookie)
                assert status == 200
                assert path.rpartition("/")[2] in page
                assert "polysee_seat" not in str(headers)  # phones get no seat
                assert re.match(r"polysee_room=.*; Secure", headers["set-cookie"])
            asked = urllib.request.Request(f"{proxy.url}{path}/tally", headers={"X-Room-Key": key})
            with urllib.request.urlopen(asked, context=TRUSTING) as wall:
                assert wall.status == 200
    assert len(at) > 1
    assert re.search(r" /class/ 200 ", proxy.log)
    assert path not in proxy.log


def test_the_log_has_the_path_of_a_page_and_of_nothing_else(
    three: tuple[Proxy, dict[int, Server]],
) -> None:
    proxy, _ = three
    for path in ("heads", "step-by-step", f"{SECRET}-path", f"heads/{SECRET}"):
        _, told, _ = fetch(f"{proxy.url}/{path}?t={SECRET}")
        assert "x-polysee-page" not in {name.lower() for name in told}
    logged = re.findall(r" GET (\S+) \d+ ", proxy.log)
    assert {"/heads", "/step-by-step", "other"} <= {*logged}


@pytest.mark.fuzz  # three whole apps: two minutes and 2 GB
def test_thirty_visitors_of_the_app_itself(tmp_path_factory: pytest.TempPathFactory) -> None:
    environment = {"POLYSEE_METRICS": "route", "POLYSEE_LOG": "json"}
    servers = [Server(tmp_path_factory.mktemp(name), dict(environment)) for name in "abc"]
    with ThreadPoolExecutor(3) as at_once:
        list(at_once.map(Server.start, servers))
    proxy = Proxy(tmp_path_factory.mktemp("proxy"), [server.port for server in servers])
    proxy.start()
    try:
        wait_for(real_lesson(proxy, servers, 30))
    finally:
        proxy.stop()
        for server in servers:
            server.stop()
    for log in (proxy.log, *(server.log for server in servers)):
        assert SECRET not in log


def sessions(server: Server) -> int:
    found = re.search(r"^polysee_sessions (\d+)", fetch(f"{server.url}/metrics")[2], re.MULTILINE)
    assert found
    return int(found[1])


async def real_lesson(proxy: Proxy, servers: list[Server], n: int) -> None:
    host = f"127.0.0.1:{proxy.port}"
    seats, at = [], []
    for _ in range(n):
        before = [sessions(server) for server in servers]
        one = Seat(host)
        await one.__aenter__()
        after = [sessions(server) for server in servers]
        at.append([y - x for x, y in zip(before, after, strict=True)].index(1))
        seats.append(one)
    await asyncio.gather(*(one.open() for one in seats))
    texts = [f"We sat on the bank {SECRET} {i}." for i in range(n)]
    seen = await asyncio.gather(
        *(one.change("Sentence A", text) for one, text in zip(seats, texts, strict=True))
    )
    assert len({answer.digest for answer in seen}) == n
    assert set(at) == {0, 1, 2}
    dead = Counter(at).most_common(1)[0][0]
    servers[dead].stop(signal.SIGKILL)
    staying = [i for i in range(n) if at[i] != dead]
    await asyncio.gather(*(seats[i].change("Sentence A", texts[i][::-1] + " bank") for i in staying))
    for i in staying:
        assert parse_qs(seats[i].page.query)["a"] == [texts[i][::-1] + " bank"]
    for i in set(range(n)) - set(staying):
        async with Seat(host, query=seats[i].page.query, cookie=seats[i].cookie) as again:
            await again.open()
            assert again.page.query == seats[i].page.query
            assert again.page.sentences() == seats[i].page.sentences()  # from another server
    for one in seats:
        await one.__aexit__(None, None, None)


@pytest.mark.fuzz
def test_browsers_whose_server_dies_go_on_by_themselves(
    three: tuple[Proxy, dict[int, Server]], chromium: Browser
) -> None:
    proxy, servers = three
    pages: list[tuple[Page, int]] = []
    for i in range(3):
        context = chromium.new_context(ignore_https_errors=True)
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        page.goto(f"{proxy.url}/?say={SECRET}")
        expect(page.get_by_text(f"{len(SECRET)} letters")).to_be_visible()
        page.get_by_label("Say").fill(f"{SECRET}{'z' * i}")
        page.get_by_label("Say").press("Enter")
        expect(page.get_by_text(f"{len(SECRET) + i} letters")).to_be_visible()
        # In the link too: what the server had not told yet would die with it.
        expect(page).to_have_url(re.compile(rf"[?&]say={SECRET}{'z' * i}(&|$)"))
        pages.append((page, int(page.get_by_text("port ").inner_text().removeprefix("port "))))
    dead = pages[0][1]
    servers[dead].stop(signal.SIGKILL)
    for i, (page, port) in enumerate(pages):
        # A page whose connection is gone looks for another by itself, and what stands on it stays.
        page.get_by_role("button", name="Again").click()
        if port == dead:
            expect(page.get_by_text("port ")).not_to_have_text(f"port {dead}")
        expect(page.get_by_text(f"{len(SECRET) + i} letters")).to_be_visible()
        assert page.get_by_label("Say").input_value() == f"{SECRET}{'z' * i}"
        page.context.close()
    servers[dead].start()


def test_long_addresses_closed_doors_and_headers(three: tuple[Proxy, dict[int, Server]]) -> None:
    proxy, _ = three
    for size in (15_000, 31_000):
        assert fetch(f"{proxy.url}/?say={SECRET}{'x' * size}")[0] == 200
    assert fetch(f"{proxy.url}/?say={SECRET}{'x' * 40_000}")[0] == 414
    assert [fetch(f"{proxy.url}/{path}")[0] for path in ("metrics", "ready", "_stcore/health")] == [
        404,
        404,
        200,
    ]
    _, headers, _ = fetch(f"{proxy.url}/{SECRET}?{SECRET}")
    assert headers["Strict-Transport-Security"]
    assert headers["content-security-policy"].startswith("default-src 'none'")
    assert re.fullmatch(
        r"polysee_seat=[0-9a-f]{32}; Path=/; HttpOnly; Secure; SameSite=Lax", headers["Set-Cookie"]
    )
    # One who has a seat is given no other; what is no seat is not taken for one.
    assert "Set-Cookie" not in fetch(proxy.url, "polysee_seat=1f")[1]
    assert "Set-Cookie" in fetch(proxy.url, "polysee_seat=127.0.0.1")[1]
    plain = f"http://127.0.0.1:{proxy.plain_port}"
    assert fetch(f"{plain}/nginx-health")[0] == 200


@pytest.mark.check
@pytest.mark.skipif(web.find() is None, reason=web.why_not() or "there is all")
def test_one_server_sends_the_weights_and_the_proxy_sends_them_to_all_others(
    three: tuple[Proxy, dict[int, Server]],
) -> None:
    proxy, servers = three
    made = device_files.built()
    assert made is not None
    address = f"{proxy.url}/device/{made.version}/model.safetensors"
    weights = made.files["model.safetensors"].read_bytes()

    def part(first: int) -> bytes:
        asked = urllib.request.Request(address, headers={"Range": f"bytes={first}-{first + 999}"})
        with urllib.request.urlopen(asked, timeout=60, context=TRUSTING) as answer:
            assert answer.status == 206
            assert "immutable" in answer.headers["Cache-Control"]
            received: bytes = answer.read()
        return received

    with ThreadPoolExecutor(8) as visitors:
        parts = list(visitors.map(part, range(0, 80_000_000, 10_000_000)))
    assert parts == [weights[first : first + 1000] for first in range(0, 80_000_000, 10_000_000)]
    lines = [line for server in servers.values() for line in server.log.splitlines()]
    assert sum('"place": "device"' in line or '"place":"device"' in line for line in lines) == 1
