"""The folder for any web space writes the app's links, and reads them: both ways, for both pages."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode

import pytest

from pages.compare.state import CompareState
from pages.heads.state import HeadsState
from tools import links, node
from ui import packed, permalink
from ui.state import PageState

ANSWER = Path(__file__).with_name("answer.js")
LONG = "A bank by the river & “another”, 🎣 und שלום. " * 60
CHANGES: dict[str, tuple[type[PageState], dict[str, str]]] = {
    "as it opens": (CompareState, {}),
    "sentences": (CompareState, {"a": "On the bank, at 5 % + 1", "b": "É 🎣 bank\u2028x", "w": "bank"}),
    "empty": (CompareState, {"a": "", "o": "2", "d": "3"}),
    "ends": (
        CompareState,
        {"lo": "cash: money, loan\nAt the bank.", "hi": "river", "fa": "1", "l": "0"},
    ),
    "long": (CompareState, {"a": LONG, "b": "bank", "d": "1"}),
    "all heads": (HeadsState, {"x": "4", "y": "from", "f": "previous", "us": "1", "ge": "0.35"}),
    "a head": (HeadsState, {"t": "The bank.", "l": "4", "h": "3", "r": "head", "q": "2", "k": "3"}),
    "lines": (
        HeadsState,
        {"l": "3", "on": "1.9", "pin": "query", "ta": "0.2", "s": "1", "vw": "scores"},
    ),
    "other choices": (HeadsState, {"m": "bert", "t2": "x", "u": "1", "mk": "2.3", "lesson": "heads.2"}),
}
WRONG = [
    "?v=2&o=0&w=bank",
    "?v=2&fa=2&d=x",
    "?z=nonsense&v=2",
    "?v=1&w=bank",
    "?v=2&y=up&ge=7&a=x",
    "?x",
    *(f"?v=2&q={wrong}" for wrong in ("%2B3", "+3", "٣", "1_0", "0", "1e1", "", "0x1", "0" * 20 + "1")),
    *(f"?v=2&th={wrong}" for wrong in ("0x1", ".5", "1.", "1e-3", "1_0e-2", "inf", "nan", "-0")),
    *(f"?v=2&l={wrong}" for wrong in ("007", "mean", "-1", "999", "1000", "٣")),
    *(f"?v=2&m={wrong}" for wrong in ("%20", "%E2%80%8B", "a%20%20b", "%0A")),
    "?v=2&o=%D9%A3&sd=034.-5&ge=0.350&on=1..2&lesson=one-vector.02",
    "?v=2&on=mean.3&mk=1.&lesson=constructor.1&sd=1.2.3",
    f"?v=2&z={packed.pack({'w': 'bank', 'o': '2', 'v': '1'})}&o=3",
    f"?v=2&z={packed.pack({'w': 'bank'})}AAAA",
    f"?v=2&z={packed.pack({'w': 'bank'})}%3D",
    f"?v=2&z={packed.pack({'a': 'x' * 1_000_001})}",
    "?z=",
    "?v=1",
]


def _values(state: type[PageState], url: dict[str, str]) -> dict[str, Any]:
    return {one.key: permalink._read(one, url) for one in state.link()}


def _asked(state: type[PageState], states: list[Any], asked: list[str]) -> dict[str, Any]:
    said = subprocess.run(
        [node.NODE / "node", ANSWER],
        input=json.dumps(
            {"fields": [links.field_of(one) for one in state.link()], "states": states, "links": asked}
        ),
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    answer: dict[str, Any] = json.loads(said.stdout)
    return answer


@pytest.mark.parametrize("state", [CompareState, HeadsState])
def test_both_write_and_read_the_same_links(state: type[PageState]) -> None:
    fields = state.link()
    changed = [change for of, change in CHANGES.values() if of is state]
    values = [_values(state, change) for change in changed]
    written = [
        {one.url: links.field_of(one)["start"] for one in fields}
        | {one.url: "" if each[one.key] is None else one.write(each[one.key]) for one in fields}
        for each in values
    ]
    wanted_links = [permalink._address(permalink._query(fields, each))[0] for each in values]
    read = [f"?{urlencode(link)}" for link in wanted_links]
    answer = _asked(state, written, read)
    for own, wanted, found, meant in zip(
        answer["links"], wanted_links, answer["states"], written, strict=True
    ):
        if permalink.PACKED in wanted:  # deflated by another library
            got = dict(parse_qsl(own, keep_blank_values=True))
            assert packed.unpack(got["z"]) == packed.unpack(wanted["z"])
        else:
            assert own == urlencode(wanted)
        assert found == meant


@pytest.mark.parametrize("state", [CompareState, HeadsState])
def test_what_cannot_be_read_is_as_if_it_were_left_out(state: type[PageState]) -> None:
    answer = _asked(state, [], WRONG)
    for link, found in zip(WRONG, answer["states"], strict=True):
        url = permalink._whole(dict(parse_qsl(link[1:], keep_blank_values=True)))
        each = _values(state, dict(url))
        for one in state.link():
            value = each[one.key]
            assert found[one.url] == ("" if value is None else one.write(value)), (link, one.url)
