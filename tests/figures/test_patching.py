"""The pictures of two prompts: rows, names, true numbers, and what is not computed yet."""

from __future__ import annotations

import numpy as np
import pytest

import core
from core.figures import Picture, patched_words, patching
from core.figures.patching import token_names
from core.notebook import view_of
from tests.records.test_patching import FLOWS
from tests.records.test_patching import patching as record


def numbers(picture: Picture) -> np.ndarray:
    return np.frombuffer(picture.payload, "<f4")


def test_tokens_downwards_and_depths_to_the_right_with_true_numbers() -> None:
    picture = patching(record(FLOWS), chosen=(1, 2))
    header = picture.header
    assert header["rows"] == ("The", "red / blue", "cat")
    assert header["columns"] == ("input", "after layer 1", "after layer 2", "after layer 3")
    np.testing.assert_allclose(
        numbers(picture).reshape(3, 4),
        [[0, 0, 0, 0], [100, 110, -50, 0], [0, 25, 100, 100]],
        rtol=1e-6,
    )
    assert (header["scale"]["kind"], header["scale"]["bound"]) == ("signed", 100)
    assert header["scale"]["notes"] == ("1 number beyond ±100 drawn in the strongest colour",)
    assert (header["marked"]["rows"], header["marked"]["columns"]) == ((1,), (2,))
    assert header["number"] == {"digits": 1, "plus": True, "least": 10}
    assert "3 tokens" in picture.sentence
    assert "each of 3 layers" in picture.sentence


def test_rows_begin_with_the_first_token_that_differs() -> None:
    picture = patching(record(FLOWS), first=1, chosen=(0, 2))
    assert picture.header["rows"] == ("red / blue", "cat")
    np.testing.assert_allclose(numbers(picture)[:4], [100, 110, -50, 0], rtol=1e-6)


def test_rows_that_are_not_there_yet_are_hatched() -> None:
    some = np.array(FLOWS, float)
    some[:, 0] = np.nan
    picture = patching(record(some))
    assert np.isnan(numbers(picture).reshape(3, 4)[0]).all()
    assert "hatched: not computed yet" in picture.header["scale"]["notes"]


def test_layers_downwards_and_heads_to_the_right() -> None:
    picture = patching(record([[-1, 3], [1, -1], [np.nan, np.nan]], by="head", at=2))
    assert picture.header["rows"] == ("Layer 1", "Layer 2", "Layer 3")
    assert picture.header["columns"] == ("1", "2")
    np.testing.assert_allclose(numbers(picture)[:4], [0, 100, 50, 0])
    assert "at the token cat" in picture.sentence
    assert "at all tokens" in patching(record([[0, 1]], by="head")).sentence


def test_the_words_that_differ_stand_beside_each_other_shaded() -> None:
    picture = patched_words(record(FLOWS, words=np.array([-1.0, 3.4, -1.0])))
    assert picture.header["pieces"] == ("The", " red/blue", " cat")
    np.testing.assert_allclose(numbers(picture), [0, 110, 0], rtol=1e-6)
    assert picture.header["notes"] == (
        "the same in both",
        "exchanged: ␣red for ␣blue",
        "the same in both",
    )


def test_odd_words_keep_a_name() -> None:
    odd = record(
        FLOWS,
        texts=(" \n<b>", "  ש"),
        tokens=(("Ġ", "Ċ", "<b>"), ("Ġ", "Ġ", "ש")),
        offsets=(((0, 1), (1, 2), (2, 5)), ((0, 1), (1, 2), (2, 3))),
    )
    assert token_names(odd) == ["␣", "↵ / ␣", "<b> / ש"]
    assert len(patched_words(odd).header["pieces"]) == 3
    assert patching(odd).header["rows"][2] == "<b> / ש"


def test_a_figure_for_a_paper_and_the_widget() -> None:
    figure = core.plot.patching(record(FLOWS))
    assert np.asarray(figure.data[0].z).shape == (3, 4)
    assert view_of(patching(record(FLOWS))).picture.header["rows"][1] == "red / blue"


def test_there_must_be_such_a_cell() -> None:
    with pytest.raises(ValueError, match="marked"):
        patching(record(FLOWS), chosen=(3, 0))
