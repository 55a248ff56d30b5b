"""The decoder of the paper's size, step by step: against our transformer's own layers, and by hand."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
import torch

from core.transformer import causal_mask, mask_bias
from core.walkthroughs import paper
from core.walkthroughs.steps import queries
from core.walkthroughs.steps.decoder import decoder_layer_steps
from core.walkthroughs.steps.descriptions import CROSS, STEPS
from core.walkthroughs.steps.record import LOWEST, Step
from tests.walkthroughs.test_paper import IDS, NOTES, TOKENS, VOCABULARY

SOURCE, NAMES = (101, 3008, 2094, 11840, 4078, 102), ("[CLS]", "Am", "##d", "Ufer", "des", "[SEP]")
BEHIND = ("inner", "activation", "outer", "residual2", "norm2")


@cache
def steps(layer: int = 0, head: int = 7) -> dict[str, Step]:
    found, _ = queries.decoder_pass((IDS, TOKENS, NOTES), VOCABULARY, (SOURCE, NAMES), layer, head, 0)
    return {step.name: step for step in found}


@torch.inference_mode()
def ran(layer: int) -> Any:
    """The layer's own output in a run of the whole stack."""
    x_BLD, memory_BSD = paper.embedded(IDS)[None], paper.memory(SOURCE)[None]
    bias = mask_bias(causal_mask(len(IDS)))
    return paper._decoder()((x_BLD, x_BLD), memory_BSD, bias).layers[layer]


def test_the_order_is_that_of_figure_1() -> None:
    own = [name for name in STEPS if name not in ("embedded", *BEHIND)]
    assert [*steps()] == [*own, *CROSS, *BEHIND]


def test_there_are_six_layers_of_table_3() -> None:
    layers = paper.decoder_layers()
    assert len(layers) == 6
    one = layers[0]
    assert (one.attention.n_heads, one.cross.n_heads) == (8, 8)
    assert one.attention.query.weight.shape == one.cross.key.weight.shape == (512, 512)
    assert one.feed_forward is not None
    assert one.feed_forward.inner.weight.shape == (2048, 512)


@pytest.mark.parametrize("layer", [0, 5])
def test_every_step_is_what_the_layer_itself_gives(layer: int) -> None:
    found, own = steps(layer), ran(layer)
    for prefix, attention in (("", own.attention), ("cross-", own.cross)):
        for name, expected in (
            ("query", attention.query_BHLK[0, 7]),
            ("key", attention.key_BHMK[0, 7]),
            ("value", attention.value_BHMK[0, 7]),
            ("weights", attention.weights_BHLM[0, 7]),
            ("output", attention.output_BLD[0]),
        ):
            values = found[f"{prefix}{name}"].result.values
            np.testing.assert_allclose(values, expected[..., : values.shape[1]], atol=1e-5)
    np.testing.assert_allclose(found["norm2"].result.values, own.output_BLD[0], atol=1e-5)
    _, returned = queries.decoder_pass((IDS, TOKENS, NOTES), VOCABULARY, (SOURCE, NAMES), layer, 7, 0)
    np.testing.assert_array_equal(returned, own.output_BLD[0])


@pytest.mark.parametrize("layer", [0, 3])
def test_every_step_follows_from_its_operands(layer: int) -> None:
    for step in steps(layer).values():
        if step.kind != "pieces":
            np.testing.assert_allclose(step.result.values, step.again(), atol=2e-5, err_msg=step.name)


def test_the_mask_by_hand() -> None:
    found = steps()
    later = np.triu(np.ones((4, 4), bool), 1)
    scaled, masked = found["scale"].result.values, found["mask"].result
    assert masked.hidden is not None
    np.testing.assert_array_equal(masked.hidden, later)
    np.testing.assert_array_equal(masked.values[~later], scaled[~later])
    assert (masked.values[later] == np.float32(LOWEST)).all()
    powers = np.exp(np.where(later, -np.inf, scaled.astype(float)))
    weights = found["weights"].result.values
    assert (weights[later] == 0).all()
    np.testing.assert_allclose(weights, powers / powers.sum(axis=1, keepdims=True), atol=1e-6)
    np.testing.assert_allclose(weights.sum(axis=1), 1, atol=1e-6)


def test_the_source_is_seen_as_a_whole() -> None:
    weights = steps()["cross-weights"].result
    assert weights.hidden is None
    assert (weights.rows, weights.columns) == (TOKENS, NAMES)
    assert (weights.values > 0).all()
    np.testing.assert_allclose(weights.values.sum(axis=1), 1, atol=1e-6)
    # Queries are the decoder's, keys and values the encoder's.
    np.testing.assert_array_equal(
        steps()["cross-query"].operands[0].values, steps()["norm"].result.values
    )
    memory = paper.memory(SOURCE).numpy()
    for name in ("cross-key", "cross-value"):
        np.testing.assert_array_equal(steps()[name].operands[0].values, memory)


def test_no_token_depends_on_later_ones_and_all_on_the_source() -> None:
    def output(ids: tuple[int, ...], source: tuple[int, ...]) -> np.ndarray:
        pieces = ids, TOKENS, NOTES
        return queries.decoder_pass(pieces, VOCABULARY, (source, NAMES), 5, 0, 0)[1]

    before = output(IDS, SOURCE)
    later = output((*IDS[:3], 2003), SOURCE)
    np.testing.assert_allclose(later[:3], before[:3], atol=1e-5)
    assert np.abs(later[3] - before[3]).max() > 1e-2
    other = output(IDS, (*SOURCE[:-1], 2003))
    assert (np.abs(other - before).max(axis=1) > 1e-3).all()


def test_the_same_numbers_every_time_and_none_of_the_encoders() -> None:
    first = paper.decoder_layers()[0].attention.query.weight
    assert paper.decoder_layers()[0].attention.query.weight is first
    assert not torch.equal(first, paper.layers()[0].attention.query.weight)


def test_there_is_no_ninth_head() -> None:
    x, memory = paper.embedded(IDS), paper.memory(SOURCE)
    with pytest.raises(ValueError, match="no head 8"):
        decoder_layer_steps(paper.decoder_layers()[0], x, memory, TOKENS, NAMES, head=8)
