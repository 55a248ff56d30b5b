from __future__ import annotations

from typing import Any

import pytest
import streamlit as st
from starlette.types import Message, Receive, Scope, Send

from tools.streamlit_client import wait_for
from ui.paper.shell import POLICY as PAPER_POLICY
from ui.serving.classroom import STUDENT_POLICY
from ui.serving.gate import Gate
from ui.serving.headers import Headers, inline_scripts, policy
from ui.serving.routes import PAGES, is_page, route


async def plain(scope: Scope, receive: Receive, send: Send) -> None:
    """An app that answers with the size of the request."""
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.accept"})
        while (await receive())["type"] != "websocket.disconnect":
            pass
        return
    await send(
        {"type": "http.response.start", "status": 200, "headers": [(b"x-frame-options", b"ALLOW")]}
    )
    await send({"type": "http.response.body", "body": b"ok"})


def ask(app: Any, path: str = "/", query: bytes = b"", **scope: object) -> list[Message]:
    """The messages of an app for one request."""
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    async def receive() -> Message:
        return {"type": "websocket.disconnect"}

    asked = {"type": "http", "path": path, "query_string": query, "headers": [], **scope}
    wait_for(app(asked, receive, send))
    return sent


def headers(message: Message) -> dict[str, str]:
    return {name.decode(): value.decode() for name, value in message["headers"]}


def test_the_policy_names_every_inline_script_of_streamlit_and_no_other_host() -> None:
    scripts = inline_scripts()
    assert len(scripts) == 3  # Streamlit’s, and ours: where the server is, one entry a page
    rules = dict(rule.split(" ", 1) for rule in policy("'none'").split("; "))
    assert rules["script-src"] == f"'self' blob: {' '.join(scripts)}"
    assert rules["frame-ancestors"] == rules["default-src"] == rules["object-src"] == "'none'"
    assert rules["connect-src"] == "'self'"
    assert not any("http" in sources or "*" in sources for sources in rules.values())


def test_a_device_that_computes_needs_one_word_more() -> None:
    without, computing = (policy("'self'", computes=computes) for computes in (False, True))
    assert "wasm" not in without
    assert computing.replace(" 'wasm-unsafe-eval'", "") == without
    assert "unsafe-eval'" not in computing.replace("'wasm-unsafe-eval'", "")
    told = headers(ask(Headers(plain, "'self'", computes=True))[0])["content-security-policy"]
    assert told == computing


def test_ours_replace_what_the_app_says_and_files_are_shut_in() -> None:
    for frames, older in (("'none'", "DENY"), ("'self'", "SAMEORIGIN")):
        told = headers(ask(Headers(plain, frames))[0])
        assert told["x-frame-options"] == older
        assert told["content-security-policy"].endswith(frames)


BASES = {"": "", "poly": "/poly", "/class/polysee/": "/class/polysee", "files": "/files"}


@pytest.fixture(params=BASES)
def base(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """What all addresses begin with, by a base path of Streamlit."""
    monkeypatch.setattr(st, "get_option", {"server.baseUrlPath": request.param}.get)
    return BASES[request.param]


def test_each_kind_of_address_has_its_policy(base: str) -> None:
    ours = Headers(plain, "'self'")
    for mount in ("", "/mounted"):
        for path, part in (
            ("/", "frame-ancestors 'self'"),
            ("", "frame-ancestors 'self'"),
            ("/heads", "frame-ancestors 'self'"),
            ("/media/x.html", "; sandbox"),
            ("/files/session/x.csv", "; sandbox"),
            ("/class/0/dolami", STUDENT_POLICY),
            ("/paper/heads/key", PAPER_POLICY),
        ):
            (told, *_) = ask(ours, mount + base + path, root_path=mount)
            assert part in headers(told)["content-security-policy"], (mount, path)


def test_the_path_of_a_page_is_told_and_no_other(base: str) -> None:
    ours = Headers(plain, "'self'")
    for mount in ("", "/mounted"):
        for path in ("/", "/heads", "/step-by-step", "/compare"):
            (told, *_) = ask(ours, mount + base + path, b"t=secret", root_path=mount)
            assert headers(told)["x-polysee-page"] == path, (mount, path)
        for path in ("/secret", "/heads/secret", "/files/session/x.csv", "/_stcore/health"):
            (told, *_) = ask(ours, mount + base + path, root_path=mount)
            assert "x-polysee-page" not in headers(told), (mount, path)


def test_a_longer_name_is_not_the_base_path(base: str) -> None:
    if base:
        (told, *_) = ask(Headers(plain, "'self'"), f"{base}tic/media/x.html")
        assert "sandbox" not in headers(told)["content-security-policy"]


def test_doors(base: str) -> None:
    gate = Gate(plain, sessions=1)
    for path, query, status in (
        ("/", b"", 200),
        ("/", b"a=" + b"x" * 32_000, 200),
        ("/_stcore/metrics", b"", 404),
        ("/_stcore/agent/interact", b"", 404),
        ("/_stcore/health", b"", 200),
    ):
        assert ask(gate, base + path, query)[0]["status"] == status, path[:40]
        assert ask(gate, f"/mounted{base}{path}", query, root_path="/mounted")[0]["status"] == status


def test_a_full_server_keeps_its_visitors(base: str) -> None:
    gate = Gate(plain, sessions=1)
    stream: dict[str, Any] = {"type": "websocket", "path": f"{base}/_stcore/stream"}
    assert [message["type"] for message in ask(gate, **stream)] == ["websocket.accept"]
    gate._open = 1  # one is in
    assert [message["type"] for message in ask(gate, **stream)] == ["websocket.close"]
    assert ask(gate, f"{base}/heads")[0]["status"] == 503
    assert ask(gate, f"{base}/static/js/index.js")[0]["status"] == 200
    gate._open = 0
    assert ask(gate, f"{base}/heads")[0]["status"] == 200


def test_routes_are_words_of_ours() -> None:
    assert route("/") == route("/compare") == "compare"
    assert [route(f"/{page}") for page in PAGES] == list(PAGES)
    assert route("/_stcore/upload_file/secret/secret") == "upload"
    assert route("/device/0123456789abcdef/model.safetensors") == "device"
    assert route("/secret words") == route("/heads/secret") == "other"
    assert route("/heads/_stcore/health") == "probe"
    assert is_page("compare")
    assert not is_page("static")
