"""The Next word page without a browser: bars, writing, branches, links; on a small random decoder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import core
from core.language import uniform
from pages.next_word.state import NextWordState
from tests import visits
from tests.pages.cells import given
from tests.pages.reading import drawn, text_box
from tests.visits import run, said

Made = Callable[..., Path]
TEXT = "On the river bank"


@pytest.fixture
def name(made: Made, monkeypatch: pytest.MonkeyPatch) -> str:
    """A decoder that the app offers."""
    folder = made("llama")
    monkeypatch.setenv("POLYSEE_MODELS", str(folder.parent))
    return folder.name


@pytest.fixture
def model(made: Made) -> core.Model:
    loaded: core.Model = core.load(str(made("llama")))
    return loaded


def visit(**url: str) -> AppTest:
    app = visits.visit("next_word", **url)
    assert not app.exception, app.exception
    return app


def shown(app: AppTest, file: str) -> tuple[dict[str, Any], bytes]:
    (found,) = (one for one in drawn(app) if one[0]["file"] == f"polysee-{file}")
    return found


def press(app: AppTest, label: str) -> AppTest:
    next(button for button in app.button if button.label == label).click()
    return run(app)


@pytest.mark.check
def test_the_bars_have_every_logit_of_the_model(name: str, model: core.Model) -> None:
    header, sent = shown(visit(m=name, t=TEXT), "next-word")
    (expected,) = model.expects(TEXT)
    np.testing.assert_allclose(
        np.frombuffer(sent, "<f4"), np.sort(expected.logits)[::-1], rtol=1e-5, atol=1e-6
    )
    assert header["number"] == uniform(NextWordState.seed.default, expected.position + 1)
    assert header["state"] == {"temperature": 1, "topK": 0, "topP": 1, "minP": 0}


def test_what_is_drawn_is_what_generate_draws(name: str, model: core.Model) -> None:
    app = press(visit(m=name, t=TEXT, se="7", tm="1.5", tk="20"), "Draw one")
    (one,) = model.generate(TEXT, 1, temperature=1.5, top_k=20, seed=7)
    assert app.query_params["g"] == str(one.id)
    app = press(app, "Write 20")
    every = [one.id for one in model.generate(TEXT, 21, temperature=1.5, top_k=20, seed=7)]
    assert app.query_params["g"] == ".".join(map(str, every))


def test_at_temperature_0_the_likeliest_is_taken(name: str, model: core.Model) -> None:
    app = visit(m=name, t=TEXT, tm="0")
    assert not any(button.label in ("Draw one", "Roll again") for button in app.button)
    app = press(app, "Take the likeliest")
    (expected,) = model.predict(TEXT)
    assert app.query_params["g"] == str(expected.ids[0])


@pytest.mark.check
def test_going_back_keeps_the_branch_and_another_text_forgets_it(name: str) -> None:
    app = press(press(visit(m=name, t=TEXT), "Draw one"), "Draw one")
    tried = app.query_params["br"]
    app = press(app, "Undo one")
    assert app.query_params["br"] == tried
    assert app.query_params["g"] == tried.partition(".")[0]
    app = press(app, "Start over")
    assert "g" not in app.query_params
    assert app.query_params["br"] == tried
    text_box(app, "next word text control").set_value("The river").run()
    assert "br" not in app.query_params


def test_roll_again_gives_another_number(name: str) -> None:
    app = visit(m=name, t=TEXT)
    before = shown(app, "next-word")[0]["number"]
    app = press(app, "Roll again")
    assert app.query_params["se"] == str(NextWordState.seed.default + 1)
    assert shown(app, "next-word")[0]["number"] != before


@pytest.mark.parametrize("text", ["", "   ", "😀 שלום <b>x</b> \u2028", "word " * 600, "\x00"])
def test_any_text_gets_bars_or_a_sentence(name: str, text: str) -> None:
    app = visit(m=name, t=text)
    assert app.info or app.error or shown(app, "next-word")


@pytest.mark.check
def test_only_models_that_go_on_are_offered(name: str) -> None:
    app = visit(m="minilm", t=TEXT)
    assert "is shown instead" in said(app)
    (offered,) = (box.options for box in app.selectbox if box.label == "Model")
    assert not any("MiniLM" in one for one in offered)
    assert shown(app, "next-word")


@pytest.mark.parametrize("link", [{"g": "9999999"}, {"br": "1_2_x"}, {"tm": "9"}, {"g": "1..2"}])
def test_other_peoples_links_open(name: str, link: dict[str, str]) -> None:
    app = visit(m=name, t=TEXT, **link)
    assert app.error or shown(app, "next-word")


def test_the_same_in_python(name: str, model: core.Model) -> None:
    ((texts, shares, text, bits),) = given("next_word", m=name, t=TEXT)
    (expected,) = model.predict(TEXT)
    assert texts == expected.texts
    np.testing.assert_allclose(shares, expected.probabilities, rtol=1e-5)
    assert text == "".join(
        one.added for one in model.generate(TEXT, 20, seed=NextWordState.seed.default)
    )
    assert bits == pytest.approx(model.score(TEXT).per_token, rel=1e-5)


def test_a_class_sees_the_text_above_the_bars(name: str, model: core.Model) -> None:
    app = visit(m=name, t="On the river bank <b>", present="1")
    assert "On the river bank \\<b\\> …" in said(app)
    assert shown(app, "next-word")
    assert "On the river bank" not in said(visit(m=name, t="On the river bank"))


@pytest.mark.parametrize(
    "url",
    [
        {"p": "next"},
        {"p": "layers"},
        {"p": "why"},
        {"p": "prompts", "t2": "a </s> sow"},
        {"p": "copying", "il": "2", "ia": "0", "ik": "1"},
    ],
    ids=lambda url: url["p"],
)
def test_every_view_says_that_a_special_token_in_a_text_is_read_as_one(
    name: str, url: dict[str, str]
) -> None:
    app = visit(v="2", m=name, t="a </s> kid", **url)
    said_of = [str(one.value) for one in app.caption]
    assert any("`</s>`" in one and "one special token" in one for one in said_of)
