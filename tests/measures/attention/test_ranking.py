from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import core
from core.examples.first_texts import POEM
from core.measures import AttentionBlock, blocks, part, rank_heads, strongest_key
from core.records.attention import Attention
from tests.pretrained.small_models import eager


def made(weights: np.ndarray, special: tuple[int, ...] = (), **more: Any) -> AttentionBlock:
    """A block whose tokens are letters."""
    names = tuple("abcdefg"[: weights.shape[-1]])
    marks = tuple((name,) for name in names)
    return AttentionBlock(Attention(names, names, weights), (special, special), (marks, marks), **more)


def test_the_order_by_hand() -> None:
    weights = np.full((2, 3, 5, 5), 0.2, np.float32)
    weights[0, 2, 3] = (0.5, 0.3, 0.2, 0, 0)
    weights[1, 0, 3] = (0, 0.9, 0.1, 0, 0)
    weights[1, 1, 3] = (1, 0, 0, 0, 0)
    found = rank_heads(made(weights), 3, 1)
    pairs = list(zip(found.layers.tolist(), found.heads.tolist(), strict=True))
    assert pairs == [(1, 0), (0, 2), (0, 0), (0, 1), (1, 2), (1, 1)]
    np.testing.assert_allclose(found.weights, [0.9, 0.3, 0.2, 0.2, 0.2, 0], atol=1e-7)
    np.testing.assert_allclose(found.uniform, 0.2, atol=1e-7)
    assert found.absent == 0
    assert not found.masked.any()
    assert not found.weights.flags.writeable


def test_masked_keys_and_missing_heads() -> None:
    weights = np.zeros((2, 3, 5, 5), np.float32)
    weights[:] = np.tril(np.ones((5, 5))) / np.arange(1, 6)[:, None]
    weights[0, 1] = np.nan
    block = made(weights, causal=True)
    later = rank_heads(block, 1, 3)
    assert later.absent == 1
    assert later.masked.all()
    np.testing.assert_array_equal([later.weights, later.uniform], 0)
    earlier = rank_heads(block, 3, 1)
    assert not earlier.masked.any()
    np.testing.assert_allclose(earlier.uniform, 1 / 4)
    np.testing.assert_allclose(earlier.weights, 1 / 4)
    assert (0, 1) not in zip(earlier.layers.tolist(), earlier.heads.tolist(), strict=True)


def test_the_strongest_other_token() -> None:
    weights = np.zeros((1, 2, 5, 5), np.float32)
    weights[..., 0] = 1
    weights[0, 0, 2] = (0.6, 0, 0.3, 0.1, 0)
    weights[0, 1, 2] = (0, 0.2, 0.7, 0, 0.1)
    block = made(weights, special=(0,))
    assert strongest_key(block, 2) == 1
    assert strongest_key(block, 1) == 0  # nothing but a special token


@pytest.mark.parametrize("at", [(-1, 0), (5, 0), (0, 5)])
def test_a_weight_that_is_not_there(at: tuple[int, int]) -> None:
    with pytest.raises(IndexError):
        rank_heads(made(np.full((1, 1, 5, 5), 0.2, np.float32)), *at)


def test_the_order_is_that_of_the_weights_of_transformers(
    minilm: core.Model, minilm_folder: Path
) -> None:
    plain = eager(minilm_folder)
    out = plain.model(**plain.tokenizer(POEM, return_tensors="pt"), output_attentions=True)
    weights = np.concatenate([layer.detach().numpy() for layer in out.attentions])
    trace = minilm.trace(POEM)
    query, key = trace.find("bank")[0], trace.find("river")[0]
    found = rank_heads(next(iter(blocks(trace).values())), query, key)
    exact = weights[found.layers, found.heads, query, key]
    np.testing.assert_allclose(found.weights, exact, atol=1e-5)
    assert len({*zip(found.layers.tolist(), found.heads.tolist(), strict=True)}) == 72
    best = np.unravel_index(weights[:, :, query, key].argmax(), (6, 12))
    assert (found.layers[0], found.heads[0]) == best


def test_a_part_of_a_pair_keeps_its_rescaled_rows(minilm: core.Model) -> None:
    (block,) = blocks(minilm.trace("On the river", "by a bank")).values()
    some = part(block, "ab")
    found = rank_heads(some, 1, 2)
    weights = some.attention.weights[found.layers, found.heads, 1, 2]
    np.testing.assert_array_equal(found.weights, weights)
