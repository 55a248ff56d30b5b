"""Step by step without a browser: other texts and other models, and the choices that are kept."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from pages.step_by_step.state import StepsState
from tests.pages.reading import text_box
from tests.pages.steps_reading import link, listed, picture, visit
from tests.visits import press, run, said


def test_the_same_order_twice_is_told() -> None:
    for url in ({"t": "cat", "t2": "cat"}, {"ti": "1", "tt": "the more the"}):
        app = visit(p="what-if", wi="no-position", **url)
        assert ["same" in info.value for info in app.info] == [True]
    app = visit(p="what-if", wi="no-position", t2=" ")
    assert ["is empty" in info.value for info in app.info] == [True]
    assert picture(app)[1][0].max() > 0.1  # from back to front


def test_the_mask_of_another_view_hides_nothing_in_what_if() -> None:
    _, (before, _) = picture(visit(ti="1", c="1", p="what-if"))
    assert before.min() > 0


def test_what_no_pieces_are_known_for_is_not_called_a_word() -> None:
    header, _ = picture(visit(st="pieces", t="unbelievable 😀"))
    assert "the whole word “unbelievable”" in header["notes"]
    assert [note for note in header["notes"] if "“😀”" in note and "unknown" in note]


def test_another_text_has_a_list_of_its_own_and_the_place_stays() -> None:
    app = visit(q="2")
    before, place = listed(app, "Token"), listed(app, "Token").value
    text_box(app, StepsState.text.control).set_value("a dog barked loudly")
    run(app)
    after = listed(app, "Token")
    assert place == after.value == 2
    assert before.id != after.id
    assert after.options[2] == "dog (3)"
    press(app, "next steps step")
    assert picture(app)[0]["title"] == "Keys"
    app.radio(key=StepsState.size.control).set_value("1")
    run(app)
    assert picture(app)[0]["title"] == "Keys"  # the fifth step there, and the sixth here
    assert listed(app, "Token").value == 2


def test_a_column_block_beyond_the_last_leaves_the_link() -> None:
    assert link(visit(st="inner", bl="999"), "bl") == "47"
    assert link(visit(bl="999"), "bl") == "47"
    assert link(visit(bl="999", ti="1"), "bl") is None


def test_a_text_outlives_a_visit_to_the_tiny_model() -> None:
    app = visit(t="a dog barked", t2="barked a dog", p="what-if", wi="no-position")
    for size in ("1", "0"):
        app.radio(key=StepsState.size.control).set_value(size)
        run(app)
    assert text_box(app, StepsState.text.control).value == "a dog barked"
    assert text_box(app, StepsState.order.control).value == "barked a dog"
    assert not app.info


def test_a_model_without_marks_around_a_text(
    made: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(made("gpt2"), tmp_path / "tinygpt")
    monkeypatch.setenv("POLYSEE_MODELS", str(tmp_path))
    app = visit(m="tinygpt", ti="paper", p="what-if", wi="no-position", t="a bank")
    assert not app.error
    assert picture(app)[0]["matrices"][0]["rows"] == ["a", "bank"]  # no "Ġ"
    app = visit(m="tinygpt", t="a bank")
    assert "does not run in our own transformer" not in said(app)
    assert not [*app.error, *app.info]


def test_the_mask_outlives_a_text_that_cannot_be_read() -> None:
    app = visit(ti="1", c="1")
    before = picture(app)[1][-1]
    text_box(app, "steps tiny text control").set_value("").run()
    assert app.error or app.info
    text_box(app, "steps tiny text control").set_value("the more the merrier").run()
    assert app.toggle(key="steps causal control").value is True
    np.testing.assert_array_equal(picture(app)[1][-1], before)
