"""What JavaScript makes of traces, pictures and verdicts, is what Python makes: one Node process."""

from __future__ import annotations

import base64
import json
import re
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import core
from core.comparison import Chosen, Ends, Question, say
from core.comparison import ends as sense_ends
from core.examples import known_ends
from core.figures import cosine_paths
from core.records.contributions import Contributions
from core.records.finding import occurrence_spans
from core.records.sense_axis import framed
from core.records.spelling import UNCASED
from pages.heads import displayed, zoom
from pages.heads.state import Choices
from tools import node
from ui import comparison
from ui.contributions import computed
from ui.query import TextQuery

ANSWER = Path(__file__).with_name("answer.js")
_NUMBER = re.compile(r"[-−+]?\d+\.\d+")
FISHING, MONEY = "A man is fishing on the river bank.", "A man is withdrawing money from the bank."
PLAIN = "I went to the bank."
CAT = "The cat sat on the mat because it was tired, and it slept."
TABLE_A, TABLE_B = "She laid the table for dinner.", "The table lists all of the numbers."
LONG = " ".join(
    f"{i % 7} river banks and a fish" for i in range(24)
)  # pooled, with square-root colours
NAMED = Ends(("figure", "dish"), ("figure",), ("dish",))


class Case(NamedTuple):
    """Two sentences and a word; `lo` and `hi` as they are typed."""

    a: str
    b: str
    word: str
    ends: Ends | None
    lo: str = ""
    hi: str = ""

    @property
    def query(self) -> dict[str, Any]:
        own = {"a": self.a, "b": self.b, "w": self.word, "lo": self.lo, "hi": self.hi}
        return {**own, "o": 1, "w2": "", "o2": 1, "d": 0}


def _bank(*texts: str) -> Ends:
    own = known_ends("bank", texts)
    assert own is not None
    return Ends(own.names, own.low, own.high)


CASES = {
    "two meanings": Case(FISHING, MONEY, "bank", _bank(FISHING, MONEY)),
    "not both": Case(FISHING, PLAIN, "bank", _bank(FISHING, PLAIN)),
    "the same twice": Case(FISHING, FISHING, "bank", _bank(FISHING, FISHING)),
    "words of one's own": Case(TABLE_A, TABLE_B, "table", NAMED, "figure", "dish"),
    "drawn from the sentences": Case(TABLE_A, TABLE_B, "table", None),
    "no ends": Case(TABLE_A, TABLE_B, "table", None, ","),
}
SHAPE = {"layers": 6, "heads": 12, "size": 384, "headSize": 32, "model": "minilm", "cased": False}
TEXTS = [FISHING, MONEY, PLAIN, CAT, TABLE_A, TABLE_B, LONG]


def _ends(case: Case, model: core.Model) -> Ends | None:
    """The ends of a case; if there are none, those that the two sentences propose."""
    if case.ends is not None or case.lo:
        return case.ends
    a, b = model.trace(case.a), model.trace(case.b)
    return sense_ends.drawn(a, b, (case.word, case.word))


def _base64(array: Any) -> str:
    return base64.b64encode(np.ascontiguousarray(array, "<f4").tobytes()).decode()


def in_json(trace: core.Trace) -> dict[str, Any]:
    """A trace as the JavaScript record has it."""
    assert trace.hidden is not None
    found = {
        "ids": [],
        "tokens": trace.tokens,
        "starts": [start for start, _ in trace.offsets],
        "ends": [end for _, end in trace.offsets],
        "special": trace.special,
        "wordIds": [],
        "words": [{**one._asdict(), "tokens": one.tokens.tolist()} for one in trace.occurrences()],
        "leftOut": None,
        "learned": _base64(trace.learned),
        "hidden": _base64(np.concatenate([trace.embedded[None], trace.hidden])),
    }
    found["ids"] = found["wordIds"] = [0] * len(trace.tokens)
    if trace.query is not None and trace.key is not None and trace.attention is not None:
        scores = np.einsum("lhqd,lhkd->lhqk", trace.query, trace.key, dtype=np.float64) / np.sqrt(32)
        most = scores.max(axis=-1, keepdims=True)
        sums = np.log(np.exp(scores - most).sum(axis=-1)) + most[..., 0]
        found |= {"q": _base64(trace.query), "k": _base64(trace.key), "logSums": _base64(sums)}
    return found


def in_bytes(layers: Sequence[Contributions]) -> str:
    """What each token adds to a word's position after each layer, and the biases behind them."""
    return _base64(np.stack([[*layer.by_token, layer.bias] for layer in layers]))


def _sums() -> Iterator[tuple[str, str]]:
    """The contributions of each case, in its sentences and alone, under its question."""
    for i, case in enumerate(CASES.values()):
        if case.ends is None:
            continue
        for text in (case.a, case.b):
            side = Chosen(text, case.word, 0)
            for one in (side, computed.by_itself("minilm", side)):
                layers = computed.layers_of("minilm", one, case.word, case.ends)
                key = json.dumps([i, one.text, [*layers[0].word]], separators=(",", ":"))
                yield key, in_bytes(layers)


@pytest.fixture(scope="module")
def answers(minilm: core.Model) -> dict[str, Any]:
    """What JavaScript answers to all questions, by their names."""
    contexts = {f"the {case.word} ." for case in CASES.values()} | {c.word for c in CASES.values()}
    for case in CASES.values():
        ends = _ends(case, minilm)
        for items in (ends.low, ends.high) if ends else ():
            for item in items:
                if occurrence_spans(item, case.word, spelling=UNCASED):
                    contexts.add(item)
                else:
                    contexts |= {one.text for one in framed(case.word, item)}
    rest = sorted(contexts - {*TEXTS})
    read = dict(zip(rest, minilm.trace_many(rest, keep="hidden"), strict=True))
    traces = {text: in_json(trace) for text, trace in read.items()}
    traces |= {text: in_json(minilm.trace(text)) for text in TEXTS}
    queries: dict[str, list[Any]] = {name: ["compare", case.query] for name, case in CASES.items()}
    for text in (CAT, LONG):
        queries |= {f"all {text}": ["overview", text, {}], f"mean {text}": ["mean", text, {}]}
    queries[f"without {CAT}"] = ["overview", CAT, {"special": False, "token": 3, "pattern": 1}]
    queries |= {
        f"layer {i}": ["layer", CAT, i, {"head": i, "query": 2, "level": "head"}] for i in (0, 5)
    }
    queries["far"] = ["layer", LONG, 3, {"head": 99, "query": 5000, "on": [1, 40]}]
    return asked(SHAPE, traces, queries, dict(_sums()))


def asked(
    shape: dict[str, Any],
    traces: dict[str, Any],
    queries: dict[str, list[Any]],
    sums: Mapping[str, str] | None = None,
) -> Any:
    """What JavaScript answers to some questions about traces of a model of this shape."""
    known = {"shape": shape, "traces": traces, "sums": sums or {}}
    said = subprocess.run(
        [node.NODE / "node", ANSWER],
        input=json.dumps({**known, "queries": [*queries.values()]}),
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return dict(zip(queries, json.loads(said.stdout), strict=True))


def _near(own: Any, other: Any, path: str = "") -> None:
    """Whether two JSON values are equal, numbers within 1e-5, or one digit where they are rounded."""
    if isinstance(other, float | int) and not isinstance(other, bool):
        assert own == pytest.approx(
            other, abs=2e-4 if "similar" in path or "strongest" in path else 1e-5, rel=1e-5
        ), path
    elif isinstance(other, Mapping):
        assert sorted(own) == sorted(other), path
        for key in other:
            _near(own[key], other[key], f"{path}.{key}")
    elif isinstance(other, list | tuple):
        assert len(own) == len(other), path
        for i, (one, two) in enumerate(zip(own, other, strict=True)):
            _near(one, two, f"{path}[{i}]")
    elif ".sums[" in path:  # printed with four decimals, of which the last may round another way
        assert _NUMBER.sub("", own) == _NUMBER.sub("", other), path
        printed = [
            [float(one) for one in _NUMBER.findall(text.replace("−", "-"))] for text in (own, other)
        ]
        assert printed[0] == pytest.approx(printed[1], abs=1.01e-4), path
    else:
        assert own == other, path


def same(
    answer: Mapping[str, str], picture: core.figures.Picture, *, but: tuple[str, ...] = ()
) -> None:
    """Whether a picture by JavaScript has Python's header and numbers."""
    data = base64.b64decode(answer["bytes"])
    end = 4 + int.from_bytes(data[:4], "little")
    header, wanted = json.loads(data[4:end]), json.loads(json.dumps(picture.header, default=dict))
    assert answer["module"] == picture.module
    for one in (header, wanted):
        for name in but:
            one.pop(name, None)
        one.get("about", {}).pop("similar", None)
    _near(header, wanted)
    dtype = "u1" if picture.header.get("dtype") == "uint8" else "<f4"
    own, other = (np.frombuffer(one, dtype).astype(float) for one in (data[end:], picture.payload))
    assert own.shape == other.shape
    assert np.abs(own - other).max(initial=0) <= (1 if dtype == "u1" else 1e-5)
    assert dtype != "u1" or np.count_nonzero(own != other) < 0.01 * own.size


def _panel(
    text: str, layer: str, maps: Mapping[str, Any], inside: Mapping[str, Any]
) -> displayed.Panel:
    chosen = {"token": None, "direction": "to", "pattern": None, "typical": False, "threshold": 0.0}
    choices = Choices(0, layer, 0, False, "", {**chosen, **maps}, inside)
    return displayed.panel_of(TextQuery("minilm", text), choices)


@pytest.mark.check
@pytest.mark.few(1)
@pytest.mark.parametrize("text", [CAT, LONG])
def test_all_heads(answers: dict[str, Any], text: str) -> None:
    same(answers[f"all {text}"], zoom.drawn([_panel(text, "0", {}, {})]))


def test_all_heads_without_special_tokens(answers: dict[str, Any]) -> None:
    panel = _panel(CAT, "0", {"token": 3, "pattern": 1}, {"special": False})
    same(answers[f"without {CAT}"], zoom.drawn([panel]))


@pytest.mark.parametrize("layer", [0, 5])
def test_a_layer(answers: dict[str, Any], layer: int) -> None:
    panel = _panel(CAT, str(layer + 1), {}, {"head": layer, "query": 2, "level": "head"})
    same(answers[f"layer {layer}"], zoom.drawn([panel]))


def test_similar_heads_are_the_same(answers: dict[str, Any]) -> None:
    wanted = zoom.drawn([_panel(CAT, "6", {}, {})]).header["about"]["similar"]
    data = base64.b64decode(answers["layer 5"]["bytes"])
    own = json.loads(data[4 : 4 + int.from_bytes(data[:4], "little")])["about"]["similar"]
    _near(
        [[near for *_, near in some] for some in own], [[x for *_, x in s] for s in wanted], "similar"
    )


def test_a_choice_that_does_not_fit_takes_its_default(answers: dict[str, Any]) -> None:
    panel = _panel(LONG, "4", {}, {"head": 99, "query": 5000, "on": (1, 40)})
    same(answers["far"], zoom.drawn([panel]))


@pytest.mark.parametrize("text", [CAT, LONG])
def test_the_mean_of_all_heads(answers: dict[str, Any], text: str) -> None:
    same(answers[f"mean {text}"], zoom.drawn([_panel(text, "mean", {}, {})]))


@pytest.mark.parametrize("name", CASES)
def test_a_comparison(answers: dict[str, Any], minilm: core.Model, name: str) -> None:
    case, ends = CASES[name], _ends(CASES[name], minilm)
    a, b = (Chosen(text, case.word, 0) for text in (case.a, case.b))
    question = Question("minilm", a, b, ends)
    compared = comparison.between(question)
    if compared is None or ends is None:
        moved = comparison.moved(question)
        same(answers[name]["picture"], cosine_paths(moved.together, moved.from_alone))
        return
    words, names = question.words, ends.names
    own, twice = answers[name], compared.same
    assert own["ends"]["names"] == list(names)
    assert own["headline"] == say.headline(words, names, compared.verdict, twice)
    assert say.reasons(twice or compared.verdict) in own["caption"]
    picture = comparison.picture(compared, depth=6)
    same(own["picture"], picture, but=("id", "maxima", "autoplay"))
    if case.ends is None:
        return
    # what each word adds, in numbers and in words
    explained = comparison.picture(compared, depth=6, adds=True)
    assert all(one["adds"] for one in explained.header["sides"])
    same(own["adds"], explained, but=("id", "autoplay"))
