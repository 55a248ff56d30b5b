"""Weights of other programs, in any container, become an `Attention` or are refused with a message."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from core.records.attention import Attention
from core.records.own_weights import as_weights

LAYERS, HEADS, QUERIES, KEYS = 2, 5, 3, 7
WEIGHTS = np.random.default_rng(0).dirichlet(np.ones(KEYS), (LAYERS, HEADS, QUERIES)).astype("f4")
LABELS = ("a", "b", "c"), tuple("tuvwxyz")


@pytest.mark.parametrize(
    "given",
    [
        WEIGHTS,
        WEIGHTS.tolist(),
        WEIGHTS[:, None],
        torch.tensor(WEIGHTS, requires_grad=True),
        tuple(torch.tensor(layer)[None] for layer in WEIGHTS),  # `outputs.attentions`
        [torch.tensor(layer, dtype=torch.float64) for layer in WEIGHTS],
    ],
    ids=["array", "lists", "batch", "tensor", "attentions", "list of tensors"],
)
def test_every_holder_gives_the_same_weights(given: Any) -> None:
    made = Attention(*LABELS, given)
    assert made.weights.dtype == np.float32
    np.testing.assert_array_equal(made.weights, WEIGHTS)
    assert not made.weights.flags.writeable


def test_one_layer_needs_no_axis_of_layers() -> None:
    as_given: Any = (torch.tensor(WEIGHTS[1:]),)
    np.testing.assert_array_equal(Attention(*LABELS, WEIGHTS[1]).weights, WEIGHTS[1:])
    np.testing.assert_array_equal(Attention(*LABELS, as_given).weights, WEIGHTS[1:])


def test_a_tensor_of_a_graph_is_not_frozen_in_its_owner() -> None:
    tensor = torch.tensor(WEIGHTS)
    layers: Any = [tensor[0], tensor[1]]
    Attention(*LABELS, layers)
    tensor[0, 0, 0, 0] = 2.0
    assert tensor[0, 0, 0, 0] == 2


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ((), r"outputs\.attentions.*empty unless .*eager"),
        ((None, None), "eager"),
        (WEIGHTS[:, None].repeat(3, 1), "of 3 texts"),
        (tuple(np.stack([layer] * 2) for layer in WEIGHTS), "of 2 texts"),
        (WEIGHTS[0, 0], r"shape \(3, 7\)"),
        ([WEIGHTS[0], WEIGHTS[1, :4]], "different shapes"),
        ([[[1, 2], [3]]], "lists of equal lengths"),
    ],
)
def test_what_is_no_attention_of_one_text_is_refused_in_words(given: Any, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        as_weights(given)


def test_labels_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError, match="3 queries, 2 keys"):
        Attention(LABELS[0], ("t", "u"), WEIGHTS)
