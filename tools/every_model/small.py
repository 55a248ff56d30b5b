"""A small random model of any type that `transformers` knows.

Configurations have several dozen names for the same few sizes. Patterns recognise them here; types
whose sizes depend on each other in unusual ways have their settings listed.
"""

from __future__ import annotations

import copy
import re
from typing import Any

import torch

MOST_PARAMETERS = 5_000_000
VOCABULARY = 99

# The first matching pattern decides the value of a setting. There are four layers, so that a hybrid has
# several kinds; windows are shorter than the test texts, so that they have an effect.
_SIZES: tuple[tuple[str, int], ...] = (
    (r"(.*_)?vocab_size(_.*)?|n_vocab|n_tokens|entity_vocab_size", VOCABULARY),
    (r"num_key_value_heads|n_head_kv|multi_query_group_num|num_kv_heads|kv_n_heads", 2),
    (r"(num_)?global_(num_)?key_value_heads", 2),
    (r"num_hidden_layers|num_layers|n_layers?|(en|de)coder_layers|num_(en|de)coder_layers|depth", 4),
    (r"mamba_n_heads|mamba_num_heads|mamba_d_head|mamba_head_dim", 8),
    (r"(mamba_)?(d_state|n_groups|state_size|ssm_state_size)|mamba_d_ssm", 8),
    (r"(.*_)?(n_|num_)?(\w+_)?heads?|num_attention_heads", 4),
    (r"hidden_size|d_model|n_embd|dim|emb_dim|embed_dim|embedding_size|model_dim|dim_model", 32),
    (r"word_embed_proj_dim|hidden_dim_model|bottleneck_size", 32),
    (r".*(head_dim|d_kv|head_size|d_head|dim_head|rotary_dim|kv_channels)", 8),
    (r".*(lora_rank|_rank)", 16),
    (
        r".*(intermediate_size|ffn_dim|d_ff|dim_ff|d_inner|n_inner|ffn_hidden_size|hidden_dim|inner_dim)",
        48,
    ),
    (r".*(feed_forward.*size|mlp_dim|n_mlp|ff_size)", 48),
    (r"max_position_embeddings|n_positions|n_ctx|max_seq_len|seq_length|max_sequence_length", 64),
    (r"entity_emb_size", 32),
    (r"max_context_length|max_(en|de)coder_position_embeddings", 64),
    (r"(.*_)?(num_(local_)?experts|n_routed_experts|moe_num_experts)|num_experts", 4),
    (r".*(experts_per_tok|experts_per_token|top_k|topk|experts_top_k|moe_k)", 2),
    (r"(moe_)?num_shared_experts|n_shared_experts|n_group|topk_group|first_k_dense_replace", 1),
    # Not Doge's: among equal tokens it leaves out one or another, depending on rounding.
    (r"(sliding_|attention_)?window_size|sliding_window", 6),
    (r"local_attention|attention_chunk_size", 6),
)
# Settings that no pattern covers, by the type of model.
_OWN: dict[str, dict[str, Any]] = {
    "bailing_hybrid": {
        "layer_types": ["linear_attention", "full_attention", "linear_attention", "full_attention"],
        "n_group": 1,
        "num_group": 1,
        "topk_group": 1,
    },
    "bamba": {"attn_layer_indices": [1, 3]},
    "bart": {"encoder_attention_heads": 2, "encoder_ffn_dim": 40},
    "blt": {
        "encoder_hash_byte_group_size": [3],
        "encoder_hash_byte_group_vocab": 50,
        "patch_in_forward": False,
    },
    "cohere_compass_text": {
        "layer_types": ["sliding_attention", "full_attention", "sliding_attention", "full_attention"],
        "rope_parameters": {
            "full_attention": {"rope_theta": 10000.0, "rope_type": "default"},
            "sliding_attention": {"rope_theta": 10000.0, "rope_type": "default"},
        },
    },
    "dbrx": {
        "attn_config": {"clip_qkv": 8, "kv_n_heads": 2, "rope_theta": 10000.0},
        "ffn_config": {"ffn_hidden_size": 48, "moe_num_experts": 4, "moe_top_k": 2},
    },
    "deepseek_v2": {"first_k_dense_replace": 1, "num_experts_per_tok": 2},
    "dots1": {"n_routed_experts": 4, "n_shared_experts": 1, "num_experts_per_tok": 2},
    "emu3": {"vocabulary_map": {"<image>": 5}},
    "esm": {"mask_token_id": 4, "pad_token_id": 1, "vocab_size": 99},
    "esmc": {"num_key_value_heads": 4},
    "funnel": {"architectures": ["FunnelModel"], "block_sizes": [2, 2], "num_decoder_layers": 1},
    "gemma3n_text": {
        "activation_sparsity_pattern": [0.0, 0.0, 0.0, 0.0],
        "hidden_size_per_layer_input": 8,
        "intermediate_size": 48,
        "layer_types": ["sliding_attention", "full_attention", "sliding_attention", "full_attention"],
        "num_kv_shared_layers": 0,
        "vocab_size_per_layer_input": 99,
    },
    "gemma4_assistant": {
        "text_config": {"hidden_size_per_layer_input": 0, "vocab_size_per_layer_input": 0}
    },
    "gpt_neo": {"attention_types": [[["global", "local"], 2]]},
    "granite": {
        "attention_multiplier": 0.4,
        "embedding_multiplier": 3.0,
        "logits_scaling": 7.0,
        "residual_multiplier": 0.3,
    },
    "granitemoehybrid": {"layer_types": ["mamba", "attention", "mamba", "attention"]},
    "hunyuan_v1_dense": {"head_dim": 8, "num_key_value_heads": 2},
    "hunyuan_v1_moe": {"head_dim": 8, "num_key_value_heads": 2},
    "jamba": {
        "attn_layer_offset": 1,
        "attn_layer_period": 2,
        "expert_layer_offset": 1,
        "expert_layer_period": 2,
    },
    "kimi_linear": {
        "layer_types": ["linear_attention", "full_attention", "linear_attention", "full_attention"],
        "num_experts_per_tok": 2,
        "num_local_experts": 4,
    },
    "led": {"attention_window": 8},
    "lfm2_moe": {"layer_types": ["conv", "full_attention", "conv", "full_attention"]},
    "longcat_flash": {
        "expert_ffn_hidden_size": 16,
        "head_dim": 8,
        "num_key_value_heads": 4,
        "qk_head_dim": 16,
        "qk_nope_head_dim": 8,
        "qk_rope_head_dim": 8,
        "v_head_dim": 8,
        "zero_expert_num": 2,
    },
    "longformer": {"attention_window": [8, 8, 8, 8]},
    "mamba2": {"expand": 2, "head_dim": 8, "num_heads": 8},
    "ministral": {"head_dim": 8},
    "nemotron": {"head_dim": 8, "num_key_value_heads": 2},
    "neomme": {"head_dim": 16},
    "perceiver": {"d_latents": 32, "d_model": 32, "num_blocks": 1, "num_latents": 8},
    "qwen4_exp_text": {
        "hc_lowrank": 8,
        "indexer_budget": 8,
        "indexer_compress_ratio": 2,
        "indexer_head_dim": 8,
        "indexer_kv_heads": 1,
        "indexer_n_heads": 2,
        "layer_types": [
            "linear_attention",
            "indexed_attention",
            "linear_attention",
            "indexed_attention",
        ],
        "linear_num_key_heads": 2,
        "linear_num_value_heads": 4,
        "output_gate_type": "silu",
    },
    "reformer": {
        "attn_layers": ["local", "lsh", "local", "lsh"],
        "axial_pos_embds_dim": [16, 16],
        "axial_pos_shape": [8, 8],
    },
    "xlnet": {"d_head": 8},
    "xmod": {"default_language": "en_XX", "languages": ["en_XX"]},
    "zamba": {
        "layers_block_type": [
            "linear_attention",
            "linear_attention",
            "hybrid",
            "linear_attention",
            "hybrid",
            "linear_attention",
        ],
        "num_hidden_layers": 6,
    },
    "zamba2": {
        "hybrid_layer_ids": [1, 3],
        "layer_types": ["mamba", "hybrid", "mamba", "hybrid"],
        "layers_block_type": ["mamba", "hybrid", "mamba", "hybrid"],
    },
}


_OWN["qwen4_exp"] = {"text_config": _OWN["qwen4_exp_text"]}


class TooLarge(ValueError):
    """The smallest model of this type has more than `MOST_PARAMETERS` parameters."""


def types() -> tuple[str, ...]:
    """Every type of model that `transformers` lists for a task on texts."""
    from transformers.models.auto import modeling_auto

    tasks = ("CAUSAL_LM", "MASKED_LM", "SEQ_TO_SEQ_CAUSAL_LM", "TEXT_ENCODING")
    listed = (getattr(modeling_auto, f"MODEL_FOR_{task}_MAPPING_NAMES") for task in tasks)
    return tuple(sorted({kind for mapping in listed for kind in mapping}))


def config(kind: str, **own: Any) -> Any:
    """A small configuration of this type.

    Raises:
        Exception: anything that the class raises if these sizes do not fit together.
    """
    from transformers import CONFIG_MAPPING

    made = CONFIG_MAPPING[kind]
    if kind == "encoder-decoder":  # two models of other types
        ids = {"decoder_start_token_id": 2, "pad_token_id": 0}
        return made.from_encoder_decoder_configs(config("bert"), config("gpt2"), **ids, **own)
    settings = _small(made())
    return made(**_merged(_merged(settings, _OWN.get(kind, {})), own))


def model(kind: str, made: Any = None, auto: str = "AutoModel", seed: int = 0) -> Any:
    """A random model of this type in evaluation mode, with numbers far from 0.

    Raises:
        TooLarge: if it cannot be made small.
        Exception: anything that `transformers` raises if it cannot be built.
    """
    import transformers
    from transformers import AutoModelForCausalLM, AutoModelForSeq2SeqLM
    from transformers.models.auto.modeling_auto import MODEL_MAPPING

    made = config(kind) if made is None else made
    cls = getattr(transformers, auto)
    if auto == "AutoModel" and type(made) not in MODEL_MAPPING:  # this type exists only with its head
        cls = next(
            c for c in (AutoModelForSeq2SeqLM, AutoModelForCausalLM) if type(made) in c._model_mapping
        )
    build = cls.from_config if auto.startswith("Auto") else cls
    with torch.device("meta"):
        count = sum(part.numel() for part in build(copy.deepcopy(made)).parameters())
    if count > MOST_PARAMETERS:
        raise TooLarge(f"{count:,} parameters")
    torch.manual_seed(seed)
    built = build(copy.deepcopy(made)).eval()
    with torch.no_grad():
        for name, part in built.named_parameters():
            if part.is_floating_point():
                part.add_(torch.randn_like(part) * (0.02 if "norm" in name else 0.1))
    return built


def _small(made: Any) -> dict[str, Any]:
    """Small values for the settings of a configuration, and of its parts, that are too large."""
    settings: dict[str, Any] = {}
    for name, value in vars(made).items():
        if isinstance(value, bool) or not isinstance(value, int):
            continue
        small = next((size for pattern, size in _SIZES if re.fullmatch(pattern, name)), None)
        if small is not None and (value > small or "layer" in name):
            settings[name] = small
        elif small is None and name.endswith("_token_id") and value >= VOCABULARY:
            settings[name] = 0 if name.startswith("pad") else 3
    if {"kv_lora_rank", "num_key_value_heads"} <= vars(made).keys():
        settings["num_key_value_heads"] = 4  # one latent vector is expanded into the keys of all heads
    for name in made.sub_configs:
        part = getattr(made, name, None)
        if part is not None:
            settings[name] = {"model_type": part.model_type} | _small(part)
    return settings


def _merged(a: dict[str, Any], b: dict[str, Any]) -> dict[str, Any]:
    both = dict(a)
    for key, value in b.items():
        inner = both.get(key)
        both[key] = (
            _merged(inner, value) if isinstance(inner, dict) and isinstance(value, dict) else value
        )
    return both
