"""What is chosen on the panel, from the link to the pictures and back."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from core.measures import AttentionBlock, blocks, part
from core.settings import POEM, POEM_B
from pages.heads import state as heads_state
from pages.heads.state import PARAMETERS, SIDES


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    kept = {parameter.key: parameter.default for parameter in PARAMETERS}
    monkeypatch.setattr(heads_state, "st", SimpleNamespace(session_state=kept))
    return kept


@pytest.fixture
def pair(minilm: Any) -> tuple[AttentionBlock, AttentionBlock]:
    """All of a pair; and what its second text attends to in its first, where places are others."""
    (block,) = blocks(minilm.trace(POEM, POEM_B)).values()
    return block, part(block, "ba")


def links(session: dict[str, Any]) -> dict[str, Any]:
    """What differs from how the page opens, by the names of the link."""
    return {p.short: session[p.key] for p in PARAMETERS if session[p.key] != p.default}


@pytest.mark.parametrize("typed", ["0", "3", "mean"])
def test_layers_of_the_link(typed: str) -> None:
    assert SIDES[0].layer.parse(typed) == typed


@pytest.mark.parametrize("typed", ["-1", "", "x", "1.5", "1000", "²"])
def test_no_layers(typed: str) -> None:
    with pytest.raises(ValueError, match=r".*"):
        SIDES[0].layer.parse(typed)


@pytest.mark.parametrize("typed", ["1.", ".", "a", "1..2", "-3", "1.5e3", "99999999"])
def test_no_lists_of_tokens(typed: str) -> None:
    with pytest.raises(ValueError, match=r".*"):
        SIDES[0].more.parse(typed)


@pytest.mark.parametrize("typed", ["nan", "-0.1", "1.1", "inf", "x"])
def test_no_shares(typed: str) -> None:
    with pytest.raises(ValueError, match=r".*"):
        heads_state.LEAST.parse(typed)


def test_what_is_chosen_in_a_layer_comes_back(
    session: dict[str, Any], pair: tuple[AttentionBlock, AttentionBlock]
) -> None:
    state = {"level": "token", "head": 4, "on": [1, 2], "query": 3, "key": 7, "special": False}
    heads_state.take_within(state, SIDES[0], pair[0], pair[0])
    assert links(session) == {"r": "token", "h": "5", "on": "2.3", "q": "4", "k": "8", "s": "0"}
    assert heads_state.within(session, SIDES[0], pair[0], pair[0]) == state


def test_the_second_models_heads_are_its_own_and_its_tokens_shared(
    session: dict[str, Any], pair: tuple[AttentionBlock, AttentionBlock]
) -> None:
    first, second = pair
    heads_state.take_within({"head": 4, "query": 2, "key": 5}, SIDES[1], first, second)
    # The third token of the second text stands behind the first text and its special tokens.
    place = first.marks[0].index(second.marks[0][2])
    assert place > 5
    assert links(session) == {"h2": "5", "q": str(place + 1), "k": "6"}
    assert heads_state.within(session, SIDES[1], first, second) == {"head": 4, "query": 2, "key": 5}


def test_a_token_that_the_second_model_lacks_is_none_there(
    session: dict[str, Any], pair: tuple[AttentionBlock, AttentionBlock]
) -> None:
    first, second = pair
    heads_state.take_within({"query": 1}, SIDES[0], first, first)
    assert heads_state.within(session, SIDES[1], first, second) == {"query": None}


def test_what_is_chosen_above_comes_back(
    session: dict[str, Any], pair: tuple[AttentionBlock, AttentionBlock]
) -> None:
    sent = {"token": 3, "way": "from", "pattern": 2, "usual": True, "least": 0.35, "special": False}
    heads_state.take_above(sent, pair[0], pair[0])
    assert links(session) == {"x": 4, "y": "from", "f": "itself", "us": True, "ge": 0.35, "s": "0"}
    assert heads_state.above(session, pair[0], pair[0]) == {
        what: value for what, value in sent.items() if what != "special"
    }
    assert not heads_state.shows_special(session, above=True)


@pytest.mark.parametrize(
    ("link", "maps", "lines", "head"),
    [({}, True, False, True), ({"s": "0"}, False, False, False), ({"s": "1"}, True, True, True)],
)
def test_special_tokens_are_hidden_in_the_lines_alone_unless_chosen(
    session: dict[str, Any], link: dict[str, str], maps: bool, lines: bool, head: bool
) -> None:
    shared = heads_state._SHARED
    session[shared["special"].key] = link.get("s", "")
    assert heads_state.shows_special(session, above=True) == maps
    assert heads_state.shows_special(session, above=False) == lines
    session[shared["level"].key] = "head"
    assert heads_state.shows_special(session, above=False) == head


def test_what_is_shown_above_leaves_the_lines_as_they_were(
    session: dict[str, Any], pair: tuple[AttentionBlock, AttentionBlock]
) -> None:
    key = heads_state._SHARED["special"].key
    for before, after in (("", ""), ("0", ""), ("1", "1")):
        session[key] = before
        heads_state.take_above({"way": "to", "special": True}, *pair)
        assert session[key] == after


def test_above_a_token_is_found_among_the_other_models(
    session: dict[str, Any], pair: tuple[AttentionBlock, AttentionBlock]
) -> None:
    first, second = pair
    heads_state.take_above({"token": 0, "way": "from"}, first, second)
    assert session[heads_state.TOKEN.key] == first.marks[0].index(second.marks[0][0]) + 1
    assert heads_state.above(session, first, second)["token"] == 0


def test_a_head_is_opened_for_its_side(session: dict[str, Any]) -> None:
    heads_state.open_head(SIDES[1], 2, 7)
    assert links(session) == {"l2": "3", "h2": "8", "r": "head"}
    assert heads_state.head(session, SIDES[1]) == 7
    assert heads_state.head(session, SIDES[0]) == 0


def test_the_mean_of_a_layer_is_no_head(session: dict[str, Any]) -> None:
    session[SIDES[0].head.key] = "mean"
    assert heads_state.head(session, SIDES[0]) == -1


@pytest.mark.parametrize(
    ("forget", "gone"),
    [
        (heads_state.forget, {"g", "mk2", "x", "q", "k", "pin"}),
        (heads_state.forget_tokens, {"x", "q", "k", "pin"}),
    ],
)
def test_what_belongs_to_other_tokens_is_forgotten(
    session: dict[str, Any], forget: Callable[[], None], gone: set[str]
) -> None:
    all_of_it = {"g": "1.2", "mk2": "3", "x": 4, "q": "5", "k": "6", "pin": "query"}
    keys = {parameter.short: parameter.key for parameter in PARAMETERS}
    session.update({keys[short]: value for short, value in all_of_it.items()})
    forget()
    assert set(links(session)) == set(all_of_it) - gone
