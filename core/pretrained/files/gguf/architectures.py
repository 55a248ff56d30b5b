"""The architectures of llama.cpp that are read: what it calls their tensors, and how it changed them.

Its converter gives all models one set of names, turns the rows of queries and keys where its rotary
embedding pairs neighbours, puts all queries before all keys and values where a model keeps them head by
head, and adds the 1 to norms that Gemma's files leave out. Which it does to which family, and each
name, was read in that converter (`conversion/` of github.com/ggml-org/llama.cpp) and in its package.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import NamedTuple


class Architecture(NamedTuple):
    """One architecture.

    Attributes:
        model_type: its type in `transformers`.
        written: the class of `transformers` with its head.
        parts: the tensors of a layer -> their modules in `transformers`.
        whole: those outside the layers -> theirs.
        stack: where the layers are in `transformers`.
        permuted: whether the rows of queries and keys are in another order: see `tensors.unpermuted`.
        grouped: the tensor of queries, keys and values that `transformers` stores group by group, the
            queries that share a key, this key, its value: see `tensors.regrouped`; "": there is none.
        inputs_first: the tensors whose matrices `transformers` stores as (in, out).
        less_one: whether `transformers` stores γ of its norms less 1, and llama.cpp as it is.
        layers_scaled_by_width: the number of layers of the one size whose scores are scaled by
            d_model / heads and not by the width of a head; 0: there is none. They are the 27B models:
            4608 / 32 of Gemma 2 and 42 · 128 / 32 of Gemma 3, as `transformers` converted them.
    """

    model_type: str
    written: str
    parts: Mapping[str, str]
    whole: Mapping[str, str]
    stack: str = "model.layers"
    permuted: bool = False
    grouped: str = ""
    inputs_first: tuple[str, ...] = ()
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
_OUTSIDE = {"token_embd": "model.embed_tokens", "output_norm": "model.norm", "output": "lm_head"}
_NORMED = {"attn_q_norm": "self_attn.q_norm", "attn_k_norm": "self_attn.k_norm"}
_BEHIND = {
    "post_attention_norm": "post_attention_layernorm",
    "post_ffw_norm": "post_feedforward_layernorm",
}
_GEMMA2 = {**_LLAMA, "ffn_norm": "pre_feedforward_layernorm", **_BEHIND}
_FUSED = {"attn_qkv": "self_attn.qkv_proj", "ffn_up": "mlp.gate_up_proj"}
_HEADED = {"output_norm": "transformer.ln_f", "output": "lm_head"}
_FOUR = {"ffn_up": "mlp.dense_h_to_4h", "ffn_down": "mlp.dense_4h_to_h"}
_FALCON = {
    "attn_norm": "input_layernorm",
    "attn_qkv": "self_attention.query_key_value",
    "attn_output": "self_attention.dense",
    **_FOUR,
}
_OUTSIDE_FALCON = {"token_embd": "transformer.word_embeddings", **_HEADED}
ARCHITECTURES: Mapping[str, Architecture] = MappingProxyType(
    {
        "llama": Architecture("llama", "LlamaForCausalLM", _LLAMA, _OUTSIDE, permuted=True),
        "smollm3": Architecture("smollm3", "SmolLM3ForCausalLM", _LLAMA, _OUTSIDE, permuted=True),
        "qwen2": Architecture("qwen2", "Qwen2ForCausalLM", _LLAMA, _OUTSIDE),
        "qwen3": Architecture("qwen3", "Qwen3ForCausalLM", {**_LLAMA, **_NORMED}, _OUTSIDE),
        "olmo2": Architecture(
            "olmo2",
            "Olmo2ForCausalLM",
            {
                **{part: name for part, name in _LLAMA.items() if not part.endswith("norm")},
                **_NORMED,
                **_BEHIND,
            },
            _OUTSIDE,
        ),
        "gemma": Architecture("gemma", "GemmaForCausalLM", _LLAMA, _OUTSIDE, less_one=True),
        "gemma2": Architecture(
            "gemma2", "Gemma2ForCausalLM", _GEMMA2, _OUTSIDE, less_one=True, layers_scaled_by_width=46
        ),
        "gemma3": Architecture(
            "gemma3_text",
            "Gemma3ForCausalLM",
            {**_GEMMA2, **_NORMED},
            _OUTSIDE,
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
            _OUTSIDE,
        ),
        "starcoder2": Architecture(
            "starcoder2",
            "Starcoder2ForCausalLM",
            {
                **{part: name for part, name in _LLAMA.items() if part != "ffn_gate"},
                "ffn_up": "mlp.c_fc",
                "ffn_down": "mlp.c_proj",
            },
            _OUTSIDE,
        ),
        "stablelm": Architecture("stablelm", "StableLmForCausalLM", _LLAMA, _OUTSIDE),
        "phi2": Architecture(
            "phi",
            "PhiForCausalLM",
            {
                **{part: name for part, name in _LLAMA.items() if part not in ("ffn_gate", "ffn_norm")},
                "attn_output": "self_attn.dense",
                "ffn_up": "mlp.fc1",
                "ffn_down": "mlp.fc2",
            },
            {**_OUTSIDE, "output_norm": "model.final_layernorm"},
        ),
        "gpt2": Architecture(
            "gpt2",
            "GPT2LMHeadModel",
            {
                "attn_norm": "ln_1",
                "attn_qkv": "attn.c_attn",
                "attn_output": "attn.c_proj",
                "ffn_norm": "ln_2",
                "ffn_up": "mlp.c_fc",
                "ffn_down": "mlp.c_proj",
            },
            {"token_embd": "transformer.wte", "position_embd": "transformer.wpe", **_HEADED},
            "transformer.h",
            inputs_first=("attn_qkv", "attn_output", "ffn_up", "ffn_down"),
        ),
        # Its package has a table of names and its specification the settings, but no converter of
        # llama.cpp writes it: only older programs of ggml do.
        "gptj": Architecture(
            "gptj",
            "GPTJForCausalLM",
            {
                "attn_norm": "ln_1",
                "attn_q": "attn.q_proj",
                "attn_k": "attn.k_proj",
                "attn_v": "attn.v_proj",
                "attn_output": "attn.out_proj",
                "ffn_up": "mlp.fc_in",
                "ffn_down": "mlp.fc_out",
            },
            {"token_embd": "transformer.wte", **_HEADED},
            "transformer.h",
        ),
        "gptneox": Architecture(
            "gpt_neox",
            "GPTNeoXForCausalLM",
            {
                "attn_norm": "input_layernorm",
                "attn_qkv": "attention.query_key_value",
                "attn_output": "attention.dense",
                "ffn_norm": "post_attention_layernorm",
                **_FOUR,
            },
            {
                "token_embd": "gpt_neox.embed_in",
                "output_norm": "gpt_neox.final_layer_norm",
                "output": "embed_out",
            },
            "gpt_neox.layers",
            grouped="attn_qkv",
        ),
        # In Falcon 40B, the norm of the network is the first by name, and that of attention the second.
        "falcon": Architecture(
            "falcon", "FalconForCausalLM", _FALCON, _OUTSIDE_FALCON, "transformer.h"
        )._replace(grouped="attn_qkv"),
        "bloom": Architecture(
            "bloom",
            "BloomForCausalLM",
            {**_FALCON, "ffn_norm": "post_attention_layernorm"},
            {**_OUTSIDE_FALCON, "token_embd_norm": "transformer.word_embeddings_layernorm"},
            "transformer.h",
            grouped="attn_qkv",
        ),
    }
)

_TWO_NORMS = MappingProxyType({**_FALCON, "attn_norm": "ln_mlp", "attn_norm_2": "ln_attn"})


def of_file(kind: str, tensors: Collection[str]) -> Architecture:
    """The architecture of a file with these tensors: Falcon has a form with two norms in a layer."""
    own = ARCHITECTURES[kind]
    two = kind == "falcon" and "blk.0.attn_norm_2.weight" in tensors
    return own._replace(parts=_TWO_NORMS) if two else own
