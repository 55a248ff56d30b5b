"""What a picture on the page is sent: numbers once, a state only when the page wants another."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import pytest

from core.figures.web import Picture
from ui import permalink, web

KEY = "layer"


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    kept: dict[str, Any] = {}
    monkeypatch.setattr(web, "st", SimpleNamespace(session_state=kept))
    monkeypatch.setattr(permalink, "st", SimpleNamespace(session_state=kept))
    return kept


def sent(session: dict[str, Any], head: int) -> tuple[int, int]:
    """The head and the turn in the header of what is sent, when the page wants this head."""
    header = web._as_begun(Picture("layer", {"state": {"head": head}}, b""), KEY).header
    session[KEY] = {}  # the picture is on the page from now on
    return header["state"]["head"], header["turn"]


def test_what_a_visitor_chose_is_not_sent_again(session: dict[str, Any]) -> None:
    assert sent(session, 1) == (1, 1)
    web._told(KEY, {"head": 2})
    assert sent(session, 2) == (1, 1)  # the same bytes as before
    web._told(KEY, {"head": 3})
    assert sent(session, 3) == (1, 1)


def test_another_state_is_sent_in_another_turn(session: dict[str, Any]) -> None:
    sent(session, 1)
    assert sent(session, 4) == (4, 2)
    assert sent(session, 4) == (4, 2)


def test_back_to_where_it_began_is_another_turn(session: dict[str, Any]) -> None:
    sent(session, 1)
    web._told(KEY, {"head": 2})
    sent(session, 2)
    assert sent(session, 1) == (1, 2)


def test_a_page_that_keeps_no_state_turns_nothing_back(session: dict[str, Any]) -> None:
    sent(session, 1)
    web._told(KEY, {"head": 2})
    assert sent(session, 1) == (1, 1)


def test_back_before_the_page_has_answered_a_choice_is_another_turn(session: dict[str, Any]) -> None:
    sent(session, 1)
    web._told(KEY, {"head": 2})  # and the run that would have followed is ended by Back
    permalink.now().followed += 1
    assert sent(session, 1) == (1, 2)
    assert sent(session, 1) == (1, 2)


def test_back_turns_a_linked_picture_that_was_to_follow(session: dict[str, Any]) -> None:
    sent(session, 1)
    web.follows(KEY)
    permalink.now().followed += 1
    assert sent(session, 1) == (1, 2)


def test_a_link_to_what_is_shown_sends_nothing(session: dict[str, Any]) -> None:
    sent(session, 1)
    web._told(KEY, {"head": 2})
    permalink.now().followed += 1
    assert sent(session, 2) == (1, 1)


def test_a_picture_that_comes_anew_is_told_all(session: dict[str, Any]) -> None:
    sent(session, 1)
    web._told(KEY, {"head": 2})
    sent(session, 2)
    del session[KEY]  # another page was shown meanwhile
    assert sent(session, 2) == (2, 2)


def test_a_linked_picture_follows_by_itself(session: dict[str, Any]) -> None:
    sent(session, 1)
    web.follows(KEY)
    assert sent(session, 5) == (1, 1)
    assert sent(session, 1) == (1, 2)  # Back


def test_the_order_of_what_is_chosen_does_not_matter(session: dict[str, Any]) -> None:
    first = {"head": 1, "on": (1, 2)}
    web._as_begun(Picture("layer", {"state": first}, b""), KEY)
    session[KEY] = {}
    web._told(KEY, {"on": [2], "head": 1})
    again = web._as_begun(Picture("layer", {"state": {"head": 1, "on": (2,)}}, b""), KEY)
    assert json.dumps(dict(again.header["state"]), default=list) == '{"head": 1, "on": [1, 2]}'


def test_a_browser_writes_a_number_without_its_point(session: dict[str, Any]) -> None:
    def turn(least: float) -> int:
        picture = Picture("overview", {"state": {"least": least, "pattern": 0}}, b"")
        header = web._as_begun(picture, KEY).header
        session[KEY] = {}
        return int(header["turn"])

    assert turn(0.5) == 1
    web._told(KEY, {"least": 0, "pattern": 0})
    assert turn(0.0) == 1  # it is what the picture shows
