"""Layer by layer without a browser: the grid, its cell, its links, a fit, on small random models."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import core
from pages.next_word.layers import reading
from pages.next_word.state import NextWordState
from tests import visits
from tests.pages.cells import given
from tests.pages.reading import drawn
from tests.pretrained.test_lens import prose
from tests.pretrained.test_smollm2 import smollm2
from tests.visits import run, said
from ui.page import prose as words

__all__ = ["smollm2"]
Made = Callable[..., Path]
TEXT = "On the river bank"
PAGE = Path(__file__).resolve().parents[4] / "pages" / "next_word" / "page.py"


@pytest.fixture
def name(made: Made, monkeypatch: pytest.MonkeyPatch) -> str:
    """A decoder that the app offers."""
    folder = made("llama")
    monkeypatch.setenv("POLYSEE_MODELS", str(folder.parent))
    return folder.name


@pytest.fixture
def model(made: Made) -> core.Model:
    return core.load(str(made("llama")))


def visit(**url: str) -> AppTest:
    app = visits.visit("next_word", p="layers", **url)
    assert not app.exception, app.exception
    return app


def shown(app: AppTest, file: str) -> tuple[dict[str, Any], bytes]:
    (found,) = (one for one in drawn(app) if one[0]["file"] == f"polysee-{file}")
    return found


def links(app: AppTest) -> list[dict[str, list[str]]]:
    """The queries of the links in the text."""
    found = [part.split(")")[0] for one in app.markdown for part in str(one.value).split("](")[1:]]
    return [
        parse_qs(urlsplit(one).query) | {"page": [urlsplit(one).path]} for one in found if "?" in one
    ]


def test_the_grid_is_that_of_the_model_and_the_last_cell_is_chosen(
    name: str, model: core.Model
) -> None:
    app = visit(m=name, t=TEXT)
    header, sent = shown(app, "layers-plain")
    grid = model.lens(TEXT)
    depths, columns, _ = grid.likeliest.shape
    np.testing.assert_allclose(
        np.frombuffer(sent, "<f4").reshape(depths, columns), grid.probabilities[::-1, :, 0], rtol=1e-4
    )
    assert header["chosen"] == columns - 1
    assert "No fitted lens" in said(app)


def test_a_cell_of_a_link_is_chosen_and_leads_on(name: str, model: core.Model) -> None:
    app = visit(m=name, t=TEXT, la="2", lay="1")
    columns = len(model.lens(TEXT).tokens)
    header, _ = shown(app, "layers-plain")
    assert header["chosen"] == (model.shape.n_layers - 1) * columns + 1
    steps = next(one for one in links(app) if "step-by-step" in one["page"][0])
    assert (steps["q"], steps["l"], steps["st"]) == (["1"], ["1"], ["residual2"])
    assert (steps["m"], steps["t"]) == ([name], [TEXT])
    why = next(one for one in app.button if one.label == "Why this word?")
    why.click()
    app = run(app)
    assert (app.query_params["p"], app.query_params["t"]) == ("why", TEXT)
    if any(one.url == "at" for one in NextWordState.link()):
        assert app.query_params["at"] == "2"


def test_the_places_are_those_of_the_word_that_was_asked_for(name: str, model: core.Model) -> None:
    app = visit(m=name, t=TEXT, lw="water")
    _, sent = shown(app, "layers-places")
    grid = model.lens(TEXT, word="water", positions=[-1])
    assert grid.word_ranks is not None
    np.testing.assert_allclose(10 ** np.frombuffer(sent, "<f4"), grid.word_ranks[:, 0] + 1.0, rtol=1e-4)
    assert f"place {int(grid.word_ranks.min()) + 1:,}" in said(app)


def test_tokens_that_were_written_have_columns(name: str, model: core.Model) -> None:
    (one,) = model.generate(TEXT, 1, temperature=0)
    header, _ = shown(visit(m=name, t=TEXT, g=str(one.id)), "layers-plain")
    assert len(header["columns"]) == len(model.read(TEXT)) + 1


@pytest.mark.parametrize("text", ["", "  ", "😀 שלום <b>x</b> \u2028", "word " * 600, "\x00", "a"])
def test_any_text_gets_a_grid_or_a_sentence(name: str, text: str) -> None:
    app = visit(m=name, t=text)
    assert app.info or app.error or shown(app, "layers-plain")
    if len(text) > 100:
        assert len(shown(app, "layers-plain")[0]["columns"]) <= reading.MOST_TOKENS


@pytest.mark.parametrize(
    "link",
    [
        {"la": "9999"},
        {"lay": "7"},
        {"lay": "x"},
        {"ln": "plain"},
        {"lw": "<b>"},
        {"lw": "#9999999"},
        {"lw": "↵"},
    ],
)
def test_other_peoples_links_open(name: str, link: dict[str, str]) -> None:
    app = visit(m=name, t=TEXT, **link)
    assert app.error or shown(app, "layers-plain")


@pytest.mark.check
def test_a_masked_model_has_a_grid_and_no_link_to_why(
    made: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = made("bert")
    monkeypatch.setenv("POLYSEE_MODELS", str(folder.parent))
    app = visit(m=folder.name, t="On the [MASK] bank")
    header, _ = shown(app, "layers-plain")
    assert header["columns"][3] == "␣[MASK]"
    assert not any(one.label == "Why this word?" for one in app.button)
    other = visits.visit("next_word", m=folder.name, t=TEXT)  # the first view still refuses it
    assert "is shown instead" in said(other)


def test_a_model_that_predicts_nothing_is_refused_in_a_sentence() -> None:
    assert "does not predict the next word" in said(visit(m="minilm", t=TEXT))


def test_a_fit_on_a_text_of_ones_own_brings_the_fitted_lens(name: str, model: core.Model) -> None:
    app = visit(m=name, t=TEXT)
    app.session_state["text for a lens"] = prose(5, 2_000)
    app = run(app)
    next(one for one in app.button if one.label == "Fit the lens").click()
    app = run(app)
    assert not app.exception
    header, _ = shown(app, "layers-fitted")
    assert "Fitted on" in said(app)
    assert "a pasted text" in said(app)
    assert shown(app, "layers-places")[0]["lines"][1]["name"] == "fitted lens"
    assert prose(5, 20) not in str(dict(app.query_params))
    next(one for one in app.button if one.label == "Forget it").click()
    app = run(app)
    assert shown(app, "layers-plain")[0]["columns"] == header["columns"]


def test_a_text_that_is_too_short_is_said(name: str) -> None:
    app = visit(m=name, t=TEXT)
    app.session_state["text for a lens"] = "a few words"
    app = run(app)
    next(one for one in app.button if one.label == "Fit the lens").click()
    app = run(app)
    assert any("at least" in one.value for one in app.error)


def test_the_same_in_python(name: str, model: core.Model) -> None:
    (table,) = given("next_word", p="layers", m=name, t=TEXT, lw="water")
    assert table.equals(model.lens(TEXT, word="water").to_frame())


@pytest.mark.check
def test_the_examples_state_the_numbers_of_smollm2(smollm2: core.Model) -> None:
    read = words.read(str(PAGE), "layers")
    items = {item.label: item for item in (*read.tries, *read.more)}
    assert len(read.tries) == 3

    def lenses(label: str, word: str | None = None) -> tuple[Any, Any]:
        text = dict(items[label].state)["t"]
        plain, fitted = (
            smollm2.lens(text, fitted=one, word=word, positions=[-1]) for one in (False, True)
        )
        return plain, fitted

    plain, fitted = lenses("Who gets the drink?")
    assert (plain.reads(30, 0), plain.since(0), fitted.since(0)) == (" Mary", 30, 24)
    assert "after layer 30" in items["Who gets the drink?"].look_for
    assert "from layer 24 on" in items["Who gets the drink?"].look_for
    assert {plain.reads(depth, 0).strip() for depth in range(6, 30)} <= {"", "the"}
    _, fitted = lenses("A capital")
    assert (fitted.reads(30, 0), fitted.since(0)) == (" Paris", 24)
    plain, fitted = lenses("Two plus two", "four")
    for grid in (plain, fitted):
        assert grid.word_ranks[[27, 28], 0].tolist() == [0, 0]
    assert fitted.word_ranks[30, 0] == 1
    assert fitted.reads(30, 0) == " five"
    _, fitted = lenses("Hot and cold")
    assert (fitted.reads(30, 0), fitted.since(0)) == (" cold", 25)


@pytest.mark.parametrize(
    ("link", "says"), [({"la": "77"}, "asks for token 77"), ({"lay": "88"}, "asks for layer 88")]
)
def test_what_a_link_asks_for_and_is_not_there_is_said(
    name: str, link: dict[str, str], says: str
) -> None:
    assert says in said(visit(m=name, t=TEXT, **link))
