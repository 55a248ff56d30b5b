"""When two tensors count as the same."""

from __future__ import annotations

import torch

from core.pretrained.engines.anatomy.tolerances import SAME, identical, near, tolerance


def test_identical_means_every_number() -> None:
    a = torch.tensor([1.0, 2.0])
    assert identical(a, a.clone())
    assert not identical(a, a + 1e-6)
    assert not identical(a, a[None])


def test_near_is_relative_to_the_largest_number_and_never_below_1() -> None:
    a = torch.tensor([100.0, 0.0])
    assert near(a + 0.009, a)  # 100 · 0.0001
    assert not near(a + 0.011, a)
    small = torch.tensor([0.001, 0.0])
    assert near(small + 0.00009, small)
    assert not near(small + 0.00011, small)
    assert not near(a, a[None])


def test_half_precision_is_given_its_rounding() -> None:
    assert tolerance(torch.zeros(1)) == SAME == 1e-4
    assert tolerance(torch.zeros(1, dtype=torch.float16)) == 8 * 2**-10
    assert tolerance(torch.zeros(1, dtype=torch.bfloat16)) == 8 * 2**-7
