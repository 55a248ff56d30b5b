from __future__ import annotations

import gzip
import hashlib

import pytest
import streamlit as st
from starlette.applications import Starlette
from starlette.testclient import TestClient

from core.figures import web
from core.figures.picture import Numbers
from core.figures.web import bundle
from core.memory import Budget, Cache
from ui.serving import sent_once


def stored(content: bytes) -> str | None:
    return sent_once.numbers(Numbers(content[:2], content[2:]))


@pytest.fixture
def client(monkeypatch: pytest.MonkeyPatch) -> TestClient:
    monkeypatch.setattr(sent_once, "_served", False)
    # Each takes about 500 bytes with its name.
    monkeypatch.setattr(sent_once, "_stored", Cache(budget=Budget(1_200)))
    return TestClient(Starlette(routes=sent_once.routes()))


def test_a_browser_finds_them_where_it_is_told_and_keeps_them_to_itself(client: TestClient) -> None:
    address = stored(b"three")
    assert address == f"/numbers/{hashlib.sha256(b'three').hexdigest()}"
    answer = client.get(address)
    assert (answer.status_code, answer.content) == (200, b"three")
    assert answer.headers["cache-control"] == "private, max-age=31536000, immutable"
    assert answer.headers["content-encoding"] == "identity"
    assert stored(b"three") == address


def test_the_oldest_go_where_there_is_no_more_room(client: TestClient) -> None:
    first, second = (stored(bytes([i]) * 40) for i in range(2))
    assert first is not None
    assert second is not None
    client.get(first)
    stored(bytes([3]) * 40)
    gone = client.get(second)
    assert (gone.status_code, gone.headers["cache-control"]) == (404, "no-store")
    assert client.get(first).status_code == 200
    assert client.get("/numbers/..%2F..%2Fetc").status_code == 404


def test_what_has_no_room_and_what_nobody_answers_comes_along(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sent_once, "_served", True)
    monkeypatch.setattr(sent_once, "_stored", Cache(budget=Budget(1_000)))
    assert stored(bytes(1_001)) is None
    assert stored(b"few") is not None
    monkeypatch.setattr(sent_once, "_served", False)
    assert stored(b"few") is None


def test_a_path_in_front_of_the_app_stands_in_front_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(st, "get_option", {"server.baseUrlPath": "/class/polysee/"}.get)
    monkeypatch.setattr(sent_once, "_served", False)
    client = TestClient(Starlette(routes=sent_once.routes()))
    address = stored(b"two")
    assert address is not None
    assert address.startswith("/class/polysee/numbers/")
    assert client.get(address).content == b"two"


def test_plotly_lies_where_it_stays_the_same_and_goes_as_it_is_packed(client: TestClient) -> None:
    address = sent_once.library("plotly")
    assert address is not None
    answer = client.get(address)
    assert answer.headers["content-encoding"] == "gzip"
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert int(answer.headers["content-length"]) < 1_600_000
    plain = client.get(address, headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert plain.content == answer.content == gzip.decompress(bundle.library_code("plotly"))
    assert client.get("/pictures/plotly.0000000000000000.js").status_code == 404


def test_the_code_of_each_kind_of_picture_lies_where_it_stays_the_same(client: TestClient) -> None:
    for module in web.MODULES:
        address = sent_once.code(module)
        assert address is not None
        answer = client.get(address)
        assert answer.status_code == 200
        assert answer.text.endswith("export { render };\n")
        assert web.code(module) in answer.text
        assert answer.headers["content-type"].startswith("text/javascript")
        assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    for name in ("layer.0000000000000000", "layer", "no-such-thing.00", "..%2Fapp"):
        assert client.get(f"/pictures/{name}.js").status_code == 404
