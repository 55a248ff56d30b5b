"""Step by step without a browser: its content, for typed texts and for links."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from core.figures import schema
from core.walkthroughs.steps.descriptions import PLAIN, STEPS
from core.walkthroughs.tiny_numbers import NUMBERS
from pages.step_by_step import forward, shown_step
from pages.step_by_step.state import StepsState
from tests import sentences, visits
from tests.pages.reading import text_box
from tests.pages.steps_reading import link, listed, picture, result, visit
from tests.visits import press, run, said
from ui import figure

TEXT = "the cat ate the mouse"


def test_opens_with_the_whole_layer_of_the_tiny_model_at_its_first_step() -> None:
    app = visit()
    header, _ = picture(app)
    assert header["tiny"] is not None
    assert header["state"] == {"level": "layer", "step": 0, "row": 2, "column": 0}
    assert app.query_params == {}
    assert len(header["blocks"]) == 19
    press(app, "next steps step")
    assert app.query_params == {"v": "2", "ti": "1", "st": "learned", "zl": "layer"}
    again = visit(**{name: str(value) for name, value in app.query_params.items()})
    assert picture(again)[0]["state"] == {"level": "layer", "step": 1, "row": 2, "column": 0}


def test_a_link_that_says_anything_means_what_it_meant_before_the_tiny_model_came_first() -> None:
    header, _ = picture(visit(q="4"))
    assert header["tiny"] is None
    assert header["title"] == "Queries"
    assert header["state"] == {"level": "matrix", "step": header["at"], "row": 4, "column": 0}


def test_a_number_that_was_dragged_is_in_the_link_and_in_all_that_follows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stored: dict[str, object] = {StepsState.edits.key: "E.1.1.3"}
    monkeypatch.setattr("ui.session.st.session_state", stored)
    monkeypatch.setattr("ui.permalink.st.session_state", stored)
    s = StepsState()
    forward.edit(s, figure.Edit("W_Q", 0, 5, -0.25))
    assert s.edits.get() == "E.1.1.3~W_Q.0.5.-0.25"
    assert s.matrix.get() == "W_Q"
    forward.edit(s, figure.Edit("W_Q", 0, 5, float(NUMBERS["W_Q"][0, 5])))  # as it was
    assert s.edits.get() == "E.1.1.3"
    for strange in (("W_X", 0, 0, 1.0), ("W_Q", 6, 0, 1.0), ("b_1", 0, 8, 1.0), ("E", 0, 0, 101.0)):
        forward.edit(s, figure.Edit(*strange))
        assert s.edits.get() == "E.1.1.3"


def test_what_is_chosen_in_the_picture_is_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    stored: dict[str, object] = {}
    monkeypatch.setattr("ui.session.st.session_state", stored)
    sent = {"level": "cell", "step": 1, "row": 3, "column": 2}
    forward.take(StepsState(), ("a", "b"), schema.read(schema.STATES["forward"], sent))
    assert stored == {
        **{"steps zoom": "cell", "steps step": "b"},
        **{"steps token": 3, "steps column": 2},
    }
    with pytest.raises(schema.Misfit):
        schema.read(schema.STATES["forward"], {**sent, "level": "token"})
    with pytest.raises(schema.Misfit):
        schema.read(schema.EVENTS["edit"], {"table": "W_Q", "row": 0, "column": 0, "value": 101})


def test_opens_on_a_product_of_minilm(minilm: Any) -> None:
    app = visit(ti="0")
    assert app.title[0].value == "One forward pass, every number"
    trace = minilm.trace(TEXT)
    np.testing.assert_allclose(result(app), trace.query[0, 0], atol=1e-6)
    header, (x, w, b, q) = picture(app)
    assert [one["name"] for one in header["matrices"]] == ["x", "W_Q", "b_Q", "Q"]
    np.testing.assert_allclose(x @ w + b, q, atol=1e-5)
    assert "Q = x\\,W_Q" in said(app)
    assert "exactly equal" in said(app)
    assert app.query_params == {"v": "2", "ti": "0", "st": "query", "zl": "matrix"}
    assert not [*app.error, *app.warning, *app.info]


# Only a decoder has the mask; only the paper's model has the root.
MINILMS = [name for name in STEPS if name not in ("mask", "root")]


@pytest.mark.few(4)
@pytest.mark.parametrize("name", MINILMS)
def test_every_step_of_minilm(minilm: Any, name: str) -> None:
    app = visit(st=name, l="5", h="7", q="4", k="11")
    header, _ = picture(app)
    assert header["title"] == STEPS[name].title
    assert STEPS[name].formula in said(app)
    assert len(header["titles"]) == 20
    assert header["state"] == {"level": "matrix", "step": header["at"], "row": 4, "column": 11}
    trace = minilm.trace(TEXT)
    if name == "norm2":
        np.testing.assert_allclose(result(app), trace.hidden[4], atol=1e-5)
    if name == "weights":
        np.testing.assert_allclose(result(app), trace.attention.weights[4, 6], atol=1e-6)
    if name == "learned":
        np.testing.assert_array_equal(result(app), trace.learned)


@pytest.mark.check
def test_back_next_and_the_list() -> None:
    app = visit(st="pieces")
    back, forward = app.button(key="back steps step"), app.button(key="next steps step")
    assert back.disabled
    for name in MINILMS[1:]:
        assert not forward.disabled
        press(app, "next steps step")
        assert (link(app, "st") or "query") == name
        forward = app.button(key="next steps step")
    assert forward.disabled
    press(app, "back steps step")
    assert picture(app)[0]["title"] == STEPS["residual2"].title
    listed(app, "Step").set_value("mix")
    run(app)
    assert picture(app)[0]["title"] == STEPS["mix"].title


def test_the_token_is_the_row() -> None:
    app = visit(ti="0")
    listed(app, "Token").set_value(5)
    run(app)
    assert picture(app)[0]["state"]["row"] == 5
    assert link(app, "q") == "5"


def test_wide_products_come_in_parts(minilm: Any) -> None:
    app = visit(st="inner", bl="3")
    header, _ = picture(app)
    assert header["part"] == [96, 1536]
    assert header["matrices"][1]["whole"] == [384, 1536]
    assert header["matrices"][-1]["columns"][0] == "97"
    listed(app, "Columns").set_value(47)
    run(app)
    assert picture(app)[0]["matrices"][-1]["columns"][-1] == "1536"


def test_a_sentence_of_ones_own_begins_at_the_first_step() -> None:
    app = visit(ti="1", st="norm2")
    app.button(key="steps trained").click()
    run(app)
    assert app.session_state["steps size"] == "0"
    assert app.session_state["steps step"] == "pieces"


def test_the_tiny_model_and_its_mask() -> None:
    app = visit(ti="1", st="weights")
    header, (_, weights) = picture(app)
    assert weights.shape == (4, 4)
    assert len(header["titles"]) == 19
    app.toggle(key=StepsState.causal.control).set_value(True)
    run(app)
    masked = result(app)
    assert np.triu(masked, 1).max() == 0
    np.testing.assert_allclose(masked.sum(axis=1), 1, atol=1e-6)
    assert "mask" in listed(app, "Step").options[8].lower()


def test_edited_numbers_of_a_link_change_all_that_follows() -> None:
    before, after = visit(ti="1", st="query"), visit(ti="1", st="query", ed="W_Q.0.1.2.5")
    _, (x, w, q) = picture(after)
    assert w[0, 1] == 2.5
    np.testing.assert_allclose(x @ w, q, atol=1e-5)
    assert np.abs(result(before) - q).max(axis=0)[1] > 0.1
    assert "1 changed" in said(after)
    next(button for button in after.button if button.label == "Reset all numbers").click()
    run(after)
    np.testing.assert_array_equal(result(after), result(before))
    assert "ed" not in after.query_params
    last = visit(ti="1", st="norm2"), visit(ti="1", st="norm2", ed="W_Q.0.1.2.5")
    assert np.abs(result(last[0]) - result(last[1])).max() > 1e-3


@pytest.mark.parametrize("vectors", ["learned", "embedded"])
def test_attention_without_weights(minilm: Any, vectors: str) -> None:
    trace = minilm.trace(TEXT)
    x = getattr(trace, vectors).astype(float)
    scores = x[2] @ x.T
    weights = np.exp(scores / math.sqrt(384))
    weights /= weights.sum()
    expected = (scores, scores / math.sqrt(384), weights, weights @ x)
    for name, values in zip(PLAIN, expected, strict=True):
        app = visit(p="plain", ps=name, x=vectors, q="2")
        np.testing.assert_allclose(result(app)[0], values, rtol=1e-5, atol=1e-5)


def test_no_positions_say_how_far_the_orders_are_apart() -> None:
    app = visit(p="what-if", wi="no-position", l="6")
    _, (with_positions, without) = picture(app)
    assert with_positions.max() > 0.3
    assert without.max() < 5e-6
    assert f"**{with_positions.max():.3f}**" in said(app)
    assert "10^{-" in said(app)
    text_box(app, StepsState.order.control).set_value("a dog")
    run(app)
    assert "reverse order" in app.info[0].value
    assert result(app).max() < 5e-6


def test_no_scale_says_before_and_after(minilm: Any) -> None:
    app = visit(p="what-if", wi="no-scale", l="3", h="6")
    before = minilm.trace(TEXT).attention.weights[2, 5]
    _, (first, second) = picture(app)
    np.testing.assert_allclose(first, before, atol=1e-6)
    assert f"from **{before.max(axis=1).mean():.3f}** to **{second.max(axis=1).mean():.3f}**" in said(
        app
    )


def test_one_head_in_the_place_of_all(minilm: Any) -> None:
    assert picture(visit(p="what-if", wi="one-head", ti="1"))[0]["title"] == "One head"
    before = minilm.trace(TEXT).attention.weights[2, 5]
    drawn, (first, second) = picture(visit(p="what-if", wi="one-head", l="3", h="6"))
    assert drawn["title"] == "One head"
    np.testing.assert_allclose(first, before, atol=1e-6)
    assert np.abs(second - first).max() > 0.1
    np.testing.assert_allclose(second.sum(axis=1), 1, atol=1e-5)


@pytest.mark.parametrize(
    "url",
    [
        {"l": "99", "h": "99", "q": "900", "k": "99999", "bl": "9000", "st": "output"},
        {"l": "0", "h": "-1", "q": "x", "st": "<b>", "p": "?", "wi": "", "x": "y", "ti": "2"},
        {"ti": "1", "ed": "W_Q.0.0.nan", "tt": "the", "h": "9", "q": "7", "c": "1"},
        {"ti": "1", "ed": "~~~", "st": "mask"},
        {"p": "plain", "ps": "norm2", "q": "99"},
    ],
)
def test_hostile_links_fall_back(url: dict[str, str]) -> None:
    app = visit(**url)
    assert not [*app.error, *app.warning]
    _, matrices = picture(app)
    assert all(np.isfinite(one).all() for one in matrices)


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        ({"t": "   "}, "The text is empty"),
        ({"ti": "1", "tt": ""}, "five words"),
        ({"ti": "1", "tt": "שלום"}, "five words"),
        ({"t": "x" * 100_001}, "larger than"),
    ],
)
def test_what_cannot_be_shown_is_said(url: dict[str, str], sentence: str) -> None:
    app = visit(**url)
    assert sentence in said(app)
    assert len([*app.error, *app.info]) == 1


@pytest.mark.parametrize(
    "text", ["🙂", "مرحبا بالعالم", "<b>bold</b> *x* $y$", "supercalifragilistic" * 9]
)
def test_odd_texts_are_shown(text: str) -> None:
    assert result(visit(t=text)).shape[1] == 32


def test_600_words_are_cut_and_it_is_said(minilm: Any) -> None:
    app = visit(t="the river bank is wide " * 120)
    assert result(app).shape == (16, 32)
    assert sentences.saying(said(app), "text is cut after", "“… ")
    assert sentences.numbers(sentences.saying(said(app), "[CLS", "[SEP")) == [16]
    assert not app.error


@pytest.mark.parametrize("view", ["layer", "plain", "what-if"])
def test_the_papers_size_has_every_view(view: str) -> None:
    app = visit(ti="paper", p=view, l="6", h="8", st="root" if view == "layer" else "query")
    assert not app.exception
    assert not app.error
    title = {"layer": "× √d_model", "plain": "x · Xᵀ", "what-if": "No scaling"}[view]
    assert picture(app)[0]["title"] == title


def test_the_buttons_lead_where_they_say() -> None:
    app = visit(ti="0")
    press(app, "try 1")
    assert app.radio(key=StepsState.size.control).value == "1"
    assert picture(app)[0]["state"] == {"level": "matrix", "step": 3, "row": 1, "column": 0}
    press(app, "try 2")
    assert app.radio(key=StepsState.size.control).value == "0"
    assert picture(app)[0]["title"] == "Queries"
    assert picture(app)[0]["state"]["column"] == 4
    press(app, "try 0")
    assert picture(app)[0]["state"] == {"level": "layer", "step": 0, "row": 1, "column": 0}


@pytest.mark.parametrize("value", [1.5, "2", None, float("nan"), -1, True, 1e9])
def test_what_comes_from_a_browser_is_checked(monkeypatch: pytest.MonkeyPatch, value: object) -> None:
    stored: dict[str, object] = {}
    monkeypatch.setattr("ui.session.st.session_state", stored)
    fields, s = schema.STATES["steps"], StepsState()
    for place in ("step", "row", "column"):
        with pytest.raises(schema.Misfit):
            schema.read(fields, {"step": 0, "row": 0, "column": 0, place: value})
    sent = schema.read(fields, {"step": 2, "row": 1000, "column": 99_998})
    shown_step.take(s, s.step, ("a", "b"), sent)  # what is beyond the page is left out
    assert stored == {"steps column": 99_998}
    sent = schema.read(fields, {"step": 1.0, "row": 3, "column": 0})
    shown_step.take(s, s.step, ("a", "b"), sent)
    assert stored == {"steps step": "b", "steps token": 3, "steps column": 0}


def test_numbers_of_the_tiny_model_are_as_they_came() -> None:
    _, (hot, table, learned) = picture(visit(ti="1", st="learned"))
    np.testing.assert_array_equal(table, NUMBERS["E"])
    np.testing.assert_array_equal(hot @ table, learned)


def test_beside_the_tiny_model_no_other_is_named_and_none_is_forgotten() -> None:
    app = visit(ti="1", m="multilingual")
    assert not [one for one in app.sidebar.selectbox if one.label == "Model"]
    everything = said(app) + "".join(str(one.value) for one in app.sidebar.selectbox)
    assert "MiniLM" not in everything
    assert link(app, "m") == "multilingual"  # for the pages that have a part for it
    other = visit(ti="1")
    other.sidebar.radio[0].set_value("0")
    run(other)
    assert [one.value for one in other.sidebar.selectbox if one.label == "Model"] == ["minilm"]


def test_the_matrix_whose_numbers_are_changed_is_in_the_link() -> None:
    name = "Change the numbers of"
    app = visit(ti="1", mx="W_O")
    assert listed(app, name).value == "W_O"
    listed(app, name).set_value("g_2")
    assert link(run(app), "mx") == "g_2"
    assert listed(visit(ti="1", mx="W_X"), name).value == "W_Q"  # there is none of this name
    plain = {"ti": "1", "p": "plain", "mx": "W_O"}  # without weights, there are none to change
    assert [one[0] for one in listed(visit(**plain), name).options] == ["E", "P"]
    assert [one[0] for one in listed(visit(**plain, x="learned"), name).options] == ["E"]


@pytest.mark.check
def test_a_part_of_the_paper_is_exchanged_in_a_model_of_today() -> None:
    link = {"ti": "0", "m": "smollm2", "t": "The capital of France is", "p": "what-if", "wi": "parts"}
    app = visits.visit("step_by_step", v="2", **link, wp="norm")
    said = " ".join(one.value for one in app.markdown)
    assert "*Paris* is the most probable next word: 77 %" in said
    assert "it has **81.1 %** and is still first" in said
    app = visits.visit("step_by_step", v="2", **link, wp="heads")
    assert "keeps **34,560** numbers, not 11,520" in " ".join(one.value for one in app.markdown)
    assert not app.exception
