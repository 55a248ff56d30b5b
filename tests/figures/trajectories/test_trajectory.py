from __future__ import annotations

import json
import re
from dataclasses import replace

import numpy as np
import pytest

from core.figures import style
from core.figures.trajectories.trajectory import Adds, FramePoint, Side, trajectory

PARTS = ("a", " ", "bank", ".")


def side(name: str = "A", *, adds: bool = True) -> Side:
    parts = np.array([[0.25, np.nan, 2.0, -0.5], [-0.75, np.nan, 1.0, 0.5], [0.5, np.nan, 3, 0.125]])
    made = Adds(parts, np.array([0.1, 0.2, 0.3]), np.zeros(3), np.ones(3)) if adds else None
    return Side(name, "bank", PARTS, 2, np.array([0.5, 0.25, -0.125]), np.zeros(3), made)


POINTS = [FramePoint("in a frame", True, np.ones(3), np.array([0.5, 0, -0.5]))]


def test_data_and_choices_are_apart() -> None:
    one = trajectory([side()], POINTS, ends=("low", "high"), depth=3, key="k").header
    two = trajectory([side()], POINTS, ends=("low", "high"), depth=1, play=True, key="k").header
    assert (one["state"], one["autoplay"]) == ({"depth": 3}, False)
    assert (two["state"], two["autoplay"]) == ({"depth": 1}, True)
    sent = [
        trajectory([side()], POINTS, ends=("low", "high"), depth=d, play=d < 3, key="k").numbers().name
        for d in (1, 3)
    ]
    assert sent[0] == sent[1]


def test_numbers_travel_as_they_are_and_what_is_missing_as_null() -> None:
    header = trajectory([side("A"), side("B")], POINTS, ends=("low", "high"), depth=0).header
    sent = json.loads(json.dumps(header, default=dict))
    a, b = sent["sides"]
    assert (a["name"], b["name"]) == ("A", "B")
    assert (a["colour"], b["colour"]) == (style.SENTENCE_A, style.SENTENCE_B)
    assert a["position"] == [0.5, 0.25, -0.125]
    assert a["adds"]["parts"][0] == [0.25, None, 2.0, -0.5]
    assert a["parts"] == list(PARTS)
    assert sent["map"]["points"][0] == {
        "name": "in a frame",
        "high": True,
        "along": [1, 1, 1],
        "across": [0.5, 0, -0.5],
    }


def test_an_underline_is_measured_by_all_words_of_both_sentences_the_word_itself_among_them() -> None:
    header = trajectory([side("A"), side("B")], POINTS, ends=("low", "high"), depth=0).header
    assert header["maxima"] == (2, 1, 3)  # other words add 0.5, 0.75 and 0.5 at most


def test_what_adds_up_goes_along_and_adds_up_as_it_is_printed() -> None:
    one = replace(side(), special=("[CLS]", "[SEP]"))
    header = trajectory([one], POINTS, ends=("low", "high"), depth=0).header
    said = header["sides"][0]["adds"]["sums"][0]
    for part in ("other words −2.6000", "bank” itself +2.0000", "[CLS], [SEP] +0.1000", "= 0.5000"):
        assert part in said
    assert "biases 0.0000" in said
    assert "zero +1.0000" in said
    assert "rounding" in said


def test_a_line_names_the_word_that_adds_most_and_what_no_word_adds() -> None:
    itself = trajectory([side()], POINTS, ends=("low", "high"), depth=0).header["sides"][0]["adds"]
    # The word itself contributes most: the largest of the others is stated too. (−0.75 beside 1 in
    # layer 2.)
    assert _terms(itself["lines"][0]) == [("bank", 2.0), ("then", -0.5), ("no word", 1.1)]
    assert _terms(itself["lines"][1]) == [("bank", 1.0), ("then", -0.75), ("no word", 1.2)]
    assert "itself" in itself["lines"][0]
    assert "towards high" in itself["lines"][0]
    other = replace(side(), chosen=0)
    found = trajectory([other], POINTS, ends=("low", "high"), depth=0).header["sides"][0]["adds"]
    assert _terms(found["lines"][0]) == [("bank", 2.0), ("no word", 1.1)]
    assert "itself" not in found["lines"][0]


def test_of_a_word_alone_a_line_names_no_other() -> None:
    made = Adds(np.array([[-2.0]]), np.ones(1), np.zeros(1), np.zeros(1))
    alone = Side("A", "bank", ("bank",), 0, np.array([-1.0]), np.zeros(1), made)
    (line,) = trajectory([alone], [], ends=("low", "high"), depth=0).header["sides"][0]["adds"]["lines"]
    assert _terms(line) == [("bank", -2.0), ("no word", 1.0)]
    assert "towards low" in line


def _terms(line: str) -> list[tuple[str, float]]:
    """The terms of a line: what each begins with, and its number."""
    names = ("bank", "then", "no word")
    found = []
    for term in line.replace("−", "-").replace("\u00a0", " ").split(" · "):
        (number,) = re.findall(r"[-+]?\d\.\d\d", term)
        found.append((next(name for name in names if term.lstrip("“").startswith(name)), float(number)))
    return found


@pytest.mark.parametrize("wants", [True, False])
def test_without_contributions_it_says_whether_they_come(wants: bool) -> None:
    one = side(adds=False)
    header = trajectory([one], [], ends=("a", "b"), depth=3, wants=wants, why="not here").header
    assert header["sides"][0]["adds"] is None
    assert header["maxima"] == (1, 1, 1)
    assert (header["awaitsContributions"], header["whyNone"]) == (wants, "not here")


def test_its_sentence_names_both_ends() -> None:
    said = trajectory([side()], POINTS, ends=("money", "river"), depth=3).sentence
    assert "bank in A ends at −0.12" in said
    assert "money" in said
