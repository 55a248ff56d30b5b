from __future__ import annotations

import numpy as np

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


def test_space_shows_three_components_of_every_path_and_their_shares() -> None:
    picture = word_space(PROJECTION, ("A", "B", "<i>"), depth=2)
    header = picture.header
    count = len(header["texts"])
    places = np.frombuffer(picture.payload[: 4 * 4 * count * 3], "<f4").reshape(4, count, 3)
    found = {text[1]: places[:, i] for i, text in enumerate(header["texts"])}
    for i, name in enumerate(("A", "B", "<i>")):
        np.testing.assert_array_equal(found[name], PROJECTION.coordinates[i].astype(np.float32))
    # The learned vector stands where it is, at every depth.
    np.testing.assert_array_equal(found["learned A"], np.tile(found["A"][0], (4, 1)))
    group_of = np.frombuffer(picture.payload[4 * 4 * count * 3 :], np.uint8)
    looks = {
        text[1]: (header["groups"][group]["light"], header["groups"][group]["mark"])
        for text, group in zip(header["texts"], group_of, strict=True)
    }
    assert looks["A"] == (style.SENTENCE_A, "circle")
    assert looks["B"] == (style.SENTENCE_B, "square")
    assert looks["learned B"] == (style.LEARNED, "diamond")
    named = [text[1] for text in header["texts"]]
    assert {named[i] for i in header["trails"]} == {"A", "B", "<i>"}
    assert [*header["titles"]] == ["1: 50 %", "2: 25 %", "3: 12 %"]
    assert dict(header["state"]) == {"depth": 2, "view": None, "chosen": None}
    same = PROJECTION.coordinates.copy()
    same[1, 0] = same[0, 0]
    one = word_space(Projection(same, PROJECTION.shares), ("A", "B", "alone"), depth=0)
    assert [text[1] for text in one.header["texts"]] == ["alone", "learned", "A", "B"]
