"""Heads and Compare for models unlike BERT: MiniLM's traces, modified accordingly."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from core.comparison import Chosen, Question
from core.comparison.heads import Look
from core.comparison.saved_page import page as saved_page
from core.records.trace import Attention, Trace
from pages.heads import export
from pages.heads.displayed import panel_of
from tests.browser.pictures.hand_made import window
from tests.pages.compare import test_page as compare
from tests.pages.heads import test_page as heads
from tests.pages.heads.test_export import chosen
from tests.visits import run, said
from ui.comparison import Cached
from ui.models import answers, blocks, pictures
from ui.query import TextQuery

pytestmark = pytest.mark.check

Change = Callable[[Trace], Trace]
CACHES = (answers._text_patterns, blocks._words, blocks._mean, blocks._similarity, pictures.once)


def hybrid(trace: Trace) -> Trace:
    """No attention in layers 1 and 4, and two heads fewer in layer 3."""
    assert trace.attention is not None
    arrays = [trace.attention.weights, trace.query, trace.key, trace.value]
    changed = [np.array(one) for one in arrays]
    for one in changed:
        one[[0, 3]] = np.nan
        one[2, 10:] = np.nan
    attention = Attention(trace.tokens, trace.tokens, changed[0])
    return replace(trace, attention=attention, query=changed[1], key=changed[2], value=changed[3])


def lost(trace: Trace) -> Trace:
    """The fifth token of layer 2 attends to [CLS] alone, in all heads but the last."""
    assert trace.attention is not None
    weights = np.array(trace.attention.weights)
    if len(trace.tokens) > 4:  # a word alone has three
        weights[1, :11, 4] = np.eye(len(trace.tokens))[0]
    attention = Attention(trace.tokens, trace.tokens, weights)
    return replace(trace, attention=attention, query=None, key=None)


def local(trace: Trace) -> Trace:
    """Every second layer sees two tokens on either side; half of each row goes to a sink."""
    assert trace.attention is not None
    n = len(trace.tokens)
    masked = np.stack([window(n, 2, 2) if layer % 2 else np.zeros((n, n), bool) for layer in range(6)])
    weights = np.where(masked[:, None], 0, trace.attention.weights)
    weights = weights / weights.sum(axis=-1, keepdims=True) / 2
    attention = Attention(trace.tokens, trace.tokens, weights, np.full(weights.shape[:3], 0.5))
    why = "its scores are not told."
    return replace(
        trace,
        attention=attention,
        query=None,
        key=None,
        masked=masked,
        products=False,
        why_no_products=why,
    )


@pytest.fixture
def changed(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Change], None]]:
    """Modify every answer in this test; nothing is cached for other tests."""
    real = answers.answer

    def by(change: Change) -> None:
        def answer(asked: TextQuery) -> Any:
            found = real(asked)
            return change(found) if isinstance(found, Trace) else found

        monkeypatch.setattr(answers, "answer", answer)

    forget()
    yield by
    monkeypatch.undo()
    forget()


def forget() -> None:
    for kept in CACHES:
        kept.cache.clear()


TEXT = "On the old river bank"


def layers_offered(app: AppTest) -> list[str]:
    (group,) = [one for one in app.get("button_group") if one.proto.id.endswith("heads layer control")]
    return [option.content for option in group.proto.options]


def test_all_heads_of_a_hybrid_say_which_have_none(changed: Any) -> None:
    changed(hybrid)
    app = heads.visit(t=TEXT)
    header, _ = heads.picture(app)
    assert header["missingHeads"] == [*range(12), 34, 35, *range(36, 48)]
    assert any("layers 1, 4" in text and "no attention" in text for text in header["captions"])
    assert all(header["notes"][i] == "" for i in header["missingHeads"])
    assert [score[0] for score in header["patterns"]["scores"]] == [None] * 7
    assert layers_offered(app) == [
        "All heads",
        "Layer 2",
        "Layer 3",
        "Layer 5",
        "Layer 6",
        "Mean of all",
    ]
    assert not [*app.error, *app.warning]


def test_a_layer_without_attention_says_so_where_a_link_opens_it(changed: Any) -> None:
    changed(hybrid)
    app = heads.visit(t=TEXT, l="4", r="head", h="3")
    header, sent = heads.picture(app)
    assert (header["kind"], sent) == ("none", b"")
    assert "no attention" in header["whyNoScores"]
    assert header["layer"] == "Layer 4"
    assert "Layer 4" in layers_offered(app)
    assert "Layer 1" not in layers_offered(app)
    assert "about" not in header
    run(app)
    for words in ("1", ""):
        assert heads.picture(heads.visit(t=TEXT, l="1", u=words))[0]["kind"] == "none"


def test_a_head_that_is_missing_is_the_first_that_is_there(changed: Any) -> None:
    changed(hybrid)
    app = heads.visit(t=TEXT, l="3", h="12", r="head", on="12.1")
    header, _ = heads.picture(app)
    assert header["missingHeads"] == [10, 11]
    assert header["state"]["head"] == 0
    one = panel_of(TextQuery("minilm", TEXT), chosen(l="3", h="12", s="1"))
    assert one.head == 0
    rows = list(csv.reader(io.StringIO(export.csv(one))))
    weights = np.array([row[1:] for row in rows[1:]], float)
    np.testing.assert_allclose(weights, heads.weights(app)[0], atol=1e-4)


def test_the_mean_of_all_counts_the_heads_that_there_are(changed: Any) -> None:
    changed(hybrid)
    header, sent = heads.picture(heads.visit(t=TEXT, l="mean"))
    assert header["layer"] == "Mean of all 46 heads"
    shown_ = np.frombuffer(sent, "<f4").reshape(2, len(header["queries"]), -1)
    assert np.isfinite(shown_).all()


def test_an_offline_page_of_a_hybrid_is_made(changed: Any) -> None:
    changed(hybrid)
    for layer in ("0", "1", "3", "mean"):
        values = chosen(l=layer, s="0")
        page = export.offline([TextQuery("minilm", TEXT)], [values], "")
        assert "data-polysee" in page
        found = np.load(io.BytesIO(export.npz(panel_of(TextQuery("minilm", TEXT), values))))
        gone = np.isnan(found["weights"]).all(axis=(-2, -1))
        assert gone.sum() == {"0": 26, "1": 12, "3": 2, "mean": 0}[layer]


def test_two_hybrids_beside_each_other(changed: Any) -> None:
    changed(hybrid)
    app = heads.visit(t=TEXT, m2="minilm", l="1", l2="2")
    names = [header["file"] for header, _ in heads.pictures(app)]
    assert names.count("polysee-difference-of-models") == 1
    assert "None of these rows" in said(app) or "none of these rows" in said(app)


def test_compare_begins_at_a_layer_that_has_attention(changed: Any) -> None:
    changed(hybrid)
    app = compare.visit(fa="1")
    layer, head = (slider for slider in app.select_slider if slider.label in ("Layer", "Head"))
    assert layer.options == ["mean", "2", "3", "5", "6"]
    assert layer.value == 2
    assert len(head.options) == 13
    shown_ = compare.weights(app)
    assert all(np.isfinite(one).all() for one in shown_)
    found = compare.pictures(app)
    rows = found["layers-A"][1]
    assert np.isnan(rows).all(axis=1).tolist() == [True, False, False, True, False, False]
    assert any("no attention" in note for note in found["layers-A"][0]["scale"]["notes"])
    app = compare.visit(l="3", h="12")
    (head,) = (slider for slider in app.select_slider if slider.label == "Head")
    assert head.value == 10
    assert len(head.options) == 11


def test_a_saved_comparison_of_a_hybrid_leaves_out_what_is_not_there(changed: Any) -> None:
    changed(hybrid)
    a, b = (Chosen(text, "bank", 0) for text in (TEXT, "She robbed the bank"))
    question = Question("minilm", a, b, None)
    page = saved_page(question, Look(1, 0, False), Cached("minilm"), back=0, link="")
    assert "data-polysee" in page


def test_a_row_that_is_missing_on_compare(changed: Any) -> None:
    changed(lost)
    url = {"a": TEXT, "b": "She robbed the bank", "w": "bank", "l": "2"}
    assert "the old river bank" in TEXT.lower()
    app = compare.visit(**url, h="3")
    header, numbers = compare.pictures(app)["head-A"]
    place = header["rows"].index("river")  # the fifth token, [CLS] counted
    assert np.isnan(numbers[place]).all()
    assert any("nothing is left" in note for note in header["scale"]["notes"])
    mean, numbers = compare.pictures(compare.visit(**url, h="0"))["head-A"]
    assert np.isfinite(numbers).all()  # of the one head that has it
    np.testing.assert_allclose(numbers.sum(axis=1), 1, atol=1e-5)
    assert any("then averaged" in note for note in mean["scale"]["notes"])
    river = compare.visit(**{**url, "w": "river", "b": "see the old river"}, h="3")
    assert re.search(r"\*\*river\*\* spends all .* on special tokens", said(river))


@pytest.mark.fuzz
def test_local_layers_with_sinks_say_so_on_every_page(changed: Any) -> None:
    changed(local)
    said = heads.picture(heads.visit(t=TEXT))[0]["captions"]
    assert [text for text in said if "layers 2, 4, 6: local attention" in text]
    assert [text for text in said if "sink" in text]
    header, sent = heads.picture(heads.visit(t=TEXT, l="2", r="product"))
    assert header["whyNoScores"].endswith("its scores are not told.")
    assert "2 before it and 2 after it" in header["maskDescription"]
    assert header["sink"]
    numbers = np.frombuffer(sent, "<f4")
    rows = 12 * len(header["queries"])
    np.testing.assert_allclose(numbers[-rows:], 0.5)
    words = heads.picture(heads.visit(t=TEXT, l="2", u="1"))[0]
    assert "several tokens" in words["whyNoScores"]
    app = compare.visit(a=TEXT, b="She robbed the bank", w="bank", l="2", s="1")
    notes = compare.pictures(app)["head-A"][0]["scale"]["notes"]
    assert any("2 before it and 2 after it" in note for note in notes)
    assert any("0.50 of a row goes to the sink" in note for note in notes)
