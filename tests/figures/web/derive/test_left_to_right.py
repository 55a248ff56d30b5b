"""Compare with SmolLM2 in JavaScript: Python's verdict, its reasons, and its picture."""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterator
from typing import Any

import pytest

import core
from core.comparison import Chosen, Ends, Question, say
from core.comparison.alone import by_itself
from core.records.sense_axis import ANCHOR_FIRST, framed
from tests.figures.web.derive.test_payloads import Case, asked, in_bytes, in_json, same
from ui import comparison
from ui.comparison import Cached
from ui.contributions import computed

pytestmark = pytest.mark.check

SHAPE = {
    **{"layers": 30, "heads": 9, "size": 576, "headSize": 64, "group": 3},
    **{"model": "smollm2", "cased": True, "causal": True},
}
RIVER = "A man went fishing and sat down on the bank."
MONEY = "A man went to withdraw his money from the bank."
FIRST = "bank of a river or a bank"
ENDS = Ends(("river", "money"), ("river",), ("money",))
ONE = Ends(("river", "money"), ("river", "She followed the stream up to the bank."), ("money",))
CASES = {
    "two meanings": Case(RIVER, MONEY, "bank", ENDS, "river", "money"),
    "a sentence at an end": Case(RIVER, MONEY, "bank", ONE, "\n".join(ONE.low), "money"),
    "the first token": Case(FIRST, MONEY, "bank", ENDS, "river", "money"),
    "the same up to the word": Case(RIVER, f"{RIVER} It closed.", "bank", ENDS, "river", "money"),
    "the same twice": Case(MONEY, MONEY, "bank", ENDS, "river", "money"),
}


@pytest.fixture(scope="module")
def answers() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", core.ModelNote)  # that its weights are those of a packed copy
        model = core.load("smollm2")
    texts = {text for case in CASES.values() for text in (case.a, case.b)} | {*ONE.low}
    frames = [one.text for item in ("river", "money") for one in framed("bank", item, ANCHOR_FIRST)]
    alone = [by_itself(model.trace(RIVER), Chosen(RIVER, "bank", 0)).text]
    read = sorted({text for text in texts if " " in text} | {*frames, *alone})
    traces = {
        text: in_json(trace)
        for text, trace in zip(read, model.trace_many(read, keep="hidden"), strict=True)
    }
    queries: dict[str, list[Any]] = {name: ["compare", case.query] for name, case in CASES.items()}
    return asked(SHAPE, traces, queries, dict(_sums(model)))


def _sums(model: core.Model) -> Iterator[tuple[str, str]]:
    """What each token adds to the word's position, in each sentence and alone, under its question."""
    for i, case in enumerate(CASES.values()):
        for side in (Chosen(case.a, case.word, 0), Chosen(case.b, case.word, 0)):
            assert case.ends is not None
            alone = by_itself(model.trace(side.text), side)
            for one in (side, alone):
                layers = computed.layers_of("smollm2", one, case.word, case.ends)
                key = json.dumps([i, one.text, [*layers[0].word]], separators=(",", ":"))
                yield key, in_bytes(layers)


@pytest.mark.few(1)
@pytest.mark.parametrize("name", CASES)
def test_a_comparison(answers: dict[str, Any], name: str) -> None:
    case, own = CASES[name], answers[name]
    assert case.ends is not None
    a, b = (Chosen(text, case.word, 0) for text in (case.a, case.b))
    question = Question("smollm2", a, b, case.ends)
    compared, source = comparison.between(question), Cached("smollm2")
    assert compared is not None
    assert own["headline"].startswith("After layer 15: ")
    assert own["headline"] == say.verdict_of(compared)
    assert say.reasons(compared.same or compared.verdict) in own["caption"]
    assert say.two_tokens(compared, source) in own["caption"]
    picture = comparison.picture(compared, depth=compared.depth(0))
    same(own["picture"], picture, but=("id", "maxima", "autoplay"))
    # what each word adds, in numbers and in words
    explained = comparison.picture(compared, depth=compared.depth(0), adds=True)
    assert all(one["adds"] for one in explained.header["sides"])
    same(own["adds"], explained, but=("id", "autoplay"))
