"""Modules that are built for their shapes: no memory, no numbers, in one thread alone."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
import torch
from torch import nn

from core.transformer.shapes_alone import shapes_alone

BUILT = {
    "linear": lambda: nn.Linear(3, 5),
    "embedding": lambda: nn.Embedding(7, 3, padding_idx=0),
    "norm": lambda: nn.LayerNorm(3),
    "attention": lambda: nn.MultiheadAttention(6, 2),
    "layer": lambda: nn.TransformerEncoderLayer(6, 2, 8),
}


@pytest.mark.parametrize("kind", BUILT)
def test_they_have_the_shapes_of_others_and_no_memory(kind: str) -> None:
    with shapes_alone():
        alone = BUILT[kind]()
    assert all(tensor.is_meta for tensor in alone.state_dict().values())
    whole = {name: tensor.shape for name, tensor in BUILT[kind]().state_dict().items()}
    assert {name: tensor.shape for name, tensor in alone.state_dict().items()} == whole


@pytest.mark.parametrize("fill", [nn.init.normal_, nn.init.xavier_uniform_, nn.init.ones_])
def test_what_would_fill_a_tensor_gives_it_back(fill: object) -> None:
    with shapes_alone():
        tensor = torch.empty(2, 3)
        assert fill(tensor) is tensor  # type: ignore[operator]


def test_other_threads_and_what_follows_are_filled() -> None:
    def numbers() -> torch.Tensor:
        torch.manual_seed(1)
        return nn.Linear(3, 5).weight.detach()

    expected = numbers()
    with ThreadPoolExecutor(1) as other, shapes_alone():
        assert torch.equal(other.submit(numbers).result(), expected)
    assert torch.equal(numbers(), expected)
