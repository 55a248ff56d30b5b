from __future__ import annotations

import numpy as np

from core.figures import Picture, cosine_paths, sense_paths, style
from core.records.trace import frozen


def numbers_of(picture: Picture, rows: int) -> np.ndarray:
    return np.frombuffer(picture.payload, "<f4").reshape(rows, -1)


A, B = frozen([-0.6, -0.5, 0.25, 1.4]), frozen([-0.6, -0.5, -0.75, -0.25])


def test_sense_paths_are_the_places_of_both_sentences() -> None:
    picture = sense_paths({"A": A, "B": B}, low="money", high="river")
    header = picture.header
    np.testing.assert_array_equal(numbers_of(picture, 2), [A, B])
    assert [line["name"] for line in header["lines"]] == ["Sentence A", "Sentence B"]
    assert [line["label"] for line in header["lines"]] == ["A 1.40", "B −0.25"]
    assert [line["colour"] for line in header["lines"]] == [style.SENTENCE_A, style.SENTENCE_B]
    assert len({line["mark"] for line in header["lines"]}) == 2  # not by colour alone
    assert header["steps"] == ("Layer 1", "Layer 2", "Layer 3", "Layer 4")
    assert header["ticks"] == ("1", "2", "3", "4")
    assert header["guides"] == ((-1.0, "money −1"), (0.0, "halfway 0"), (1.0, "river +1"))
    assert header["bounds"][0] <= -1.15
    assert header["bounds"][1] >= float(A[-1])
    assert header["start"] is None  # before the first layer there is no axis


def test_one_sentence_has_one_line_in_its_own_colour() -> None:
    picture = sense_paths({"B": B}, low="x", high="y")
    (line,) = picture.header["lines"]
    assert (line["name"], line["colour"], line["mark"]) == ("Sentence B", style.SENTENCE_B, "square")
    np.testing.assert_array_equal(numbers_of(picture, 1), [B])


def test_cosine_paths_name_what_is_held_against_what() -> None:
    together, alone = (
        frozen([1, 0.9, 0.8, 0.7]),
        (frozen([1, 0.5, 0.4, 0.3]), frozen([1, 0.6, 0.5, -0.1])),
    )
    picture = cosine_paths(together, alone)
    np.testing.assert_array_equal(numbers_of(picture, 3), [*alone, together])
    assert [line["label"] for line in picture.header["lines"]] == ["A 0.30", "B −0.10", "A·B 0.70"]
    assert picture.header["bounds"][0] <= -0.1
    assert picture.header["bounds"][1] >= 1
