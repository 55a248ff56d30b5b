"""The paper's sizes, and impossible shapes."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest
import torch

from core.transformer import Buckets, Transformer, TransformerConfig
from tests.transformer.small_models import CONFIG


def test_the_papers_model() -> None:
    config = TransformerConfig.paper()
    assert config == TransformerConfig(
        37_000, 6, 6, n_heads=8, d_model=512, d_ff=2048, dropout=0.1, tied_output=True
    )
    with torch.device("meta"):
        model = Transformer(config)
    norm, attention = 2 * 512, 4 * (512 * 512 + 512)
    feed_forward = 512 * 2048 + 2048 + 2048 * 512 + 512
    encoder, decoder = attention + feed_forward + 2 * norm, 2 * attention + feed_forward + 3 * norm
    expected = 37_000 * 512 + 6 * encoder + 6 * decoder
    assert sum(p.numel() for p in model.parameters()) == expected == 63_082_496  # Table 3: 65 million
    assert model.decoder.layers[5].cross.n_heads == 8  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"n_heads": 4}, "42 does not divide into 4 heads"),
        ({"n_cross_heads": 5}, "42 does not divide into 5 heads"),
        ({"n_heads": 0}, "n_heads must be at least 1, not 0"),
        ({"n_vocabulary": -3}, "n_vocabulary must be at least 1"),
        ({"d_ff": -1}, "d_ff must not be below 0"),
        ({"n_encoder_layers": 0, "n_decoder_layers": 0}, "at least one layer"),
        ({"positions": "rotary", "n_heads": 6}, "a head of 7 is odd"),
        ({"dropout": 1.0}, "below 1, not 1.0"),
        ({"positions": "round"}, "not 'round'"),
        ({"activation": "swish"}, "not 'swish'"),
        ({"buckets": Buckets(32, 12)}, "no buckets"),
        ({"windows": (3, 0)}, "2 windows for 5 layers"),
    ],
)
def test_shapes_that_cannot_be_are_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        dataclasses.replace(CONFIG, **change)
