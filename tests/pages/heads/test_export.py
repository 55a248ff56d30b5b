from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import core
from core.figures import Picture
from core.measures import head_similarity, patterns
from pages.heads import export, pattern_captions
from pages.heads.displayed import panel_of
from pages.heads.state import Choices, HeadsState
from ui import permalink
from ui.page import prose
from ui.query import TextQuery

TEXT = "On the river bank ' \" \\ {x}"
ASKED = TextQuery("minilm", TEXT)


def chosen(side: int = 0, /, **link: str) -> Choices:
    """A visitor's choices for one of the models, from a link."""
    return HeadsState().choices(side, lambda one: permalink._read(one, link))


ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def trace(minilm: core.Model) -> core.Trace:
    return minilm.trace(TEXT)


@pytest.mark.parametrize("layer", ["0", "5"])
def test_npz_is_what_numpy_loads(trace: core.Trace, layer: str) -> None:
    found = np.load(io.BytesIO(export.npz(panel_of(ASKED, chosen(l=layer, s="1")))))
    assert trace.attention is not None
    expected = trace.attention.weights if layer == "0" else trace.attention.weights[4:5]
    np.testing.assert_array_equal(found["weights"], expected)
    assert tuple(found["keys"]) == trace.tokens
    assert found["query"].shape == (len(expected), 12, len(trace.tokens), 32)


@pytest.mark.parametrize(("layer", "head"), [("3", "6"), ("3", "mean"), ("mean", "")])
def test_csv_has_the_weights_of_one_head_rows_looking(trace: core.Trace, layer: str, head: str) -> None:
    rows = list(csv.reader(io.StringIO(export.csv(panel_of(ASKED, chosen(l=layer, h=head, s="1"))))))
    assert tuple(rows[0][1:]) == trace.tokens
    assert tuple(row[0] for row in rows[1:]) == trace.tokens
    assert trace.attention is not None
    numbers = np.array([row[1:] for row in rows[1:]], float)
    weights = trace.attention.weights.astype(float)
    expected = (
        weights.mean((0, 1)) if layer == "mean" else weights[2].mean(0) if head == "mean" else None
    )
    np.testing.assert_allclose(numbers, weights[2, 5] if expected is None else expected, rtol=1e-5)


@pytest.mark.parametrize(
    "how", [{"s": "0"}, {"r": "head", "s": "0"}, {}]
)  # {}: the lines, as they open
def test_what_is_hidden_is_not_saved(trace: core.Trace, how: dict[str, str]) -> None:
    one = panel_of(ASKED, chosen(l="3", h="6", **how))
    rows = list(csv.reader(io.StringIO(export.csv(one))))
    assert tuple(rows[0][1:]) == trace.tokens[1:-1]
    numbers = np.array([row[1:] for row in rows[1:]], float)
    assert trace.attention is not None
    inner = trace.attention.weights[2, 5, 1:-1, 1:-1].astype(float)
    np.testing.assert_allclose(numbers, inner / inner.sum(axis=-1, keepdims=True), atol=1e-6)
    found = np.load(io.BytesIO(export.npz(one)))
    assert found["weights"].shape[2:] == numbers.shape


def test_the_mean_of_all_is_saved_as_the_mean_of_what_each_head_shows(trace: core.Trace) -> None:
    one = panel_of(ASKED, chosen(l="mean", s="0"))
    numbers = np.array([row[1:] for row in csv.reader(io.StringIO(export.csv(one)))][1:], float)
    assert trace.attention is not None
    inner = trace.attention.weights[:, :, 1:-1, 1:-1].astype(float)
    expected = (inner / inner.sum(axis=-1, keepdims=True)).mean((0, 1))
    np.testing.assert_allclose(numbers, expected, atol=1e-6)
    divided = inner.mean((0, 1)) / inner.mean((0, 1)).sum(axis=-1, keepdims=True)
    assert np.abs(numbers - divided).max() > 0.01  # it is not the same


@pytest.mark.parametrize("head", ["13", "99"])
def test_a_head_that_is_not_there_is_the_first(head: str) -> None:
    assert panel_of(ASKED, chosen(l="3", h=head)).head == 0


def test_the_patterns_of_all_heads_as_a_table(trace: core.Trace) -> None:
    table = list(csv.reader(io.StringIO(export.patterns_csv(panel_of(ASKED, chosen())))))
    assert table[0][:3] == ["layer", "head", "here: the token before"]
    assert len(table) == 1 + 72
    first = next(row for row in table if row[:2] == ["1", "3"])
    assert float(first[2]) == pytest.approx(float(patterns(trace).values[0, 2, 0]), rel=1e-5)


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("asked", "values"),
    [
        (ASKED, {}),
        (ASKED, {"l": "3"}),
        (ASKED, {"l": "mean"}),
        (ASKED, {"l": "2", "u": "1"}),
        (ASKED, {"s": "0"}),
        (ASKED, {"l": "3", "s": "0", "h": "mean"}),
        (ASKED, {"l": "3", "r": "head", "h": "7"}),
        (ASKED, {"l": "5", "r": "product", "h": "7", "q": "5", "k": "3"}),
        (ASKED, {"l": "5", "r": "lines", "h": "7", "q": "5", "k": "3", "pin": "query", "s": "0"}),
        (ASKED, {"l": "mean", "r": "token", "h": "7", "q": "5", "so": "size"}),
        (TextQuery("minilm", TEXT, "it's 'so'"), {"l": "4", "n": "ab"}),
    ],
)
def test_the_lines_of_python_run_and_draw(asked: TextQuery, values: dict[str, str]) -> None:
    one = panel_of(asked, chosen(**values))
    lines = export.python(one, one)
    if not one.steps:
        assert len(lines.splitlines()) == 6
    *before, last = lines.splitlines()
    there: dict[str, Any] = {}
    exec("\n".join(before), there)
    drawn = eval(last, there)
    assert isinstance(drawn, Picture)
    assert drawn._repr_html_().startswith("<div data-polysee=")
    np.testing.assert_array_equal(there["block"].attention.weights, one.seen.attention.weights)
    if "r" in values:
        state = drawn.header["state"]
        assert state["level"] == values["r"]
        assert state["head"] == (0 if one.averaged else 6)
        for what, short in (("query", "q"), ("key", "k")):
            at = state[what]
            seen = None if at is None else one.seen.marks[0][at]
            assert seen == (one.block.marks[0][int(values[short]) - 1] if short in values else None)
        assert (state["pin"], state["sort"]) == (values.get("pin"), values.get("so", "place"))


def test_the_offline_page_holds_text_as_text() -> None:
    asked = TextQuery("minilm", "<script>x</script>")
    page = export.offline([asked], [chosen(l="1")], "http://here/?a=1&b=2")
    assert '<p dir="auto">&lt;script&gt;x&lt;/script&gt;</p>' in page
    assert 'href="http://here/?a=1&amp;b=2"' in page
    assert page.count('<div data-polysee="layer"') == 1


def test_two_models_are_saved_beside_each_other_with_their_difference() -> None:
    page = export.offline([ASKED, ASKED], [chosen(l="1"), chosen(1, l="1", l2="0")], "")
    assert page.count('<div data-polysee="layer"') == 1
    assert page.count('<div data-polysee="overview"') == 1
    assert page.count('<div data-polysee="heatmap"') == 1
    assert (
        "MiniLM (first), Layer 1, head 1 minus MiniLM (second), mean over all heads of all layers"
        in page
    )
    assert "<h1>MiniLM, Layer 1 beside MiniLM, All 6 × 12 heads</h1>" in page
    assert "What it does not say" not in page
    said = export.offline([ASKED], [chosen(l="1")], "", "It is <no> explanation.")
    assert "<p><strong>What it does not say.</strong> It is &lt;no&gt; explanation.</p>" in said


def test_similar_heads_are_sorted_without_the_head_itself(trace: core.Trace) -> None:
    cosine = head_similarity(trace, 0)[2]
    near = pattern_captions.nearest(cosine, 0, 2)
    assert all(score == pytest.approx(float(cosine[layer, head])) for layer, head, score in near)
    assert (0, 2) not in [(layer, head) for layer, head, _ in near]
    assert len(near) == pattern_captions.MOST_SIMILAR
    assert [score for *_, score in near] == sorted((s for *_, s in near), reverse=True)


def test_the_lines_of_a_model_of_the_operator_say_what_they_need(
    made: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = made("t5")
    monkeypatch.setenv("POLYSEE_MODELS", str(folder.parent))
    one = panel_of(TextQuery(folder.name, "a river bank", "a bank"), chosen(e="2", l="1"))
    first, *_ = export.python(one, one).splitlines()
    assert first == f"import core  # with POLYSEE_MODELS set: {folder.name!r} lies in that folder"
    monkeypatch.delenv("POLYSEE_MODELS")
    embedded = panel_of(ASKED, chosen())
    assert export.python(embedded, embedded).splitlines()[0] == "import core"


def test_what_is_saved_of_an_encoder_decoder_says_which_place_it_is(
    made: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = made("t5")
    monkeypatch.setenv("POLYSEE_MODELS", str(folder.parent))
    asked = TextQuery(folder.name, "a river bank", "a bank")
    for place, name in enumerate(["Encoder", "Decoder", "Cross-attention"]):
        page = export.offline([asked], [chosen(e=str(place), l="2")], "")
        assert f"<h1>{name}, Layer 2</h1>" in page
        mean = export.offline([asked], [chosen(e=str(place), l="mean")], "")
        assert f"<h1>{name}. The mean of all heads of all layers</h1>" in mean
        two = {"e": str(place), "l": "2", "e2": str(place), "l2": "mean"}
        both = export.offline([asked, asked], [chosen(**two), chosen(1, **two)], "")
        other = f"{folder.name} (second), {name}, mean over all heads of all layers"
        assert f"{folder.name} (first), {name}, Layer 2, head 1 minus {other}" in both


def test_the_page_that_is_saved_speaks_of_nothing_that_it_lacks() -> None:
    words = prose.read(str(ROOT / "pages" / "heads" / "page.py")).limitations
    page = export.offline([ASKED], [chosen(l="1")], "", words)
    assert "What it does not say." in page
    assert not re.search(r"\b(folded|section|below|above|button|switch)\b", words)
