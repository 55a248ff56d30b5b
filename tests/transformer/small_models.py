"""Small models of every kind, with distinct prime sizes where possible, and their inputs."""

from __future__ import annotations

import dataclasses
from typing import Any

import torch
from torch import Tensor, nn

from core.transformer import LanguageModel, Transformer, TransformerConfig

B, S, L = 2, 7, 5
CONFIG = TransformerConfig(
    n_vocabulary=31,
    n_encoder_layers=2,
    n_decoder_layers=3,
    n_heads=3,
    n_cross_heads=1,
    d_model=42,
    d_ff=13,
    n_source_vocabulary=29,
    n_positions=11,
)
DECODER = dataclasses.replace(CONFIG, n_encoder_layers=0, n_source_vocabulary=0)
ENCODER = dataclasses.replace(CONFIG, n_decoder_layers=0, n_source_vocabulary=0)
VARIANTS: list[dict[str, Any]] = [
    {},
    {"norm_first": True, "positions": "rotary", "tied_output": True, "activation": "gelu"},
    {"positions": "learned", "d_ff": 0, "n_source_vocabulary": 0, "scale_embeddings": False},
    {"positions": "none", "norm_first": True, "d_ff": 0},
]


def made(config: TransformerConfig, seed: int = 0) -> Any:
    both = config.n_encoder_layers and config.n_decoder_layers
    kind: Any = Transformer if both else LanguageModel
    model = kind(config, torch.Generator().manual_seed(seed)).double().eval()
    torch.manual_seed(seed)
    for parameter in model.parameters():  # norms and biases too
        if parameter.dim() == 1:
            nn.init.normal_(parameter, mean=float(parameter[0].item()), std=0.3)
    return model


def source() -> Tensor:
    """(B, S)."""
    return torch.tensor([[3, 1, 4, 1, 5, 9, 2], [6, 5, 3, 5, 8, 9, 7]])


def target() -> Tensor:
    """(B, L)."""
    return torch.tensor([[1, 2, 7, 1, 8], [1, 2, 8, 4, 5]])


def close(a: Any, b: Any) -> None:
    torch.testing.assert_close(a, b, rtol=0, atol=1e-10)
