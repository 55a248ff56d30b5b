"""What to try is about the visitor's own sentences, once these are on the page."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from core.examples import PRESETS, Preset
from tests.pages.compare.test_page import moving, visit
from tests.visits import run, said


def tries(app: AppTest) -> list[str]:
    return [one.label for one in app.button if str(one.key).startswith("try ")]


COATS = {"w": "coat", "a": "A thick coat of paint covers it.", "b": "She wore her coat in the snow."}


@pytest.mark.check
def test_each_of_them_sets_the_page_and_keeps_the_word() -> None:
    app = visit(**COATS)
    assert [("coat" in one or "same" in one) for one in tries(app)] == [True, True, True]
    app.button(key="try 0").click()
    run(app)
    assert (app.query_params["a"], app.query_params["b"]) == (COATS["a"], "They wrote “coat”.")
    assert [side["word"] for side in moving(app)["sides"]] == ["coat", "coat"]
    app = visit(**COATS)
    app.button(key="try 1").click()
    run(app)
    assert "The same sentence twice" in said(app)
    app = visit(**COATS)
    app.button(key="try 2").click()
    run(app)
    assert app.query_params["a"] == "A thick coat."
    assert "".join(moving(app)["sides"][0]["parts"]) == "A thick coat."


@pytest.mark.parametrize("preset", PRESETS[:2], ids=lambda one: one.word)
def test_for_sentences_that_come_with_the_app_it_is_as_written(preset: Preset) -> None:
    app = visit(w=preset.word, a=preset.text_a, b=preset.text_b)
    assert tries(app)[0] == "Both at the river"


@pytest.mark.check
def test_what_an_example_shows_is_said_of_the_model_that_shows_it() -> None:
    preset, claim = PRESETS[0], "pulls A to the river"
    state = {"a": preset.text_a, "b": preset.text_b, "w": preset.word}
    assert claim in said(visit(**state))
    other = visit(**state, m="smollm2")
    assert tries(other)[2] == "One word exchanged"
    assert claim not in said(other)


@pytest.mark.check
def test_what_a_visitor_typed_stays_text() -> None:
    word = "[x](http://a)*"
    app = visit(a=f"He saw <b>{word}</b> there.", b=f"They typed <i>{word}</i> here.", w="typed")
    assert not app.exception
    nothing = visit(a="", b="")
    assert tries(nothing)[0] == "Both at the river"
    long = visit(w="coat", a="coat " * 600, b="She wore her coat.")
    assert not long.exception
