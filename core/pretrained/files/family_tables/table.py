"""The families: for each type of model, its parts, its tensors' names, and the paper that has it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from . import settings
from .layout import HEAD, Family, Fused

_QKV = ("attention.query", "attention.key", "attention.value")

# Llama 2 and 3 (Touvron et al. 2023; Dubey et al. 2024), and SmolLM2.
_LLAMA = Family(
    prefix="model",
    stack="layers",
    outside={"embeddings.tokens": "embed_tokens", "stack.norm": "norm"},
    layer={
        "attention_norm": "input_layernorm",
        "attention.query": "self_attn.q_proj",
        "attention.key": "self_attn.k_proj",
        "attention.value": "self_attn.v_proj",
        "attention.output": "self_attn.o_proj",
        "output_norm": "post_attention_layernorm",
        "feed_forward.gate": "mlp.gate_proj",
        "feed_forward.inner": "mlp.up_proj",
        "feed_forward.outer": "mlp.down_proj",
    },
    biases={
        "qkv_bias": "attention_bias",
        "output_bias": "attention_bias",
        "feed_forward_bias": "mlp_bias",
    },
    more=settings.llama,
)
_NO_BIASES: Mapping[str, bool | str] = MappingProxyType(
    {"qkv_bias": False, "output_bias": False, "feed_forward_bias": False}
)
_ATTENTION_BIASES: Mapping[str, bool | str] = MappingProxyType(
    {"qkv_bias": "attention_bias", "output_bias": "attention_bias", "feed_forward_bias": False}
)
_QKV_BIASES: Mapping[str, bool | str] = MappingProxyType(
    {"qkv_bias": "attention_bias", "output_bias": False, "feed_forward_bias": False}
)
# Gemma Team (2024): γ is stored less 1.
_GEMMA = _LLAMA._replace(
    biases=_ATTENTION_BIASES,
    more=settings.gemma,
    less_one=("input_layernorm", "post_attention_layernorm", "norm"),
)
# Gemma Team (2024, "Gemma 2"): norms before and behind each sub-layer, capped scores and logits.
_GEMMA2 = _GEMMA._replace(
    layer={
        **_LLAMA.layer,
        "attention_norm.behind": "post_attention_layernorm",
        "output_norm": "pre_feedforward_layernorm",
        "output_norm.behind": "post_feedforward_layernorm",
    },
    more=settings.gemma2,
    less_one=(*_GEMMA.less_one, "pre_feedforward_layernorm", "post_feedforward_layernorm"),
)
_QUERY_KEY_NORM = MappingProxyType(
    {"attention.query_norm": "self_attn.q_norm", "attention.key_norm": "self_attn.k_norm"}
)
# Penedo et al. (2023) and Almazrouei et al. (2023); its norms are in `_falcon_family`.
_FALCON = Family(
    prefix="transformer",
    stack="h",
    outside={"embeddings.tokens": "word_embeddings", "stack.norm": "ln_f"},
    layer={
        "attention.output": "self_attention.dense",
        "feed_forward.inner": "mlp.dense_h_to_4h",
        "feed_forward.outer": "mlp.dense_4h_to_h",
    },
    fused={"self_attention.query_key_value": Fused(_QKV, by_group=True)},
    biases={"qkv_bias": "bias", "output_bias": "bias", "feed_forward_bias": "bias"},
    more=settings.falcon,
)

# Radford et al. (2019)
_GPT2 = Family(
    prefix="transformer",
    stack="h",
    outside={
        "embeddings.tokens": "wte",
        "embeddings.positions.table": "wpe",
        "stack.norm": "ln_f",
    },
    layer={
        "attention_norm": "ln_1",
        "attention.output": "attn.c_proj",
        "output_norm": "ln_2",
        "feed_forward.inner": "mlp.c_fc",
        "feed_forward.outer": "mlp.c_proj",
    },
    fused={"attn.c_attn": Fused(_QKV)},
    inputs_first=("attn.c_attn", "attn.c_proj", "mlp.c_fc", "mlp.c_proj"),
    biases={},
    more=settings.gpt2,
)
# Lewis et al. (2020)
_BART_SELF = {
    "attention.query": "self_attn.q_proj",
    "attention.key": "self_attn.k_proj",
    "attention.value": "self_attn.v_proj",
    "attention.output": "self_attn.out_proj",
    "attention_norm": "self_attn_layer_norm",
    "feed_forward.inner": "fc1",
    "feed_forward.outer": "fc2",
    "output_norm": "final_layer_norm",
}
_TABLES = ("encoder.embed_tokens.weight", "decoder.embed_tokens.weight")
_BART = Family(
    prefix="model",
    stack="decoder.layers",
    outside={
        "embeddings.tokens": "shared",
        "source_embeddings.positions.table": "encoder.embed_positions",
        "source_embeddings.norm": "encoder.layernorm_embedding",
        "embeddings.positions.table": "decoder.embed_positions",
        "embeddings.norm": "decoder.layernorm_embedding",
        "encoder.norm": "encoder.layer_norm",
        "decoder.norm": "decoder.layer_norm",
    },
    layer={
        **_BART_SELF,
        "cross.query": "encoder_attn.q_proj",
        "cross.key": "encoder_attn.k_proj",
        "cross.value": "encoder_attn.v_proj",
        "cross.output": "encoder_attn.out_proj",
        "cross_norm": "encoder_attn_layer_norm",
    },
    source_stack="encoder.layers",
    source_layer=_BART_SELF,
    unused_rows={"encoder.embed_positions": 2, "decoder.embed_positions": 2},
    biases={},
    more=settings.bart,
    causal=False,
    head=_TABLES,
    tables=(*_TABLES, HEAD),
)
# Junczys-Dowmunt et al. (2018): its positions are computed, unless a file has them.
_MARIAN = _BART._replace(unused_rows=MappingProxyType({}), more=settings.marian)


def _t5_half(network: int) -> dict[str, str]:
    """Our modules in a layer of T5 -> theirs; `network`: the place of the network among its parts."""
    dense = f"layer.{network}.DenseReluDense"
    return {
        "attention.query": "layer.0.SelfAttention.q",
        "attention.key": "layer.0.SelfAttention.k",
        "attention.value": "layer.0.SelfAttention.v",
        "attention.output": "layer.0.SelfAttention.o",
        "attention_norm": "layer.0.layer_norm",
        "feed_forward.inner": f"{dense}.wi",
        "feed_forward.outer": f"{dense}.wo",
        "output_norm": f"layer.{network}.layer_norm",
    }


# Raffel et al. (2020)
_T5 = Family(
    prefix="transformer",
    stack="decoder.block",
    outside={
        "embeddings.tokens": "shared",
        "encoder.relative.table": "encoder.block.0.layer.0.SelfAttention.relative_attention_bias",
        "decoder.relative.table": "decoder.block.0.layer.0.SelfAttention.relative_attention_bias",
        "encoder.norm": "encoder.final_layer_norm",
        "decoder.norm": "decoder.final_layer_norm",
    },
    layer={
        **_t5_half(2),
        "cross.query": "layer.1.EncDecAttention.q",
        "cross.key": "layer.1.EncDecAttention.k",
        "cross.value": "layer.1.EncDecAttention.v",
        "cross.output": "layer.1.EncDecAttention.o",
        "cross_norm": "layer.1.layer_norm",
    },
    source_stack="encoder.block",
    source_layer=_t5_half(1),
    biases=_NO_BIASES,
    more=settings.t5,
    causal=False,
    head=_TABLES,
    tables=(*_TABLES, HEAD),
)


def _t5_family(config: Any) -> Family:
    """A T5, whose network has two matrices or, since version 1.1, three (Shazeer 2020)."""
    if not config.is_gated_act:
        return _T5
    gated = [
        {
            **half,
            "feed_forward.gate": half["feed_forward.inner"] + "_0",
            "feed_forward.inner": half["feed_forward.inner"] + "_1",
        }
        for half in (_T5.layer, _T5.source_layer)
    ]
    return _T5._replace(layer=gated[0], source_layer=gated[1])


# Bellagente et al. (2024)
_STABLELM = _LLAMA._replace(
    biases={"qkv_bias": "use_qkv_bias", "output_bias": False, "feed_forward_bias": False},
    more=settings.stablelm,
)


def _stablelm_family(config: Any) -> Family:
    """A StableLM; where attention and network stand side by side, they share a norm."""
    if not config.use_parallel_residual:
        return _STABLELM
    layer = {our: theirs for our, theirs in _STABLELM.layer.items() if our != "output_norm"}
    return _STABLELM._replace(layer=layer, twice=MappingProxyType({"input_layernorm": "output_norm"}))


# Groeneveld et al. (2024): its norms have no weights
_OLMO = _LLAMA._replace(
    outside={"embeddings.tokens": "embed_tokens"},
    layer={our: theirs for our, theirs in _LLAMA.layer.items() if "norm" not in our},
    biases={**_ATTENTION_BIASES, "norm_bias": False},
    more=settings.olmo,
    plain_norms=True,
)


# OLMo Team (2024): norms behind the sub-layers
_OLMO2 = _LLAMA._replace(
    layer={
        **_LLAMA.layer,
        **_QUERY_KEY_NORM,
        "attention_norm": "post_attention_layernorm",
        "output_norm": "post_feedforward_layernorm",
    },
    biases=_ATTENTION_BIASES,
    more=settings.olmo2,
)
# Cohere (2024), "Command R"
_COHERE = _LLAMA._replace(
    layer={our: theirs for our, theirs in _LLAMA.layer.items() if our != "output_norm"},
    twice={"input_layernorm": "output_norm"},
    biases=_ATTENTION_BIASES,
    more=settings.cohere,
)
# GLM Team (2024), "ChatGLM"
_GLM = _LLAMA._replace(
    layer={
        our: theirs
        for our, theirs in _LLAMA.layer.items()
        if our not in ("feed_forward.gate", "feed_forward.inner")
    },
    fused={"mlp.gate_up_proj": Fused(("feed_forward.gate", "feed_forward.inner"))},
    biases=_QKV_BIASES,
    more=settings.glm,
)


def _granite_family(config: Any) -> Family:
    """A Granite (IBM 2024), whose sub-layers add what they give times a factor."""
    factor = float(config.residual_multiplier)
    times = {"self_attn.o_proj": factor, "mlp.down_proj": factor}
    return _LLAMA._replace(more=settings.granite, times=MappingProxyType(times))


def _umt5_family(config: Any) -> Family:
    """A umT5 (Chung et al. 2023, "UniMax"), whose layers have a table of distances each."""
    family, bias = _t5_family(config), "layer.0.SelfAttention.relative_attention_bias"
    halves = ("encoder", config.num_layers), ("decoder", config.num_decoder_layers)
    tables = {
        f"{half}.relative.{i}.table": f"{half}.block.{i}.{bias}"
        for half, layers in halves
        for i in range(layers)
    }
    others = {our: their for our, their in family.outside.items() if "relative" not in our}
    return family._replace(outside={**others, **tables}, more=settings.umt5)


def _falcon_family(config: Any) -> Family:
    """A Falcon with its norms: two side by side, one for attention and network, or the usual two."""
    family = _FALCON
    if not config.parallel_attn:
        names = {"attention_norm": "input_layernorm", "output_norm": "post_attention_layernorm"}
    elif config.new_decoder_architecture and config.num_ln_in_parallel_attn in (None, 2):
        names = {"attention_norm": "ln_attn", "output_norm": "ln_mlp"}
    else:
        names = {"attention_norm": "input_layernorm"}
        family = family._replace(twice=MappingProxyType({"input_layernorm": "output_norm"}))
    return family._replace(layer={**names, **family.layer})


FAMILIES: Mapping[str, Family | Callable[[Any], Family]] = MappingProxyType(
    {
        "llama": _LLAMA,
        # Jiang et al. (2023)
        "mistral": _LLAMA._replace(biases=_NO_BIASES, more=settings.mistral),
        # Yang et al. (2024)
        "qwen2": _LLAMA._replace(biases={**_NO_BIASES, "qkv_bias": True}, more=settings.qwen2),
        # Yang et al. (2025): queries and keys normed
        "qwen3": _LLAMA._replace(
            layer={**_LLAMA.layer, **_QUERY_KEY_NORM}, biases=_ATTENTION_BIASES, more=settings.qwen3
        ),
        # Hugging Face (2025): every fourth layer without positions
        "smollm3": _LLAMA._replace(more=settings.smollm3),
        "olmo2": _OLMO2,
        # LG AI Research (2025): OLMo 2's norms, and no positions where a layer attends to all tokens
        "exaone4": _OLMO2._replace(biases=_NO_BIASES, more=settings.exaone4),
        "olmo": _OLMO,
        "granite": _granite_family,
        "cohere": _COHERE,
        # Cohere (2025), "Command A": windows, and positions only there
        "cohere2": _COHERE._replace(more=settings.cohere2),
        "glm": _GLM,
        # GLM Team (2025): norms before and behind each sub-layer
        "glm4": _GLM._replace(
            layer={
                **_GLM.layer,
                "attention_norm.behind": "post_self_attn_layernorm",
                "output_norm.behind": "post_mlp_layernorm",
            },
            more=settings.glm4,
        ),
        # Baidu (2025)
        "ernie4_5": _LLAMA._replace(
            biases={name: "use_bias" for name in _NO_BIASES}, more=settings.adjacent
        ),
        # Kyutai (2025)
        "helium": _LLAMA._replace(
            biases={**_QKV_BIASES, "feed_forward_bias": "mlp_bias"}, more=settings.adjacent
        ),
        # ByteDance (2025)
        "seed_oss": _LLAMA._replace(
            biases={**_LLAMA.biases, "output_bias": "attention_out_bias"}, more=settings.llama
        ),
        "gemma": _GEMMA,
        "gemma2": _GEMMA2,
        # Gemma Team (2025): queries and keys normed in place of a cap, two rates of rotation
        "gemma3_text": _GEMMA2._replace(
            layer={**_GEMMA2.layer, **_QUERY_KEY_NORM},
            more=settings.gemma3,
            less_one=(*_GEMMA2.less_one, "self_attn.q_norm", "self_attn.k_norm"),
        ),
        # Abdin et al. (2024): matrices of one input in one
        "phi3": _LLAMA._replace(
            layer={
                our: theirs
                for our, theirs in _LLAMA.layer.items()
                if our not in (*_QKV, "feed_forward.gate", "feed_forward.inner")
            },
            fused={
                "self_attn.qkv_proj": Fused(_QKV),
                "mlp.gate_up_proj": Fused(("feed_forward.gate", "feed_forward.inner")),
            },
            biases=_NO_BIASES,
            more=settings.phi3,
        ),
        # Black et al. (2022); Biderman et al. (2023), "Pythia"
        "gpt_neox": Family(
            prefix="gpt_neox",
            stack="layers",
            outside={"embeddings.tokens": "embed_in", "stack.norm": "final_layer_norm"},
            layer={
                "attention_norm": "input_layernorm",
                "attention.output": "attention.dense",
                "output_norm": "post_attention_layernorm",
                "feed_forward.inner": "mlp.dense_h_to_4h",
                "feed_forward.outer": "mlp.dense_4h_to_h",
            },
            fused={"attention.query_key_value": Fused(_QKV, by_group=True)},
            biases={"qkv_bias": "attention_bias", "output_bias": "attention_bias"},
            more=settings.gpt_neox,
        ),
        # Wang and Komatsuzaki (2021)
        "gptj": Family(
            prefix="transformer",
            stack="h",
            outside={"embeddings.tokens": "wte", "stack.norm": "ln_f"},
            layer={
                "attention_norm": "ln_1",
                "attention.query": "attn.q_proj",
                "attention.key": "attn.k_proj",
                "attention.value": "attn.v_proj",
                "attention.output": "attn.out_proj",
                "feed_forward.inner": "mlp.fc_in",
                "feed_forward.outer": "mlp.fc_out",
            },
            twice={"ln_1": "output_norm"},
            biases={"qkv_bias": False, "output_bias": False},
            more=settings.gptj,
        ),
        "falcon": _falcon_family,
        "stablelm": _stablelm_family,
        # Black et al. (2021); Eldan and Li (2023), "TinyStories"
        "gpt_neo": Family(
            prefix="transformer",
            stack="h",
            outside={
                "embeddings.tokens": "wte",
                "embeddings.positions.table": "wpe",
                "stack.norm": "ln_f",
            },
            layer={
                "attention_norm": "ln_1",
                "attention.query": "attn.attention.q_proj",
                "attention.key": "attn.attention.k_proj",
                "attention.value": "attn.attention.v_proj",
                "attention.output": "attn.attention.out_proj",
                "output_norm": "ln_2",
                "feed_forward.inner": "mlp.c_fc",
                "feed_forward.outer": "mlp.c_proj",
            },
            biases={"qkv_bias": False},
            more=settings.gpt_neo,
        ),
        # Lozhkov et al. (2024)
        "starcoder2": _LLAMA._replace(
            layer={
                **{our: theirs for our, theirs in _LLAMA.layer.items() if "feed_forward" not in our},
                "feed_forward.inner": "mlp.c_fc",
                "feed_forward.outer": "mlp.c_proj",
            },
            biases={name: "use_bias" for name in _NO_BIASES},
            more=settings.starcoder2,
        ),
        # Li et al. (2023), "Textbooks Are All You Need II"
        "phi": Family(
            prefix="model",
            stack="layers",
            outside={"embeddings.tokens": "embed_tokens", "stack.norm": "final_layernorm"},
            layer={
                "attention_norm": "input_layernorm",
                "attention.query": "self_attn.q_proj",
                "attention.key": "self_attn.k_proj",
                "attention.value": "self_attn.v_proj",
                "attention.output": "self_attn.dense",
                "feed_forward.inner": "mlp.fc1",
                "feed_forward.outer": "mlp.fc2",
            },
            twice={"input_layernorm": "output_norm"},
            biases={},
            more=settings.phi,
        ),
        # Le Scao et al. (2022)
        "bloom": _FALCON._replace(
            outside={**_FALCON.outside, "embeddings.norm": "word_embeddings_layernorm"},
            layer={
                **_FALCON.layer,
                "attention_norm": "input_layernorm",
                "output_norm": "post_attention_layernorm",
            },
            biases={},
            more=settings.bloom,
        ),
        # Zhang et al. (2022)
        "opt": Family(
            prefix="model",
            stack="decoder.layers",
            outside={
                "embeddings.tokens": "decoder.embed_tokens",
                "embeddings.positions.table": "decoder.embed_positions",
                "stack.norm": "decoder.final_layer_norm",
            },
            layer={
                "attention_norm": "self_attn_layer_norm",
                "attention.query": "self_attn.q_proj",
                "attention.key": "self_attn.k_proj",
                "attention.value": "self_attn.v_proj",
                "attention.output": "self_attn.out_proj",
                "output_norm": "final_layer_norm",
                "feed_forward.inner": "fc1",
                "feed_forward.outer": "fc2",
            },
            unused_rows={"decoder.embed_positions": 2},
            biases={
                "qkv_bias": "enable_bias",
                "output_bias": "enable_bias",
                "feed_forward_bias": "enable_bias",
            },
            more=settings.opt,
        ),
        # Warner et al. (2024): an encoder
        "modernbert": Family(
            prefix="model",
            stack="layers",
            outside={
                "embeddings.tokens": "embeddings.tok_embeddings",
                "embeddings.norm": "embeddings.norm",
                "stack.norm": "final_norm",
            },
            layer={
                "attention_norm": "attn_norm",
                "attention.output": "attn.Wo",
                "output_norm": "mlp_norm",
                "feed_forward.outer": "mlp.Wo",
            },
            fused={
                "attn.Wqkv": Fused(_QKV),
                "mlp.Wi": Fused(("feed_forward.gate", "feed_forward.inner")),
            },
            biases={
                "qkv_bias": "attention_bias",
                "output_bias": "attention_bias",
                "feed_forward_bias": "mlp_bias",
                "norm_bias": "norm_bias",
            },
            more=settings.modernbert,
            causal=False,
            head=(
                *(f"head.{part}.{half}" for part in ("dense", "norm") for half in ("weight", "bias")),
                "decoder.weight",
                "decoder.bias",
            ),
        ),
        "t5": _t5_family,
        # Xue et al. (2021)
        "mt5": _t5_family,
        "umt5": _umt5_family,
        "bart": _BART,
        # Liu et al. (2020)
        "mbart": _BART._replace(more=settings.mbart),
        # Ahmad et al. (2021)
        "plbart": _BART,
        "marian": _MARIAN,
        # Zhang et al. (2020)
        "pegasus": _MARIAN._replace(more=settings.pegasus),
        "gpt2": _GPT2,
        # Li et al. (2023), "StarCoder"
        "gpt_bigcode": _GPT2._replace(inputs_first=(), more=settings.gpt_bigcode),
    }
)
