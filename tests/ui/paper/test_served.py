"""The sheets over HTTP: existing ones, missing ones, and the key as the live model computes it."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import html
import re
import threading
import time

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.testclient import TestClient

import core
from core.classroom import Buckets
from core.lessons import Answer, OfModel, answer, lessons
from core.measures import shipped
from ui.models import lesson_records, model_cache
from ui.paper import links, served
from ui.serving.headers import Headers
from ui.serving.routes import route

FIRST = lessons()[0]


@pytest.fixture
def client() -> TestClient:
    app = Starlette(routes=served.routes(), middleware=[Middleware(Headers, frames="'self'")])
    return TestClient(app)


@pytest.mark.parametrize("kind", ["notes", "questions", "check"])
def test_a_sheet_is_a_plain_page_that_runs_what_is_ours_alone(client: TestClient, kind: str) -> None:
    reply = client.get(f"/paper/{FIRST.name}/{kind}")
    assert reply.status_code == 200
    assert FIRST.title in reply.text
    assert len(reply.content) < 30_000
    rules = dict(rule.split(" ", 1) for rule in reply.headers["content-security-policy"].split("; "))
    assert rules["default-src"] == rules["frame-ancestors"] == "'none'"
    for tag, rule in (("style", "style-src"), ("script", "script-src")):
        (inside,) = re.findall(rf"<{tag}>(.*?)</{tag}>", reply.text, re.DOTALL)
        assert (
            rules[rule]
            == f"'sha256-{base64.b64encode(hashlib.sha256(inside.encode()).digest()).decode()}'"
        )
    assert not re.search(r'\s(style|on\w+)="', reply.text)  # which the policy would forbid
    assert "set-cookie" not in reply.headers


@pytest.mark.parametrize(
    "path", ["nobody/key", f"{FIRST.name}/answers", f"{FIRST.name}/", "../app.py/key", "%00/key"]
)
def test_what_is_none_is_not_there(client: TestClient, path: str) -> None:
    reply = client.get(f"/paper/{path}")
    assert reply.status_code == 404
    assert path not in reply.text


def test_the_second_sentence_takes_the_place_of_the_first(client: TestClient) -> None:
    reply = client.get(links.address(FIRST.name, "questions", second=True))
    assert FIRST.second["a"] in reply.text
    assert FIRST.texts["a"] not in reply.text
    assert "The first sentence" in reply.text
    same = client.get(f"/paper/{FIRST.name}/questions")
    assert FIRST.texts["a"] in same.text


@pytest.mark.check
def test_the_key_has_what_the_live_model_computes(client: TestClient, minilm: core.Model) -> None:
    own = OfModel(lambda: minilm, "MiniLM", shipped("minilm"))
    page = html.unescape(client.get(f"/paper/{FIRST.name}/key").text)
    words = " ".join(re.sub(r"</?em>", "", page).split())
    for texts, told in ((FIRST.texts, True), (FIRST.with_second(), False)):
        for step in FIRST.steps:
            computed = answer(step, own, texts)
            assert f">{computed.in_words}<" in page
            if told:
                assert " ".join(computed.reveal.replace("*", "").split()) in words


def test_each_answer_is_kept_apart_from_its_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> Answer:
        raise core.NotSupported("There is no such head.")

    monkeypatch.setattr(lesson_records, "answer_of", fails)
    assert served.answers(FIRST, second=False) == ["There is no such head."] * len(FIRST.steps)


@pytest.mark.parametrize("kind", ["pack", "key", "plan", "slides"])
def test_a_sheet_with_answers_grows(monkeypatch: pytest.MonkeyPatch, kind: links.Kind) -> None:
    asked: list[str] = []

    def told(lesson: str, step: int, *_: object) -> Answer:
        asked.append(f"{lesson} {step}")
        raise core.NotSupported("There is no such head.")

    monkeypatch.setattr(lesson_records, "answer_of", told)
    monkeypatch.setattr(lesson_records, "is_text_model", lambda _: False)
    pieces = served.growing(served.Sheet(FIRST.name, kind, False))
    first = next(pieces)
    count = len(FIRST.steps) * (2 if kind in ("pack", "key") else 1)
    assert not asked  # what the class is given does not wait for the model
    assert "Plan of 45 minutes" in first  # in the bar above the sheet
    assert f": 0 of {count} are ready" in first
    for leaf, is_there in (("check", kind == "pack"), ("notes", kind == "pack"), ("plan", False)):
        assert (f'data-kind="{leaf}"' in first) is is_there
    steps = [next(pieces) for _ in range(count)]
    assert f": 1 of {count} are ready" in steps[0]
    assert f": {count - 1} of {count} are ready" in steps[-2]
    assert "All answers are ready" in steps[-1]  # and the pictures take their time
    assert len(asked) == count
    (last,) = pieces
    assert ("There is no such head." in last) is (kind != "plan")  # the key says it
    assert last.rstrip().endswith("</html>")
    whole = "".join((first, *steps, last))
    for tag in ("article", "div", "main", "nav", "section", "p"):
        assert len(re.findall(rf"<{tag}[ >]", whole)) == whole.count(f"</{tag}>"), tag


def test_a_sheet_says_that_its_model_is_loaded_first(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded: list[str] = []

    def told(*_: object) -> str:
        loaded.append("")
        return "Not here."

    monkeypatch.setattr(served, "_told", told)
    monkeypatch.setattr(model_cache, "shape_if_loaded", lambda _: (6, 12) if loaded else None)
    pieces = [*served.growing(served.Sheet(FIRST.name, "plan", False))]
    said = [i for i, one in enumerate(pieces) if "MiniLM is being loaded" in one]
    assert said == [1]  # at once, and not again


def test_the_first_words_of_a_sheet_do_not_wait_for_another_sheet(client: TestClient) -> None:
    busy, over = threading.Event(), threading.Event()

    def another() -> None:
        busy.set()
        over.wait(30)

    served._makers.submit(another)
    busy.wait(30)
    pieces = served._growing(served.Sheet(FIRST.name, "key", False))
    try:
        first = asyncio.run(asyncio.wait_for(anext(pieces), 20))
        assert ": 0 of " in first
    finally:
        over.set()


def test_a_flood_is_refused(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(served, "_LOOKS", Buckets(time.monotonic, burst=3, rate=0.001))
    codes = [client.get(f"/paper/{FIRST.name}/notes").status_code for _ in range(5)]
    assert codes == [200, 200, 200, 429, 429]


def test_the_log_names_the_route_alone() -> None:
    assert route("/paper/one-vector/key") == "paper"


def test_every_sheet_of_every_lesson_is_linked_once() -> None:
    table = links._table(lessons())
    found = re.findall(r'\]\((\S+) "', table)
    every = [links.address(one.name, kind) for one in lessons() for kind in links.EVERY]
    assert sorted(found) == sorted(every)
    assert len({line.count(" | ") for line in table.splitlines()}) == 1  # no title breaks its row
