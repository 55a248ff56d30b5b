"""The architectures of llama.cpp that are read: what it calls their tensors, and how it changed them.

Its converter gives all models one set of names, turns the rows of queries and keys where its rotary
embedding pairs neighbours, and adds the 1 to norms that Gemma's files leave out.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple


class Architecture(NamedTuple):
    """One architecture.

    Attributes:
        model_type: its type in `transformers`.
        written: the class of `transformers` with its head.
        parts: the tensors of a layer -> their modules in `transformers`.
        permuted: whether the rows of queries and keys are in another order: see `tensors.unpermuted`.
        less_one: whether `transformers` stores γ of its norms less 1, and llama.cpp as it is.
        layers_scaled_by_width: the number of layers of the one size whose scores are scaled by
            d_model / heads and not by the width of a head; 0: there is none. They are the 27B models:
            4608 / 32 of Gemma 2 and 42 · 128 / 32 of Gemma 3, as `transformers` converted them.
    """

    model_type: str
    written: str
    parts: Mapping[str, str]
    permuted: bool = False
    less_one: bool = False
    layers_scaled_by_width: int = 0


_LLAMA = {
    "attn_norm": "input_layernorm",
    "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj",
    "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj",
    "ffn_norm": "post_attention_layernorm",
    "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj",
}
_NORMED = {"attn_q_norm": "self_attn.q_norm", "attn_k_norm": "self_attn.k_norm"}
_BEHIND = {
    "post_attention_norm": "post_attention_layernorm",
    "post_ffw_norm": "post_feedforward_layernorm",
}
_GEMMA2 = {**_LLAMA, "ffn_norm": "pre_feedforward_layernorm", **_BEHIND}
_FUSED = {"attn_qkv": "self_attn.qkv_proj", "ffn_up": "mlp.gate_up_proj"}
ARCHITECTURES: Mapping[str, Architecture] = MappingProxyType(
    {
        "llama": Architecture("llama", "LlamaForCausalLM", _LLAMA, permuted=True),
        "smollm3": Architecture("smollm3", "SmolLM3ForCausalLM", _LLAMA, permuted=True),
        "qwen2": Architecture("qwen2", "Qwen2ForCausalLM", _LLAMA),
        "qwen3": Architecture("qwen3", "Qwen3ForCausalLM", {**_LLAMA, **_NORMED}),
        "olmo2": Architecture(
            "olmo2",
            "Olmo2ForCausalLM",
            {
                **{part: name for part, name in _LLAMA.items() if not part.endswith("norm")},
                **_NORMED,
                **_BEHIND,
            },
        ),
        "gemma": Architecture("gemma", "GemmaForCausalLM", _LLAMA, less_one=True),
        "gemma2": Architecture(
            "gemma2", "Gemma2ForCausalLM", _GEMMA2, less_one=True, layers_scaled_by_width=46
        ),
        "gemma3": Architecture(
            "gemma3_text",
            "Gemma3ForCausalLM",
            {**_GEMMA2, **_NORMED},
            less_one=True,
            layers_scaled_by_width=62,
        ),
        "phi3": Architecture(
            "phi3",
            "Phi3ForCausalLM",
            {
                part: _FUSED.get(part, name)
                for part, name in {**_LLAMA, **_FUSED}.items()
                if part not in ("attn_q", "attn_k", "attn_v", "ffn_gate")
            },
        ),
    }
)
