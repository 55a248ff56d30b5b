"""A room over HTTP, from a phone and from a wall: without a browser or a Streamlit session."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.testclient import TestClient

from core.classroom import Buckets, Opened, Question, Reveal, Rooms
from core.classroom.rooms import LIFE
from ui.serving.classroom import rooms as served
from ui.serving.headers import Headers
from ui.serving.routes import route

ABOUT = ("A: “<b>The bank</b>”",)
SIDE = Question("On which side is <b>bank</b>?", ("the river", "the money"), ABOUT)


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def rooms(monkeypatch: pytest.MonkeyPatch, clock: Clock) -> Rooms:
    made = Rooms(clock)
    monkeypatch.setattr(served, "ROOMS", made)
    monkeypatch.setattr(served, "_LOOKS", Buckets(clock, burst=1000, rate=100))
    monkeypatch.setattr(served, "_ANSWERS", Buckets(clock, burst=100, rate=10))
    return made


def phone() -> TestClient:
    app = Starlette(routes=served.routes(), middleware=[Middleware(Headers, frames="'self'")])
    return TestClient(app)


@pytest.fixture
def room(rooms: Rooms) -> Opened:
    opened = rooms.open()
    rooms.ask(opened.name, SIDE)
    return opened


def vote(client: TestClient, room: Opened, answer: object, number: object = 1) -> int:
    sent = client.post(f"/class/0/{room.name}/vote", json={"round": number, "answer": answer})
    assert isinstance(sent.json()["why"], str)
    return sent.status_code


def wall(room: Opened, key: str | None = None) -> dict:
    headers = {served.KEY: room.key if key is None else key}
    return phone().get(f"/class/0/{room.name}/tally", headers=headers).json()


def test_the_page_is_small_has_its_own_policy_and_asks_nobody_else(room: Opened) -> None:
    page = phone().get(f"/class/1f2e/{room.name}")
    assert page.status_code == 200
    assert len(page.content) < 30_000
    assert room.name in page.text
    assert not re.findall(r"(?:src|href)=\"(?!data:)", page.text)
    policy = page.headers["content-security-policy"]
    assert "unsafe" not in policy
    for tag in ("style", "script"):
        [inside] = re.findall(rf"<{tag}>(.*?)</{tag}>", page.text, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(inside.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy
    assert page.headers["x-frame-options"] == "DENY"
    assert page.headers["cache-control"] == "no-store"
    assert page.headers["referrer-policy"] == "no-referrer"
    cookie = page.headers["set-cookie"]
    assert re.match(r"polysee_room=[0-9a-f]{24};", cookie)
    for part in ("HttpOnly", "SameSite=strict", f"Path=/class/1f2e/{room.name}", f"Max-Age={LIFE:.0f}"):
        assert part in cookie
    assert "Secure" not in cookie
    behind_tls = phone().get(f"/class/1f2e/{room.name}", headers={"X-Forwarded-Proto": "https"})
    assert "Secure" in behind_tls.headers["set-cookie"]
    assert route(f"/class/1f2e/{room.name}") == "class"


def test_the_wall_has_a_page_of_its_own_which_holds_no_key(room: Opened) -> None:
    page = phone().get(f"/class/1f2e/{room.name}/wall", headers={"Host": "10.0.0.1:8501"})
    assert page.status_code == 200
    assert room.key not in page.text
    assert "set-cookie" not in page.headers
    [data] = re.findall(r'data-wall="([^"]*)"', page.text)
    found = json.loads(html.unescape(data))
    assert found["address"] == f"http://10.0.0.1:8501/class/1f2e/{room.name}"
    assert found["size"] > 20
    assert (found["wall"], found["key"]) == ("", "")
    policy = page.headers["content-security-policy"]
    for tag in ("style", 'script type="module"'):
        [inside] = re.findall(rf"<{tag}>(.*?)</{tag.split()[0]}>", page.text, re.DOTALL)
        assert (
            f"'sha256-{base64.b64encode(hashlib.sha256(inside.encode()).digest()).decode()}'" in policy
        )
    assert phone().get("/class/0/nobody/wall").status_code == 404
    odd = phone().get(f"/class/0/{room.name}/wall", headers={"Host": "["})
    assert '"address": ""' in html.unescape(odd.text)


def test_a_phone_answers_may_change_it_and_sees_the_reveal(rooms: Rooms, room: Opened) -> None:
    mine, other = phone(), phone()
    for one in (mine, other):
        one.get(f"/class/0/{room.name}")
    state = mine.get(f"/class/0/{room.name}/state").json()
    assert state == {
        "round": 1,
        "question": SIDE.text,
        "about": ["A: “<b>The bank</b>”"],
        "language": "en",
        "intro": "",
        "options": ["the river", "the money"],
        "word": False,
        "twice": False,
        "wanted": "",
        "given": None,
        "answered": None,
        "before": None,
        "bars": [],
        "reveal": None,
    }
    assert vote(mine, room, 0) == 200
    assert vote(mine, room, 1) == 200  # in the place of the first
    assert vote(other, room, 0) == 200
    assert mine.get(f"/class/0/{room.name}/state").json()["given"] == 1
    assert "set-cookie" not in mine.get(f"/class/0/{room.name}").headers  # it keeps its number
    assert (wall(room)["answers"], wall(room)["bars"]) == (2, [])  # a class would follow the others
    assert wall(room)["options"] == ["the river", "the money"]  # for hands, where there is no phone
    rooms.reveal(room.name, Reveal("The money.", option=1))
    assert [bar["times"] for bar in wall(room)["bars"]] == [1, 1]
    states = [one.get(f"/class/0/{room.name}/state").json() for one in (mine, other)]
    seen = [one["reveal"] for one in states]
    told = {"answer": "", "words": "The money.", "option": 1}
    assert seen == [{**told, "right": right} for right in (True, False)]
    assert [[bar["times"] for bar in one["bars"]] for one in states] == [[1, 1], [1, 1]]
    assert vote(phone_with(room), room, 1) == 409
    assert vote(mine, room, 0) == 409
    rooms.set_aside(room.name, True)
    left = mine.get(f"/class/0/{room.name}/state").json()
    assert (left["round"], left["question"], left["reveal"], left["bars"]) == (1, None, None, [])
    assert wall(room)["question"] is None
    rooms.set_aside(room.name, False)
    assert wall(room)["right"] == 1


def test_each_looks_at_an_english_room_in_the_own_language(rooms: Rooms) -> None:
    room = rooms.open()
    rooms.ask(room.name, Question("How far?", intro="Words come before it.", language="en"))
    seen = {}
    for code in ("de", "en"):
        one = phone_with(room)
        one.headers["Accept-Language"] = code
        assert vote(one, room, -0.5) == 200
        seen[code] = one
    rooms.reveal(room.name, Reveal("It goes there.", 1234.5, number=1234.5, tolerance=1))
    at, wanted = f"/class/0/{room.name}", {"de": ("−0,5", "1234,50"), "en": ("−0.5", "1234.50")}
    for code, (given, key) in wanted.items():
        state = seen[code].get(f"{at}/state").json()
        tally = (
            seen[code]
            .get(f"{at}/tally?lang={code}", headers={served.KEY: room.key, "Accept-Language": "fr"})
            .json()
        )
        assert (state["question"], state["intro"]) == ("How far?", "Words come before it.")
        assert state["answered"] == given == state["bars"][0]["label"] == tally["bars"][0]["label"]
        assert tally["labels"] == code  # numbers are written for whoever looks
        for one in (state, tally):
            assert one["language"] == "en"
            assert one["reveal"]["words"] == "It goes there."
            assert f"{key}." in one["reveal"]["answer"]
            assert ("Antwort" in one["reveal"]["answer"]) is (code == "de")


def test_the_walls_own_script_asks_in_the_language_of_its_page(room: Opened) -> None:
    for code in ("de", "en"):
        page = phone().get(f"/class/0/{room.name}/wall", headers={"Accept-Language": code})
        [data] = re.findall(r'data-wall="([^"]*)"', page.text)
        assert json.loads(html.unescape(data))["tally"] == f"/class/0/{room.name}/tally?lang={code}"


def test_a_free_word_is_seen_by_nobody_before_the_reveal(rooms: Rooms) -> None:
    room = rooms.open()
    rooms.ask(room.name, Question("What comes next?", (), ("On the river",), word=True))
    mine, other = phone(), phone()
    for one in (mine, other):
        one.get(f"/class/0/{room.name}")
    assert vote(mine, room, "two words") == vote(mine, room, 1) == vote(mine, room, "") == 422
    assert vote(mine, room, "Bank") == vote(other, room, "<i>x</i>") == 200
    assert vote(mine, room, "bank") == 200  # in the place of the first
    state = mine.get(f"/class/0/{room.name}/state").json()
    assert (state["word"], state["given"], state["bars"]) == (True, "bank", [])
    seen = wall(room)
    assert (seen["answers"], seen["bars"]) == (2, [])
    assert "bank" not in str(seen)
    assert rooms.words(room.name) == {"bank": 1, "<i>x</i>": 1}
    rooms.reveal(room.name, Reveal("Told.", rows=(("bank", 1, 0.5), ("other", 1, 0.5))))
    for bars in (wall(room)["bars"], other.get(f"/class/0/{room.name}/state").json()["bars"]):
        assert [(bar["label"], bar["times"], bar["share"]) for bar in bars] == [
            ("bank", 1, 0.5),
            ("other", 1, 0.5),
        ]
    assert vote(other, room, "late") == 409


def phone_with(room: Opened) -> TestClient:
    made = phone()
    made.get(f"/class/0/{room.name}")
    return made


def test_nothing_tells_the_tally_without_the_teachers_key(room: Opened) -> None:
    vote(phone_with(room), room, 1)
    for key in ("", "x", f"{room.key}x"):
        assert set(wall(room, key)) == {"why"}
    page = phone().get(f"/class/0/{room.name}")
    assert room.key not in page.text + phone().get(f"/class/0/{room.name}/state").text


def test_what_is_no_answer_is_refused(room: Opened) -> None:
    mine, at = phone_with(room), f"/class/0/{room.name}/vote"
    json = {"Content-Type": "application/json"}
    for body in (
        b"",
        b"{",
        b"[]",
        b'{"round": 1}',
        b"[" * 190,
        b'{"round": 1.5, "answer": 1}',
        b"\xff",
    ):
        assert mine.post(at, content=body, headers=json).status_code == 422
    for answer in (2, -1, True, None, "0", [1]):
        assert vote(mine, room, answer) == 422
    assert mine.post(at, content=b" " * (served.MOST_BYTES + 1), headers=json).status_code == 413
    # A form of another site cannot send JSON, and a phone without our cookie cannot answer.
    assert mine.post(at, data={"round": "1", "answer": "1"}).status_code == 415
    assert vote(phone(), room, 1) == 403
    forged = phone()
    forged.cookies.set("polysee_room", "mine")
    assert vote(forged, room, 1) == 403
    assert vote(mine, room, 1, number=2) == 409
    assert vote(mine, room, 1) == 200
    assert mine.get(at).status_code == 405


@pytest.mark.fuzz
@pytest.mark.check  # 1,400 requests
def test_one_address_cannot_flood(room: Opened, clock: Clock) -> None:
    mine = phone_with(room)
    assert [vote(mine, room, 5) for _ in range(105)] == [422] * 100 + [429] * 5
    clock.now += 1
    assert vote(mine, room, 1) == 200
    statuses = {mine.get(f"/class/0/{room.name}/state").status_code for _ in range(1300)}
    assert statuses == {200, 429}
    assert mine.get(f"/class/0/{room.name}").status_code == 429


def test_a_closed_room_says_so_everywhere(rooms: Rooms, room: Opened) -> None:
    mine = phone_with(room)
    rooms.close(room.name)
    page = mine.get(f"/class/0/{room.name}")
    assert (page.status_code, page.headers["cache-control"]) == (404, "no-store")
    assert "closed" in page.text
    assert mine.get(f"/class/0/{room.name}/state").status_code == 404
    assert vote(mine, room, 1) == 404
    assert set(wall(room)) == {"why"}
    # Foreign text in the address is never sent back.
    assert "<script>x" not in mine.get("/class/0/<script>x").text
