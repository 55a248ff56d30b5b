"""What a GGUF file says of its model, as the config.json that `transformers` reads."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from .architectures import ARCHITECTURES, Architecture


class Unknown(ValueError):
    """What keeps a file from being read; a sentence goes on with it after "The file of the model"."""


def of(
    fields: Mapping[str, Any], shapes: Mapping[str, tuple[int, ...]], slower: Any = None
) -> dict[str, Any]:
    """The content of a config.json.

    Args:
        fields: the file's settings, by their keys.
        shapes: the shape of each of its tensors, as torch has it.
        slower: (pairs,), by how much each pair of a head's dimensions turns slower, where the file has
            the table "rope_freqs".

    Raises:
        Unknown: the architecture is another one, a setting is missing or no whole number, or the model
            turns its positions in a way that is not read here.
    """
    kind = fields.get("general.architecture")
    if not isinstance(kind, str) or kind not in ARCHITECTURES:
        raise Unknown(
            f"holds a model of llama.cpp’s architecture “{str(kind)[:40]}”; Polysee reads "
            f"{', '.join(ARCHITECTURES)}"
        )
    own = ARCHITECTURES[kind]
    read = _Settings(fields, kind)
    if fields.get(f"{kind}.expert_count"):
        raise Unknown("is a mixture of experts")
    table = shapes.get("token_embd.weight", (0,))
    ids = {
        f"{name}_token_id": value
        for name in ("bos", "eos")
        if isinstance(value := fields.get(f"tokenizer.ggml.{name}_token_id"), int) and value < table[0]
    }
    described = _OLDER.get(kind)
    return {
        "model_type": own.model_type,
        "architectures": [own.written],
        "vocab_size": table[0],
        "tie_word_embeddings": "output.weight" not in shapes,
        "dtype": "float32",
        "bos_token_id": None,
        "eos_token_id": None,
        "pad_token_id": None,
        **ids,
        **(described(read, shapes) if described else _llama(read, own, shapes, slower)),
    }


def heads(fields: Mapping[str, Any]) -> tuple[int, int]:
    """The number of heads, and of those of keys and values. Raises Unknown: it is no whole number."""
    read = _Settings(fields, fields["general.architecture"])
    n_heads = read.whole("attention.head_count")
    n_kv_heads = read.whole("attention.head_count_kv", n_heads)
    if n_heads % n_kv_heads:
        raise Unknown("shares its keys unevenly among its heads")
    return n_heads, n_kv_heads


def _llama(
    read: _Settings, own: Architecture, shapes: Mapping[str, tuple[int, ...]], slower: Any
) -> dict[str, Any]:
    """The settings of Llama, and of the families that came out of it."""
    n_heads, n_kv_heads = heads(read.fields)
    width, layers = read.whole("embedding_length"), read.whole("block_count")
    d_head = read.whole("attention.key_length", width // n_heads)
    if read.whole("attention.value_length", d_head) != d_head:
        raise Unknown("has keys and values of different widths")
    turned = read.whole("rope.dimension_count", d_head)
    if turned != d_head and read.kind != "phi3":
        raise Unknown("turns only a part of each head by its position")
    rope = _rope(read, d_head, slower)
    if turned != d_head:
        rope["partial_rotary_factor"] = turned / d_head
    return {
        "hidden_size": width,
        "intermediate_size": read.whole("feed_forward_length"),
        "num_hidden_layers": layers,
        "num_attention_heads": n_heads,
        "num_key_value_heads": n_kv_heads,
        "head_dim": d_head,
        "max_position_embeddings": read.whole("context_length"),
        "rms_norm_eps": read.real("attention.layer_norm_rms_epsilon"),
        "rope_parameters": rope,
        "attention_bias": "blk.0.attn_q.bias" in shapes,
        "mlp_bias": "blk.0.ffn_gate.bias" in shapes,
        **(
            _gemma(read, own, width // n_heads, d_head, rope)
            if own.less_one
            else {"hidden_act": "silu"}
        ),
        **_window(read),
    }


class _Settings:
    """The settings of one architecture, checked as they are read."""

    def __init__(self, fields: Mapping[str, Any], kind: str) -> None:
        self.fields, self.kind = fields, kind

    def there(self, key: str) -> bool:
        return f"{self.kind}.{key}" in self.fields

    def whole(self, key: str, default: int | None = None) -> int:
        value = self.fields.get(f"{self.kind}.{key}", default)
        if not isinstance(value, int) or isinstance(value, bool) or value < 1:
            raise Unknown(f"gives no whole number for {self.kind}.{key}")
        return value

    def real(self, key: str, default: float | None = None) -> float:
        value = self.fields.get(f"{self.kind}.{key}", default)
        if not isinstance(value, float) or not np.isfinite(value) or value <= 0:
            raise Unknown(f"gives no number above 0 for {self.kind}.{key}")
        # Stored as float32: 9.99999974e-06 was written as 1e-05, and is read as that again.
        return float(str(np.float32(value)))


# Llama 3.1 and its successors (Dubey et al. 2024, section 3.4.3), as they were published.
_LLAMA3 = {"low_freq_factor": 1.0, "high_freq_factor": 4.0, "original_max_position_embeddings": 8192}


def _rope(read: _Settings, d_head: int, slower: Any) -> dict[str, Any]:
    """How positions turn queries and keys."""
    base = read.real("rope.freq_base", 10_000.0)
    made: dict[str, Any] = {"rope_type": "default", "rope_theta": base}
    scaling = read.fields.get(f"{read.kind}.rope.scaling.type", "none")
    other = [key for key in read.fields if key.startswith(f"{read.kind}.rope.scaling.")]
    known = {f"{read.kind}.rope.scaling.{name}" for name in ("type", "factor", "finetuned")}
    if scaling not in ("none", "linear") or not {*other} <= known or (other and slower is not None):
        raise Unknown(
            "scales the angles of its positions in a way that Polysee does not read from GGUF"
        )
    if scaling == "linear":
        return made | {"rope_type": "linear", "factor": read.real("rope.scaling.factor")}
    if slower is None or np.all(slower == 1):
        return made
    factor = float(np.max(slower))
    if slower.shape != (d_head // 2,) or not np.allclose(
        slower, _slower(base, d_head, factor), rtol=1e-4
    ):
        raise Unknown("slows its rotations by a table that is not Llama 3’s")
    return made | {"rope_type": "llama3", "factor": factor, **_LLAMA3}


def _slower(base: float, d_head: int, factor: float) -> Any:
    """(pairs,): by how much Llama 3 turns each pair slower."""
    waves = 2 * np.pi * base ** (np.arange(0, d_head, 2) / d_head)
    low, high = _LLAMA3["low_freq_factor"], _LLAMA3["high_freq_factor"]
    turns = _LLAMA3["original_max_position_embeddings"] / waves
    kept = ((turns - low) / (high - low)).clip(0, 1)
    return 1 / ((1 - kept) / factor + kept)


def _gemma(
    read: _Settings, own: Architecture, share: int, d_head: int, rope: dict[str, Any]
) -> dict[str, Any]:
    """What the Gemmas have beside Llama's settings; some of it, llama.cpp knows without the file."""
    made: dict[str, Any] = {"hidden_activation": "gelu_pytorch_tanh", "hidden_act": "gelu_pytorch_tanh"}
    if own.model_type == "gemma":
        return made
    by_width = own.layers_scaled_by_width == read.whole("block_count")
    made["query_pre_attn_scalar"] = share if by_width else d_head
    for key in ("attn_logit_softcapping", "final_logit_softcapping"):
        made[key] = read.real(key) if read.there(key) else None
    if own.model_type == "gemma3_text":
        made["rope_parameters"] = {
            "full_attention": rope,
            "sliding_attention": {"rope_type": "default", "rope_theta": 10_000.0},
        }
    return made


def _window(read: _Settings) -> dict[str, Any]:
    """To how many tokens the layers with a window attend."""
    key = "attention.sliding_window"
    return {"sliding_window": read.whole(key)} if read.there(key) else {}


_Shapes = Mapping[str, tuple[int, ...]]


def _gpt2(read: _Settings, shapes: _Shapes) -> dict[str, Any]:
    """Of GPT-2 (Radford et al. 2019); all have one activation, which no file names."""
    return {
        "n_embd": read.whole("embedding_length"),
        "n_layer": read.whole("block_count"),
        "n_head": read.whole("attention.head_count"),
        "n_positions": read.whole("context_length"),
        "n_inner": read.whole("feed_forward_length"),
        "layer_norm_epsilon": read.real("attention.layer_norm_epsilon"),
        "activation_function": "gelu_new",
    }


def _gptj(read: _Settings, shapes: _Shapes) -> dict[str, Any]:
    """Of GPT-J (Wang and Komatsuzaki 2021)."""
    if "output.bias" not in shapes:
        raise Unknown("has no bias at its head, as each GPT-J has")
    return _gpt2(read, shapes) | {"rotary_dim": read.whole("rope.dimension_count")}


# GPT-NeoX-20B alone computes its activation in another way than Pythia and its kin.
_LAYERS_OF_NEOX_20B = 44


def _gptneox(read: _Settings, shapes: _Shapes) -> dict[str, Any]:
    """Of GPT-NeoX (Black et al. 2022) and Pythia (Biderman et al. 2023)."""
    width, layers = read.whole("embedding_length"), read.whole("block_count")
    n_heads = read.whole("attention.head_count")
    d_head = width // n_heads
    parallel = read.fields.get("gptneox.use_parallel_residual", True)
    if not isinstance(parallel, bool):
        raise Unknown("does not say whether its blocks are parallel")
    turned = read.whole("rope.dimension_count", d_head)
    return {
        "hidden_size": width,
        "intermediate_size": read.whole("feed_forward_length"),
        "num_hidden_layers": layers,
        "num_attention_heads": n_heads,
        "max_position_embeddings": read.whole("context_length"),
        "layer_norm_eps": read.real("attention.layer_norm_epsilon"),
        "use_parallel_residual": parallel,
        "attention_bias": "blk.0.attn_qkv.bias" in shapes,
        "hidden_act": "gelu_fast" if layers == _LAYERS_OF_NEOX_20B else "gelu",
        "rope_parameters": _rope(read, d_head, None) | {"partial_rotary_factor": turned / d_head},
    }


def _falcon(read: _Settings, shapes: _Shapes) -> dict[str, Any]:
    """Of Falcon 7B, with one key for all heads, and of Falcon 40B, with a key a group and two norms."""
    width, (n_heads, n_kv_heads) = read.whole("embedding_length"), heads(read.fields)
    new = "blk.0.attn_norm_2.weight" in shapes
    if n_kv_heads > 1 and not new:
        raise Unknown("is Falcon’s second generation, whose file does not say how its positions turn")
    return {
        "hidden_size": width,
        "ffn_hidden_size": read.whole("feed_forward_length", 4 * width),
        "num_hidden_layers": read.whole("block_count"),
        "num_attention_heads": n_heads,
        "num_kv_heads": n_kv_heads,
        "max_position_embeddings": read.whole("context_length"),
        "layer_norm_epsilon": read.real("attention.layer_norm_epsilon"),
        "new_decoder_architecture": new,
        "multi_query": True,
        "parallel_attn": True,
        "alibi": False,
        "bias": "blk.0.attn_qkv.bias" in shapes,
        "activation": "gelu",
        "rope_parameters": _rope(read, width // n_heads, None),
    }


def _bloom(read: _Settings, shapes: _Shapes) -> dict[str, Any]:
    """Of Bloom (Le Scao et al. 2022), whose positions are a bias, with no setting."""
    width = read.whole("embedding_length")
    if read.whole("feed_forward_length", 4 * width) != 4 * width:
        raise Unknown("has a feed-forward network that is not four times as wide as the model")
    return {
        "hidden_size": width,
        "n_layer": read.whole("block_count"),
        "n_head": read.whole("attention.head_count"),
        "seq_length": read.whole("context_length"),
        "layer_norm_epsilon": read.real("attention.layer_norm_epsilon"),
    }


def _rotary(read: _Settings, activation: str) -> dict[str, Any]:
    """Of families with LayerNorm, shared keys, and heads of which a part may turn."""
    width, (n_heads, n_kv_heads) = read.whole("embedding_length"), heads(read.fields)
    d_head = width // n_heads
    rope = _rope(read, d_head, None)
    turned = read.whole("rope.dimension_count", d_head)
    return {
        "hidden_size": width,
        "intermediate_size": read.whole("feed_forward_length"),
        "num_hidden_layers": read.whole("block_count"),
        "num_attention_heads": n_heads,
        "num_key_value_heads": n_kv_heads,
        "max_position_embeddings": read.whole("context_length"),
        "hidden_act": activation,
        "rope_parameters": rope | {"partial_rotary_factor": turned / d_head},
    }


def _starcoder2(read: _Settings, shapes: _Shapes) -> dict[str, Any]:
    """Of StarCoder2 (Lozhkov et al. 2024); like llama.cpp, without its window of 4,096 tokens."""
    eps, biased = read.real("attention.layer_norm_epsilon"), "blk.0.attn_q.bias" in shapes
    made = _rotary(read, "gelu_pytorch_tanh") | {"norm_epsilon": eps, "use_bias": biased}
    return made | {"sliding_window": None}


def _stablelm(read: _Settings, shapes: _Shapes) -> dict[str, Any]:
    """Of StableLM (Bellagente et al. 2024)."""
    return _rotary(read, "silu") | {
        "layer_norm_eps": read.real("attention.layer_norm_epsilon"),
        "use_qkv_bias": "blk.0.attn_q.bias" in shapes,
        # llama.cpp goes by the norm itself, whatever the setting says.
        "use_parallel_residual": "blk.0.ffn_norm.weight" not in shapes,
    }


def _phi2(read: _Settings, shapes: _Shapes) -> dict[str, Any]:
    """Of Phi 1.5 and 2 (Li et al. 2023)."""
    if "output.bias" not in shapes:
        raise Unknown("has no bias at its head, as each Phi 2 has")
    return _rotary(read, "gelu_new") | {"layer_norm_eps": read.real("attention.layer_norm_epsilon")}


_OLDER: Mapping[str, Callable[[_Settings, _Shapes], dict[str, Any]]] = MappingProxyType(
    {
        "gpt2": _gpt2,
        "gptj": _gptj,
        "gptneox": _gptneox,
        "falcon": _falcon,
        "bloom": _bloom,
        "starcoder2": _starcoder2,
        "stablelm": _stablelm,
        "phi2": _phi2,
    }
)
