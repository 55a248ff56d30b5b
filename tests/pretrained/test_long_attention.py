"""A long text by blocks of rows: any tile of any head is that of the whole attention."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest
import torch

import core
from core.pretrained.engines import long_texts
from core.records.long_attention import LongAttention
from core.transformer import LanguageModel, Parts, Rotation, TransformerConfig

CONFIG: dict[str, Any] = {"n_vocabulary": 31, "n_encoder_layers": 0, "n_decoder_layers": 3}
CONFIG |= {"n_heads": 6, "d_model": 36, "d_ff": 13, "positions": "rotary", "norm_first": True}
PARTS = Parts("RMSNorm", True, 2, 10, Rotation(500.0, "halves"), query_key_norm="each head")
SHAPES = {
    "llama": TransformerConfig(**CONFIG, parts=PARTS),
    "windows, capped": TransformerConfig(
        **CONFIG, parts=PARTS._replace(score_cap=1.5, scale=0.7), windows=(0, 7, 300)
    ),
    "gpt2": TransformerConfig(**CONFIG | {"positions": "learned", "n_positions": 700}),
}


def small_map(weights: np.ndarray, block: int) -> np.ndarray:
    """(cells, cells), one cell after the other."""
    starts = range(0, len(weights), block)
    return np.array([[weights[i : i + block, j : j + block].max() for j in starts] for i in starts])


@pytest.mark.few(12)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(("length", "cells"), [(613, 96), (5, 96), (300, 7), (613, 1), (613, 2)])
@pytest.mark.parametrize("threads", [1, 3])
def test_every_weight_and_every_cell(shape: str, length: int, cells: int, threads: int) -> None:
    config = SHAPES[shape]
    net = LanguageModel(config, torch.Generator().manual_seed(3)).eval()
    for parameter in net.parameters():
        parameter.data.mul_(1.7)  # away from uniform attention
    ids = torch.randint(31, (length,), generator=torch.Generator().manual_seed(4))
    with torch.inference_mode():
        expected = net.read(ids[None])
        # Two passes in float32 differ from each other by more than either from the exact numbers.
        exact = copy.deepcopy(net).double().read(ids[None])
        found = long_texts.run(net, ids, cells, threads=threads)
    for layer, step in enumerate(exact.layers):
        query_HLK = step.attention.query_BHLK[0].numpy()
        off = np.abs(found.query_NHLK[layer] - query_HLK).max()
        assert off <= 1e-5 * np.abs(query_HLK).max()
    layers, d_head = config.n_layers, config.parts.d_head or 6
    block = -(-length // cells)
    record = LongAttention(
        tuple(f"t{i}" for i in range(length)),
        found.query_NHLK,
        found.key_NGMK,
        found.log_sums_NHL,
        scale=(config.parts.scale or d_head**-0.5,) * layers,
        windows=config.windows or (0,) * layers,
        softcap=config.parts.score_cap,
        largest=found.largest_NHCC,
        block=block,
        model="small",
    )
    for layer, head in ((0, 0), (1, 3), (2, 5)):
        given = expected.layers[layer].attention.weights_BHLM
        assert given is not None
        weights = given[0, head].numpy()
        np.testing.assert_allclose(record.attention(layer, head).weights[0, 0], weights, atol=1e-5)
        rows, columns = slice(length // 3, length // 2 + 1), slice(1, length // 2)
        np.testing.assert_allclose(
            record.tile(layer, head, rows, columns), weights[rows, columns], atol=1e-5
        )
        np.testing.assert_allclose(record.row(layer, head, length - 1), weights[-1], atol=1e-5)
        np.testing.assert_allclose(record.largest[layer, head], small_map(weights, block), atol=1e-5)


@pytest.mark.parametrize(("n", "block"), [(613, 7), (613, 613), (1000, 300), (5, 1), (256, 256)])
def test_no_run_has_more_rows_than_fit(n: int, block: int) -> None:
    runs = [*long_texts.runs_of_rows(n, block, 128)]
    assert [row for run in runs for row in range(*run)] == [*range(n)]
    for start, stop in runs:
        assert stop - start <= 128
        # A run is whole blocks, or lies in one.
        assert (start % block == 0 and (stop % block == 0 or stop == n)) or (
            start // block == (stop - 1) // block
        )


def test_too_long_a_text_is_refused_in_a_sentence_of_its_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    model: Any = copy.copy(core.load("smollm2"))
    monkeypatch.setattr(model, "_trace_bytes", 1000)
    with pytest.raises(core.TooLarge, match="blocks of rows") as caught:
        model.long_attention("The bank")
    assert "keep=" not in str(caught.value)


def test_what_is_refused() -> None:
    model = core.load("minilm")
    with pytest.raises(core.NotSupported, match="blocks of rows"):
        model.long_attention("The bank")
    bloom = LanguageModel(TransformerConfig(**CONFIG | {"positions": "linear bias"}))
    with pytest.raises(ValueError, match="without a bias"):
        long_texts.run(bloom, torch.tensor([1, 2]), 96)
