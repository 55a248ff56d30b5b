"""What a GGUF file says of its model, as the config.json that `transformers` reads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

# The architectures of llama.cpp whose tensors `tensors` knows.
ARCHITECTURES = ("llama",)


class Unknown(ValueError):
    """What keeps a file from being read; a sentence goes on with it after "The file of the model"."""


def of(fields: Mapping[str, Any], shapes: Mapping[str, tuple[int, ...]]) -> dict[str, Any]:
    """The content of a config.json.

    Args:
        fields: the file's settings, by their keys.
        shapes: the shape of each of its tensors, as torch has it.

    Raises:
        Unknown: the architecture is another one, a setting is missing or no whole number, or the model
            turns its positions in a way that the file gives as a table.
    """
    kind = fields.get("general.architecture")
    if kind not in ARCHITECTURES:
        raise Unknown(
            f"holds a model of llama.cpp’s architecture “{str(kind)[:40]}”; Polysee reads "
            f"{' and '.join(ARCHITECTURES)}"
        )
    if "rope_freqs.weight" in shapes or any(key.startswith(f"{kind}.rope.scaling") for key in fields):
        raise Unknown("scales the angles of its positions, which Polysee does not read from GGUF yet")

    def whole(key: str, default: int | None = None) -> int:
        value = fields.get(f"{kind}.{key}", default)
        if not isinstance(value, int) or isinstance(value, bool) or value < 1:
            raise Unknown(f"gives no whole number for {kind}.{key}")
        return value

    def real(key: str, default: float | None = None) -> float:
        value = fields.get(f"{kind}.{key}", default)
        if not isinstance(value, float) or not np.isfinite(value) or value <= 0:
            raise Unknown(f"gives no number above 0 for {kind}.{key}")
        # Stored as float32: 9.99999974e-06 was written as 1e-05, and is read as that again.
        return float(str(np.float32(value)))

    heads, width = whole("attention.head_count"), whole("embedding_length")
    d_head = whole("attention.key_length", width // heads)
    if whole("attention.value_length", d_head) != d_head:
        raise Unknown("has keys and values of different widths")
    if whole("rope.dimension_count", d_head) != d_head:
        raise Unknown("turns only a part of each head by its position")
    if fields.get(f"{kind}.expert_count"):
        raise Unknown("is a mixture of experts")
    table = shapes.get("token_embd.weight", (0,))
    ids = {
        f"{name}_token_id": value
        for name in ("bos", "eos")
        if isinstance(value := fields.get(f"tokenizer.ggml.{name}_token_id"), int) and value < table[0]
    }
    return {
        "model_type": "llama",
        "architectures": ["LlamaForCausalLM"],
        "vocab_size": table[0],
        "hidden_size": width,
        "intermediate_size": whole("feed_forward_length"),
        "num_hidden_layers": whole("block_count"),
        "num_attention_heads": heads,
        "num_key_value_heads": whole("attention.head_count_kv", heads),
        "head_dim": d_head,
        "hidden_act": "silu",
        "max_position_embeddings": whole("context_length"),
        "rms_norm_eps": real("attention.layer_norm_rms_epsilon"),
        "rope_parameters": {"rope_type": "default", "rope_theta": real("rope.freq_base", 10_000.0)},
        "attention_bias": "blk.0.attn_q.bias" in shapes,
        "mlp_bias": "blk.0.ffn_gate.bias" in shapes,
        "tie_word_embeddings": "output.weight" not in shapes,
        "dtype": "float32",
        "bos_token_id": None,
        "eos_token_id": None,
        **ids,
    }
