"""Small GGUF files, written by llama.cpp's own package from random models of `transformers`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gguf
import numpy as np
import torch
from gguf.quants import dequantize, quantize

from tests.pretrained import small_models

Kind = gguf.GGMLQuantizationType
CONFIG: dict[str, Any] = {
    "hidden_size": 96,
    "intermediate_size": 160,
    "num_hidden_layers": 3,
    "num_attention_heads": 6,
    "num_key_value_heads": 2,
    "head_dim": 16,
    "max_position_embeddings": 50,
    "rms_norm_eps": 1e-5,
}
SPECIALS = ("<|end|>", "<|start|>")
# What llama.cpp calls the parts of a layer.
_PARTS = {
    "input_layernorm": "attn_norm",
    "self_attn.q_proj": "attn_q",
    "self_attn.k_proj": "attn_k",
    "self_attn.v_proj": "attn_v",
    "self_attn.o_proj": "attn_output",
    "post_attention_layernorm": "ffn_norm",
    "mlp.gate_proj": "ffn_gate",
    "mlp.up_proj": "ffn_up",
    "mlp.down_proj": "ffn_down",
}
_WHOLE = {"model.embed_tokens": "token_embd", "model.norm": "output_norm", "lm_head": "output"}


def vocabulary() -> tuple[list[str], list[str]]:
    """Tokens in the order of their ids, and merges: GPT-2's kind."""
    made = small_models.byte_level(*SPECIALS)
    return list(made["vocab"]), [" ".join(two) for two in made["merges"]]


def model(seed: int = 0, **changes: Any) -> Any:
    """A random Llama."""
    from transformers import LlamaConfig, LlamaForCausalLM

    torch.manual_seed(seed)
    made = LlamaForCausalLM(
        LlamaConfig(
            vocab_size=len(vocabulary()[0]),
            bos_token_id=1,
            eos_token_id=0,
            attn_implementation="eager",
            **{"rope_parameters": {"rope_type": "default", "rope_theta": 500.0}, **CONFIG, **changes},
        )
    ).eval()
    for tensor in made.parameters():  # norms too: ones would hide a norm that is left out
        torch.nn.init.normal_(tensor, std=0.2)
    return made


def permuted(rows: np.ndarray, n_heads: int) -> np.ndarray:
    """The rows of q or k as llama.cpp's conversion orders them: the halves of a head interleaved."""
    halves = rows.reshape(n_heads, 2, len(rows) // n_heads // 2, *rows.shape[1:])
    return halves.swapaxes(1, 2).reshape(rows.shape)


def write(
    file: Path,
    made: Any,
    kind: Kind = Kind.Q4_1,
    *,
    permute: bool = True,
    tokens: list[str] | None = None,
    cut: str = "smollm",
    begins: bool = False,
    more: dict[str, np.ndarray] | None = None,
    leave_out: str = "",
    architecture: str = "llama",
) -> dict[str, torch.Tensor]:
    """Write a model as GGUF, and return its weights as they are after packing, by their own names."""
    config = made.config
    writer = gguf.GGUFWriter(file, architecture)
    writer.add_block_count(config.num_hidden_layers)
    writer.add_context_length(config.max_position_embeddings)
    writer.add_embedding_length(config.hidden_size)
    writer.add_feed_forward_length(config.intermediate_size)
    writer.add_head_count(config.num_attention_heads)
    writer.add_head_count_kv(config.num_key_value_heads)
    writer.add_key_length(config.head_dim)
    writer.add_value_length(config.head_dim)
    writer.add_rope_dimension_count(config.head_dim)
    writer.add_rope_freq_base(config.rope_parameters["rope_theta"])
    writer.add_layer_norm_rms_eps(config.rms_norm_eps)
    listed, merges = vocabulary()
    listed = tokens or listed
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre(cut)
    writer.add_token_list(listed)
    writer.add_token_types([3 if one in SPECIALS else 1 for one in listed])
    writer.add_token_merges(merges)
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(0)
    writer.add_add_bos_token(begins)
    writer.add_chat_template("{{ messages }}")
    packed: dict[str, torch.Tensor] = {}
    for name, tensor in made.state_dict().items():
        if (name == "lm_head.weight" and config.tie_word_embeddings) or name == leave_out:
            continue
        stem, _, half = name.rpartition(".")
        if stem in _WHOLE:
            theirs = f"{_WHOLE[stem]}.{half}"
        else:
            layer, part = stem.removeprefix("model.layers.").split(".", 1)
            theirs = f"blk.{layer}.{_PARTS[part]}.{half}"
        rows = tensor.numpy()
        heads = {"q_proj": config.num_attention_heads, "k_proj": config.num_key_value_heads}
        of_heads = next((n for key, n in heads.items() if f".{key}." in name), None)
        if of_heads and permute:
            rows = permuted(rows, of_heads)
        own = kind if rows.ndim > 1 else Kind.F32
        own = Kind.Q8_0 if own is Kind.Q4_1 and "token_embd" in theirs else own
        raw = quantize(rows, own)
        writer.add_tensor(theirs, raw, raw_dtype=own)
        back = dequantize(raw, own)
        if of_heads and permute:  # the packing is by rows, so that their order does not matter to it
            back = back[np.argsort(permuted(np.arange(len(rows)), of_heads))]
        packed[name] = torch.from_numpy(np.array(back, np.float32))
    for theirs, array in (more or {}).items():
        writer.add_tensor(theirs, array)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return packed
