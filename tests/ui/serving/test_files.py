"""The files of pictures, made by the server on request."""

from __future__ import annotations

import gc
import json
import logging
import threading
from collections.abc import Callable

import pytest
import streamlit as st
from starlette.applications import Starlette
from starlette.testclient import TestClient

from core.errors import NotSupported
from ui.serving import files, metrics
from ui.serving.files import File, SessionFiles


def file(make: Callable[[], str | bytes] = lambda: "", kind: str = "CSV", ending: str = "csv") -> File:
    return File(kind, f"polysee-x.{ending}", make, "its numbers")


def offered(session: SessionFiles, one: File, place: str = "picture") -> str:
    address = session.offer(place, one)
    assert address is not None
    return address


@pytest.fixture
def client(monkeypatch: pytest.MonkeyPatch) -> TestClient:
    monkeypatch.setattr(files, "_served", False)
    return TestClient(Starlette(routes=files.routes()))


def test_a_file_is_made_when_it_is_asked_for_and_never_before(client: TestClient) -> None:
    made: list[int] = []

    def make() -> str:
        made.append(1)
        return "of,ünd\n1,2\n"

    session = SessionFiles()
    address = offered(session, file(make))
    assert client.head(address).status_code == 200
    assert made == []
    for count in (1, 2):
        answer = client.get(address)
        assert answer.content == "of,ünd\n1,2\n".encode()
        assert answer.headers["content-type"] == "text/csv; charset=utf-8"
        assert answer.headers["content-disposition"] == 'attachment; filename="polysee-x.csv"'
        assert answer.headers["cache-control"] == "no-store"
        assert len(made) == count
    assert client.post(address).status_code == 405


def test_bytes_are_sent_as_they_are(client: TestClient) -> None:
    session = SessionFiles()
    content = bytes(range(256))
    answer = client.get(offered(session, file(lambda: content, "NPZ", "npz")))
    assert answer.content == content
    assert answer.headers["content-type"] == "application/octet-stream"


def test_an_address_stays_and_gives_what_was_offered_last(client: TestClient) -> None:
    session, other = SessionFiles(), SessionFiles()
    first = offered(session, file(lambda: "one"))
    assert offered(session, file(lambda: "two")) == first
    assert client.get(first).text == "two"
    places = [
        offered(session, file(lambda: "b"), "another"),
        offered(session, file(lambda: "c", "NPZ")),
    ]
    places.append(offered(other, file(lambda: "d")))  # of another session
    assert len({first, *places}) == 4
    assert [client.get(one).text for one in (first, *places)] == ["two", "b", "c", "d"]


def test_what_the_page_offers_no_more_goes_and_so_do_all_files_with_their_session(
    client: TestClient,
) -> None:
    session = SessionFiles()
    stays, goes = (offered(session, file(), place) for place in ("a", "b"))
    session.begin()
    offered(session, file(), "a")
    assert client.head(goes).status_code == 200  # the run may be cut off yet
    session.end()
    assert [client.head(one).status_code for one in (stays, goes)] == [200, 404]
    del session
    gc.collect()
    gone = client.get(stays)
    assert (gone.status_code, gone.headers["cache-control"]) == (404, "no-store")
    assert gone.text.startswith("This file is no longer there.")
    assert client.get("/files/no-such-session/..%2Fetc").status_code == 404


def test_a_part_that_runs_alone_adds_no_end_of_files(client: TestClient) -> None:
    session = SessionFiles()
    addresses = [offered(session, file(), f"{i}") for i in range(files.MOST_KEPT + 1)]
    assert [client.head(addresses[i]).status_code for i in (0, 1, -1)] == [404, 200, 200]


def test_an_error_of_ours_is_a_sentence_and_of_a_model_its_own(
    client: TestClient, caplog: pytest.LogCaptureFixture
) -> None:
    def missing() -> str:
        raise NotSupported("There is no such head.")

    def broken() -> str:
        raise KeyError("secret")

    session = SessionFiles()
    answer = client.get(offered(session, file(missing)))
    assert (answer.status_code, answer.text) == (409, "There is no such head.\n")
    before = metrics.REGISTRY.get_sample_value("polysee_errors_total") or 0
    with caplog.at_level(logging.ERROR, "polysee"):
        answer = client.get(offered(session, file(broken)))
    assert answer.status_code == 500
    (record,) = caplog.records
    facts = json.loads(json.dumps(record.__dict__["facts"]))
    assert facts["id"] in answer.text
    assert "secret" not in answer.text
    assert metrics.REGISTRY.get_sample_value("polysee_errors_total") == before + 1


def test_one_visitor_cannot_have_all_files_made_at_once(client: TestClient) -> None:
    begun, go_on = threading.Semaphore(0), threading.Event()

    def slow() -> str:
        begun.release()
        go_on.wait(20)
        return "slow"

    session, other = SessionFiles(), SessionFiles()
    address = offered(session, file(slow))
    with client:  # one event loop for all requests
        answers: list[str] = []
        waiting = [
            threading.Thread(target=lambda: answers.append(client.get(address).text))
            for _ in range(files.MOST_ASKED)
        ]
        for one in waiting:
            one.start()
        for _ in range(files.AT_ONCE):
            assert begun.acquire(timeout=20)
        while session.asked < files.MOST_ASKED:
            pass
        refused = client.get(address)
        assert (refused.status_code, refused.headers["content-type"][:10]) == (429, "text/plain")
        assert client.head(offered(other, file())).status_code == 200
        go_on.set()
        for one in waiting:
            one.join()
        assert answers == ["slow"] * files.MOST_ASKED
        assert client.get(offered(other, file(lambda: "other"))).text == "other"
    assert session.asked == 0


def test_without_a_server_of_ours_nothing_is_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "_served", False)
    assert SessionFiles().offer("picture", file()) is None


def test_a_path_in_front_of_the_app_stands_in_front_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(st, "get_option", {"server.baseUrlPath": "/class/polysee/"}.get)
    monkeypatch.setattr(files, "_served", False)
    client = TestClient(Starlette(routes=files.routes()))
    session = SessionFiles()
    address = offered(session, file(lambda: "two"))
    assert address.startswith(f"/class/polysee/files/{session.name}/")
    assert client.get(address).text == "two"
