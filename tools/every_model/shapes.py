"""`python -m tools.every_model.shapes [--write docs/models.md]`: unusual shapes of families.

A family is published in more shapes than one. Each of these is built with random weights, saved, and
loaded as anybody would: in our own transformer where it computes the shape, and else in `transformers`,
which a note says where other models of the type run in ours.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import torch

import core
from tools.every_model import differences
from tools.every_model.__main__ import SHAPES as TITLE
from tools.every_model.__main__ import _quiet, put
from tools.every_model.walk import tokenizer

_HEAD = f"""\
{TITLE}

Made by `python -m tools.every_model.shapes --write docs/models.md`. Each shape is that of a published
model, or of one that its settings allow, small and with random weights. Where ours runs it: the largest
difference from eager `transformers`, as in [the table by types](differences.md), and what contributions
lack of the logit that they explain. Where `transformers` runs it whole, Polysee records its numbers.

| shape | runs in | attention | last vectors | logits | contributions |
|---|---|---|---|---|---|
"""
_WIDTH = {
    "hidden_size": 48,
    "intermediate_size": 40,
    "num_hidden_layers": 4,
    "num_attention_heads": 6,
    "max_position_embeddings": 64,
}
_SHARED = _WIDTH | {"num_key_value_heads": 2}
_NAMED = {"n_embd": 48, "n_layer": 4, "n_head": 6, "n_positions": 64}
_OPT = {
    "hidden_size": 48,
    "ffn_dim": 40,
    "num_hidden_layers": 4,
    "num_attention_heads": 6,
    "max_position_embeddings": 64,
    "word_embed_proj_dim": 48,
}
_T5 = {
    "d_model": 48,
    "d_kv": 10,
    "d_ff": 40,
    "num_layers": 3,
    "num_decoder_layers": 2,
    "num_heads": 5,
    "relative_attention_num_buckets": 8,
    "relative_attention_max_distance": 12,
    "decoder_start_token_id": 0,
}
_DEBERTA = _WIDTH | {
    "relative_attention": True,
    "position_buckets": 8,
    "pos_att_type": ["p2c", "c2p"],
    "share_att_key": True,
    "norm_rel_ebd": "layer_norm",
    "position_biased_input": False,
}
_MIXED = ["sliding_attention", "full_attention", "sliding_attention", "sliding_attention"]
_EMBEDDED = _WIDTH | {"embedding_size": 20}


def _rope(kind: str = "default", **more: Any) -> dict[str, Any]:
    return {"rope_parameters": {"rope_type": kind, "rope_theta": 10_000.0, **more}}


class Shape(NamedTuple):
    """A shape of a family.

    Attributes:
        family: how the classes of `transformers` begin.
        settings: those of its configuration.
        head: how the class with its head ends.
    """

    family: str
    settings: Mapping[str, Any]
    head: str = "ForCausalLM"


_MASKED, _PAIRED = "ForMaskedLM", "ForConditionalGeneration"
SHAPES: Mapping[str, Shape] = MappingProxyType(
    {
        "Qwen3, heads wider than their share, tied": Shape(
            "Qwen3", _SHARED | {"head_dim": 14, "tie_word_embeddings": True}
        ),
        "Qwen3, windows in half of its layers": Shape(
            "Qwen3",
            _SHARED
            | {
                "head_dim": 10,
                "use_sliding_window": True,
                "sliding_window": 3,
                "max_window_layers": 2,
            },
        ),
        "Gemma 2": Shape(
            "Gemma2", _SHARED | {"head_dim": 12, "sliding_window": 4, "query_pre_attn_scalar": 9}
        ),
        "Gemma 3, mixed windows": Shape(
            "Gemma3Text",
            _SHARED
            | {
                "head_dim": 12,
                "sliding_window": 4,
                "layer_types": _MIXED,
                "query_pre_attn_scalar": 9,
            },
        ),
        "Phi-3, a part of each head turns": Shape(
            "Phi3", _SHARED | {"pad_token_id": 0} | _rope(partial_rotary_factor=0.75)
        ),
        "Phi-3, longrope (128k)": Shape(
            "Phi3",
            _SHARED
            | {"pad_token_id": 0, "original_max_position_embeddings": 16}
            | _rope(
                "longrope",
                short_factor=[1.0, 1.1, 1.2, 1.3],
                long_factor=[1.0, 2.0, 3.0, 4.0],
                original_max_position_embeddings=16,
                factor=4.0,
            ),
        ),
        "OLMo 2": Shape("Olmo2", _SHARED),
        "SmolLM3, half of its layers without positions": Shape(
            "SmolLM3", _SHARED | {"pad_token_id": 0, "no_rope_layers": [1, 0, 1, 0]}
        ),
        "GPT-NeoX, one block after the other, a quarter turns": Shape(
            "GPTNeoX", _WIDTH | {"use_parallel_residual": False} | _rope(partial_rotary_factor=0.25)
        ),
        "GPT-NeoX without biases": Shape("GPTNeoX", _WIDTH | {"attention_bias": False}),
        "Falcon 40B (two norms)": Shape(
            "Falcon",
            {"hidden_size": 48, "num_hidden_layers": 4, "num_attention_heads": 6}
            | {"new_decoder_architecture": True, "num_kv_heads": 2},
        ),
        "Falcon 2 (one norm)": Shape(
            "Falcon",
            {"hidden_size": 48, "num_hidden_layers": 4, "num_attention_heads": 6}
            | {"new_decoder_architecture": True, "num_kv_heads": 3, "num_ln_in_parallel_attn": 1},
        ),
        "Falcon 7B (one key for all)": Shape(
            "Falcon", {"hidden_size": 48, "num_hidden_layers": 4, "num_attention_heads": 6}
        ),
        "Falcon-RW (ALiBi)": Shape(
            "Falcon",
            {"hidden_size": 48, "num_hidden_layers": 4, "num_attention_heads": 6}
            | {"multi_query": False, "parallel_attn": False, "bias": True, "alibi": True},
        ),
        "Bloom, six heads": Shape("Bloom", {"hidden_size": 48, "n_layer": 4, "n_head": 6}),
        "OPT-350m (norms behind, embeddings projected)": Shape(
            "OPT", _OPT | {"do_layer_norm_before": False, "word_embed_proj_dim": 24}
        ),
        "OPT without biases": Shape("OPT", _OPT | {"enable_bias": False}),
        "Granite": Shape(
            "Granite",
            _SHARED
            | {"embedding_multiplier": 3.0, "attention_multiplier": 0.2}
            | {"logits_scaling": 2.0, "residual_multiplier": 0.3},
        ),
        "Command R": Shape("Cohere", _SHARED | {"logit_scale": 0.3}),
        "Command R+ (queries and keys normed)": Shape("Cohere", _SHARED | {"use_qk_norm": True}),
        "StarCoder2, a window": Shape("Starcoder2", _SHARED | {"sliding_window": 4}),
        "StableLM, parallel": Shape("StableLm", _SHARED | {"use_parallel_residual": True}),
        "StableLM, queries and keys normed": Shape("StableLm", _SHARED | {"qk_layernorm": True}),
        "Llama with biases, tied": Shape(
            "Llama",
            _SHARED | {"mlp_bias": True, "attention_bias": True, "tie_word_embeddings": True},
        ),
        "Llama, YaRN": Shape(
            "Llama", _SHARED | _rope("yarn", factor=4.0, original_max_position_embeddings=16)
        ),
        "Mistral, a window": Shape("Mistral", _SHARED | {"sliding_window": 4}),
        "GPT-J, a part of each head turns": Shape("GPTJ", _NAMED | {"n_head": 4, "rotary_dim": 6}),
        "StarCoder 1 with a key for each head": Shape("GPTBigCode", _NAMED | {"multi_query": False}),
        "ModernBERT": Shape(
            "ModernBert",
            _WIDTH | {"local_attention": 4, "global_attn_every_n_layers": 2, "pad_token_id": 0},
            _MASKED,
        ),
        "ALBERT, three groups of weights": Shape(
            "Albert", _EMBEDDED | {"num_hidden_layers": 6, "num_hidden_groups": 3}, _MASKED
        ),
        "ALBERT, two layers in a group": Shape("Albert", _EMBEDDED | {"inner_group_num": 2}, _MASKED),
        "ELECTRA, narrower embeddings": Shape("Electra", _EMBEDDED, _MASKED),
        "DeBERTa-v3": Shape("DebertaV2", _DEBERTA | {"type_vocab_size": 0}, _MASKED),
        "DeBERTa-v2 XL (a convolution)": Shape(
            "DebertaV2", _DEBERTA | {"conv_kernel_size": 3, "conv_act": "gelu"}, _MASKED
        ),
        "T5": Shape("T5", _T5, _PAIRED),
        "T5 1.1 (gated, untied)": Shape(
            "T5", _T5 | {"feed_forward_proj": "gated-gelu", "tie_word_embeddings": False}, _PAIRED
        ),
        "mT5": Shape(
            "MT5", _T5 | {"feed_forward_proj": "gated-gelu", "tie_word_embeddings": False}, _PAIRED
        ),
        "BART, halves of other shapes": Shape(
            "Bart",
            {"d_model": 48, "encoder_layers": 3, "decoder_layers": 2}
            | {"encoder_attention_heads": 4, "decoder_attention_heads": 6}
            | {"encoder_ffn_dim": 30, "decoder_ffn_dim": 40, "max_position_embeddings": 64},
            _PAIRED,
        ),
        "MPT": Shape("Mpt", {"d_model": 48, "n_heads": 6, "n_layers": 4, "max_seq_len": 64}),
        "CodeGen": Shape("CodeGen", _NAMED | {"n_head": 4, "rotary_dim": 4}),
        "XGLM": Shape(
            "XGLM",
            {"d_model": 48, "ffn_dim": 40, "num_layers": 4}
            | {"attention_heads": 6, "max_position_embeddings": 64},
        ),
        "GLM-4": Shape("Glm4", _SHARED | {"head_dim": 8, "pad_token_id": 0}),
        "GLM-4-9B": Shape("Glm", _SHARED | {"head_dim": 8, "attention_bias": True, "pad_token_id": 0}),
        "Ernie 4.5": Shape("Ernie4_5", _SHARED | {"head_dim": 10, "pad_token_id": 0}),
        "Helium": Shape("Helium", _SHARED | {"head_dim": 8, "pad_token_id": 0}),
        "Command R7B (positions in windows alone)": Shape(
            "Cohere2",
            _SHARED
            | {"logit_scale": 0.3, "head_dim": 10, "sliding_window": 4}
            | {"layer_types": ["sliding_attention", "full_attention"] * 2},
        ),
        "Hunyuan, dense": Shape("HunYuanDenseV1", _SHARED | {"head_dim": 10, "pad_token_id": 0}),
        "EXAONE 4": Shape(
            "Exaone4",
            _SHARED
            | {"head_dim": 10, "pad_token_id": 0}
            | {"sliding_window": 4, "sliding_window_pattern": 2},
        ),
        "EXAONE 4 1.2B (no windows)": Shape(
            "Exaone4",
            _SHARED
            | {"head_dim": 10, "pad_token_id": 0, "tie_word_embeddings": True}
            | {"sliding_window": None, "layer_types": ["full_attention"] * 4},
        ),
        "Seed-OSS": Shape("SeedOss", _SHARED | {"head_dim": 10, "pad_token_id": 0}),
        "LFM2 (convolutions between)": Shape(
            "Lfm2", _SHARED | {"pad_token_id": 0, "layer_types": ["conv", "full_attention"] * 2}
        ),
    }
)


def saved(shape: Shape, folder: Path) -> None:
    """Save a model of this shape with random weights, with norms that are not 1."""
    import transformers

    words = tokenizer()
    words.save_pretrained(folder)
    special = {"vocab_size": len(words), "bos_token_id": 2, "eos_token_id": 3, "pad_token_id": 0}
    config = getattr(transformers, f"{shape.family}Config")(**(special | dict(shape.settings)))
    torch.manual_seed(0)
    made: Any = getattr(transformers, f"{shape.family.removesuffix('Text')}{shape.head}")(config)
    with torch.no_grad():
        for name, one in made.named_parameters():
            plus = float(one.ndim == 1 and "norm" in name and name.endswith("weight"))
            one.normal_(plus, 0.2)
    made.save_pretrained(folder)


def of(label: str) -> differences.Difference | None:
    """The differences of a shape; None if `transformers` runs it whole. Raises as `core.load`."""
    with tempfile.TemporaryDirectory() as folder:
        saved(SHAPES[label], Path(folder))
        if core.load(folder, name=label).engine != "scratch":
            return None
        return differences.between(Path(folder), label)


def section(found: Mapping[str, differences.Difference | None]) -> str:
    """The section of the page, in Markdown."""
    rows = []
    for label, one in found.items():
        cells = differences.cells(one) if one else ["" for _ in differences.Difference._fields[1:]]
        runs_in = "**ours**" if one else "transformers"
        rows.append(f"| {label} | {runs_in} | {' | '.join(cells)} |\n")
    return _HEAD + "".join(rows) + "\n"


def main(arguments: Sequence[str]) -> int:
    """Try all shapes, print the section, write it if requested."""
    parser = argparse.ArgumentParser(prog="python -m tools.every_model.shapes")
    parser.add_argument("--write", type=Path, help="the page to write it into")
    options = parser.parse_args(arguments)
    _quiet()
    text = section({label: of(label) for label in SHAPES})
    print(text)
    if options.write:
        page = options.write.read_text("utf-8")
        options.write.write_text(put(page, text), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
