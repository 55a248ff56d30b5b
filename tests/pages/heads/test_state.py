"""The choices on the panel, from the link to the pictures and back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from core.examples.first_texts import POEM, POEM_B
from core.measures import AttentionBlock, blocks, part
from pages.heads.state import HeadsState, Side
from ui.state import Field

CHOSEN = HeadsState()


@pytest.fixture(autouse=True)
def session(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    stored: dict[str, Any] = {}
    monkeypatch.setattr("ui.session.st.session_state", stored)
    return stored


@pytest.fixture
def pair(minilm: Any) -> tuple[AttentionBlock, AttentionBlock]:
    """A whole pair, and the attention from its second to its first text, with other positions."""
    (block,) = blocks(minilm.trace(POEM, POEM_B)).values()
    return block, part(block, "ba")


def link() -> dict[str, str]:
    """The differences from the initial state, as in a link."""
    return {one.url: one.write(one.get()) for one in HeadsState.fields if one.get() != one.default}


def field(short: str) -> Field[Any]:
    """The field with this key in the link."""
    (one,) = [one for one in HeadsState.fields if one.url == short]
    return one


def test_the_keys_of_the_link_and_their_order() -> None:
    keys = (
        "m m2 t t2 l e h on mk g c l2 e2 h2 on2 mk2 g2 c2 u n x y f us ge r q k pin th ta al s vw so "
        "ra ab wt ro rr ft tm tk lo hi yo yk yw yr yl yh j lesson present check at mine lang"
    )
    assert [parameter.url for parameter in HeadsState.link()] == keys.split()


def test_an_example_sets_the_model_too_and_leaves_the_size_of_the_letters() -> None:
    assert {parameter.url for parameter in HeadsState.link()} - {
        parameter.url for parameter in HeadsState.examples()
    } == {"j", "lesson", "present", "check", "mine", "at", "lang"}


@pytest.mark.parametrize("typed", ["0", "3", "mean"])
def test_layers_of_the_link(typed: str) -> None:
    assert field("l").parse(typed) == typed


@pytest.mark.parametrize("typed", ["-1", "", "x", "1.5", "1000", "²"])
def test_no_layers(typed: str) -> None:
    with pytest.raises(ValueError, match=r".*"):
        field("l").parse(typed)


@pytest.mark.check
@pytest.mark.parametrize(("typed", "numbers"), [("", ()), ("7", (7,)), ("3.1.3", (3, 1, 3))])
def test_lists_of_tokens(typed: str, numbers: tuple[int, ...]) -> None:
    for short in ("g", "mk2"):
        assert field(short).parse(typed) == numbers
        assert field(short).write(numbers) == typed


@pytest.mark.parametrize("typed", ["1.", ".", "a", "1..2", "-3", "1.5e3", "99999999"])
def test_no_lists_of_tokens(typed: str) -> None:
    with pytest.raises(ValueError, match=r".*"):
        field("g").parse(typed)


@pytest.mark.parametrize("typed", ["nan", "-0.1", "1.1", "inf", "x"])
def test_no_shares(typed: str) -> None:
    with pytest.raises(ValueError, match=r".*"):
        field("ge").parse(typed)


def test_what_is_chosen_in_a_layer_comes_back(pair: tuple[AttentionBlock, AttentionBlock]) -> None:
    state = {"level": "token", "head": 4, "on": [1, 2], "query": 3, "key": 7, "special": False}
    CHOSEN.take_in_layer(0, state, pair[0], pair[0])
    assert link() == {"r": "token", "h": "5", "on": "2.3", "q": "4", "k": "8", "s": "0"}
    assert CHOSEN.choices(0).in_layer(pair[0], pair[0]) == {**state, "on": (1, 2)}


def test_the_second_models_heads_are_its_own_and_its_tokens_shared(
    pair: tuple[AttentionBlock, AttentionBlock],
) -> None:
    first, second = pair
    CHOSEN.take_in_layer(1, {"head": 4, "query": 2, "key": 5}, first, second)
    # The third token of the second text comes after the first text and its special tokens.
    position = first.marks[0].index(second.marks[0][2])
    assert position > 5
    assert link() == {"h2": "5", "q": str(position + 1), "k": "6"}
    assert CHOSEN.choices(1).in_layer(first, second) == {"head": 4, "query": 2, "key": 5}


def test_a_token_that_the_second_model_lacks_is_none_there(
    pair: tuple[AttentionBlock, AttentionBlock],
) -> None:
    first, second = pair
    CHOSEN.take_in_layer(0, {"query": 1}, first, first)
    assert CHOSEN.choices(1).in_layer(first, second) == {"query": None}


def test_what_is_chosen_above_comes_back(pair: tuple[AttentionBlock, AttentionBlock]) -> None:
    sent = {
        "token": 3,
        "direction": "from",
        "pattern": 2,
        "typical": True,
        "threshold": 0.35,
        "special": False,
    }
    CHOSEN.take_in_overview(sent, pair[0], pair[0])
    assert link() == {"x": "4", "y": "from", "f": "itself", "us": "1", "ge": "0.35", "s": "0", "q": "4"}
    chosen = CHOSEN.choices(0)
    assert chosen.in_overview(pair[0], pair[0]) == {
        what: value for what, value in sent.items() if what != "special"
    }
    assert not chosen.special()


@pytest.mark.parametrize(
    ("special", "maps", "lines", "head"),
    [(None, True, False, True), (False, False, False, False), (True, True, True, True)],
)
def test_special_tokens_are_hidden_in_the_lines_alone_unless_chosen(
    special: bool | None, maps: bool, lines: bool, head: bool
) -> None:
    field("s").set(special)
    assert CHOSEN.choices(0).special() == maps
    field("l").set("3")
    assert CHOSEN.choices(0).special() == lines
    field("r").set("head")
    assert CHOSEN.choices(0).special() == head


def test_what_is_shown_above_leaves_the_lines_as_they_were(
    pair: tuple[AttentionBlock, AttentionBlock],
) -> None:
    for before, after in ((None, None), (False, None), (True, True)):
        field("s").set(before)
        CHOSEN.take_in_overview({"direction": "to", "special": True}, *pair)
        assert field("s").get() is after


def test_above_a_token_is_found_among_the_other_models(
    pair: tuple[AttentionBlock, AttentionBlock],
) -> None:
    first, second = pair
    CHOSEN.take_in_overview({"token": 0, "direction": "from"}, first, second)
    assert link()["x"] == str(first.marks[0].index(second.marks[0][0]) + 1)
    assert CHOSEN.choices(1).in_overview(first, second)["token"] == 0


def test_a_head_is_opened_for_its_side() -> None:
    CHOSEN.open_head(1, 2, 7)
    assert link() == {"l2": "3", "h2": "8", "r": "head"}
    assert CHOSEN.choices(1).head == 7
    assert CHOSEN.choices(0).head == 0
    CHOSEN.open_all(1)
    assert link() == {"h2": "8", "r": "head"}


def test_the_mean_of_a_layer_is_no_head() -> None:
    field("h").set(field("h").parse("mean"))
    assert CHOSEN.choices(0).head == -1


def test_the_row_that_is_chosen_is_that_of_what_is_shown() -> None:
    field("q").set(4)
    assert CHOSEN.choices(0).query == 4
    CHOSEN.token.set(3)
    assert CHOSEN.choices(0).query == 2
    field("l").set("2")
    assert CHOSEN.choices(0).query == 4
    CHOSEN.choose_query(6)
    assert link() == {"l": "2", "q": "7", "x": "7"}


def test_what_runs_after_the_page_reads_elsewhere() -> None:
    values = {one.key: one.default for one in HeadsState.fields}
    values |= {"heads layer2": "5", "heads head2": 3, "heads words": True, "heads token": 2}
    chosen = CHOSEN.choices(1, lambda one: values[one.key])
    assert (chosen.side, chosen.layer, chosen.head, chosen.words) == (1, "5", 3, True)
    assert chosen.maps["token"] == 1
    assert CHOSEN.choices(1).layer == "0"


ALL_OF_IT = {"g": (1, 2), "mk2": (3,), "x": 4, "q": 5, "k": 6, "pin": "query"}


@pytest.mark.parametrize(
    ("forget", "gone"),
    [
        (CHOSEN.forget, {"g", "mk2", "x", "q", "k", "pin"}),
        (CHOSEN.forget_tokens, {"x", "q", "k", "pin"}),
    ],
)
def test_what_belongs_to_other_tokens_is_forgotten(forget: Callable[[], None], gone: set[str]) -> None:
    for short, value in ALL_OF_IT.items():
        field(short).set(value)
    forget()
    assert set(link()) == set(ALL_OF_IT) - gone


def test_both_sides_have_the_same_choices() -> None:
    first, second = CHOSEN.sides
    for name in Side._fields:
        one, other = getattr(first, name), getattr(second, name)
        assert other.url == f"{one.url}2", name
        assert (other.key, other.default) == (f"{one.key}2", one.default)
