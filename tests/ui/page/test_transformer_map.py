"""The drawing of the transformer: the part that it marks, and the page to which each part leads."""

from __future__ import annotations

import json
import subprocess
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from core.walkthroughs.steps.descriptions import ALONE, CROSS, RECORDED, STEPS
from pages.encoder_decoder import state as translation
from pages.step_by_step import state as steps
from tests.ui.state.states import STATES
from tools import node
from ui.page.transformer_map import counted, head_rows, target, target_in
from ui.state.location import OwnModel, described

MAP = Path(__file__).resolve().parents[3] / "ui" / "page" / "transformer_map" / "map.js"
MINILM = {"stacks": [["", 6]], "heads": 12}
UNKNOWN = {"stacks": [["", 0]], "heads": 0}
TWO = {"stacks": [["encoder", 2], ["decoder", 1]], "heads": 4}
TWO["counted"] = counted([("encoder", 2), ("decoder", 1)])


class At(NamedTuple):
    """A page with the query of its link, the part that is marked, and its words in MiniLM."""

    page: str
    query: dict[str, str]
    part: str
    words: str
    model: dict[str, Any] = MINILM
    shown: int | None = None  # the layer in a picture that goes through all of them


PLACES = [
    At("compare", {}, "vector", "vector"),
    At("senses", {"d": "2"}, "vector", "vector"),
    At("corpus", {}, "vector", "vector"),
    At("corpus", {"l": "2"}, "vector", "layer 2 of 6, vector"),
    At("heads", {}, "layers", "all 6 layers"),
    At("heads", {"l": "3"}, "layer", "layer 3 of 6"),
    At("heads", {"l": "3", "h": "5"}, "layer", "layer 3 of 6, head 5 of 12"),
    At("heads", {"l": "3", "r": "lines"}, "layer", "layer 3 of 6"),
    At("heads", {"l": "3", "r": "head"}, "head", "layer 3 of 6, head 1 of 12"),
    At("heads", {"l": "3", "h": "5", "r": "head"}, "head", "layer 3 of 6, head 5 of 12"),
    At("heads", {"l": "3", "h": "5", "r": "product"}, "score", "layer 3 of 6, head 5 of 12, q·k"),
    At("heads", {"l": "mean"}, "layers", "all 6 layers"),
    At("heads", {"l": "1000"}, "layers", "all 6 layers"),
    At("embeddings", {}, "vector", "vector"),
    At("embeddings", {"p": "path"}, "vector", "vector"),
    At("embeddings", {"p": "words"}, "embedding", "learned vector"),
    At("embeddings", {"p": "sentences", "l": "2"}, "vector", "vector"),
    At("embeddings", {"p": "words", "l": "4"}, "vector", "layer 4 of 6, vector"),
    At("positions", {"l": "2"}, "position", "position"),
    At("step_by_step", {}, "tokens", "the tiny model, tokens"),
    At("step_by_step", {"v": "2"}, "tokens", "the tiny model, tokens"),
    At("step_by_step", {"ti": "1"}, "head", "the tiny model, its only layer"),
    At("step_by_step", {"v": "2", "lang": "de"}, "tokens", "the tiny model, tokens"),
    At("step_by_step", {"ti": "1", "st": "scores"}, "score", "the tiny model, q·k"),
    At("step_by_step", {"q": "2"}, "head", "layer 1 of 6, head 1 of 12"),
    At("step_by_step", {"st": "position"}, "position", "position"),
    At("step_by_step", {"st": "root", "l": "3"}, "embedding", "learned vector"),
    At(
        "step_by_step",
        {"st": "weights", "l": "2", "h": "7"},
        "score",
        "layer 2 of 6, head 7 of 12, q·k",
    ),
    At("step_by_step", {"st": "cross-mix", "l": "2"}, "head", "layer 2 of 6, head 1 of 12"),
    At("step_by_step", {"st": "norm2", "l": "2"}, "layer", "layer 2 of 6"),
    At("step_by_step", {"st": "norm2", "l": "x"}, "layer", "layer 1 of 6"),
    At(
        "step_by_step",
        {"p": "plain", "ps": "plain-weights"},
        "score",
        "layer 1 of 6, head 1 of 12, q·k",
    ),
    At("step_by_step", {"p": "tokens"}, "tokens", "tokens"),
    At("encoder_decoder", {"l": "2", "e": "encoder"}, "layer", "encoder layer 2 of 2", TWO),
    At("encoder_decoder", {"l": "2", "e": "decoder"}, "layer", "decoder layer 1 of 1", TWO),
    At("encoder_decoder", {}, "layer", "decoder layer 1 of 1", TWO),
    At("encoder_decoder", {}, "layer", "layer 1 of 6"),
    At("training", {}, "layers", "2 encoder layers + 1 decoder layer", TWO),
    At("training", {}, "layers", "all 3 layers", {"stacks": [["decoder", 3]], "heads": 1}),
    At("training", {}, "layers", "its only layer", {"stacks": [["encoder", 1]], "heads": 1}),
    At("training", {"p": "text"}, "layers", "all 2 layers", {"stacks": [["decoder", 2]], "heads": 4}),
    At("training", {}, "layers", "all layers", {"stacks": [["", 0]], "heads": 0}),
    At("compare", {}, "vector", "layer 3 of 6, vector", shown=3),
    At("compare", {"d": "1"}, "vector", "layer 6 of 6, vector", shown=6),
    At("compare", {}, "embedding", "learned vector", shown=0),
    At("heads", {"l": "3"}, "layer", "layer 3 of 6", shown=5),
    At("glossary", {}, "", ""),
    At("lessons", {"l": "2"}, "", ""),
]
_WHERE = """
import { readFileSync } from "node:fs";
const { map, asked } = JSON.parse(readFileSync(0, "utf-8"));
const { said, shownIn, where } = await import(map);
const answers = asked.map(({ declared, query, counts, shown }) => {
  const at = shownIn(where(declared, query), shown ?? NaN);
  return [at.part, said(at, counts)];
});
console.log(JSON.stringify(answers));
"""


@cache
def answers() -> list[list[str]]:
    """What the browser finds: the part and the words of each case, and of one without counts."""
    assert node.install() == 0
    asked = [
        {
            "declared": described(STATES[at.page].locations()),
            "query": at.query,
            "counts": at.model,
            "shown": at.shown,
        }
        for at in (*PLACES, At("heads", {"l": "3"}, "", "", UNKNOWN))
    ]
    done = subprocess.run(
        [node.NODE / "node", "--input-type=module", "--eval", _WHERE],
        input=json.dumps({"map": MAP.as_uri(), "asked": asked}),
        capture_output=True,
        text=True,
        check=True,
    )
    found: list[list[str]] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize(
    "number", range(len(PLACES)), ids=lambda i: f"{PLACES[i].page}-{PLACES[i].query}-{PLACES[i].words}"
)
def test_the_part_of_a_page_is_the_one_that_it_declares(number: int) -> None:
    assert answers()[number] == [PLACES[number].part, PLACES[number].words]


def test_a_model_that_is_not_loaded_has_no_counts_yet() -> None:
    assert answers()[-1] == ["layer", "layer 3"]


def test_every_page_that_moves_has_its_cases_and_reads_fields_of_its_own() -> None:
    moving = {page for page, state in STATES.items() if len(state.locations()) > 1}
    assert moving <= {at.page for at in PLACES} <= {*STATES}
    for state in STATES.values():
        assert {*described(state.locations())["fields"]} <= {one.url for one in state.fields}


def test_the_steps_of_a_part_are_steps() -> None:
    named = [step for of_part in steps._PARTS.values() for step in of_part]
    assert len({*named}) == len(named)
    assert {*named} <= {*STEPS, *CROSS, *RECORDED, *ALONE}


def test_both_kinds_of_heads_stand_in_the_drawing_of_an_encoder_and_decoder() -> None:
    s = translation.TranslationState()
    own = OwnModel({"encoder": 2, "decoder": 1}, 4, s.block, s.layer, s.picture["head"], 1)
    assert head_rows(12, None) == (("", 12, "", True),)  # the model that the visitor has chosen
    assert head_rows(12, own) == (("self", 4, "decoder", False), ("across", 1, "cross", True))
    s.block.set("encoder")
    assert head_rows(12, own) == (("self", 4, "encoder", True), ("across", 1, "cross", False))


def test_the_models_of_step_by_step_are_drawn_as_they_are() -> None:
    s = steps.StepsState()
    tiny = s.on_map()
    assert tiny is not None
    assert (tiny.stacks, tiny.heads) == ({"": 1}, 2)
    assert target_in(tiny, "score", 0, "") == {"p": "layer", "st": "scores"}
    assert target_in(tiny, "head", 2, "") == {"p": "layer", "st": "query", "h": "2"}
    s.size.set("paper")
    paper = s.on_map()
    assert paper is not None
    assert (paper.stacks, paper.heads) == ({"encoder": 6, "decoder": 6}, 8)
    assert target_in(paper, "layer", 5, "decoder") == {
        "p": "layer",
        "zl": "layer",
        "l": "5",
        "hf": "decoder",
    }
    s.size.set("0")
    assert s.on_map() is None  # that which the visitor has chosen


HERE = {"sentence": "The old bank", "word": ("bank", 1), "layer": 2, "head": 7}


@pytest.mark.parametrize(
    ("part", "number", "layer", "here", "page", "query"),
    [
        ("tokens", 0, 0, HERE, "step_by_step", {"p": "tokens", "bt": "The old bank"}),
        ("embedding", 0, 0, HERE, "embeddings", {"p": "words", "t": "The old bank"}),
        ("position", 0, 0, {}, "positions", {}),
        ("layer", 4, 2, HERE, "heads", {"r": "lines", "t": "The old bank", "l": "4"}),
        ("head", 5, 3, HERE, "heads", {"r": "head", "t": "The old bank", "l": "3", "h": "5"}),
        ("head", 5, 0, {}, "heads", {"r": "head", "l": "1", "h": "5"}),
        (
            "score",
            0,
            0,
            HERE,
            "step_by_step",
            {"p": "layer", "st": "scores", "ti": "0", "t": "The old bank", "l": "2", "h": "7"},
        ),
        ("vector", 0, 3, HERE, "compare", {"a": "The old bank"}),
    ],
)
def test_each_part_opens_its_page_with_the_sentence_that_is_shown(
    part: str, number: int, layer: int, here: dict[str, Any], page: str, query: dict[str, str]
) -> None:
    assert target(part, number, layer, here) == (page, query)


def test_a_page_with_its_own_model_shows_its_layers_itself() -> None:
    s = translation.TranslationState()
    own = OwnModel({"encoder": 2, "decoder": 1}, 4, s.block, s.layer, s.picture["head"])
    assert target_in(own, "layer", 2, "encoder") == {"l": "2", "e": "encoder"}
    assert target_in(own, "layer", 1, "") == {"l": "1"}
    assert target_in(own, "head", 3, "") == {"h": "3"}
    assert target_in(own, "head", 1, "cross") == {"h": "1", "e": "cross"}
    assert target_in(own, "vector", 0, "") is None
    changed = target_in(own, "layer", 2, "encoder") or {}
    assert {one.url: one.parse(changed[one.url]) for one in (s.block, s.layer)} == {
        "e": "encoder",
        "l": 2,
    }
