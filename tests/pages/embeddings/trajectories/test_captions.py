"""The captions of the maps of trajectories."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest

from core.figures.trajectories.trails import Frame
from core.measures import Projection
from pages.embeddings.trajectories import captions as say
from pages.embeddings.trajectories.data import Clear, Framed


def test_what_each_direction_tells_apart_is_measured() -> None:
    # Along the first component only the words differ, along the second only the depths.
    places = np.array([[[-3, 1], [-3, -1]], [[3, 1], [3, -1]]], np.float32)
    found = Projection(places, np.array([0.9, 0.1], np.float32))
    said = say.of_map("pca", found, 4, 2)
    assert "(first: 100 % and 0 %; second: 0 % and 100 %)" in said
    one = Projection(places[:1], np.array([0.9, 0.1], np.float32))
    assert "between words" not in say.of_map("pca", one, 2, 2)


def test_places_that_are_not_there_and_directions_without_spread_count_for_nothing() -> None:
    places = np.array([[[np.nan] * 2, [-1, 0], [-2, 0]], [[np.nan] * 2, [2, 0], [1, 0]]], np.float32)
    found = Projection(places, np.array([1, 0], np.float32))
    # Means of the words ±1.5, of the depths ±.5, of all 2.5.
    assert "(first: 90 % and 10 %; second: 0 % and 0 %)" in say.of_map("pca", found, 6, 2)


ENDS = ("low <b>", "high")


@pytest.mark.parametrize(
    ("positions", "depth", "words"),
    [
        (([1, 0.5], [0.8, -0.4]), 1, "part**"),
        (([1, 0.5], [0.8, 0.4]), 1, "stay together**"),
        (([-1, -0.5], [0.8, -0.4]), 1, "end together**"),  # one came from the other side
        (([-1, -0.5], [-0.1, -0.4]), 1, "stay together**"),  # near the middle is on no side
        (([-1, 0.8, -0.5], [-0.9, -0.9, -0.4]), 2, "end together**"),
        (([1, 0.5], [-0.8, -0.4]), 1, "stand apart from layer 1 on**"),
        (([1, 0.5, 0.4], [-0.8, 0.4, -0.4]), 2, "end on different sides**"),
        (([1, 0.5], [0.8, 0.1]), 1, "do not clearly part**"),
        (([1, 0.1], [0.8, -0.1]), 1, "do not clearly part**"),
        (([0.5, -0.5], [-0.8, -0.4]), 0, "stand apart from layer 1 on**"),  # the layer that is shown
        (([1, 0.5], [0.8, -0.4], [0.9, 0.9]), 1, "part**"),
        (([1, -0.5],), 1, "sides with *low"),
        (([1, 0.19],), 1, "is not clear, between"),
    ],
)
def test_the_headline_follows_the_positions(
    positions: tuple[list[float], ...], depth: int, words: str
) -> None:
    names = [f"bank ({i + 1})" for i in range(len(positions))]
    places = [np.array([[x, 0.0] for x in one], np.float32) for one in positions]
    told = " ".join(
        say.headline(
            names,
            ["bank"] * len(names),
            places,
            [ENDS] * len(names),
            depth,
            [Clear(0.2, 0.2)] * len(names),
        )
        or ()
    )
    assert words in told
    assert "<b>" not in told
    if len(positions) > 1:
        assert all(f"bank \\({i + 1}\\)" in told for i in range(len(positions)))


@pytest.mark.parametrize(
    ("count", "words"), [(2, "**The two uses"), (3, "**Two of the three uses"), (30, "of the 30 uses")]
)
def test_the_headline_says_of_how_many_uses_it_speaks(count: int, words: str) -> None:
    places = [np.array([[0.5, 0.0]]), np.array([[0.6, 0.0]])]
    told = say.headline(
        ["bank (1)", "bank (2)"],
        ["bank"] * 2,
        places,
        [ENDS] * 2,
        0,
        [Clear(0.2, 0.2)] * 2,
        {"bank": count},
    )
    assert told is not None
    assert words in told.claim


def test_a_word_without_senses_is_offered_a_map_by_its_name() -> None:
    said = say.no_senses(["bass"])
    assert all(part in said for part in ("**bass**", "*Show in PCA*", "*Name two senses*"))


@pytest.mark.parametrize(
    ("other", "words"),
    [
        (0.35, "do not clearly part**"),
        (0.45, "stay together**"),
        (-0.35, "stand apart"),
        (-0.25, "clearly"),
    ],
)
def test_a_side_is_named_by_the_bound_for_the_same_side_or_for_opposite_sides(
    other: float, words: str
) -> None:
    places = [np.array([[0.45, 0.0]]), np.array([[other, 0.0]])]
    told = say.headline(
        ["bank (1)", "bank (2)"], ["bank"] * 2, places, [ENDS] * 2, 0, [Clear(0.4, 0.3)] * 2
    )
    assert told is not None
    assert words in told.claim


@pytest.mark.parametrize(
    ("at", "clear", "near", "limits"),
    [
        ([2.01, 0.21], Clear(0.4, 0.3), ["B"], ["0.40"]),  # both on one side
        ([0.71, -0.21], Clear(0.4, 0.3), ["B"], ["0.30"]),
        ([0.1, 0.2], Clear(0.4, 0.3), ["A", "B"], ["0.40", "0.40"]),
        ([0.1, -0.2], Clear(0.4, math.inf), ["A", "B"], []),  # with these ends, no side is named
        ([-0.37], Clear(0.4, 0.3), ["A"], ["0.40"]),
    ],
)
def test_what_is_not_clear_is_named_with_its_limit(
    at: list[float], clear: Clear, near: list[str], limits: list[str]
) -> None:
    places = [np.array([[x, 0.0]]) for x in at]
    names = [f"bank in {text}" for text in "AB"[: len(at)]]
    told = say.headline(names, ["bank"] * len(at), places, [ENDS] * len(at), 0, [clear] * len(at))
    assert told is not None
    if len(at) > 1:
        assert [f"*bank in {text}*" in told.claim for text in "AB"] == [one in near for one in "AB"]
    assert re.findall(r"not clear up to (.+?) from 0", told.because) == limits
    assert told.because.count("not clear") == len(near)


@pytest.mark.parametrize(
    ("at", "clear", "limits"),
    [
        ([1.06, 0.2], Clear(0.4, 0.3), ["on one side", "0.40", "on opposite sides", "0.30"]),
        ([1.06, -0.33], Clear(0.4, 0.3), ["On opposite sides", "0.30", "on one side", "0.40"]),
        ([1.06, -0.33], Clear(0.4, 0.4), ["0.40"]),
        ([1.06], Clear(0.4, 0.3), ["0.40"]),
        ([1.06, -0.5], Clear(math.inf, 0.4), ["On opposite sides", "0.40", "on one side", "never"]),
        ([1.06, 0.5], Clear(0.4, math.inf), ["on one side", "0.40", "on opposite sides", "never"]),
        ([1.06, 0.5], Clear(math.inf, 0.4), []),  # of these positions, none is named
    ],
)
def test_the_limit_that_was_applied_comes_first_and_why_there_is_another(
    at: list[float], clear: Clear, limits: list[str]
) -> None:
    places, names = [np.array([[x, 0.0]]) for x in at], [f"bank ({x})" for x in at]
    told = say.headline(names, ["bank"] * len(at), places, [ENDS] * len(at), 0, [clear] * len(at))
    assert told is not None
    said = told.limits
    assert re.findall(r"(?i)on one side|on opposite sides|\d\.\d+|never", said) == limits


def test_the_limit_of_compare_stands_beside_its_numbers() -> None:
    said = say.of_compare(Clear(0.4, 0.4))
    assert re.findall(r"\d\.\d+", said) == ["0.40"]
    said = say.of_compare(Clear(0.55, 0.35))
    assert re.findall(r"\d\.\d+", said) == ["0.55", "0.35"]
    assert "Compare" in say.of_compare(Clear(math.inf, 0.4))


def test_below_the_picture_each_number_is_said_once() -> None:
    places = [np.array([[0.71, 0], [0.6, 0], [0.52, 0]]), np.array([[-0.93, 0], [-0.8, 0], [-0.47, 0]])]
    told = say.headline(
        ["bank (1)", "bank (2)"], ["bank"] * 2, places, [ENDS] * 2, 2, [Clear(0.4, 0.3)] * 2
    )
    assert told is not None
    assert not any(character.isdigit() for character in told.claim.replace("layer 1", ""))
    assert "From layer 1 to layer 3" in told.because
    for number in ("0.71", "0.52", "−0.93", "−0.47"):
        assert told.because.count(number) == 1
    alone = say.alone({"bank": np.array([[0.1, 0], [0.2, 0], [-0.06, 0]])}, 2)
    assert "−0.06" in alone
    assert "Compare" in say.of_compare()  # whose number for the same word is another one


def test_how_to_read_the_plane_is_a_line() -> None:
    said = say.legend(framed([0.5, 0.5, 0.5]))
    assert "each **bank** is the same learned vector" in say.beginning(framed([0.5, 0.5, 0.5]))
    assert len(said) < 300 < len(say.of_frame(framed([0.5, 0.5, 0.5])))
    assert "low" in said
    assert "high" in said
    assert "<b>" not in said


def test_words_of_several_ends_have_a_sentence_each() -> None:
    places = [np.array([[0.5, 0.0]]), np.array([[-0.5, 0.0]])]
    told = " ".join(
        say.headline(
            ["bat", "mouse"],
            ["bat", "mouse"],
            places,
            [("a", "b"), ("c", "d")],
            0,
            [Clear(0.2, 0.2)] * 2,
        )
        or ()
    )
    assert all(part in told for part in ("bat sides with *b*", "mouse sides with *c*"))
    assert say.headline([], [], [], [], 0, []) is None


def framed(at: list[float], beginning: str = "") -> Framed:
    """One word that goes from −1 to 1, and the same word alone at these positions."""
    path = np.array([[x, x] for x in np.linspace(-1, 1, len(at))], np.float32)
    alone = {"bank": np.array([[x, 0] for x in at], np.float32)}
    among = Frame({"cash": path}, {"lake": path}, ENDS, 0.5, alone)
    return Framed((0,), (path,), (ENDS,), "bank", among, False, (), (), False, beginning=beginning)


def test_a_word_alone_is_said_to_be_behind_its_beginning_and_where_it_is_not_drawn() -> None:
    said = say.of_frame(framed([-9.83, 0.5, 0.5], "The"))
    assert "behind “The”" in said
    assert "after layer 1 (−9.83)." in said
    said = say.of_frame(framed([0.5, 0.5, 0.5]))
    assert "in a text that holds nothing else" in said
    assert "not drawn" not in said
    assert "and 2 more layers" in say.of_frame(framed([-9, -9, -9, 9, 9]))


def test_what_the_other_direction_shows_of_the_variance_is_said() -> None:
    found = framed([0.5, 0.5, 0.5])
    share = f"{100 * found.among.share:.0f} %"
    assert f"It shows {share} of their variance beside the axes" in say.of_frame(found)
