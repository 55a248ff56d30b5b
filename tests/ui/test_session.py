"""Values that last for a session, and actions that happen once in it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ui import permalink, session
from ui.session import SessionValue
from ui.state import Switch, Whole


@pytest.fixture
def stored(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The session, empty at first."""
    found: dict[str, Any] = {}
    monkeypatch.setattr("ui.session.st.session_state", found)
    return found


def test_a_value_is_its_default_until_it_is_set_and_again_when_it_is_taken(
    stored: dict[str, Any],
) -> None:
    value = SessionValue("refused", "")
    assert (value.get(), stored) == ("", {})
    value.set("too long")
    assert SessionValue("refused", "").get() == "too long"  # by its name
    assert value.take() == "too long"
    assert value.get() == ""


def test_what_happens_for_the_first_time_does_so_once_a_session(stored: dict[str, Any]) -> None:
    assert [session.first_time("it moves") for _ in range(3)] == [True, False, False]
    assert session.first_time("it turns")
    stored.clear()
    assert session.first_time("it moves")


def test_each_session_has_a_name_of_its_own(stored: dict[str, Any]) -> None:
    own = session.name()
    assert session.name() == own
    stored.clear()
    assert session.name() != own


def test_an_object_of_a_session_is_made_once(stored: dict[str, Any]) -> None:
    first = session.own("models", permalink.Now)
    assert session.own("models", permalink.Now) is first
    stored.clear()
    assert session.own("models", permalink.Now) is not first


def test_nothing_else_goes_around_the_fields() -> None:
    root = Path(__file__).parents[2]
    at = {
        file.relative_to(root).as_posix()
        for folder in ("ui", "pages")
        for file in (root / folder).rglob("*.py")
        if "st.session_state" in file.read_text("utf-8")
    }
    assert at == {"ui/session.py", "ui/permalink.py", "ui/state/control_sync.py"}


def test_fields_that_are_set_at_once_outrank_pictures_and_boxes(stored: dict[str, Any]) -> None:
    size, marked = Whole("n", "size", 5, 1, 40), Switch("s", "marked")
    before = permalink.now().went
    permalink.assign({size: 7, marked: True})
    assert (size.get(), marked.get()) == (7, True)
    assert permalink.now().went == before + 1  # as boxes see that what was typed came before
    assert permalink.now().replaced
