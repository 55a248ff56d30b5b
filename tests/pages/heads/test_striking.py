"""What Heads opens with: one head of the text, whose numbers are those of the trace."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import core
from core.measures import striking
from core.sentences import percent
from pages.heads import striking as opening
from pages.heads.state import HeadsState
from tests.pages.heads.test_page import pictures, visit
from tests.tiers import some
from tests.visits import press, said

CAT = "The cat sat on the mat because it was tired."
SENDS = re.compile(r"In layer (\d+), head (\d+) sends ([^%]+ %) of the attention of (.+) to (.+)\.\*\*")


def maps(app: object) -> list[str]:
    return [one["file"] for one, _ in pictures(app) if one["file"].startswith("polysee-striking-")]  # type: ignore[arg-type]


@pytest.mark.check
@pytest.mark.few(2)
@pytest.mark.parametrize(
    "text",
    some(
        [
            CAT,
            "Write a poem about a man fishing on a river bank.",
            "river bank",
            "The bank closed. The bank opened. My bank moved.",
            "ישב על הנהר והבנק היה סגור",
            "I saw her duck. She was happy! <b>Dogs</b> & *cats* slept.",
            " ".join(f"thing{i} stands near {i}" for i in range(150)),
        ],
        4,
    ),
)
def test_its_sentence_and_its_map_say_what_the_trace_has(text: str) -> None:
    app = visit(t=text)
    trace = core.load("minilm").trace(text)
    found = striking(trace)
    assert found is not None
    assert trace.attention is not None
    weight = trace.attention.weights[found.layer, found.head, found.query, found.key]
    told = SENDS.search(said(app))
    assert told is not None
    assert [int(told[1]) - 1, int(told[2]) - 1] == [found.layer, found.head]
    assert told[3] == percent(float(weight))
    if told[3][0].isdigit():
        assert float(told[3].removesuffix(" %")) == pytest.approx(100 * weight, abs=0.0501)
    for name, token in ((told[4], found.query), (told[5], found.key)):
        assert trace.tokens[token].removeprefix("##") in name.replace("\\", "")
    if len(trace.tokens) > opening.MOST_DRAWN:
        assert not maps(app)
    else:
        (name,) = maps(app)
        assert name == f"polysee-striking-layer-{found.layer + 1}-head-{found.head + 1}"
        header, numbers = next(one for one in pictures(app) if one[0]["file"] == name)
        count = len(trace.tokens)
        drawn = np.frombuffer(numbers, "<f4").reshape(count, count)
        np.testing.assert_allclose(drawn, trace.attention.weights[found.layer, found.head], atol=1e-6)
        assert header["rows"][found.query] == header["columns"][found.query]
    press(app, "open striking head")
    own = HeadsState.sides[0], HeadsState.shared
    chosen = own[0].layer, own[0].head, own[1]["query"], own[1]["key"], own[1]["level"]
    assert [app.session_state[one.key] for one in chosen] == [
        *(str(found.layer + 1), found.head, found.query, found.key, "head")
    ]
    assert not SENDS.search(said(app))


@pytest.mark.parametrize("text", ["bank", "!?", "🎣", "bank bank Bank"])
def test_a_text_in_which_none_stands_out_says_so_and_shows_all(text: str) -> None:
    app = visit(t=text)
    assert "No head stands out here" in said(app)
    assert not maps(app)
    assert "polysee-heads" in [one["file"] for one, _ in pictures(app)]
    assert not [*app.error, *app.exception]


def test_without_a_text_nothing_is_said() -> None:
    app = visit(t="")
    assert not SENDS.search(said(app))
    assert "stands out" not in said(app)
    assert not app.exception


@pytest.mark.parametrize(
    "chosen",
    some(
        [
            {"l": "3"},
            {"l": "mean"},
            {"x": "4"},
            {"f": "previous"},
            {"u": "1"},
            {"c": "1"},
            {"t2": "Another text."},
            {"m2": "minilm"},
            {"lesson": "one-vector.2"},
        ],
        4,
    ),
    ids=str,
)
def test_who_has_chosen_sees_what_was_chosen(chosen: dict[str, str]) -> None:
    app = visit(t=CAT, **chosen)
    assert not maps(app)
    assert not SENDS.search(said(app))
    assert not app.exception


def test_the_word_among_equal_ones_has_its_number() -> None:
    names = ("the", "bank", "the", "bank", "bank", *["a"] * 12, "river")
    panel: Any = SimpleNamespace(block=SimpleNamespace(attention=SimpleNamespace(queries=names)))
    said_of = {i: opening._named(panel, i) for i in (0, 3, 4, 5, 14, len(names) - 1)}
    assert said_of == {
        0: "the first *the*",
        3: "the second *bank*",
        4: "the third *bank*",
        5: "the first *a*",
        14: "*a* (no. 10)",
        len(names) - 1: "*river*",
    }


def test_a_class_sees_that_head_with_its_tokens_and_on_demand_all() -> None:
    app = visit(t=CAT, present="1")
    assert re.search(r"\*\*In layer \d+, head \d+ sends .* Row: who attends\.", said(app))
    (name,) = maps(app)
    (header,) = (one for one, _ in pictures(app))  # one picture, whose rows have their names
    assert header["file"] == name
    press(app, "striking all")
    assert "Each tile is one of 72 heads" in said(app)
    assert [one["file"] for one, _ in pictures(app)] == ["polysee-heads"]
