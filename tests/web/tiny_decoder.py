"""A decoder with the parts of a Llama, small and random, as our transformer and as a GGUF file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import torch
from gguf import GGUFWriter

from core.transformer import LanguageModel, TransformerConfig
from core.transformer.layers import Parts
from core.transformer.positions import Rotation

# Sizes that are all different: 3 heads of queries share one of keys, and no width is another.
CONFIG = TransformerConfig(
    n_vocabulary=29,
    n_encoder_layers=0,
    n_decoder_layers=4,
    n_heads=6,
    d_model=20,
    d_ff=28,
    positions="rotary",
    norm_first=True,
    tied_output=True,
    scale_embeddings=False,
    activation="silu",
    parts=Parts(
        norm="RMSNorm",
        gated=True,
        n_kv_heads=2,
        d_head=10,
        rotation=Rotation(500.0, "halves", dtype=torch.float32),
        qkv_bias=False,
        output_bias=False,
        feed_forward_bias=False,
    ),
    output_bias=False,
)
_OF_LAYER = {
    "attention_norm": "attn_norm",
    "attention.query": "attn_q",
    "attention.key": "attn_k",
    "attention.value": "attn_v",
    "attention.output": "attn_output",
    "output_norm": "ffn_norm",
    "feed_forward.gate": "ffn_gate",
    "feed_forward.inner": "ffn_up",
    "feed_forward.outer": "ffn_down",
}


def decoder() -> LanguageModel:
    """The model, the same each time; its norms are not 1."""
    model = LanguageModel(CONFIG, torch.Generator().manual_seed(5)).eval().requires_grad_(False)
    for i, one in enumerate(model.parameters()):
        if one.ndim == 1:
            one.copy_(1 + 0.3 * torch.sin(torch.arange(len(one)) + i))
        else:
            one.mul_(1.3)
    return model


def weights(model: LanguageModel) -> dict[str, np.ndarray[Any, Any]]:
    """Its weights by llama.cpp's names, in our order of rows."""
    state = {name: tensor.numpy() for name, tensor in model.state_dict().items()}
    named = {"token_embd.weight": state["embeddings.tokens.weight"]}
    for i in range(CONFIG.n_decoder_layers):
        for ours, theirs in _OF_LAYER.items():
            named[f"blk.{i}.{theirs}.weight"] = state[f"stack.layers.{i}.{ours}.weight"]
    return {**named, "output_norm.weight": state["stack.norm.weight"]}


def permuted(rows: np.ndarray[Any, Any], n_heads: int) -> np.ndarray[Any, Any]:
    """Rows of q or k as llama.cpp keeps them: the inverse of `tensors.unpermuted`."""
    halves = rows.reshape(n_heads, 2, len(rows) // n_heads // 2, *rows.shape[1:])
    return np.ascontiguousarray(halves.swapaxes(1, 2)).reshape(rows.shape)


def write(path: Path, model: LanguageModel) -> None:
    """Write it as a GGUF file, unpacked."""
    writer = GGUFWriter(path, "llama")
    heads = {"attn_q": CONFIG.n_heads, "attn_k": CONFIG.parts.n_kv_heads}
    for name, one in weights(model).items():
        part = name.split(".")[-2]
        writer.add_tensor(name, permuted(one, heads[part]) if part in heads else one)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
