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
    made = Adds(parts, np.array([0.1, 0.2, 0.3]), np.zeros(3)) if adds else None
    alone, at = np.array([-0.25, 0.125, 0.25]), np.array([0.5, 0.25, -0.125])
    return Side(name, "bank", PARTS, 2, at, alone, np.zeros(3), made)


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


def test_the_rest_is_named_as_the_model_has_it() -> None:
    """One that reads from left to right has no token at the end."""
    for behind, rest in (("", "start and end tokens"), ("The", "first token")):
        made = trajectory([replace(side(), behind=behind)], POINTS, ends=("low", "high"), depth=3)
        assert made.header["parts"].endswith(f"rest: {rest}, constants")


def test_numbers_travel_as_they_are_and_what_is_missing_as_null() -> None:
    header = trajectory([side("A"), side("B")], POINTS, ends=("low", "high"), depth=0).header
    sent = json.loads(json.dumps(header, default=dict))
    a, b = sent["sides"]
    assert (a["name"], b["name"]) == ("A", "B")
    assert (a["colour"], b["colour"]) == (style.SENTENCE_A, style.SENTENCE_B)
    assert a["position"] == [0.5, 0.25, -0.125]
    assert a["alone"] == [-0.25, 0.125, 0.25]
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
    # The sum of the words takes up the rounding: 0.5 + 0.25 − 2 − 0.1.
    for part in ("Alone, “bank” stands at −0.2500", "other words −1.3500", "own vector", "+2.0000"):
        assert part in said
    for part in ("[CLS], [SEP] +0.1000", "biases 0.0000", "together 0.5000", "rounding"):
        assert part in said


def _lines(one: Side) -> list[str]:
    (sent,) = trajectory([one], POINTS, ends=("low", "high"), depth=0).header["sides"]
    return [line.replace("\u00a0", " ") for line in sent["adds"]["lines"]]


def test_a_line_names_the_word_that_adds_most_and_where_the_word_stands_alone() -> None:
    # Never the word itself, which adds 2, 1 and 3. In layer 2, “a” and “.” together pull back.
    first, second, third = _lines(side())
    # From −0.25 to 0.5 although the other words add −0.25 together.
    first, second, third = (line.replace("\u00a0", " ") for line in (first, second, third))
    assert first == (
        "−0.25 alone → 0.50, though the other words add −0.25: own vector +2.00, rest −1.00"
    )
    assert second.startswith("0.12 alone → 0.25, though the other words add −0.25:")
    assert third.startswith("0.25 alone → −0.12, though the other words add +0.62:")
    other = replace(side(), chosen=0)
    # The numbers of the shares add up to the position, and that of the word is a part of its share.
    words = "other words +1.50 (“bank” +2.00), own vector +0.25, rest −1.00"
    assert _lines(other)[0] == f"−0.25 alone → 0.50: {words}"
    down = replace(side(), position=np.array([-0.5, -0.25, 1.0]))
    assert "(“a” −0.75)" in _lines(down)[1]


def test_where_the_word_that_adds_most_leads_elsewhere_the_line_is_the_whole_sum() -> None:
    # A bat and its cave: the cave leads to the animal, and the bat still ends on the side of sport.
    adds = Adds(np.array([[0.41, np.nan, -0.3, 0.094]]), np.array([-0.08]), np.array([-0.0465]))
    one = Side("A", "bank", PARTS, 2, np.array([-0.2725]), np.array([-0.35]), np.zeros(1), adds)
    (line,) = _lines(one)
    printed = [float(n.replace("−", "-")) for n in re.findall(r"[−+]?\d\.\d\d", line)]
    alone, whole, words, own, rest = printed
    assert (alone, own, whole) == (-0.35, -0.3, -0.27)
    assert alone + words + own + rest == pytest.approx(whole, abs=1e-9)
    # On its own side it is the word that adds most, as ever.
    (line,) = _lines(replace(one, position=np.array([0.2])))
    assert "other words +0.50 (“a” +0.41), own vector −0.30" in line


def test_where_words_push_back_the_printed_numbers_add_up_to_the_printed_position() -> None:
    adds = Adds(
        np.array([[0.384, np.nan, -1.336, -0.005]]), np.array([0.124]), np.array([0.0349])
    )  # 0.379 − 1.336 + 0.1589 = −0.7981 from −0.3349 to −1.133
    one = Side("A", "bank", PARTS, 2, np.array([-1.133]), np.array([-0.3349]), np.zeros(1), adds)
    (line,) = _lines(one)
    printed = [float(n.replace("−", "-")) for n in re.findall(r"[−+]?\d\.\d\d", line)]
    assert printed[2:4] == [0.38, -1.34]
    assert printed[:2] == [-0.33, -1.13]
    assert sum([printed[0], *printed[2:]]) == pytest.approx(printed[1], abs=1e-9)


def test_a_sum_that_hardly_counts_opposes_nothing() -> None:
    parts = np.array([[0.51, np.nan, 1.0, -0.52]])
    made = Adds(parts, np.zeros(1), np.zeros(1))
    one = Side("A", "bank", PARTS, 2, np.array([0.5]), np.zeros(1), np.zeros(1), made)
    assert [line.replace("\u00a0", " ") for line in _lines(one)] == [
        "0.00 alone → 0.50: other words −0.01, own vector +1.00, rest −0.49"
    ]


def test_where_no_word_stands_out_none_is_named() -> None:
    """Two words of −0.11 and −0.1 among many: the whole sum, the word's own vector first."""

    def line(*others: float) -> str:
        row = np.array([[*others, -0.6]])
        at = np.array([-0.5 + row.sum() + 0.4])
        parts = [f"w{i}" for i in range(len(others))] + ["bank"]
        adds = Adds(row, np.array([0.4]), np.zeros(1))
        return _lines(Side("A", "bank", parts, len(others), at, np.array([-0.5]), np.zeros(1), adds))[0]

    said = line(-0.11, -0.1, -0.08, -0.07)
    assert said == "−0.50 alone → −1.06: other words −0.36, own vector −0.60, rest +0.40"
    assert "(“w0” −0.30)" in line(-0.3, -0.1, -0.08, -0.07)  # more than a third of them all
    assert "(“w0” −0.16)" in line(-0.16, -0.1, -0.1, -0.1, -0.1)  # half as much again as the next
    # Far less than the word's own vector, whose number stands beside it.
    assert "other words −0.11 (“w0” −0.10), own vector −0.60" in line(-0.1, -0.01)


def test_of_a_word_alone_a_line_names_no_other() -> None:
    made = Adds(np.array([[0.0]]), np.zeros(1), np.zeros(1))
    alone = Side("A", "bank", ("bank",), 0, np.array([-1.0]), np.array([-1.0]), np.zeros(1), made)
    assert _lines(alone) == ["No other word adds anything in this layer · alone: −1.00"]
    # What begins a text may be moved without any other word: a model reads from left to right.
    moved = replace(alone, position=np.array([-13.0]), adds=replace(made, parts=np.array([[-12.0]])))
    assert _lines(moved) == ["−1.00 alone → −13.00: other words 0.00, own vector −12.00, rest 0.00"]


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
