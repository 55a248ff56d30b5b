from __future__ import annotations

import hashlib

import cachetools
import pytest
import streamlit as st
from starlette.applications import Starlette
from starlette.testclient import TestClient

from ui.serving import numbers


@pytest.fixture
def client(monkeypatch: pytest.MonkeyPatch) -> TestClient:
    monkeypatch.setattr(numbers, "_served", False)
    monkeypatch.setattr(numbers, "_stored", cachetools.LRUCache(100, getsizeof=len))
    return TestClient(Starlette(routes=numbers.routes()))


def test_a_browser_finds_them_where_it_is_told_and_keeps_them_to_itself(client: TestClient) -> None:
    address = numbers.store(b"three")
    assert address == f"/numbers/{hashlib.sha256(b'three').hexdigest()}"
    answer = client.get(address)
    assert (answer.status_code, answer.content) == (200, b"three")
    assert answer.headers["cache-control"] == "private, max-age=31536000, immutable"
    assert numbers.store(b"three") == address


def test_the_oldest_go_where_there_is_no_more_room(client: TestClient) -> None:
    first, second = (numbers.store(bytes([i]) * 40) for i in range(2))
    assert first is not None
    assert second is not None
    client.get(first)
    numbers.store(bytes([3]) * 40)
    gone = client.get(second)
    assert (gone.status_code, gone.headers["cache-control"]) == (404, "no-store")
    assert client.get(first).status_code == 200
    assert client.get("/numbers/..%2F..%2Fetc").status_code == 404


def test_what_has_no_room_and_what_nobody_answers_comes_along(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numbers, "_served", True)
    assert numbers.store(bytes(numbers.ROOM + 1)) is None
    monkeypatch.setattr(numbers, "_served", False)
    assert numbers.store(b"few") is None


def test_a_path_in_front_of_the_app_stands_in_front_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(st, "get_option", {"server.baseUrlPath": "/class/polysee/"}.get)
    monkeypatch.setattr(numbers, "_served", False)
    client = TestClient(Starlette(routes=numbers.routes()))
    address = numbers.store(b"two")
    assert address is not None
    assert address.startswith("/class/polysee/numbers/")
    assert client.get(address).content == b"two"
