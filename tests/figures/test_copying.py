"""A text said twice, as pictures: their numbers, by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import core
from core.figures import Picture, style
from core.figures import copying as figures
from core.language.in_context import InContext
from core.measures import Copying, Sink, copying_heads
from core.records.score import Score


def unpacked(picture: Picture) -> tuple[dict[str, Any], np.ndarray]:
    return dict(picture.header), np.frombuffer(picture.payload, "<f4")


HEADS = copying_heads(np.random.default_rng(0).random((2, 3, 7, 7)), 3)


def score(*bits: float) -> Score:
    n = len(bits)
    zeros = np.zeros(n)
    return Score(
        ("t",) * n, (1,) * n, ((0, 0),) * n, np.array(bits), zeros, zeros.astype(int), ((),) * n,
        np.zeros((n, 0)), "made", "",
    )  # fmt: skip


FOUND = Copying(
    3,
    score(0, 9, 12, 15, 3, 2, 1),
    HEADS,
    ((1, 2),),
    score(0, 9, 12, 15, 6, 7, 8),
    (((0, 0),), ((0, 1),)),
    (score(0, 9, 12, 15, 3, 2, 4), score(0, 8, 12, 15, 5, 2, 2)),
)


def test_the_curves_are_the_runs_and_the_band_is_all_draws() -> None:
    header, numbers = unpacked(figures.copying(FOUND))
    rows = numbers.reshape(-1, 6)
    np.testing.assert_allclose(rows[0], [8.5, 12, 15, 4, 2, 3])  # the mean of the draws
    np.testing.assert_allclose(rows[1], [9, 12, 15, 6, 7, 8])
    np.testing.assert_allclose(rows[2], [9, 12, 15, 3, 2, 1])
    np.testing.assert_allclose(rows[3:], [[8, 12, 15, 3, 2, 2], [9, 12, 15, 5, 2, 4]])
    assert header["band"] == "2 random draws"
    assert header["sentence"].startswith("Random tokens surprise it by 12.0 bits a token the first")
    colours = {one["colour"] for one in header["lines"]}
    assert len(colours) == 3
    assert not colours & {style.SENTENCE_A, style.SENTENCE_B}


def test_bits_have_no_sign() -> None:
    header, numbers = unpacked(figures.copying_halves(FOUND))
    np.testing.assert_allclose(numbers, [12, 2, 7, 3], rtol=1e-6)
    assert header["kind"] == "amounts"
    assert header["number"] == {"digits": 1, "plus": False}
    assert header["notes"][-1] == "mean of 2 draws, 3.0 to 3.0"
    alone = Copying(3, FOUND.score, None)
    assert len(figures.copying_halves(alone).header["labels"]) == 2


@pytest.mark.parametrize(
    ("second", "said"), [(2, "it copies"), (9, "it hardly copies"), (13, "it does not copy")]
)
def test_what_follows_from_both_halves(second: float, said: str) -> None:
    assert said in figures.copied(Copying(2, score(0, 12, 12, second, second), None))


def test_the_share_of_the_first_token() -> None:
    found = Sink(*map(np.array, ([2, 200], [2, 20], [0.5], [1.0], [3.0])))
    assert found.total_share == 0.25
    _, numbers = unpacked(figures.sink_shares(found))
    np.testing.assert_allclose(numbers, [0.5, 0.25])
    guides = [label for _, label in figures.sink_norms(found).header["guides"]]
    assert guides == ["1", "10", "100", "1,000"]
    ends = [one["label"] for one in figures.sink_shares(found).header["lines"]]
    assert ends == ["50 % of all attention", "25 % of all that is written"]
    nothing = Sink(*map(np.array, ([2, 200], [2, 20], [0.5], [np.nan], [np.nan])))
    assert len(figures.sink_shares(nothing).header["lines"]) == 1


def test_the_same_in_a_notebook_and_on_paper() -> None:
    view = core.copying(FOUND)
    assert view.said == (figures.copied(FOUND),)
    assert view.picture.payload == figures.copying(FOUND).payload
    heads = core.copying(FOUND, picture="previous").picture
    np.testing.assert_allclose(unpacked(heads)[1].ravel(), HEADS.previous.ravel(), rtol=1e-6)
    with pytest.raises(core.NotSupported):
        core.copying(Copying(3, FOUND.score, None), picture="sink")
    names = [curve.name for curve in core.plot.copying(FOUND).data if curve.name]
    assert names[-3:] == [
        "without 1 random head, mean of 2 draws", "without 1 induction head", "all heads",
    ]  # fmt: skip
    assert FOUND.heads is not None
    np.testing.assert_allclose(core.plot.copying_heads(FOUND.heads).data[0].z, HEADS.induction)
    answers = InContext((0, 2), np.array([3, 9]), 12)
    np.testing.assert_allclose(core.plot.in_context(answers).data[-1].y, [0.25, 0.75])
    sink = Sink(*map(np.array, ([2, 200], [2, 20], [0.5], [1.0], [3.0])))
    assert [float(one.y[0]) for one in core.plot.sink(sink).data] == [0.5, 0.25]
