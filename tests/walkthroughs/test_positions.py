"""Positions as records: arithmetic by hand, the paper's claims, the tables of real and small models."""

from __future__ import annotations

import math
import pickle
from collections.abc import Callable

import numpy as np
import pytest

from core.transformer import LanguageModel, Parts, Rotation, TransformerConfig
from core.walkthroughs.positions import angles_of, distances, moved, strongest_wave, turned, waves

FIVE_BY_THREE = [
    [0, 1, 0],
    [0.84, 0.54, 0],
    [0.91, -0.42, 0],
    [0.14, -0.99, 0.01],
    [-0.76, -0.65, 0.01],
]


def test_the_five_by_three_table() -> None:
    assert np.round(waves(5, 3).table.astype(float), 2).tolist() == FIVE_BY_THREE


@pytest.mark.parametrize(
    ("length", "width", "base"), [(13, 7, 50.0), (11, 1, 2.0), (1, 5, 1e6), (3, 4, 1e4)]
)
def test_each_number_by_the_formula(length: int, width: int, base: float) -> None:
    found = waves(length, width, base)
    assert found.table.shape == (length, width)
    assert found.rates.shape == ((width + 1) // 2,)
    for p in range(length):
        for c in range(width):
            angle = p / base ** ((c - c % 2) / width)
            assert found.table[p, c] == pytest.approx(
                math.cos(angle) if c % 2 else math.sin(angle), abs=1e-7
            )
            assert found.at(np.array([p]), c)[0] == pytest.approx(found.table[p, c], abs=1e-7)


def test_wavelengths_by_hand_and_that_they_are_periods() -> None:
    found = waves(17, 6, 1000.0)
    assert [found.wavelength(c) / (2 * math.pi) for c in range(6)] == pytest.approx(
        [1, 1, 10, 10, 100, 100]
    )
    assert all(found.misses(c) < 1e-12 for c in range(6))


@pytest.mark.parametrize("width", [2, 3, 7, 64])
@pytest.mark.parametrize("places", [1, 5, 511])
def test_one_matrix_moves_every_position(width: int, places: int) -> None:
    table = waves(23, width, 100.0)
    found = moved(table, places)
    far = waves(23 + places, width, 100.0).table
    np.testing.assert_array_equal(found.there, far[places:, : width - width % 2])
    assert 0 < found.residual < 3e-7
    matrix = np.zeros((found.turned.shape[1],) * 2)  # the same as one matrix, written out
    for i, rate in enumerate(table.rates[: width // 2]):
        cos, sin = math.cos(places * rate), math.sin(places * rate)
        matrix[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = [[cos, sin], [-sin, cos]]
    by_matrix = table.table[:, : len(matrix)].astype(float) @ matrix.T
    np.testing.assert_allclose(found.turned, by_matrix, atol=1e-12)


def test_one_dimension_has_nothing_to_turn_with() -> None:
    assert moved(waves(5, 1), 3).residual == 0


def test_products_by_distance_by_hand() -> None:
    found = distances(np.array([[1, 0], [0, 2], [3, 1]]))
    assert found.products.tolist() == [[1, 0, 3], [0, 4, 2], [3, 2, 10]]
    assert found.mean.tolist() == [5, 1, 3]
    assert found.low.tolist() == [1, 0, 3]
    assert found.high.tolist() == [10, 2, 3]
    assert found.spread == 9
    assert found.after(1).tolist()[:2] == [4, 2]
    assert np.isnan(found.after(1)[2])


def test_products_of_waves_depend_on_the_distance_alone_where_the_width_is_even() -> None:
    table = waves(31, 16)
    found = distances(table.table)
    assert found.spread < 1e-5
    expected = [np.cos(d * table.rates).sum() for d in range(31)]
    np.testing.assert_allclose(found.mean, expected, atol=1e-5)
    assert distances(waves(31, 5, 3.0).table).spread > 0.5  # the last sine has no cosine


def test_cosines_are_of_directions() -> None:
    found = distances(np.array([[3.0, 0], [5, 0], [0, 0], [0, -7]]), cosine=True)
    assert found.products.tolist() == [[1, 1, 0, 0], [1, 1, 0, 0], [0, 0, 0, 0], [0, 0, 0, 1]]


def test_a_quarter_turn_by_hand() -> None:
    # Base 1: every pair turns by 1 radian per position.
    found = turned([1, 0, 0, 2], [1, 0, 0, 3], 4, 1.0)
    np.testing.assert_allclose(
        found.queries[1], [math.cos(1), math.sin(1), -2 * math.sin(1), 2 * math.cos(1)]
    )
    expected = [[7 * math.cos(m - n) for n in range(4)] for m in range(4)]
    np.testing.assert_allclose(found.products, expected, atol=1e-6)


def test_turned_products_are_constant_along_diagonals() -> None:
    found = turned([1, 2, -3, 0.5, 7, 0], [0.3, -1, 2, 2, 1, 1], 37)
    assert found.products.shape == (37, 37)
    assert 0 < found.spread < 1e-5
    assert found.products[3, 7] == pytest.approx(found.products[8, 12], abs=1e-5)
    assert found.products[3, 7] != pytest.approx(found.products[7, 3], abs=1e-2)


def test_the_angles_of_smollm2_by_hand() -> None:
    """θ = 100,000 and 64 numbers a head: pair i turns by 100,000^(−2i / 64)."""
    shape = TransformerConfig(
        n_vocabulary=3,
        n_encoder_layers=0,
        n_decoder_layers=1,
        n_heads=1,
        d_model=4,
        d_ff=2,
        positions="rotary",
        norm_first=True,
        tied_output=True,
        activation="silu",
        parts=Parts("RMSNorm", True, 1, 64, Rotation(100_000.0, "halves"), False, False, False),
    )
    found = angles_of(LanguageModel(shape))
    assert found is not None
    assert (found.base, found.factor, len(found.rates)) == (100_000, 1, 32)
    assert found.rates[0] == 1
    assert found.rates[16] == pytest.approx(1 / math.sqrt(100_000), rel=1e-6)  # .00316
    assert found.rates[31] == pytest.approx(1.43301e-5, rel=1e-5)
    assert found.wavelengths[[0, 16, 31]] == pytest.approx([6.28319, 1986.918, 438_459.9], rel=1e-5)
    # 2π · 100,000^(i / 32) ≤ 8,192 up to i = 19.9
    assert int((found.wavelengths <= 8_192).sum()) == 20
    np.testing.assert_array_equal(found.rates, found.unscaled)


def test_the_strongest_wave() -> None:
    places = np.arange(101)
    assert strongest_wave(np.sin(places / 10 * math.tau)) == pytest.approx((10, 1))
    both = 2 * np.sin(places / 20 * math.tau) + np.cos(places / 5 * math.tau) + 3
    assert strongest_wave(both) == pytest.approx((20, 4 / 5))
    assert strongest_wave(np.where(places % 2, 1.0, -1.0)) == pytest.approx((2, 1))
    assert strongest_wave(np.full(101, 0.7)) is None
    assert strongest_wave(np.arange(4)) is None


@pytest.mark.parametrize(
    "ask",
    [
        lambda: waves(0, 3),
        lambda: waves(3, 0),
        lambda: waves(3, 3, 0.0),
        lambda: turned([1, 2], [1, 2, 3, 4], 3),
        lambda: turned([1], [1], 3),
        lambda: turned([1, 2], [1, 2], 0),
    ],
)
def test_what_has_no_answer_is_refused(ask: Callable[[], object]) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        ask()


def test_records_cannot_be_changed() -> None:
    records = (waves(3, 4), moved(waves(3, 4), 1), distances(np.eye(3)), turned([1, 2], [3, 4], 2))
    for record in (*records, *pickle.loads(pickle.dumps(records))):
        for value in vars(record).values():
            if isinstance(value, np.ndarray):
                assert not value.flags.writeable
        assert record.nbytes > 0
