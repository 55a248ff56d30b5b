"""The captions of the Positions page."""

from __future__ import annotations

import numpy as np
import pytest

from core.localization import spoken
from core.walkthroughs import positions, word_and_position
from pages.positions import captions as say
from pages.positions.padding import _every, _verdict
from tests.sentences import numbers
from ui import number_tables


@pytest.mark.parametrize(
    ("shape", "here"),
    [
        ((5, 3), [15, -0.990, 1.000]),
        ((1, 1), [0.000]),
    ],
)
def test_what_is_measured_and_what_holds_for_any_length(
    shape: tuple[int, int], here: list[float]
) -> None:
    said = say.bounded(positions.waves(*shape, 10_000.0))
    assert numbers(said)[: len(here) + 2] == [*here, -1, 1]
    assert "any length" in said


@pytest.mark.parametrize(("window", "said"), [(8_192, [8192, 20, 12]), (1_000_000, [1_000_000])])
def test_how_many_pairs_come_around_in_the_longest_text(window: int, said: list[int]) -> None:
    rates = 100_000.0 ** (-np.arange(32) / 32)
    text = say._within(positions.Angles(100_000.0, rates, rates, 1.0), window)
    assert numbers(text) == said
    assert ("every pair" in text) == (len(said) == 1)


def test_a_picture_says_which_distances_it_leaves_out() -> None:
    assert numbers(say.drawn(511, 200)) == [200, 511]
    assert "CSV" in say.drawn(511, 200)
    assert say.drawn(200, 200) == ""


@pytest.mark.parametrize(
    ("angles", "said"),
    [
        ([0, 0.5, 1, 1.5], False),  # it falls to the end
        ([0, np.pi / 2, np.pi, 1.5 * np.pi, 2 * np.pi], True),  # opposite at distance 2
    ],
)
def test_of_learned_positions_the_lowest_mean_is_named_if_it_rises_again(
    angles: list[float], said: bool
) -> None:
    table = np.array([[np.cos(at), np.sin(at)] for at in angles])
    words = say.learned("minilm", table, positions.distances(table))
    assert ("lowest" in words) is said
    if said:
        assert numbers(words.partition("lowest")[2]) == [2, -1, 1, 4]


@pytest.mark.parametrize(("row", "why"), [(7, True), (8, False)])
def test_a_row_unlike_its_neighbours_is_named(row: int, why: bool) -> None:
    similar = np.full((16, 16), 0.8)
    assert say.row_apart(similar) == ""
    similar[row] = similar[:, row] = 0.1
    words = say.row_apart(similar)
    assert numbers(words.partition(" A guess")[0]) == [row, 0.1, 0.8]
    assert ("after 8 tokens" in words) == why
    assert say.row_apart(similar[:4, :4]) == ""


@pytest.mark.parametrize(
    ("apart", "words"), [(0.0, "do not differ"), (3e-7, "rounding"), (0.5, "at most **0.500**")]
)
def test_with_a_mask_padding_changes_nothing_or_so_much(apart: float, words: str) -> None:
    said = _verdict(apart, np.zeros(3), np.zeros(3), masked=True)
    assert words in said
    assert ("at most" in said) == (apart > 0)


def test_one_position_has_nothing_to_be_compared_with() -> None:
    for width in (1, 4):
        table = positions.waves(1, width, 10_000.0)
        said = say.products(table, positions.distances(table.table))
        assert said.endswith("there is nothing to compare.")


def test_in_german_a_number_has_a_comma_also_in_a_formula_and_where_one_types_it() -> None:
    table = positions.waves(50, 128, 10_000.0)
    with spoken("de"):
        assert say.wave(table, 20).endswith("ein Sinus: wiederholt sich nach **26,5** Positionen")
        assert r"0{,}376&0{,}927\\-0{,}927&0{,}376" in say.matrix(table, 20, 5)
        padded = word_and_position.padded(word_and_position.TABLES.numbers, 7, masked=True)
        assert padded.steps[0].title == "Wort + Position"
        assert _every(np.array([0.5, 1.0])) == "0,500; 1,000"
        assert number_tables._number("0,5") == number_tables._number("0.5") == 0.5
    assert number_tables._number("0,5") is None
    assert _every(np.array([0.5, 1.0])) == "0.500, 1.000"


@pytest.mark.parametrize(("count", "width"), [(20, 16), (50, 128), (5, 4), (200, 64)])
def test_the_columns_that_stand_still_are_those_whose_sines_stay_small(count: int, width: int) -> None:
    table = positions.waves(count, width, 10_000.0)
    largest = np.abs(table.table[:, ::2]).max(axis=0)
    still = np.flatnonzero(largest < 0.1)
    words = say.slow(table)
    if len(still) < 2:
        assert words == ""
        return
    first, rows, sine, cosine = [
        one for one in numbers(words.replace("(even columns)", "").replace("(odd)", ""))
    ]
    assert (first, rows) == (2 * still[0], count)
    assert largest[still].max() < sine <= 0.1
    assert 0.99 <= cosine < table.table[:, 1 + int(first) :: 2].min()


def test_a_table_is_read_downwards_where_columns_are_curves() -> None:
    rng = np.random.default_rng(0)
    curves = np.sin(np.arange(64)[:, None] / 9 + rng.uniform(0, 6, 40))
    down, across = numbers(say.columns_are_curves(curves))
    assert down == pytest.approx(np.corrcoef(curves[1:-1].ravel(), curves[2:].ravel())[0, 1], abs=0.006)
    assert abs(across) < 0.3 < 0.9 < down
    assert say.columns_are_curves(curves.T) == ""
    assert say.columns_are_curves(rng.normal(size=(64, 40))) == ""
    assert say.columns_are_curves(curves[:2]) == ""
