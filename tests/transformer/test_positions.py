"""Positional encodings: the paper's sinusoids, learned vectors, rotations."""

from __future__ import annotations

import math

import pytest
import torch

from core.transformer import (
    LearnedPositions,
    MultiHeadAttention,
    Rotation,
    SinusoidalPositions,
    Stretch,
    rotary,
    sinusoidal,
)
from core.transformer.positions import rates


def test_the_five_by_three_table() -> None:
    # The article's figure: an odd width, two decimals.
    expected = [[0, 1, 0], [0.84, 0.54, 0], [0.91, -0.42, 0], [0.14, -0.99, 0.01], [-0.76, -0.65, 0.01]]
    assert [[round(x, 2) for x in row] for row in sinusoidal(5, 3).tolist()] == expected


@pytest.mark.parametrize("d_model", [1, 2, 7, 22])
@pytest.mark.parametrize("base", [10_000.0, 100.0, 0.5])
def test_each_cell_by_the_formula(d_model: int, base: float) -> None:
    table = sinusoidal(13, d_model, base)
    assert table.shape == (13, d_model)
    assert table.dtype == torch.float32
    for pos in range(13):
        for k in range(d_model):
            angle = pos / base ** (2 * (k // 2) / d_model)
            expected = math.cos(angle) if k % 2 else math.sin(angle)
            assert table[pos, k].item() == pytest.approx(expected, abs=1e-7)


def test_places_far_away_are_as_exact_as_near_ones() -> None:
    table = sinusoidal(3, 5, start=1_000_000)
    assert torch.equal(table[2], sinusoidal(1_000_003, 5)[1_000_002])
    assert table[1, 0].item() == pytest.approx(math.sin(1_000_001), abs=1e-7)
    assert sinusoidal(0, 5).shape == (0, 5)


def test_an_offset_is_a_linear_map() -> None:
    # Section 3.5: for any fixed k, PE(pos + k) is a linear function of PE(pos).
    table = sinusoidal(40, 6).double()
    here, there = table[:-7], table[7:]
    linear = torch.linalg.lstsq(here, there).solution
    torch.testing.assert_close(here @ linear, there, rtol=0, atol=1e-5)


def test_products_depend_on_the_distance_alone() -> None:
    table = sinusoidal(31, 16).double()
    products = table @ table.T
    for distance in (0, 1, 5):
        diagonal = products.diagonal(distance)
        torch.testing.assert_close(diagonal, diagonal[0].expand_as(diagonal), rtol=0, atol=1e-5)


@pytest.mark.parametrize("base", [0.0, -1.0, math.nan])
def test_a_base_that_is_none_is_refused(base: float) -> None:
    with pytest.raises(ValueError, match="must be above 0"):
        sinusoidal(5, 3, base)


def test_sinusoidal_positions_know_no_end_and_learn_nothing() -> None:
    positions = SinusoidalPositions(7, base=100.0)
    assert not positions.state_dict()
    assert torch.equal(positions(5, 1000), sinusoidal(1005, 7, 100.0)[1000:])


def test_learned_positions_are_rows_of_the_table() -> None:
    positions = LearnedPositions(11, 7)
    assert torch.equal(positions(5), positions.table.weight[:5])
    assert torch.equal(positions(2, 9), positions.table.weight[9:])
    assert positions(0).shape == (0, 7)
    with pytest.raises(IndexError):
        positions(3, 9)


# rotary


def test_rotary_by_hand() -> None:
    # Two pairs: the first turns by 1 per position, the second by 16^(−1/2) = ¼. A quarter turn is π /
    # 2.
    quarter = torch.tensor([math.pi / 2])
    turned = rotary(torch.tensor([[3.0, 5, 7, 11]]), quarter, 16.0)
    cos, sin = math.cos(math.pi / 8), math.sin(math.pi / 8)
    expected = torch.tensor([[-5.0, 3, 7 * cos - 11 * sin, 7 * sin + 11 * cos]])
    torch.testing.assert_close(turned, expected)


def test_rotary_leaves_the_first_place_and_all_lengths() -> None:
    x = torch.randn(2, 3, 5, 14)
    turned = rotary(x, torch.arange(5))
    assert torch.equal(turned[:, :, 0], x[:, :, 0])
    assert not torch.allclose(turned[:, :, 1], x[:, :, 1])
    torch.testing.assert_close(turned.norm(dim=-1), x.norm(dim=-1))


def test_rotary_products_depend_on_the_distance_alone() -> None:
    query, key = torch.randn(2, 1, 14, dtype=torch.float64)

    def product(m: int, n: int) -> float:
        turned = (rotary(x, torch.tensor([place])) for x, place in ((query, m), (key, n)))
        return float(torch.stack([*turned]).prod(0).sum())

    for m, n in ((0, 0), (3, 1), (1, 3), (17, 5)):
        for shift in (1, 11, 4000):
            assert product(m + shift, n + shift) == pytest.approx(product(m, n), abs=1e-9)
    assert abs(product(3, 1) - product(1, 3)) > 0.1
    assert abs(product(3, 1) - product(3, 2)) > 0.1


def test_an_odd_width_has_no_pairs() -> None:
    with pytest.raises(ValueError, match="a head of 7 is odd"):
        rotary(torch.zeros(1, 7), torch.arange(1))


def test_attention_turns_queries_and_keys_but_no_values() -> None:
    turning = MultiHeadAttention(12, 2, Rotation(100.0)).double()
    plain = MultiHeadAttention(12, 2).double()
    plain.load_state_dict(turning.state_dict())
    x = torch.randn(2, 5, 12, dtype=torch.float64)
    got, without = turning(x, x), plain(x, x)
    assert torch.equal(got.query_BHLK, rotary(without.query_BHLK, torch.arange(5), Rotation(100.0)))
    assert torch.equal(got.key_BHMK, rotary(without.key_BHMK, torch.arange(5), Rotation(100.0)))
    assert torch.equal(got.value_BHMK, without.value_BHMK)
    # The returned query and key are the multiplied ones.
    scores = got.query_BHLK @ got.key_BHMK.transpose(-2, -1) * 6**-0.5
    torch.testing.assert_close(got.weights_BHLM, scores.softmax(-1))


def test_halves_are_pairs_in_another_order() -> None:
    # Llama's published rows: dimension i turns with i + d/2. Sorted into pairs, it is the paper's.
    x = torch.randn(2, 3, 5, 14)
    order = torch.arange(14).view(2, 7).T.flatten()  # 0, 7, 1, 8, …
    halves = rotary(x, torch.arange(5), Rotation(100.0, "halves"))
    assert torch.equal(halves[..., order], rotary(x[..., order], torch.arange(5), Rotation(100.0)))
    assert not torch.allclose(halves, rotary(x, torch.arange(5), Rotation(100.0)), atol=0.1)


def test_stretched_rates_by_hand() -> None:
    # A head of 6 and a base of 1,000: the pairs turn by 1, 1/10 and 1/100 per position.
    plain = rates(6, 1000.0)
    torch.testing.assert_close(plain, torch.tensor([1, 0.1, 0.01]).double())
    torch.testing.assert_close(Stretch(4.0).of(plain), plain / 4)
    # In 188 = 60·π positions they turn 30, 3 and .3 times: the first is kept, the last slowed down, and
    # the middle one is two thirds of the way from the slow rate (1 turn) to its own (4 turns).
    found = Stretch(4.0, trained_length=188, low=1.0, high=4.0).of(plain)
    assert found[0] == plain[0]
    assert found[2] == plain[2] / 4
    assert float(found[1]) == pytest.approx(0.1 * (2 / 3 + 1 / 3 / 4), rel=5e-3)


def test_angles_are_rounded_as_those_of_published_models() -> None:
    far = torch.tensor([4001])
    single, double = (Rotation(dtype=one).angles(far, 64) for one in (torch.float32, torch.float64))
    assert single.dtype == torch.float32
    apart = (single.double() - double).abs().max()
    assert 1e-5 < float(apart) < 1e-3  # what float32 makes of 4,001 times a rate
