from __future__ import annotations

import numpy as np
import pytest

from core.figures import Picture, style, word_projection, word_space
from core.measures import Projection


def numbers_of(picture: Picture, rows: int) -> np.ndarray:
    return np.frombuffer(picture.payload, "<f4").reshape(rows, -1)


PROJECTION = Projection(
    np.random.default_rng(7).normal(size=(3, 4, 3)), np.array([0.5, 0.25, 0.125], np.float32)
)


def test_projection_shows_two_components_with_their_shares_and_the_whole_way() -> None:
    picture = word_projection(PROJECTION, ("A", "B", "alone"), depth=3)
    names = [point["name"] for point in picture.header["points"]]
    found = dict(zip(names, numbers_of(picture, len(names)).reshape(-1, 4, 2), strict=True))
    for i, name in enumerate(("A", "B", "alone")):
        np.testing.assert_array_equal(found[name], PROJECTION.coordinates[i, :, :2])
    assert all(p["trail"] for p in picture.header["points"] if p["name"] in ("A", "B", "alone"))
    marks = {point["name"]: point["mark"] for point in picture.header["points"]}
    assert (marks["A"], marks["B"], marks["alone"]) == ("circle", "square", "ring")
    assert picture.header["state"]["depth"] == 3
    assert "50 %" in picture.header["x"]["title"]
    assert "25 %" in picture.header["y"]["title"]


def test_one_word_has_one_learned_vector_and_two_words_have_two() -> None:
    def names(found: Projection) -> set[str]:
        shown = word_projection(found, ("A", "B", "alone"), depth=0)
        return {point["name"] for point in shown.header["points"]}

    assert {"learned A", "learned B"} <= names(PROJECTION)
    same = PROJECTION.coordinates.copy()
    same[1, 0] = same[0, 0]
    one = names(Projection(same, PROJECTION.shares))
    assert "learned" in one
    assert "learned A" not in one


def test_space_shows_three_components_of_every_path() -> None:
    figure = word_space(PROJECTION, ("A", "B", "<i>"))
    by_name = {trace.name: trace for trace in figure.data}
    for i, name in enumerate(("A", "B", "<i>")):
        for axis, component in zip("xyz", range(3), strict=True):
            np.testing.assert_array_equal(by_name[name][axis], PROJECTION.coordinates[i, :, component])
    assert by_name["A"].line.color == style.SENTENCE_A
    assert "<i>" not in by_name["<i>"].text[-1]
    assert figure.layout.scene.xaxis.title.text == "1: 50 %"
    assert sorted(by_name["learned"].x) == pytest.approx(
        sorted(PROJECTION.coordinates[:2, 0, 0]), abs=1e-4
    )
    same = PROJECTION.coordinates.copy()
    same[1, 0] = same[0, 0]
    one = word_space(Projection(same, PROJECTION.shares), ("A", "B", "alone"))
    assert len(one.data[-1].x) == 1
