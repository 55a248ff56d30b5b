"""What `make static` writes, without the engine and the model."""

from __future__ import annotations

import html
import re

import pytest

from core.lessons import keys, parse, readable
from tools import static

ADDRESS = re.compile(r'(?:href|src|data-root)="([^"]*)"')


@pytest.mark.parametrize("page", ["", "compare", "step-by-step"])
def test_every_address_of_a_page_is_relative(page: str) -> None:
    made = static.shell(page, "A <b> title")
    addresses = ADDRESS.findall(made)
    assert addresses
    assert all(one.startswith("../" if page else "./") for one in addresses)
    assert "<title>A &lt;b&gt; title" in made


def test_a_page_may_ask_its_own_server_alone() -> None:
    policy = html.unescape(re.findall(r'Policy" content="([^"]*)"', static.shell("heads", "x"))[0])
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules["default-src"] == "'none'"
    assert rules["script-src"] == "'self' 'wasm-unsafe-eval'"
    assert not [rule for rule in rules.values() if "http" in rule or "*" in rule]


def test_steps_of_pages_that_the_folder_has_are_live() -> None:
    every, _ = readable()
    live = {one.name: [static._is_live(step) for step in one.steps] for one in every}
    assert live["one-vector"] == [True, True, True, True, False, True]
    assert not any(live["training"])


def test_a_key_is_written_with_its_arguments_by_name() -> None:
    tree = parse('{"if": [{">": [{"value": "x"}, 0.5]}, "{a}", {"list": [1, true]}]}')
    assert static._tree(tree) == {
        "if": {
            "condition": {">": {"x": {"value": {"name": "x"}}, "other": 0.5}},
            "then": "{a}",
            "else": {"list": {"1": 1.0, "2": True}},
        }
    }


@pytest.mark.check
def test_every_step_has_its_answers_and_no_button_of_a_page_that_is_not_there() -> None:
    lesson = next(one for one in readable()[0] if one.name == "heads")
    made = static._lesson(lesson)
    for step, source in zip(made["steps"], lesson.steps, strict=True):
        assert len(step["answers"]) == 2
        assert all(one["reveal"] for one in step["answers"])
        assert step["saysKey"] is keys.says_key(source)
    clicked = made["steps"][0]
    assert clicked["prediction"] == {"click": ("l", "h"), "called": ["layer", "head"]}
    assert re.fullmatch(r"layer \d, head \d+", clicked["answers"][0]["key"])


def test_every_page_of_the_app_has_an_address_in_the_folder() -> None:
    pages = {place.parent.name.replace("_", "-") for place in (static.ROOT / "pages").glob("*/page.py")}
    assert pages == {*static.LIVE, "lessons", *static.OTHERS}
