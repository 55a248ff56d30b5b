"""Every family of `family_tables` equals eager `transformers`: odd shapes, settings that matter.

The first families and the measures are in `test_own_decoders`.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import core
from core.pretrained.engines import scratch
from core.pretrained.engines.engine import Batch
from core.transformer import Transformer
from tests.pretrained.families.test_own_decoders import (
    LLAMA3,
    SIZES,
    Fill,
    apart,
    check,
    ids,
    relative,
)
from tests.pretrained.families.test_own_decoders import made as pair_of
from tests.pretrained.small_models import TEXT

NORMED: dict[str, Any] = SIZES | {"head_dim": 10, "pad_token_id": None}
GEMMA: dict[str, Any] = NORMED | {"num_hidden_layers": 4, "query_pre_attn_scalar": 7}
NEOX: dict[str, Any] = {
    key: value for key, value in SIZES.items() if key not in ("num_key_value_heads", "hidden_size")
} | {"hidden_size": 60, "pad_token_id": None}
GPTJ: dict[str, Any] = {
    "vocab_size": 101,
    "n_embd": 60,
    "n_layer": 3,
    "n_head": 5,
    "n_positions": 64,
    "rotary_dim": 8,
    "bos_token_id": None,
    "eos_token_id": None,
}
FALCON: dict[str, Any] = {
    "vocab_size": 101,
    "hidden_size": 60,
    "num_hidden_layers": 3,
    "num_attention_heads": 6,
    "bos_token_id": None,
    "eos_token_id": None,
}
BLOOM: dict[str, Any] = {
    "vocab_size": 101,
    "hidden_size": 42,
    "n_layer": 3,
    "n_head": 7,
    "bos_token_id": None,
    "eos_token_id": None,
    "pad_token_id": None,
}
OPT: dict[str, Any] = {
    "vocab_size": 101,
    "hidden_size": 42,
    "ffn_dim": 23,
    "num_hidden_layers": 3,
    "num_attention_heads": 6,
    "max_position_embeddings": 64,
    "bos_token_id": None,
    "eos_token_id": None,
    "pad_token_id": 1,
}
ONE, TWO = {"rope_type": "default", "rope_theta": 300.0}, {"rope_type": "default", "rope_theta": 5e4}
LINEAR = {"rope_type": "linear", "rope_theta": 300.0, "factor": 2.5}
KINDS = ["sliding_attention", "full_attention", "full_attention", "sliding_attention"]
# family -> its shapes; the class of its name in `transformers` comes first
SHAPES: dict[str, list[dict[str, Any]]] = {
    "Qwen3": [
        NORMED,
        NORMED | {"attention_bias": True, "tie_word_embeddings": True, "rms_norm_eps": 1e-2},
        NORMED | {"use_sliding_window": True, "sliding_window": 4, "max_window_layers": 1},
        NORMED | {"num_key_value_heads": 6, "rope_parameters": LLAMA3, "hidden_size": 35},
    ],
    "SmolLM3": [
        NORMED | {"num_hidden_layers": 5},
        NORMED | {"no_rope_layers": [0, 1, 0], "attention_bias": True, "mlp_bias": True},
        NORMED
        | {"no_rope_layers": [1, 0, 1], "use_sliding_window": True, "sliding_window": 4}
        | {"tie_word_embeddings": False, "num_key_value_heads": 1},
        NORMED | {"no_rope_layers": [0, 0, 0], "rope_parameters": ONE},
    ],
    "Olmo2": [
        SIZES | {"pad_token_id": None},
        SIZES | {"pad_token_id": None, "attention_bias": True, "tie_word_embeddings": True},
        SIZES | {"pad_token_id": None, "num_key_value_heads": 3, "rope_parameters": LLAMA3},
        SIZES | {"pad_token_id": None, "num_key_value_heads": None, "rms_norm_eps": 1e-2},
    ],
    "Gemma": [
        NORMED,
        NORMED | {"attention_bias": True, "tie_word_embeddings": False, "hidden_act": "gelu"},
        NORMED | {"num_key_value_heads": 1, "rope_parameters": ONE, "rms_norm_eps": 1e-2},
    ],
    "Gemma2": [
        GEMMA | {"sliding_window": 5, "attn_logit_softcapping": 2.0, "final_logit_softcapping": 3.0},
        GEMMA
        | {"attention_bias": True, "tie_word_embeddings": False, "layer_types": KINDS}
        | {"sliding_window": 3, "attn_logit_softcapping": None, "final_logit_softcapping": 1.5},
        GEMMA | {"num_key_value_heads": 1, "final_logit_softcapping": None, "rms_norm_eps": 1e-2},
        GEMMA | {"query_pre_attn_scalar": 300, "hidden_activation": "gelu", "rope_parameters": ONE},
    ],
    "Gemma3Text": [
        GEMMA | {"sliding_window": 5, "sliding_window_pattern": 2},
        GEMMA
        | {"layer_types": KINDS, "sliding_window": 3, "attention_bias": True}
        | {"rope_parameters": {"sliding_attention": ONE, "full_attention": LINEAR}},
        GEMMA
        | {"final_logit_softcapping": 2.0, "tie_word_embeddings": False, "num_key_value_heads": 6}
        | {"rope_parameters": {"sliding_attention": TWO, "full_attention": LLAMA3}},
    ],
    "Phi3": [
        SIZES | {"pad_token_id": None},
        SIZES | {"pad_token_id": None, "num_key_value_heads": 3, "sliding_window": 4},
        SIZES
        | {"pad_token_id": None, "num_key_value_heads": 6, "tie_word_embeddings": True}
        | {"rope_parameters": ONE | {"partial_rotary_factor": 0.7}, "hidden_act": "gelu"},
    ],
    "GPTNeoX": [
        NEOX | {"rotary_pct": 0.4},
        NEOX | {"attention_bias": False, "use_parallel_residual": False, "rotary_pct": 1.0},
        NEOX
        | {"tie_word_embeddings": True, "hidden_act": "gelu_new", "layer_norm_eps": 1e-3}
        | {"rope_parameters": ONE | {"partial_rotary_factor": 0.2}, "num_attention_heads": 3},
    ],
    "GPTJ": [
        GPTJ,
        GPTJ | {"rotary_dim": 12, "n_inner": 17, "activation_function": "relu"},
        GPTJ | {"n_head": 3, "rotary_dim": 2, "layer_norm_epsilon": 1e-3},
    ],
    "Falcon": [
        FALCON,
        FALCON | {"new_decoder_architecture": True, "num_kv_heads": 2, "bias": True},
        FALCON
        | {"new_decoder_architecture": True, "num_kv_heads": 3, "num_ln_in_parallel_attn": 1}
        | {"tie_word_embeddings": False, "ffn_hidden_size": 23},
        FALCON | {"multi_query": False, "parallel_attn": False, "bias": True, "activation": "relu"},
        FALCON | {"parallel_attn": False, "rope_parameters": ONE, "layer_norm_epsilon": 1e-3},
    ],
    "Bloom": [
        BLOOM,
        BLOOM | {"n_head": 6, "tie_word_embeddings": False, "layer_norm_epsilon": 1e-3},
        BLOOM | {"n_head": 2, "n_layer": 5, "slow_but_exact": True},
    ],
    "OPT": [
        OPT,
        OPT | {"enable_bias": False, "tie_word_embeddings": False, "num_attention_heads": 7},
        OPT | {"activation_function": "gelu", "num_hidden_layers": 1, "max_position_embeddings": 19},
    ],
}
EVERY = [
    pytest.param(family, number, marks=[pytest.mark.check] if number else [])
    for family, each in SHAPES.items()
    for number in range(len(each))
]
# What each could also be asked for, and we do not compute.
BEYOND: list[tuple[str, dict[str, Any]]] = [
    ("Qwen3", NORMED | {"hidden_act": "tanh"}),
    ("Qwen3", NORMED | {"layer_types": ["full_attention", "chunked_attention", "full_attention"]}),
    (
        "SmolLM3",
        NORMED | {"rope_parameters": {"rope_type": "dynamic", "rope_theta": 1e4, "factor": 2.0}},
    ),
    ("Olmo2", SIZES | {"rope_parameters": {"rope_type": "yarn", "rope_theta": 1e4, "factor": 2.0}}),
    ("Gemma", NORMED | {"use_bidirectional_attention": True}),
    ("Gemma2", GEMMA | {"use_bidirectional_attention": True}),
    ("Gemma2", GEMMA | {"attn_logit_softcapping": 0.0}),
    ("Gemma2", GEMMA | {"final_logit_softcapping": -1.0}),
    ("Gemma3Text", GEMMA | {"use_bidirectional_attention": True}),
    ("Gemma3Text", GEMMA | {"attn_logit_softcapping": 20.0}),
    (
        "Gemma3Text",
        GEMMA
        | {"layer_types": KINDS}
        | {
            "rope_parameters": {
                "sliding_attention": ONE,
                "full_attention": LINEAR | {"rope_type": "yarn"},
            }
        },
    ),
    (
        "Phi3",
        SIZES
        | {"rope_parameters": {"rope_type": "longrope", "rope_theta": 1e4}}
        | {
            "rope_scaling": {
                "rope_type": "longrope",
                "short_factor": [1.0] * 3,
                "long_factor": [2.0] * 3,
            }
        },
    ),
    ("GPTNeoX", NEOX | {"rotary_pct": 0.3}),  # 3 of 10 dimensions
    ("GPTNeoX", NEOX | {"rotary_pct": 0.01}),
    ("GPTNeoX", NEOX | {"hidden_act": "tanh"}),
    ("GPTJ", GPTJ | {"rotary_dim": 0}),
    ("GPTJ", GPTJ | {"tie_word_embeddings": True}),
    ("Falcon", FALCON | {"alibi": True}),
    ("Falcon", FALCON | {"new_decoder_architecture": True, "parallel_attn": False}),
    ("Falcon", FALCON | {"num_ln_in_parallel_attn": 2}),
    ("Bloom", BLOOM | {"apply_residual_connection_post_layernorm": True}),
    ("OPT", OPT | {"do_layer_norm_before": False}),
    ("OPT", OPT | {"word_embed_proj_dim": 17}),
    ("OPT", OPT | {"layer_norm_elementwise_affine": False}),
    ("OPT", OPT | {"_remove_final_layer_norm": True}),
]


@pytest.mark.few(10)
@pytest.mark.parametrize(("family", "number"), EVERY)
def test_odd_shapes(family: str, number: int, fill_randomly: Fill) -> None:
    pair = pair_of(family, SHAPES[family][number], fill_randomly, number)
    check(pair)
    stack = pair.ours(ids(pair, 19)[:1]).stack
    weights = stack.layers[0].attention.weights_BHLM
    assert weights is not None
    assert float(weights[0, :, 10].max()) > 2 / 11  # uniform attention would prove nothing


@pytest.mark.parametrize(("family", "settings"), BEYOND, ids=lambda one: str(one)[:12])
def test_what_we_do_not_compute_is_left_to_transformers(family: str, settings: dict[str, Any]) -> None:
    import transformers

    try:
        config = getattr(transformers, f"{family}Config")(**settings)
    except Exception:  # transformers itself may refuse it, in some versions
        pytest.skip("transformers does not accept this configuration")
    assert scratch.plan_of(config) is None


def test_a_cap_would_matter(fill_randomly: Fill) -> None:
    """In the shape above, scores and logits reach their caps: without them, numbers are others."""
    pair = pair_of("Gemma2", SHAPES["Gemma2"][0], fill_randomly)
    ids_BL = ids(pair, 19)
    capped = pair.ours(ids_BL)
    for layer in pair.ours.stack.layers:
        layer.attention.score_cap = 0.0  # type: ignore[union-attr]
    assert float((pair.ours(ids_BL).logits_BLV - capped.logits_BLV).abs().max()) > 0.1
    assert 2.5 < float(capped.logits_BLV.abs().max()) < 3
    assert torch.isfinite(capped.logits_BLV).all()


# Encoders whose layers or tables share weights

ELECTRA: dict[str, Any] = {
    "vocab_size": 101,
    "embedding_size": 13,
    "hidden_size": 42,
    "intermediate_size": 17,
    "num_hidden_layers": 3,
    "num_attention_heads": 6,
    "max_position_embeddings": 32,
}
DEBERTA: dict[str, Any] = {
    "vocab_size": 101,
    "hidden_size": 42,
    "intermediate_size": 17,
    "num_hidden_layers": 3,
    "num_attention_heads": 6,
    "max_position_embeddings": 32,
    "relative_attention": True,
    "position_buckets": 8,
    "max_relative_positions": -1,
    "position_biased_input": False,
    "pos_att_type": ["p2c", "c2p"],
    "share_att_key": True,
    "norm_rel_ebd": "layer_norm",
    "type_vocab_size": 0,
}
MODERN: dict[str, Any] = {
    "vocab_size": 101,
    "hidden_size": 42,
    "intermediate_size": 17,
    "num_hidden_layers": 6,
    "num_attention_heads": 7,
    "local_attention": 8,
    "pad_token_id": None,
}
ALBERT = ELECTRA | {"num_hidden_layers": 5, "num_hidden_groups": 2}
ENCODERS: list[tuple[str, dict[str, Any]]] = [
    ("DebertaV2", DEBERTA),
    (
        "DebertaV2",
        DEBERTA
        | {
            "share_att_key": False,
            "pos_att_type": ["c2p"],
            "norm_rel_ebd": "none",
        }
        | {
            "type_vocab_size": 2,
            "position_buckets": -1,
            "max_relative_positions": 5,
            "position_biased_input": True,
        },
    ),
    (
        "DebertaV2",
        DEBERTA
        | {"share_att_key": False, "num_attention_heads": 3, "hidden_act": "relu"}
        | {"position_buckets": 6, "max_relative_positions": 12, "layer_norm_eps": 1e-3},
    ),
    ("DebertaV2", DEBERTA | {"pos_att_type": ["p2c"], "position_buckets": 10}),
    ("ModernBert", MODERN),
    (
        "ModernBert",
        MODERN
        | {"norm_bias": True, "attention_bias": True, "mlp_bias": True, "local_attention": 2}
        | {"layer_types": ["sliding_attention", "full_attention", "full_attention"] * 2},
    ),
    (
        "ModernBert",
        MODERN
        | {"num_attention_heads": 3, "hidden_activation": "relu", "norm_eps": 1e-2}
        | {"rope_parameters": {"sliding_attention": TWO, "full_attention": LINEAR}},
    ),
    ("ModernBert", MODERN | {"global_attn_every_n_layers": 1, "num_hidden_layers": 1}),
    ("Electra", ELECTRA),
    ("Electra", ELECTRA | {"embedding_size": 42, "type_vocab_size": 3, "hidden_act": "relu"}),
    ("Electra", ELECTRA | {"num_attention_heads": 7, "layer_norm_eps": 1e-3}),
    ("Albert", ALBERT),
    ("Albert", ALBERT | {"embedding_size": 42, "num_hidden_groups": 1, "hidden_act": "gelu"}),
    ("Albert", ALBERT | {"num_hidden_groups": 5, "layer_norm_eps": 1e-3, "num_attention_heads": 7}),
]


@pytest.mark.parametrize(("family", "settings"), ENCODERS, ids=lambda one: str(one)[:12])
def test_encoders(family: str, settings: dict[str, Any], fill_randomly: Fill) -> None:
    import transformers

    config = getattr(transformers, f"{family}Config")(**settings, attn_implementation="eager")
    theirs = getattr(transformers, f"{family}Model")(config).eval()
    fill_randomly(theirs)
    plan = scratch.plan_of(config)
    assert plan is not None
    weights = {key: one for key, one in theirs.state_dict().items() if "pooler" not in key}
    module = scratch.from_state_dict(plan, weights, family)
    assert not isinstance(module, Transformer)
    runner = scratch.engine(module, "cpu")
    draw = torch.Generator().manual_seed(0)
    ids_BL = torch.randint(101, (2, 19), generator=draw)
    types = getattr(config, "type_vocab_size", 1) or 1
    segments_BL = torch.randint(types, (2, 19), generator=draw)
    mask_BL = torch.arange(19) < torch.tensor([[19], [13]])
    with torch.no_grad():
        out = theirs(
            ids_BL,
            attention_mask=mask_BL.long(),
            **({"token_type_ids": segments_BL} if types > 1 else {}),
            output_hidden_states=True,
            output_attentions=True,
        )
        run = runner.run(Batch(ids_BL, segments_BL, mask_BL), "all")
    states = [run.embedded_BLD, *run.hidden_BLD]
    if run.final_BLD is not None:  # transformers norms the last of its states
        states[-1] = run.final_BLD
    for mine, its in zip(states, out.hidden_states, strict=True):
        assert relative(mine[mask_BL], its[mask_BL]) <= 1e-5
    for weights_BHLM, its in zip(run.weights_BHLM, out.attentions, strict=True):
        assert weights_BHLM is not None
        assert apart(weights_BHLM.transpose(1, 2)[mask_BL], its.transpose(1, 2)[mask_BL]) <= 1e-5
    assert runner.shape.d_embedding == settings.get("embedding_size", config.hidden_size)


@pytest.mark.parametrize(
    ("family", "settings"),
    [
        ("DebertaV2", DEBERTA | {"conv_kernel_size": 3}),
        ("DebertaV2", DEBERTA | {"relative_attention": False}),
        ("DebertaV2", DEBERTA | {"embedding_size": 13}),
        ("DebertaV2", DEBERTA | {"legacy": False}),
        ("DebertaV2", DEBERTA | {"pos_att_type": ["p2p"]}),
        ("DebertaV2", DEBERTA | {"position_buckets": 1}),
        ("ModernBert", MODERN | {"hidden_activation": "tanh"}),
        ("ModernBert", MODERN | {"local_attention": 1}),
        (
            "ModernBert",
            MODERN | {"rope_parameters": {"full_attention": LINEAR | {"rope_type": "dynamic"}}},
        ),
        ("Electra", ELECTRA | {"is_decoder": True}),
        ("Electra", ELECTRA | {"hidden_act": "tanh"}),
        ("Albert", ALBERT | {"inner_group_num": 2}),
        ("Albert", ALBERT | {"num_hidden_groups": 6}),
    ],
    ids=lambda one: str(one)[:12],
)
def test_encoders_that_are_left_to_transformers(family: str, settings: dict[str, Any]) -> None:
    import transformers

    assert scratch.plan_of(getattr(transformers, f"{family}Config")(**settings)) is None


@pytest.mark.parametrize("kind", ["electra", "albert"])
def test_contributions_add_up_where_layers_share_their_weights(
    kind: str, made: Callable[..., Path]
) -> None:
    model = core.load(str(made(kind)))
    assert model.engine == "scratch"
    theirs = core.load(str(made(kind)), engine="huggingface")
    trace = model.trace(TEXT)
    bound = 1e-5 * max(1.0, float(np.abs(theirs.trace(TEXT).contextual).max()))
    np.testing.assert_allclose(trace.contextual, theirs.trace(TEXT).contextual, rtol=0, atol=bound)
    along = np.random.default_rng(0).normal(size=model.shape.d_model)
    for layer in (0, None):
        found = model.contributions(TEXT, "bank", along, layer=layer)
        assert found.error < 1e-5 * max(1.0, float(np.abs(found.by_depth).sum(1).max()))
    after = model.intervene(TEXT, core.Ablate(1, 0)).after
    assert float(np.abs(after.contextual - trace.contextual).max()) > 1e-3
