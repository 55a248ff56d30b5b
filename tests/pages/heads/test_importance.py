"""Whether a head matters, and for what: the folded section of the Heads page."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import core
from core.measures.contributions.by_word import coordinate_of
from core.measures.contributions.expectation_shifts import shift
from tests.pages.compare.test_contributions import own_axis
from tests.pages.compare.test_page import POEMS, read
from tests.pages.heads.test_page import visit as visit_heads
from tests.pages.reading import drawn, text_box
from tests.sentences import bold, numbers, saying
from tests.visits import run, said

pytestmark = pytest.mark.check

TEXT = POEMS["a"]
BANK = "12"  # the place of “bank” in the opening text, from 1, behind [CLS]


def visit(**url: str) -> AppTest:
    return visit_heads(**({"t": TEXT, "l": "6", "h": "11", "r": "head", "q": BANK, "yo": "1"} | url))


def why(app: AppTest) -> dict[str, tuple[dict, np.ndarray]]:
    """The pictures of the section; the panel's own have other shapes."""
    return read([one for one in drawn(app) if "polysee-why" in one[0]["file"]])


def test_nothing_is_computed_before_it_is_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    monkeypatch.setattr(core.Model, "contributions", lambda *of, **more: asked.append(of))
    app = visit_heads()
    assert not asked
    assert not why(app)
    assert app.toggle(key="why open control").label == "Does this head matter, and for what?"


@pytest.mark.fuzz
def test_the_chosen_word_and_head_are_told_of() -> None:
    app = visit()
    told = said(app)
    assert app.query_params["yo"] in ("1", ["1"])
    assert (
        "**bank** sides with *river* after every layer: it stands at **1.65** after layer 1 and at "
        "**0.86** after layer 6." in told
    )
    assert "Here, **bank** stands at **0.86**; alone, without a sentence, at −0.21." in told
    assert re.search(r"= 0\.86\. Measured: 0\.86\b", told)
    shown = why(app)
    assert {"why-path-here", "why-layers-here", "why-by-head-here", "why-ablated-here"} <= {*shown}
    # The head's own row, against the trace, the contributions and the cuts themselves.
    model = core.load("minilm")
    axis = own_axis()
    trace = model.trace(TEXT)
    own = trace.find("bank").tolist()
    alone = model.contributions("bank", "bank", axis.direction(-1))
    found = model.contributions(TEXT, "bank", axis.direction(-1)).from_alone(alone)
    header, adds = shown["why-adds-head"]
    at = header["labels"].index("fishing")
    river = header["labels"].index("river")
    np.testing.assert_allclose(adds.ravel(), found.by_head_direct[5, 10], atol=1e-6)
    assert trace.attention is not None
    np.testing.assert_allclose(
        shown["why-attention-head"][1].ravel(), trace.attention.weights[5, 10, own[0]], atol=1e-6
    )
    for word, i in (("fishing", at), ("river", river)):
        after = model.intervene(TEXT, core.Cut("bank", word, 5, 10)).after
        moved = coordinate_of(after, own, axis) - coordinate_of(trace, own, axis)
        assert shown["why-cuts-head"][1].ravel()[i] == pytest.approx(moved, abs=1e-5)
    itself, moves = adds.ravel()[header["chosen"]], shown["why-ablated-here"][1][5, 10]
    assert re.search(
        rf"{itself:+.2f} through its attention to itself".replace("-", "−").replace("+", r"\+"), told
    )
    assert f"without it, by **+{moves:.2f}**" in told
    # The head that copies the sink is reported as a disagreement.
    assert "it attends most to **\\[CLS\\]**" in said(visit(h="6"))


@pytest.mark.fuzz
def test_the_row_of_the_panel_is_the_word_and_the_other_way_round() -> None:
    # A word without known ends needs two ends from the visitor.
    assert "Name the two meanings of the word" in said(visit(q="8"))
    ends = {"lo": "cold", "hi": "warm"}
    app = visit(q="8", **ends)
    (box,) = [box for box in app.selectbox if box.label == "Word"]
    assert box.value == 6  # “fishing”, the seventh word
    assert "Here, **fishing** stands at" in said(app)
    box.set_value(9)
    assert run(app).query_params["q"] in ("11", ["11"])
    assert "Here, **river** stands at" in said(app)
    # With whole words, the rows are words. A special token is not a word: a known word is taken
    # instead.
    assert "Here, **embankments** stands at" in said(
        visit(t="On embankments by the bank", u="1", q="3", **ends)
    )
    assert "Here, **bank** stands at" in said(visit(q="1"))
    app = visit_heads(t=TEXT, yo="1")  # no head is open: the one that is missed most
    assert "No single head is open above" in said(app)
    assert "**Layer 6, head 8**" in said(app)


def moved(app: AppTest) -> tuple[float, float]:
    before, after = numbers(saying(said(app), "stands at", "Without the change"))[-2:]
    return before, after


@pytest.mark.fuzz
def test_what_if_takes_the_head_that_is_shown() -> None:
    app = visit()
    assert moved(app) == (0.86, 0.66)
    (button,) = [b for b in app.button if b.label == "Take layer 6, head 11"]
    button.click()
    app = run(app)
    assert [app.query_params[key] for key in ("yl", "yh")] in (["6", "11"], [["6"], ["11"]])
    cut = core.Cut("bank", "river", 5, 10)
    axis = own_axis()
    after = core.load("minilm").intervene(TEXT, cut).after
    assert moved(app)[1] == pytest.approx(
        coordinate_of(after, after.find("bank").tolist(), axis), abs=5e-3
    )
    (was, now), told = moved(app), saying(said(app), "The change moves")
    assert bold(told)[0][0] in "+−" or bold(told)[0] == "0.00"
    assert numbers(told) == [pytest.approx(now - was, abs=1e-9)]
    assert "“MiniLM” has no output layer that predicts words" in said(app)
    silent = visit(yk="silence")  # begins with the head that is open
    boxes = [silent.selectbox(key=key).value for key in ("why layer control", "why head control")]
    assert boxes == [6, 11]
    # The word inserted before it is counted, so that the chosen one is found again.
    app = visit(t="fishing on a river bank", yk="replace", yw="4", yr="bank", q="6")
    alone = visit(t="fishing on a bank bank", q="6")
    assert moved(app)[1] == moved(alone)[0]


@pytest.mark.few(1)
@pytest.mark.parametrize("kind", ["cut", "mask"])
@pytest.mark.parametrize("word", ["2", "3"])  # both of 🎣 and “shop” are one [UNK]
def test_two_words_of_one_token_are_not_distinguished(kind: str, word: str) -> None:
    text = "bank near 🎣shop now"
    app = visit(t=text, q="1", yk=kind, yw=word)
    assert "as one token" in said(app)
    assert "The change moves" not in said(app)
    assert not app.exception
    assert moved(visit(t=text, q="1", yk=kind, yw="4"))
    assert moved(visit(t=text, q="1", yk="replace", yw=word, yr="old"))


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ({"t2": "A second text."}, "needs a single text"),
        ({"t": "🎣 ."}, "Name the two meanings of the word"),
        ({"lo": "a:\nThe bank."}, "+ towards *river*, − towards *a*"),
        ({"lo": "river", "hi": "river"}, "cannot tell the two ends apart"),
        ({"lo": ","}, "Name the two meanings of the word"),
        ({"yl": "-3", "yw": "x", "yk": "?", "yo": "1"}, "stands at **0.86**"),
    ],
    ids=lambda value: str(value)[:20],
)
def test_what_cannot_be_asked_is_said(url: dict[str, str], reason: str) -> None:
    app = visit(**url)
    assert reason in said(app)
    assert not app.exception


def test_models_that_cannot_be_followed_say_so(
    made: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = made("mpnet")
    monkeypatch.setenv("POLYSEE_MODELS", str(folder.parent))
    app = visit(m=folder.name)
    assert "need our own transformer" in said(app)
    assert not why(app)


def test_a_decoder_is_measured_too(made: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> None:
    folder = made("gpt2")
    monkeypatch.setenv("POLYSEE_MODELS", str(folder.parent))
    app = visit(m=folder.name)
    assert not app.exception
    assert "first token (sink)" in said(app)
    assert why(app)


@pytest.mark.fuzz
def test_predictions_before_and_after(
    made: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = made("bert")
    monkeypatch.setenv("POLYSEE_MODELS", str(folder.parent))
    model = core.load(str(folder))
    bank = model.trace(TEXT).find("bank").tolist()
    for url, text, masked, where in (
        ({}, TEXT, bank, "at **bank**, which is masked in both runs"),
        ({"mk": "9"}, TEXT, [8], "at the hidden word"),
        ({"t": "The [MASK] bank.", "q": "4"}, "The [MASK] bank.", [], "at the mask in the text"),
    ):
        app = visit(m=folder.name, l="2", h="3", yk="silence", yl="2", yh="3", **url)
        assert f"**What the model expects** {where}" in said(app)
        header, numbers = why(app)["why-expected-1"]
        (one,) = model.intervene(text, core.Ablate(1, 2), masked=masked).expected or ()
        found = shift(one, 8)
        changed, as_it_is = numbers.reshape(2, -1)
        assert len(header["labels"]) == len(found.ids) >= 8
        np.testing.assert_allclose(changed, found.after, atol=1e-5)
        np.testing.assert_allclose(as_it_is, found.before, atol=1e-5)


@pytest.mark.fuzz
def test_between_labelled_sentences() -> None:
    trace = core.load("minilm").trace(TEXT)
    # A sentence in a group is left out of that group.
    text = "She queued at the bank to change her dollars into euros."
    app = visit(t=text, q="1")
    low, high = (str(text_box(app, f"{end} anchors contexts control").value) for end in ("low", "high"))
    assert text not in low
    assert (low.count("\n"), high.count("\n")) == (7, 8)
    # A visitor's own sentences, with labels.
    for other, sentence in (("y", "The bank lends money."), ("z", "Bank on it.")):
        app = visit(lo="x:\nA tall bank of grass.", hi=f"{other}:\n{sentence}")
        assert f"+ towards *{other}*, − towards *x*" in said(app)
        axis = core.load("minilm").sense_axis("bank", ["A tall bank of grass."], [sentence])
        np.testing.assert_allclose(
            why(app)["why-path-here"][1][0], axis.coordinates(trace, trace.find("bank")), atol=1e-5
        )
