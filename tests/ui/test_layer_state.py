from __future__ import annotations

import pytest

from ui import layer_state

USUAL = {
    "level": "lines",
    "on": (0, 1, 2),
    "head": 0,
    "threshold": 0.05,
    "alone": 0.01,
    "special": True,
    "view": "weights",
}
CHOSEN = {
    "level": "product",
    "on": [0, 2],
    "head": 2,
    "query": 4,
    "key": 0,
    "pin": "query",
    "threshold": 0.1,
    "alone": 0.2,
    "special": False,
    "view": "scores",
    "sort": "size",
}


def test_a_state_comes_back_from_its_texts() -> None:
    typed = layer_state.write(CHOSEN, USUAL)
    assert typed["on"] == "1.3"
    assert (typed["head"], typed["query"], typed["key"]) == ("3", "5", "1")
    assert layer_state.read(typed) == CHOSEN


def test_all_heads_off_is_not_the_same_as_usual() -> None:
    typed = layer_state.write({"on": []}, {})
    assert typed["on"] == "none"
    assert layer_state.read(typed) == {"on": []}


def test_the_mean_of_all_heads_has_a_name_and_no_number() -> None:
    typed = layer_state.write({"on": [-1], "head": -1}, USUAL)
    assert (typed["on"], typed["head"]) == ("mean", "mean")
    assert layer_state.read(typed) == {"on": [-1], "head": -1}
    assert layer_state.read({"on": "1.0", "head": "0", "query": "0", "key": "-1"}) == {}


def test_what_is_as_usual_is_left_out() -> None:
    assert set(layer_state.write({**USUAL, "on": [0, 1, 2], "pin": None}, USUAL).values()) == {""}


@pytest.mark.parametrize("typed", ["x", "1.x", "٣.", "²", "maybe", "-"])
def test_what_cannot_be_read_is_left_out(typed: str) -> None:
    found = layer_state.read(dict.fromkeys(layer_state.PARAMETERS, typed))
    assert not {"on", "head", "query", "key", "threshold", "special"} & {*found} or typed == "٣."


@pytest.mark.parametrize(
    ("what", "good", "bad"),
    [
        ("level", "product", "zzz"),
        ("on", "1.3", "1.x"),
        ("head", "mean", "0"),
        ("threshold", "0.1", "nan"),
        ("alone", "0.2", "2"),
        ("pin", "key", "both"),
        ("view", "scores", "x"),
        ("sort", "size", "3"),
    ],
)
def test_a_link_keeps_what_can_be_read_and_leaves_nonsense_out(what: str, good: str, bad: str) -> None:
    parse = layer_state.PARAMETERS[what].parse
    assert (parse(good), parse("")) == (good, "")
    with pytest.raises(ValueError, match=bad[-1]):
        parse(bad)


def test_short_keys_are_different() -> None:
    shorts = [parameter.short for parameter in layer_state.PARAMETERS.values()]
    assert (
        len({*shorts, "m", "t", "t2", "l", "u", "f", "x", "y", "e", "n", "j", "v", "z"})
        == len(shorts) + 13
    )
