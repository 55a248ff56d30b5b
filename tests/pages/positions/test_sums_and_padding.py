"""Word + position and Padding without a browser: every number, every cell, the link, other models."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import core
from core.walkthroughs import word_and_position as table
from tests import visits
from tests.pages.positions.test_page import pictures, run, visit
from tests.pages.reading import text_box, text_boxes
from tests.pages.steps_reading import link
from tests.sentences import bold, numbers, saying
from tests.visits import said


def matrices(app: AppTest, name: str) -> tuple[dict[str, Any], list[np.ndarray]]:
    """The header and the matrices of a picture of a step."""
    header, sent = pictures(app)[name]
    payload, found = np.frombuffer(sent, "<f4"), []
    for one in header["matrices"]:
        shape = len(one["rows"]), len(one["columns"])
        found.append(payload[: shape[0] * shape[1]].reshape(shape))
        payload = payload[shape[0] * shape[1] :]
    return header, found


def test_the_text_s_table() -> None:
    app = visit(p="sum")
    header, (words, positions, sums) = matrices(app, "word-and-position")
    assert [one["name"] for one in header["matrices"]] == ["E", "P", "X"]
    np.testing.assert_allclose(words, table.TABLES.numbers["E"], atol=1e-7)
    np.testing.assert_allclose(sums, words + positions, atol=1e-6)
    np.testing.assert_allclose(np.round(sums, 2), table.PRINTED, atol=1e-6)
    assert header["state"] == {"step": 0, "row": 3, "column": 1}
    chosen = saying(said(app), "dimension 1")
    assert numbers(chosen.partition(":**")[2] or chosen.partition("**:")[2])[:3] == [0.37, -0.99, -0.62]
    assert numbers(chosen)[-1] == pytest.approx(0.37 + np.cos(3), abs=1e-6)
    verdict = saying(said(app), "15", "printed")
    assert numbers(verdict) == [15, 3]  # all 15 sums, printed in part 3
    assert link(app, "p") == "sum"
    assert "ed" not in app.query_params
    assert next(one for one in app.button if one.label == "Reset all numbers").disabled


def test_rounding_first_moves_no_printed_sum() -> None:
    app = visit(p="sum")
    app.toggle[0].set_value(True)
    _, (_, positions, sums) = matrices(run(app), "word-and-position")
    np.testing.assert_allclose(positions, np.round(positions, 2), atol=1e-7)
    np.testing.assert_allclose(sums, table.PRINTED, atol=1e-6)
    assert link(app, "pr") == "1"
    moved = numbers(saying(said(app), "at most", "rounded sums"))[0]
    exact = table.TABLES.numbers["P"][:5]
    assert moved == pytest.approx(np.abs(exact - np.round(exact, 2)).max(), abs=5e-5)


@pytest.mark.parametrize("name", ["E", "P"])
def test_every_cell_of_both_tables(name: str) -> None:
    edits = {(name, row, column): 0.5 + row - column for row in range(5) for column in range(3)}
    app = visit(p="sum", ed=table.TABLES.written(edits), mx=name)
    _, found = matrices(app, "word-and-position")
    wanted = np.array([[0.5 + row - column for column in range(3)] for row in range(5)])
    np.testing.assert_allclose(found["EP".index(name)], wanted, atol=1e-6)
    np.testing.assert_allclose(found[2], found[0] + found[1], atol=1e-6)
    assert "15 changed" in said(app)
    differ = int((np.abs(np.round(found[2].astype(float), 2) - table.PRINTED) > 1e-6).sum())
    assert numbers(saying(said(app), "After your changes"))[:2] == [differ, 15]
    reset = next(one for one in app.button if one.label == "Reset all numbers")
    reset.click()
    run(app)
    assert "unchanged" in said(app)
    assert "ed" not in app.query_params


def test_a_link_that_cannot_be_read_is_the_text_s_table() -> None:
    for wrong in ("E.9.9.1", "nonsense", "E.0.0.1e9", "W_Q.0.0.1"):
        _, (words, *_) = matrices(visit(p="sum", ed=wrong), "word-and-position")
        np.testing.assert_allclose(words, table.TABLES.numbers["E"], atol=1e-7)
    header, _ = matrices(visit(p="sum", sr="7", sc="7"), "word-and-position")
    assert header["state"]["row"] == 7  # of a longer table; the picture takes the last


def test_padding_with_the_mask_and_without() -> None:
    app = visit(p="padding")
    header, _ = matrices(app, "padding-mask")
    assert header["detail"] == "padding"
    assert len(header["titles"]) == 6
    hidden = header["matrices"][1]["hidden"]
    assert {column for _, column in hidden} == {5, 6}
    assert len(hidden) == 7 * 2
    verdict = saying(said(app), "With the mask", "exactly")
    assert bold(verdict) == ["0"]
    assert "do not differ" in verdict
    app.toggle[0].set_value(False)
    run(app)
    header, (_, weights) = matrices(app, "padding-weights")  # there is no mask to show
    assert len(header["titles"]) == 5
    assert (weights[:5, 5:] > 0).all()
    found = table.padded(table.TABLES.changed({}), 7, masked=False)
    share, apart = bold("\n".join(said(app).split("Without the mask", 1)[1].splitlines()[:1]))
    assert float(share.split()[0]) == pytest.approx(100 * found.on_padding.mean(), abs=0.06)
    assert float(apart) == pytest.approx(found.apart, abs=6e-4)
    assert link(app, "pm") == "0"


@pytest.mark.check
def test_every_step_and_length_of_padding() -> None:
    for length in ("6", "8"):
        for name in table.STEPS:
            app = visit(p="padding", pt=length, ps=name)
            header, found = matrices(app, f"padding-{name}")
            assert header["title"] == table.STEPS[name].title
            assert found[-1].shape[0] == int(length)
            assert table.STEPS[name].formula in said(app)
    app = visit(p="padding", pt="8", ps="padded", ed="PAD.0.1.4")
    _, (words, _, _) = matrices(app, "padding-padded")
    assert words[5:].tolist() == [[0, 4, 0]] * 3
    assert "do not differ" in saying(said(app), "With the mask", "exactly")  # whatever [PAD] is


@pytest.mark.parametrize("m", ["minilm"])
def test_padding_of_a_model(m: str, minilm: core.Model) -> None:
    app = visit(p="padding", pn="model", l="4", h="12", m=m)
    header, sent = pictures(app)["padding-weights"]
    weights = np.frombuffer(sent, "<f4").reshape(len(header["rows"]), len(header["columns"]))
    trace = minilm.trace("He sat on the river bank.")
    n = len(trace.tokens)
    assert trace.attention is not None
    assert header["columns"].count("[PAD]") == 9
    assert weights.shape == (n, n + 9)
    assert (weights[:, n:] == 0).all()
    np.testing.assert_allclose(weights[:, :n], trace.attention.weights[3, 11], atol=1e-5)
    assert "padding" in header["scale"]["notes"][0]
    assert bold(saying(said(app), "In one batch"))[:2] == [str(n), "9"]
    assert numbers(bold(saying(said(app), "With the mask", "exactly"))[1])[0] < 1e-5
    app.toggle[0].set_value(False)
    header, sent = pictures(run(app))["padding-weights"]
    weights = np.frombuffer(sent, "<f4").reshape(n, n + 9)
    assert weights[:, n:].sum(axis=1).mean() > 0.5
    share = saying(said(app), "Without the mask, padding takes")
    assert numbers(share)[0] == pytest.approx(100 * weights[:, n:].sum(axis=1).mean(), abs=0.06)


def test_texts_that_make_no_batch() -> None:
    app = visit(p="padding", pn="model", ta="a bank", tb="the river")
    assert numbers(app.info[0].value) == [4]
    text_box(app, "positions longer text control").set_value("")
    assert run(app).info
    app = visits.visit("positions", p="padding", pn="model", tb="bank " * 40)
    assert numbers(app.error[0].value) == [42, 32]


def test_the_shorter_text_is_the_one_with_fewer_tokens_wherever_it_is_typed() -> None:
    for texts in (("a bank", "the bank of the river"), ("the bank of the river", "a bank")):
        app = visit(p="padding", pn="model", ta=texts[0], tb=texts[1])
        assert bold(saying(said(app), "In one batch"))[:2] == ["4", "3"]
        boxes = [box.label for box in text_boxes(app)]
        assert not [label for label in boxes if "horter" in label or "onger" in label]


def test_a_decoder_needs_no_padding_mask_and_the_page_says_why() -> None:
    app = visit(p="padding", pn="model", m="smollm2")
    (said_of,) = [one.value for one in app.info]
    assert "causal mask already hides it" in said_of
    assert not [*app.error, *app.text_area]
