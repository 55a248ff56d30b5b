"""The text's 5 × 3 numbers, computed by hand, and the effect of padding on them."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch

from core.transformer import padding_bias, scaled_dot_product_attention, sinusoidal
from core.walkthroughs import word_and_position as numbers
from core.walkthroughs.steps.record import LOWEST

USUAL = numbers.TABLES.changed({})


def test_the_printed_sums_are_right() -> None:
    """With the text's own rounding, and exactly: every printed sum is right to the last digit."""
    printed_positions = np.array(
        [[0, 1, 0], [0.84, 0.54, 0], [0.91, -0.42, 0], [0.14, -0.99, 0.01], [-0.76, -0.65, 0.01]]
    )
    for round_first in (False, True):
        step = numbers.sum_step(USUAL, round_first=round_first)
        words, positions = (of.values for of in step.operands)
        np.testing.assert_allclose(numbers.rounded(positions), printed_positions, atol=1e-9)
        np.testing.assert_allclose(numbers.rounded(step.result.values), numbers.PRINTED, atol=1e-6)
        np.testing.assert_allclose(step.again(), step.result.values, atol=1e-7)
        assert words.shape == positions.shape == (5, 3)
    np.testing.assert_allclose(USUAL["P"], sinusoidal(8, 3), atol=1e-7)
    exact = numbers.sum_step(USUAL).result.values[3]
    third = math.sin(3 / 10_000 ** (2 / 3))
    np.testing.assert_allclose(exact, [0.69 + math.sin(3), 0.37 + math.cos(3), 0.62 + third], atol=1e-6)


def test_a_changed_cell_changes_its_sum_alone() -> None:
    before = numbers.sum_step(USUAL).result.values
    for table in ("E", "P"):
        changed = numbers.TABLES.changed({(table, 3, 1): 7.0})
        after = numbers.sum_step(changed).result.values
        assert np.argwhere(before != after).tolist() == [[3, 1]]


def test_edits_go_into_a_link_and_come_back() -> None:
    edits = {("E", 0, 0): -1.5, ("P", 7, 2): 0.25, ("PAD", 0, 1): 3.0, ("E", 1, 1): 0.65}
    text = numbers.TABLES.written(edits)
    assert text == "E.0.0.-1.5~P.7.2.0.25~PAD.0.1.3"  # 0.65 is what stands there anyway
    assert numbers.TABLES.readable(text) == text
    for wrong in ("E.5.0.1", "P.8.0.1", "PAD.1.0.1", "W_Q.0.0.1", "E.0.0.nan", "E.0.0.101", "E.0.0"):
        with pytest.raises(ValueError, match=r"."):
            numbers.TABLES.read(wrong)


@pytest.mark.parametrize("length", [6, 7, 8])
@pytest.mark.parametrize("masked", [True, False])
def test_padding_equals_our_transformer(length: int, masked: bool) -> None:
    tables = numbers.TABLES.changed({("PAD", 0, 0): 0.5, ("PAD", 0, 2): -0.25})
    found = numbers.padded(tables, length, masked=masked)
    rows = [*tables["E"], *[tables["PAD"][0]] * (length - 5)]
    x = torch.tensor(np.array(rows) + tables["P"][:length])
    seen = torch.arange(length) < 5
    bias = padding_bias(seen[None])[0] if masked else None
    mixed, weights = scaled_dot_product_attention(x[None], x[None], x[None], bias)
    steps = {step.name: step for step in found.steps}
    np.testing.assert_allclose(steps["weights"].result.values, weights[0], atol=1e-6)
    np.testing.assert_allclose(steps["mix"].result.values, mixed[0], atol=1e-6)
    alone, _ = scaled_dot_product_attention(x[None, :5], x[None, :5], x[None, :5])
    assert found.apart == pytest.approx(float((mixed[0, :5] - alone[0]).abs().max()), abs=1e-6)
    np.testing.assert_allclose(found.on_padding, weights[0, :5, 5:].sum(1), atol=1e-6)


@pytest.mark.parametrize("length", [6, 7, 8])
def test_the_mask_hides_padding_and_nothing_else(length: int) -> None:
    with_mask = numbers.padded(USUAL, length, masked=True)
    steps = {step.name: step for step in with_mask.steps}
    assert [*steps] == [*numbers.STEPS]
    hidden = steps["mask"].result.hidden
    assert hidden is not None
    assert hidden[:, 5:].all()
    assert not hidden[:, :5].any()
    assert (steps["mask"].result.values[hidden] == LOWEST).all()
    weights = steps["weights"].result.values
    assert (weights[:, 5:] == 0).all()
    assert (weights[:, :5] > 0).all()
    np.testing.assert_allclose(weights.sum(axis=1), 1, atol=1e-6)
    assert with_mask.apart < 1e-12
    assert with_mask.on_padding.tolist() == [0] * 5
    without = numbers.padded(USUAL, length, masked=False)
    assert [step.name for step in without.steps] == [n for n in numbers.STEPS if n != "mask"]
    assert without.apart > 0.2
    assert (without.on_padding > 0.04).all()
    for step in (*with_mask.steps, *without.steps):
        np.testing.assert_allclose(step.again(), step.result.values, rtol=1e-6, atol=1e-6)
