"""A choice in a picture does not pack its numbers again; a change of its data does."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core.figures import Picture, heads_of, layer_of, picture
from pages.heads import zoom
from tests.pages.heads.test_page import pictures, visit
from tests.visits import run
from ui.models import pictures as cache

pytestmark = pytest.mark.check

TEXT = "an unbelievability of river banks"
LAYER: dict[str, Any] = {"l": "3", "r": "token"}


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The kinds of the pictures of heads that are made from now on."""
    cache.once.cache_clear()
    found: list[str] = []

    def counted(make: Callable[..., Picture]) -> Callable[..., Picture]:
        def count(*args: Any, **more: Any) -> Picture:
            found.append(make.__name__)
            return make(*args, **more)

        return count

    for make in (heads_of, layer_of):
        monkeypatch.setattr(zoom, make.__name__, counted(make))
    return found


@pytest.mark.parametrize(
    ("link", "choices"),
    [
        (LAYER, {"heads query": 4, "heads head": 7, "heads key": 2, "heads level": "lines"}),
        (LAYER | {"u": "1"}, {"heads query": 2, "heads on": (1, 5), "heads special": True}),
        (LAYER | {"l": "mean"}, {"heads query": 4, "heads threshold": 0.3}),
        ({}, {"heads token": 3, "heads way": "from", "heads pattern": "previous", "heads least": 0.5}),
        ({"s": "0"}, {"heads token": 3, "heads usual": True, "heads pattern": "same"}),
    ],
)
def test_what_is_chosen_in_a_picture_packs_nothing(
    calls: list[str], monkeypatch: pytest.MonkeyPatch, link: dict[str, str], choices: dict[str, Any]
) -> None:
    app = visit(t=TEXT, **link)
    assert len(calls) == 1
    (before,) = [sent for header, sent in pictures(app) if "state" in header]
    packed = []
    pack = picture._head

    def count(header: Any) -> bytes:
        packed.append(header.get("layer") or header.get("layers"))
        return pack(header)

    monkeypatch.setattr(picture, "_head", count)
    states = []
    for field, value in choices.items():
        app.session_state[field] = value
        ((header, sent),) = [one for one in pictures(run(app)) if "state" in one[0]]
        assert sent == before
        states.append(header["state"])
    assert len({str(state) for state in states}) == len(states)
    assert (len(calls), [one for one in packed if one]) == (1, [])


def test_another_visitor_s_same_picture_is_there(calls: list[str]) -> None:
    for head in ("1", "5"):
        visit(t=TEXT, h=head, **LAYER)
    assert calls == ["layer_of"]


@pytest.mark.few(4)
@pytest.mark.parametrize(
    "more",
    [
        {"t": "an unbelievability of banks"},
        {"l": "4"},
        {"l": "mean"},
        {"l": "0"},
        {"l": "0", "s": "0"},
        {"u": "1"},
        {"t2": "a shore"},
    ],
)
def test_all_else_makes_another(calls: list[str], more: dict[str, str]) -> None:
    for link in ({}, more, {}):
        visit(**{"t": TEXT, **LAYER, **link})
    assert len(calls) == 2


def test_another_model_and_a_hidden_word_make_another(
    calls: list[str], made: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = made("bert")
    monkeypatch.setenv("POLYSEE_MODELS", str(folder.parent))
    for more in ({}, {"m": folder.name}, {"m": folder.name, "mk": "3"}, {"m": folder.name}):
        visit(**{"t": TEXT, **LAYER, **more})
    assert len(calls) == 3


def test_of_a_pair_each_part_is_another(calls: list[str]) -> None:
    for part in ("", "aa", "ab", "aa"):
        visit(**{"t": TEXT, "t2": "a shore", "n": part, **LAYER})
    assert len(calls) == 3


def test_two_beside_each_other_share_what_the_other_shows(calls: list[str]) -> None:
    for more in ({}, {"h2": "3"}, {"l2": "5"}, {"u": "1"}):
        app = visit(**{"t": TEXT, "m2": "minilm", "l2": "4", **LAYER, **more})
        shown = [header for header, _ in pictures(app) if "state" in header]
        assert [len(header["link"]["keys"]) for header in shown] == [len(one["keys"]) for one in shown]
    # Both at first; none for a choice in one; one for its layer; both for whole words.
    assert len(calls) == 2 + 0 + 1 + 2
