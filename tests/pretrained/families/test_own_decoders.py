"""Decoders in our own transformer equal eager `transformers`: random weights, odd shapes.

`hidden_states[-1]` of `transformers` is already normed: it is compared with the final norm's output.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
import torch
from torch import Tensor

from core.pretrained.engines import scratch
from core.pretrained.files import family_tables
from core.transformer import LanguageModel

Fill = Callable[..., None]
SIZES: dict[str, Any] = {
    "vocab_size": 101,
    "hidden_size": 36,
    "intermediate_size": 23,
    "num_hidden_layers": 3,
    "num_attention_heads": 6,
    "num_key_value_heads": 2,
    "max_position_embeddings": 4096,
    "bos_token_id": None,
    "eos_token_id": None,
}
GPT2: dict[str, Any] = {
    "vocab_size": 101,
    "n_embd": 42,
    "n_layer": 3,
    "n_head": 6,
    "n_positions": 64,
    "bos_token_id": None,
    "eos_token_id": None,
}
LLAMA3 = {
    "rope_type": "llama3",
    "rope_theta": 5000.0,
    "factor": 8.0,
    "low_freq_factor": 1.0,
    "high_freq_factor": 4.0,
    "original_max_position_embeddings": 32,
}
# name -> (the class's family, its configuration)
SHAPES: dict[str, tuple[str, dict[str, Any]]] = {
    "llama, heads apart": ("Llama", SIZES | {"head_dim": 10}),
    "llama, biases, tied": (
        "Llama",
        SIZES | {"attention_bias": True, "mlp_bias": True, "tie_word_embeddings": True},
    ),
    "llama 3, stretched": ("Llama", SIZES | {"num_key_value_heads": 3, "rope_parameters": LLAMA3}),
    "llama, linear": (
        "Llama",
        SIZES
        | {"num_key_value_heads": 1, "rms_norm_eps": 1e-2}
        | {"rope_parameters": {"rope_type": "linear", "rope_theta": 300.0, "factor": 2.5}},
    ),
    "mistral": ("Mistral", SIZES | {"head_dim": 14, "sliding_window": 5}),
    "mistral, no window": ("Mistral", SIZES | {"sliding_window": None}),
    "qwen2": ("Qwen2", SIZES),
    "qwen2, windows": (
        "Qwen2",
        SIZES | {"use_sliding_window": True, "sliding_window": 4, "max_window_layers": 1},
    ),
    "gpt2": ("GPT2", GPT2),
    "gpt2, narrow, untied": (
        "GPT2",
        GPT2 | {"n_inner": 17, "tie_word_embeddings": False, "layer_norm_epsilon": 1e-3},
    ),
}
# The sizes that differ most from those above are found by chance, in `make fuzz`.
RANDOM = range(60)


class Pair(NamedTuple):
    """A model of `transformers`, and ours with its weights."""

    theirs: Any
    ours: LanguageModel


def made(family: str, settings: dict[str, Any], fill: Fill, seed: int = 0) -> Pair:
    import transformers

    config = getattr(transformers, f"{family}Config")(**settings, attn_implementation="eager")
    head = "LMHeadModel" if family == "GPT2" else "ForCausalLM"
    theirs = getattr(transformers, f"{family.removesuffix('Text')}{head}")(config).eval()
    fill(theirs, seed)
    with torch.no_grad():
        for name, tensor in theirs.named_parameters():
            if ".ln_" in name and name.endswith("weight"):  # what `fill` knows by the name "norm"
                tensor.add_(1)
    plan = scratch.plan_of(config)
    headed = family_tables.config_of(config, headed=True)
    assert plan is not None
    assert headed is not None
    ours = scratch.from_state_dict(plan._replace(config=headed), theirs.state_dict(), family)
    assert isinstance(ours, LanguageModel)
    return Pair(theirs, ours.eval().requires_grad_(False))


def ids(pair: Pair, length: int, seed: int = 0) -> Tensor:
    """(2, L)."""
    draw = torch.Generator().manual_seed(seed)
    return torch.randint(pair.theirs.config.vocab_size, (2, length), generator=draw)


def apart(mine: Tensor, its: Tensor) -> float:
    return float((mine - its).abs().max())


def relative(mine: Tensor, its: Tensor) -> float:
    return apart(mine, its) / float(its.abs().max())


def differences(pair: Pair, ids_BL: Tensor, mask_BL: Tensor | None = None) -> dict[str, float]:
    """The largest differences at tokens, of attention, hidden states (relative) and logits."""
    there = torch.ones_like(ids_BL, dtype=torch.bool) if mask_BL is None else mask_BL
    with torch.no_grad():
        given = {} if mask_BL is None else {"attention_mask": mask_BL.long()}
        out = pair.theirs(ids_BL, **given, output_hidden_states=True, output_attentions=True)
        mine = pair.ours(ids_BL, mask_BL)
    stack = mine.stack
    states = [stack.embedded_BLD, *(one.output_BLD for one in stack.layers[:-1]), stack.final_BLD]
    weights = [one.attention.weights_BHLM for one in stack.layers]
    assert len(out.attentions) == len(weights)
    return {
        "attention": max(
            apart(a.transpose(1, 2)[there], b.transpose(1, 2)[there])
            for a, b in zip(weights, out.attentions, strict=True)
            if a is not None
        ),
        "hidden": max(
            relative(a[there], b[there]) for a, b in zip(states, out.hidden_states, strict=True)
        ),
        "logits": apart(mine.logits_BLV[there], out.logits[there]),
    }


def check(pair: Pair, length: int = 19) -> dict[str, float]:
    """One text, a padded batch, and a text read piece by piece. Returns the largest differences."""
    ids_BL = ids(pair, length)
    mask_BL = torch.arange(length) < torch.tensor([[length], [max(1, length - 6)]])
    found = [differences(pair, ids_BL[:1]), differences(pair, ids_BL, mask_BL)]
    worst = {name: max(one[name] for one in found) for name in found[0]}
    assert worst["attention"] <= 1e-5, worst
    assert worst["hidden"] <= 1e-5, worst
    assert worst["logits"] <= 1e-4, worst
    with torch.no_grad():
        whole = pair.theirs(ids_BL).logits
        for chunks in ([1] * length, [length // 2, 1, 2, length]):
            past, start = None, 0
            for size in chunks:
                new = pair.ours(ids_BL[:, start : start + size], past=past)
                past, stop = new.stack, min(length, start + size)
                worst["cached"] = max(
                    worst.get("cached", 0), apart(new.logits_BLV, whole[:, start:stop])
                )
                if (start := stop) == length:
                    break
    assert worst["cached"] <= 1e-4, worst
    return worst


@pytest.mark.few(5)
@pytest.mark.parametrize("shape", SHAPES)
def test_odd_shapes(shape: str, fill_randomly: Fill) -> None:
    pair = made(*SHAPES[shape], fill_randomly)
    check(pair)
    # Attention that is uniform (1/11 each) would prove nothing.
    weights = pair.ours(ids(pair, 19)[:1]).stack.layers[1].attention.weights_BHLM
    assert weights is not None
    assert float(weights[0, :, 10].max()) > 2 / 11


def test_far_into_a_text(fill_randomly: Fill) -> None:
    """Angles grow with positions, and with them what rounding makes of them."""
    settings = SIZES | {"head_dim": 10, "rope_parameters": LLAMA3, "num_hidden_layers": 2}
    pair = made("Llama", settings, fill_randomly)
    ids_BL = ids(pair, 700)[:1]
    found = differences(pair, ids_BL)
    assert found["attention"] <= 1e-5
    assert found["hidden"] <= 1e-5
    assert found["logits"] <= 1e-4


def drawn(seed: int) -> tuple[str, dict[str, Any]]:
    """A family and sizes by chance."""
    draw = random.Random(seed)
    shared, groups = draw.choice([1, 2, 3, 5]), draw.choice([1, 2, 3, 7])
    heads, d_head = shared * groups, 2 * draw.randint(1, 9)
    layers = draw.randint(1, 5)
    window = draw.randint(1, 20)
    if (family := draw.choice(["Llama", "Llama", "Mistral", "Qwen2", "GPT2"])) == "GPT2":
        own = {"n_embd": heads * d_head, "n_layer": layers, "n_head": heads}
        inner = draw.choice([None, 1, 13, 40])
        named = draw.choice(["gelu_new", "gelu", "relu", "gelu_pytorch_tanh", "silu"])
        more = {"n_inner": inner, "activation_function": named}
        return family, GPT2 | own | more | {"tie_word_embeddings": draw.random() < 0.5}
    settings: dict[str, Any] = {
        "vocab_size": draw.choice([53, 101, 257]),
        "hidden_size": heads * draw.randint(2, 9),
        "intermediate_size": draw.randint(1, 50),
        "num_hidden_layers": layers,
        "num_attention_heads": heads,
        "num_key_value_heads": shared,
        "head_dim": d_head,
        "rms_norm_eps": draw.choice([1e-6, 1e-5, 1e-2]),
        "tie_word_embeddings": draw.random() < 0.5,
        "hidden_act": draw.choice(["silu", "silu", "gelu", "relu"]),
    }
    rope: dict[str, Any] = {"rope_type": "default", "rope_theta": draw.choice([50.0, 1e4, 5e5])}
    if family == "Llama":
        settings |= {name: draw.random() < 0.5 for name in ("attention_bias", "mlp_bias")}
        kind = draw.choice(["default", "linear", "llama3"])
        rope = {
            "default": rope,
            "linear": rope | {"rope_type": "linear", "factor": draw.uniform(1, 9)},
            "llama3": LLAMA3 | {"factor": draw.uniform(1, 33), "rope_theta": rope["rope_theta"]},
        }[kind]
    if family == "Mistral":
        settings["sliding_window"] = draw.choice([None, window])
    if family == "Qwen2":
        settings |= {"use_sliding_window": draw.random() < 0.7, "sliding_window": window}
        settings["max_window_layers"] = draw.randint(0, layers)
    return family, SIZES | settings | {"rope_parameters": rope}


@pytest.mark.few(3)
@pytest.mark.parametrize("seed", RANDOM)
def test_shapes_by_chance(seed: int, fill_randomly: Fill) -> None:
    family, settings = drawn(seed)
    check(made(family, settings, fill_randomly, seed), random.Random(seed).randint(2, 40))


@pytest.mark.parametrize(
    ("family", "settings"),
    [
        ("Llama", {"hidden_act": "tanh"}),
        ("Llama", {"rope_parameters": {"rope_type": "yarn", "rope_theta": 1e4, "factor": 2.0}}),
        ("Llama", {"rope_parameters": LLAMA3 | {"high_freq_factor": 1.0}}),
        ("Llama", {"is_causal": False}),
        ("Qwen2", {"layer_types": ["full_attention", "chunked_attention", "full_attention"]}),
        ("GPT2", {"scale_attn_weights": False}),
        ("GPT2", {"scale_attn_by_inverse_layer_idx": True}),
        ("GPT2", {"add_cross_attention": True}),
        ("Olmo", {"clip_qkv": 8.0}),
    ],
    ids=str,
)
def test_what_the_tables_do_not_say_is_left_to_transformers(
    family: str, settings: dict[str, Any]
) -> None:
    import transformers

    sizes = GPT2 if family == "GPT2" else SIZES
    try:
        config = getattr(transformers, f"{family}Config")(**(sizes | settings))
    except Exception:  # transformers itself may refuse it, in some versions
        pytest.skip("transformers does not accept this configuration")
    assert scratch.plan_of(config) is None
