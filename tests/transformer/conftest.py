"""Every test draws the same random numbers, whatever ran before it."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

from tests.transformer import small_models


@pytest.fixture(autouse=True)
def seed() -> None:
    torch.manual_seed(0)


@pytest.fixture
def source() -> Tensor:
    return small_models.source()


@pytest.fixture
def target() -> Tensor:
    return small_models.target()
