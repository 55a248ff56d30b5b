"""What `make static` writes, without the engine and the model."""

from __future__ import annotations

import html
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.glossary import terms
from core.lessons import keys, parse, readable
from core.tasks import TASKS
from core.web import built
from tools import static

IMPORTED = re.compile(r'(?:from|import)"\./([^"]*)"')
OPERATION = re.compile(r'(?:^  |, )(?:"([^"]+)"|([a-z]+)): (?:\(|async|asked|lead)', re.MULTILINE)
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


def test_a_step_of_next_word_is_live_where_the_tab_has_its_view() -> None:
    lesson = next(one for one in readable()[0] if one.name == "one-vector")
    for state, live in (
        ((), True),
        ((("p", "layers"), ("m", "smollm2")), True),
        ((("p", "why"),), True),
        ((("p", "why"), ("wh", "24.4")), True),  # it runs without that head
        ((("p", "why"), ("wr", "2")), False),
        ((("p", "chat"),), False),
        ((("m", "minilm"),), False),
    ):
        step = replace(lesson.steps[0], page="next-word", state=state, model="smollm2")
        assert static._is_live(step) is live
        assert not static._is_live(replace(step, model="minilm"))


def test_a_step_about_repeated_letters_learns_in_the_tab() -> None:
    lesson = next(one for one in readable()[0] if one.name == "it-copies")
    recipe = TASKS["induction"].recipe.to_dict()
    learns = [static._learns(step) for step in lesson.steps]
    assert learns == [None, None, None, recipe, None]
    for model, found in (
        ("task induction~n40~sd3", {**recipe, "steps": 40, "seed": 3}),
        ("task induction~ff64", None),  # with networks
        ("task induction~posinusoidal", None),
        ("task bank~n200", None),
        ("translator", None),
    ):
        assert static._learns(replace(lesson.steps[3], model=model)) == found


def test_every_operation_of_a_model_that_speaks_is_computed_in_the_tab() -> None:
    """What the keys of its lessons ask for has the same name in the browser's language of keys."""
    sources = [(static.SOURCE / f"{name}.js").read_text("utf-8") for name in ("spoken", "expressions")]
    computed = {one[0] or one[1] for one in OPERATION.findall("".join(sources))}
    asked: set[str] = {"if", "value"}
    for lesson in readable()[0]:
        for step in lesson.steps:
            if step.model == built.LANGUAGE_MODEL:
                asked |= _operations(
                    [static._tree(one) for one in (step.key, *dict(step.values).values())]
                )
    assert len(asked) > 20
    assert not asked - computed - {"if", "value"}


def _operations(trees: Any) -> set[str]:
    """The names of all operations in trees."""
    if isinstance(trees, list):
        return {name for one in trees for name in _operations(one)}
    if not isinstance(trees, dict):
        return set()
    ((name, given),) = trees.items()
    return {name} | _operations([*given.values()])


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


def test_a_term_has_its_example_and_where_that_leads() -> None:
    found = [static._term(one) for one in terms()]
    assert all("](" not in one["example"] for one in found)
    led = [one["link"] for one in found if one["link"]]
    assert led
    pages = {*static.LIVE, *static.TOLD, *static.others()}
    assert {address.partition("?")[0] for _, address in led} <= pages


def test_every_page_of_the_app_has_an_address_in_the_folder() -> None:
    pages = {place.parent.name.replace("_", "-") for place in (static.ROOT / "pages").glob("*/page.py")}
    assert pages == {*static.LIVE, *static.TOLD, *static.others()}


def test_an_embedded_page_takes_less_than_60_kb_before_a_model_is_asked_for(tmp_path: Path) -> None:
    """Page, style, three scripts, and the picture's with all that it imports: not compressed."""
    scripts = {name: tmp_path / f"{name}.js" for name in ("show", "start", "embed")}
    for name, out in scripts.items():
        static.bundled(static.SOURCE.parent / static.SCRIPTS[name], out)
    pictures = tmp_path / "pictures"
    static.embedded(pictures)
    sizes = [
        len(static.shell("next-word", "Next word").encode()),
        (static.SOURCE / "static.css").stat().st_size,
        *(out.stat().st_size for out in scripts.values()),
        max(sum(_fetched(pictures, f"{one}.js").values()) for one in ("bars", "trajectory")),
    ]
    assert sum(sizes) <= 60_000, sizes
    later = {path.name for path in pictures.iterdir()} - {*_fetched(pictures, "bars.js")}
    assert [one for one in later if one.startswith("savemenu-")]  # when its button is pressed
    text = scripts["embed"].read_text("utf-8")
    assert text.count("import(") == 2  # the picture, and on request the page
    assert "fetch(" not in text
    # in another language its own words besides, and not the page's, which are 20 times as many
    small = static.catalogue_of([*pictures.iterdir(), tmp_path / "embed.js"], "de")
    assert len(json.dumps(small, ensure_ascii=False).encode()) <= 6_200
    whole = static.catalogue("de")
    assert small == whole | {"messages": small["messages"]}
    for said in ("Compute it here", "After layer {layer}: {where}.", "bar chart", "Save this picture"):
        assert small["messages"][said] == whole["messages"][said] != said
    for said in ("Next word", "Why this word", "Fitted lens"):  # choices that Python declares
        assert whole["messages"][said] != said


def _fetched(folder: Path, name: str) -> dict[str, int]:
    """The bytes of a module and of all that it imports before it runs."""
    text = (folder / name).read_text("utf-8")
    found = {name: len(text.encode())}
    for other in IMPORTED.findall(text):
        found |= _fetched(folder, other)
    return found


def test_a_first_visit_stores_nothing_of_the_graphics_card(tmp_path: Path) -> None:
    """Its run-time is stored when it is chosen: what is large by the engine, its scripts here."""
    (tmp_path / "engine").mkdir()
    for name in (*built.RUNTIME, *built.GRAPHICS, built.GRAPHICS_MANIFEST):
        (tmp_path / "engine" / name).write_bytes(b"1")
    static._service_worker(tmp_path, [], [built.RUNTIME[2], built.GRAPHICS[2]])
    text = (tmp_path / "sw.js").read_text("utf-8")
    (shell,), (later,) = (re.findall(rf"{name} = (\[.*?\])", text) for name in ("SHELL", "LATER"))
    assert json.loads(shell) == ["", *(f"engine/{name}" for name in sorted(built.RUNTIME[:2]))]
    chosen = (built.GRAPHICS_MANIFEST, *built.GRAPHICS[:2])
    assert json.loads(later) == sorted(f"engine/{name}" for name in chosen)


def test_the_folder_can_be_installed_wherever_it_lies() -> None:
    """What a browser needs for it: a name, an icon, and addresses that are relative to the folder."""
    made = json.loads((static.SOURCE / "app.webmanifest").read_text("utf-8"))
    assert made["name"]
    assert made["display"] == "standalone"
    addresses = [made["id"], made["scope"], made["start_url"], *(one["src"] for one in made["icons"])]
    assert not [one for one in addresses if one.startswith("/") or ":" in one]
    assert (static.ROOT / "ui" / "page" / made["icons"][0]["src"]).is_file()
    assert "manifest-src 'self'" in static.POLICY
