"""Shortcuts to a picture: from a trace, from one of its blocks, from one's own tensors."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import core
from core.figures import heads_of, layer_of
from core.measures import AttentionBlock, blocks, part

OWN = core.Attention(
    ("the", "cat", "sat"),
    ("le", "chat", "était", "assis", "là"),
    np.random.default_rng(2).dirichlet(np.ones(5), (2, 7, 3)),
)


def test_weights_of_ones_own_as_all_heads() -> None:
    header = heads_of(OWN).header
    assert (len(header["layers"]), header["heads"], tuple(header["maps"])) == (2, 7, (3, 5))
    assert header["tokens"] == ("le", "chat", "était", "assis", "là")
    assert header["queryTokens"] == ("the", "cat", "sat")


def test_weights_of_ones_own_as_a_layer_without_products() -> None:
    picture = layer_of(OWN, 1)
    assert (picture.header["kind"], picture.header["layer"]) == ("weights", "Layer 2")
    assert "no query and key" in picture.header["whyNoScores"]
    sent = np.frombuffer(picture.payload, "<f4").reshape(7, 3, 5)
    np.testing.assert_array_equal(sent, OWN.weights[1])


@pytest.mark.parametrize("layer", [-1, 2])
def test_a_layer_that_is_not_there(layer: int) -> None:
    with pytest.raises(IndexError, match="there are 2, counted from 0"):
        layer_of(OWN, layer)


def test_a_trace_is_its_site(minilm: core.Model) -> None:
    trace = minilm.trace("on the river bank")
    (block,) = blocks(trace).values()
    assert heads_of(trace).to_bytes() == heads_of(block).to_bytes()
    assert layer_of(trace, 3).to_bytes() == layer_of(block, 3).to_bytes()
    assert layer_of(block, 3).header["kind"] == "inner"


def test_the_words_may_be_others(minilm: core.Model) -> None:
    header = layer_of(minilm.trace("bank"), 0, layer="The first", name="x").header
    assert (header["layer"], header["file"]) == ("The first", "polysee-x")


def test_cross_attention_comes_from_its_query_and_key(made: Callable[..., Path]) -> None:
    trace = core.load(str(made("bart"))).trace("on the river bank", "the bank")
    block = blocks(trace)["Cross: decoder at encoder"]
    picture = layer_of(block, 1)
    assert picture.header["kind"] == "inner"
    assert (picture.header["place"], picture.header["layer"]) == ("Cross-attention", "Layer 2")
    assert picture.header["file"] == "polysee-cross-attention-layer-2"
    assert picture.sentence.startswith("Cross-attention, Layer 2: ")
    grid = heads_of(block)
    assert grid.header["file"] == "polysee-cross-attention-heads"
    assert "heads of the cross-attention: " in grid.sentence


def test_a_part_of_a_pair_is_a_softmax_over_its_own_keys(minilm: core.Model) -> None:
    """Query and key of the part yield its rescaled weights, and are therefore sent."""
    (whole,) = blocks(minilm.trace("a bank", "the shore")).values()
    one = part(whole, "ab")
    assert isinstance(one, AttentionBlock)
    assert layer_of(one, 2).header["kind"] == "inner"


def test_query_and_key_that_do_not_lead_to_the_weights_are_not_sent(minilm: core.Model) -> None:
    trace = minilm.trace("bank")
    (block,) = blocks(trace).values()
    other = AttentionBlock(block.attention, block.special, block.marks, block.key, block.query)
    picture = layer_of(other, 0)
    assert picture.header["kind"] == "weights"
    assert "more than query and key" in picture.header["whyNoScores"]
