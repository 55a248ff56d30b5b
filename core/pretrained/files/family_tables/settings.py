"""What the configurations of `transformers` say in the terms of `core.transformer.TransformerConfig`.

A function for each family; None for settings that our transformer does not compute.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from .. import tensor_names

if TYPE_CHECKING:
    from ....transformer import Rotation

_ACTIVATIONS = {**tensor_names.ACTIVATIONS, "silu": "silu", "swish": "silu"}


def gpt2(config: Any) -> dict[str, Any] | None:
    """Of GPT-2 (Radford et al. 2019)."""
    activation = _ACTIVATIONS.get(str(config.activation_function))
    d_ff = 4 * config.hidden_size if config.n_inner is None else config.n_inner
    other = config.scale_attn_by_inverse_layer_idx or config.reorder_and_upcast_attn
    if activation is None or d_ff < 1 or not config.scale_attn_weights or other:
        return None
    return (
        None
        if config.add_cross_attention
        else {
            "d_ff": d_ff,
            "positions": "learned",
            "n_positions": config.n_positions,
            "activation": activation,
            "norm_eps": config.layer_norm_epsilon,
            "parts": {"norm": "LayerNorm"},
        }
    )


def llama(
    config: Any,
    windows: tuple[int, ...] | None = (),
    activation: str = "hidden_act",
    *,
    adjacent: bool = False,
    partly: bool = False,
    **parts: Any,
) -> dict[str, Any] | None:
    """What is common to Llama and the families that came out of it.

    Args:
        config: the configuration.
        windows: see `core.transformer.TransformerConfig`; None if the settings are of another kind.
        activation: the setting that names it.
        adjacent: whether neighbouring dimensions turn together, as in the paper, not halves.
        partly: whether the family knows the setting by which only a part of each head turns.
        parts: other parts than Llama's.
    """
    act = _ACTIVATIONS.get(str(getattr(config, activation)))
    d_head = getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads
    rotation = _rotation(getattr(config, "rope_parameters", None), d_head if partly else 0)
    if act is None or rotation is None or windows is None:
        return None
    rotation = replace(rotation, pairs="adjacent") if adjacent else rotation
    return {
        "d_ff": config.intermediate_size,
        "positions": "rotary",
        "activation": act,
        "norm_eps": config.rms_norm_eps,
        "windows": windows if any(windows) else (),
        "parts": {
            "norm": "RMSNorm",
            "gated": True,
            "n_kv_heads": config.num_key_value_heads,
            "d_head": d_head,
            "rotation": rotation,
            **parts,
        },
    }


def _rotation(settings: Any, d_head: int = 0) -> Rotation | None:
    """How positions turn queries and keys; None if they do in a way that we do not know.

    `d_head`: the width of a head, where only a part of it may turn.
    """
    import torch

    from ....transformer import Rotation, Stretch

    known: dict[str, Callable[[], Stretch | None]] = {
        "default": lambda: None,
        "linear": lambda: Stretch(float(settings["factor"])),
        "llama3": lambda: Stretch(
            float(settings["factor"]),
            settings["original_max_position_embeddings"],
            float(settings["low_freq_factor"]),
            float(settings["high_freq_factor"]),
        ),
    }
    if not isinstance(settings, dict) or settings.get("rope_type") not in known:
        return None
    try:
        base, stretch = float(settings["rope_theta"]), known[settings["rope_type"]]()
        share = float(settings.get("partial_rotary_factor") or 1)
    except (KeyError, TypeError, ValueError):  # transformers says what is missing
        return None
    strange = not base > 0
    if stretch is not None:
        whole = isinstance(stretch.trained_length, int)
        strange = strange or not (stretch.factor > 0 and whole and 0 < stretch.low < stretch.high)
    width = int(d_head * share) if share != 1 else 0
    if share != 1 and (stretch is not None or not 2 <= width <= d_head):
        strange = True
    return None if strange else Rotation(base, "halves", stretch, torch.float32, width)


def mistral(config: Any) -> dict[str, Any] | None:
    """Of Mistral 7B: Llama, with one window for all layers."""
    return llama(config, _one_window(config))


def qwen2(config: Any) -> dict[str, Any] | None:
    """Of Qwen2: Llama, with biases and, in some layers, windows."""
    return llama(config, _windows(config, config.layer_types))


def qwen3(config: Any) -> dict[str, Any] | None:
    """Of Qwen3: Qwen2 with normed queries and keys."""
    return llama(config, _windows(config, config.layer_types), query_key_norm="each head")


def smollm3(config: Any) -> dict[str, Any] | None:
    """Of SmolLM3: Llama, with some layers that do not turn."""
    more, turns = llama(config, _windows(config, config.layer_types)), config.no_rope_layers
    if more is None or len(turns) != config.num_hidden_layers:
        return None
    rotation = more["parts"]["rotation"]
    # The list says 1 where positions turn, in spite of its name.
    return more | {"rotations": tuple(rotation if one else None for one in turns)}


def olmo2(config: Any) -> dict[str, Any] | None:
    """Of OLMo 2: Llama, with its norms behind the sub-layers."""
    return llama(config, norm="RMSNorm of outputs", query_key_norm="all heads")


def olmo(config: Any) -> dict[str, Any] | None:
    """Of OLMo 1: Llama, with norms that have nothing learned."""
    if config.clip_qkv is not None:  # values that are cut off add up to no sum
        return None
    plain = _Flat(config, config.rope_parameters, rms_norm_eps=1e-5)  # it is no setting
    return llama(plain, norm="LayerNorm")


def granite(config: Any) -> dict[str, Any] | None:
    """Of Granite: Llama with four factors; that of the residuals is in the weights, see `table`."""
    factors = config.embedding_multiplier, config.attention_multiplier, config.logits_scaling
    if not all(_positive(one) for one in (*factors, config.residual_multiplier)):
        return None
    more = llama(config, scale=float(config.attention_multiplier))
    if more is None:
        return None
    scales = {"embedding_scale": float(factors[0]), "logit_scale": 1 / float(factors[2])}
    return more | scales


def cohere(config: Any) -> dict[str, Any] | None:
    """Of Cohere's Command R: parallel layers with one norm, and scaled logits."""
    return None if config.use_qk_norm else _cohere(config)  # a norm with a γ for each head


def cohere2(config: Any) -> dict[str, Any] | None:
    """Of Command R7B and A: Command R with windows, and layers between that do not turn."""
    kinds = config.layer_types
    more = _cohere(config, _windows(config, kinds))
    return None if more is None else more | _turns_in_windows(more, kinds)


def _cohere(config: Any, windows: tuple[int, ...] | None = ()) -> dict[str, Any] | None:
    if not _positive(config.logit_scale):
        return None
    plain = _Flat(config, config.rope_parameters, rms_norm_eps=config.layer_norm_eps)
    parts: dict[str, Any] = {"norm": "LayerNorm", "parallel": True, "norm_bias": False}
    more = llama(plain, windows, adjacent=True, **parts)
    return None if more is None else more | {"logit_scale": float(config.logit_scale)}


def _positive(factor: Any) -> bool:
    return isinstance(factor, int | float) and 0 < factor < math.inf


def gemma(config: Any) -> dict[str, Any] | None:
    """Of Gemma: Llama with scaled embeddings."""
    more = llama(config)
    if more is None or config.use_bidirectional_attention:
        return None
    return more | {"scale_embeddings": True}


def gemma2(config: Any, **parts: Any) -> dict[str, Any] | None:
    """Of Gemma 2: norms on both sides, caps, and windows in every second layer."""
    if config.use_bidirectional_attention or not config.query_pre_attn_scalar > 0:
        return None
    more = llama(
        config,
        _windows(config, config.layer_types),
        "hidden_activation",
        norm="RMSNorm on both sides",
        scale=float(config.query_pre_attn_scalar) ** -0.5,
        **{"score_cap": _cap(config.attn_logit_softcapping), **parts},
    )
    if more is None:
        return None
    return more | {"scale_embeddings": True, "logit_cap": _cap(config.final_logit_softcapping)}


def gemma3(config: Any) -> dict[str, Any] | None:
    """Of Gemma 3: Gemma 2 with normed queries and keys in place of a cap, and two rotations."""
    ropes, kinds = config.rope_parameters, config.layer_types
    # transformers has the setting of a cap for scores, and does not use it.
    if not isinstance(ropes, dict) or not {*kinds} <= ropes.keys() or config.attn_logit_softcapping:
        return None
    rotations = {kind: _rotation(ropes[kind]) for kind in {*kinds}}
    if None in rotations.values():
        return None
    flat = _Flat(config, ropes[kinds[0]])
    more = gemma2(flat, query_key_norm="each head", score_cap=0.0)
    return None if more is None else more | {"rotations": tuple(rotations[kind] for kind in kinds)}


class _Flat:
    """A configuration with rotations of each kind of layer, as one with those of a single kind.

    `more`: settings that it has besides, or under other names.
    """

    def __init__(self, config: Any, rope_parameters: Any, **more: Any) -> None:
        self._config, self.rope_parameters = config, rope_parameters
        vars(self).update(more)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._config, name)


def _cap(setting: float | None) -> float:
    """A cap, which 0 would not be: c · tanh(x / c) has no meaning there."""
    if setting is None:
        return 0.0
    if not setting > 0:
        raise ValueError(f"A cap must be above 0, not {setting}.")
    return float(setting)


def phi3(config: Any) -> dict[str, Any] | None:
    """Of Phi-3: Llama, with fused matrices and, perhaps, a part of each head that does not turn."""
    return llama(config, _one_window(config), partly=True)


def glm(config: Any) -> dict[str, Any] | None:
    """Of GLM-4-9B: Llama, of whose heads one half turns, in neighbouring pairs."""
    return llama(config, partly=True, adjacent=True)


def glm4(config: Any) -> dict[str, Any] | None:
    """Of GLM-4-0414: the same with norms on both sides of the sub-layers."""
    return llama(config, partly=True, adjacent=True, norm="RMSNorm on both sides")


def adjacent(config: Any) -> dict[str, Any] | None:
    """Of Ernie 4.5 and Helium: Llama, whose neighbouring dimensions turn together."""
    return llama(config, adjacent=True)


def exaone4(config: Any) -> dict[str, Any] | None:
    """Of EXAONE 4: OLMo 2 with each head normed; between layers with windows, some do not turn."""
    kinds = config.layer_types
    parts: dict[str, Any] = {"norm": "RMSNorm of outputs", "query_key_norm": "each head"}
    more = llama(config, _windows(config, kinds), **parts)
    if more is None or config.sliding_window is None:
        return more
    return more | _turns_in_windows(more, kinds)


def _turns_in_windows(more: dict[str, Any], kinds: Sequence[str]) -> dict[str, Any]:
    """That layers which attend to all tokens have no positions (Yang et al. 2025)."""
    rotation = more["parts"]["rotation"]
    turn = (kind == "sliding_attention" for kind in kinds)
    return {"rotations": tuple(rotation if one else None for one in turn)}


def gpt_neox(config: Any) -> dict[str, Any] | None:
    """Of GPT-NeoX and Pythia."""
    activation = _ACTIVATIONS.get(str(config.hidden_act))
    d_head = config.hidden_size // config.num_attention_heads
    rotation = _rotation(config.rope_parameters, d_head)
    if activation is None or rotation is None:
        return None
    return {
        "d_ff": config.intermediate_size,
        "positions": "rotary",
        "activation": activation,
        "norm_eps": config.layer_norm_eps,
        "parts": {"rotation": rotation, "parallel": bool(config.use_parallel_residual)},
    }


def gptj(config: Any) -> dict[str, Any] | None:
    """Of GPT-J."""
    import torch

    from ....transformer import Rotation

    activation = _ACTIVATIONS.get(str(config.activation_function))
    # Tied, its head would be the table and a bias.
    if activation is None or not config.rotary_dim or config.tie_word_embeddings:
        return None
    return {
        "d_ff": 4 * config.hidden_size if config.n_inner is None else config.n_inner,
        "positions": "rotary",
        "activation": activation,
        "norm_eps": config.layer_norm_epsilon,
        "output_bias": True,
        "parts": {
            "rotation": Rotation(dtype=torch.float32, width=config.rotary_dim),
            "parallel": True,
        },
    }


def falcon(config: Any) -> dict[str, Any] | None:
    """Of Falcon, in its three forms."""
    activation = _ACTIVATIONS.get(str(config.activation))
    rotation = _rotation(config.rope_parameters)
    shared = config.num_kv_heads
    if not config.new_decoder_architecture:
        shared = 1 if config.multi_query else config.num_attention_heads
    norms, new = config.num_ln_in_parallel_attn, config.new_decoder_architecture
    strange = config.alibi or norms not in (None, 1, 2) or (norms == 2 and not new)
    # Its linear bias is rounded to half precision, which ours is not.
    if activation is None or rotation is None or strange or (new and not config.parallel_attn):
        return None
    if not new and not config.multi_query and config.num_kv_heads != config.num_attention_heads:
        return None
    return {
        "d_ff": config.ffn_hidden_size,
        "positions": "rotary",
        "activation": activation,
        "norm_eps": config.layer_norm_epsilon,
        "parts": {
            "n_kv_heads": shared,
            "rotation": rotation,
            "parallel": bool(config.parallel_attn),
        },
    }


def bloom(config: Any) -> dict[str, Any] | None:
    """Of Bloom."""
    if config.apply_residual_connection_post_layernorm:
        return None
    return {
        "d_ff": 4 * config.hidden_size,
        "positions": "linear bias",
        "activation": "gelu_tanh",
        "norm_eps": config.layer_norm_epsilon,
        "embedding_norm": True,
        "parts": {},
    }


def opt(config: Any) -> dict[str, Any] | None:
    """Of OPT."""
    activation = _ACTIVATIONS.get(str(config.activation_function))
    plain = config.do_layer_norm_before and config.layer_norm_elementwise_affine
    wide = config.word_embed_proj_dim == config.hidden_size
    if activation is None or not plain or not wide or config._remove_final_layer_norm:
        return None
    return {
        "d_ff": config.ffn_dim,
        "positions": "learned",
        "n_positions": config.max_position_embeddings,
        "activation": activation,
        "norm_eps": 1e-5,  # torch's own; it is no setting
        "parts": {},
    }


def gpt_neo(config: Any) -> dict[str, Any] | None:
    """Of GPT-Neo (Black et al. 2021): scores that are not divided, and windows in some layers."""
    activation = _ACTIVATIONS.get(str(config.activation_function))
    windows = tuple(
        {"global": 0, "local": config.window_size}.get(k, -1) for k in config.attention_layers
    )
    d_ff = 4 * config.hidden_size if config.intermediate_size is None else config.intermediate_size
    strange = min(windows, default=-1) < 0 or ("local" in config.attention_layers and not any(windows))
    if activation is None or strange or len(windows) != config.num_layers:
        return None
    return {
        "d_ff": d_ff,
        "positions": "learned",
        "n_positions": config.max_position_embeddings,
        "activation": activation,
        "norm_eps": config.layer_norm_epsilon,
        "windows": windows if any(windows) else (),
        "parts": {"scale": 1.0},
    }


def gpt_bigcode(config: Any) -> dict[str, Any] | None:
    """Of StarCoder and SantaCoder: GPT-2 whose heads share one key and value."""
    activation = _ACTIVATIONS.get(str(config.activation_function))
    d_ff = 4 * config.hidden_size if config.n_inner is None else config.n_inner
    plain = config.multi_query and config.scale_attn_weights and not config.add_cross_attention
    if activation is None or d_ff < 1 or not plain:
        return None
    return {
        "d_ff": d_ff,
        "positions": "learned",
        "n_positions": config.n_positions,
        "activation": activation,
        "norm_eps": config.layer_norm_epsilon,
        "parts": {"n_kv_heads": 1},
    }


def _rotary(
    config: Any, eps: float, windows: tuple[int, ...] | None = (), **parts: Any
) -> dict[str, Any] | None:
    """Of families with the paper's norm, shared keys, and heads of which a part may turn."""
    activation = _ACTIVATIONS.get(str(config.hidden_act))
    rotation = _rotation(config.rope_parameters, config.hidden_size // config.num_attention_heads)
    if activation is None or rotation is None or windows is None:
        return None
    return {
        "d_ff": config.intermediate_size,
        "positions": "rotary",
        "activation": activation,
        "norm_eps": eps,
        "windows": windows if any(windows) else (),
        "parts": {"n_kv_heads": config.num_key_value_heads, "rotation": rotation, **parts},
    }


def starcoder2(config: Any) -> dict[str, Any] | None:
    """Of StarCoder2: Llama's attention, with the paper's norm and network."""
    return _rotary(config, config.norm_epsilon, _one_window(config))


def stablelm(config: Any) -> dict[str, Any] | None:
    """Of StableLM: Llama with the paper's norm; its layers may be parallel."""
    if config.qk_layernorm:  # a norm with a γ for each head
        return None
    parallel = bool(config.use_parallel_residual)
    return _rotary(config, config.layer_norm_eps, gated=True, parallel=parallel)


def phi(config: Any) -> dict[str, Any] | None:
    """Of Phi 1 and 2: parallel layers with one norm."""
    # Tied, its head would be the table and a bias.
    if config.qk_layernorm or config.tie_word_embeddings:
        return None
    more = _rotary(config, config.layer_norm_eps, parallel=True)
    return None if more is None else more | {"output_bias": True}


def _one_window(config: Any) -> tuple[int, ...] | None:
    """`_windows` where all layers have one, or none."""
    kind = "full_attention" if config.sliding_window is None else "sliding_attention"
    return _windows(config, [kind] * config.num_hidden_layers)


def _windows(config: Any, kinds: Sequence[str]) -> tuple[int, ...] | None:
    """To how many tokens the attention of each layer of these kinds reaches back; 0: to all."""
    reach = {"full_attention": 0, "sliding_attention": config.sliding_window or -1}
    windows = tuple(reach.get(kind, -1) for kind in kinds)
    return (
        windows if len(windows) == config.num_hidden_layers and min(windows, default=0) >= 0 else None
    )


def modernbert(config: Any) -> dict[str, Any] | None:
    """Of ModernBERT: an encoder with two rotations, local layers between global ones, and GeGLU."""
    activation, ropes = _ACTIVATIONS.get(str(config.hidden_activation)), config.rope_parameters
    kinds, windows = config.layer_types, _windows(config, config.layer_types)
    rotations = {kind: _rotation(ropes.get(kind)) for kind in {*kinds}}
    if activation is None or windows is None or None in rotations.values():
        return None
    return {
        "d_ff": config.intermediate_size,
        "positions": "rotary",
        "activation": activation,
        "norm_eps": config.norm_eps,
        "windows": windows if any(windows) else (),
        "rotations": tuple(rotations[kind] for kind in kinds),
        "embedding_norm": True,
        "first_norm": False,
        "parts": {"gated": True},
    }


def t5(config: Any) -> dict[str, Any] | None:
    """Of T5 and mT5: no biases, RMSNorm, scores that are not divided, and distances in buckets."""
    from ....transformer import Buckets

    activation = _ACTIVATIONS.get(str(config.dense_act_fn))
    longest, number = config.relative_attention_max_distance, config.relative_attention_num_buckets
    if activation is None or number < 4 or number % 2:
        return None
    return {
        "n_encoder_layers": config.num_layers,
        "n_decoder_layers": config.num_decoder_layers,
        "d_ff": config.d_ff,
        "positions": "relative bias",
        "buckets": Buckets(number, longest),
        "activation": activation,
        "norm_eps": config.layer_norm_epsilon,
        "parts": {
            "norm": "RMSNorm",
            "gated": bool(config.is_gated_act),
            "d_head": config.d_kv,
            "scale": 1.0,
        },
    }


def umt5(config: Any) -> dict[str, Any] | None:
    """Of umT5: T5, with distances that each layer learned for itself."""
    more = t5(config)
    return None if more is None else more | {"own_distances": True}


def bart(config: Any, positions: str = "learned", **more: Any) -> dict[str, Any] | None:
    """What is common to BART and the families that came out of it.

    Args:
        config: the configuration.
        positions: see `core.transformer.TransformerConfig`.
        more: where a family differs: norms, and whether embeddings are normed.
    """
    activation = _ACTIVATIONS.get(str(config.activation_function))
    if activation is None or min(config.encoder_attention_heads, config.encoder_ffn_dim) < 1:
        return None
    return {
        "n_encoder_layers": config.encoder_layers,
        "n_decoder_layers": config.decoder_layers,
        "n_heads": config.decoder_attention_heads,
        "n_encoder_heads": config.encoder_attention_heads,
        "d_ff": config.decoder_ffn_dim,
        "d_encoder_ff": config.encoder_ffn_dim,
        "positions": positions,
        "n_positions": config.max_position_embeddings,
        "activation": activation,
        "norm_first": False,
        "norm_eps": 1e-5,  # torch's own; it is no setting
        "scale_embeddings": bool(config.scale_embedding),
        "embedding_norm": True,
        "own_source": True,
        "parts": {},
        **more,
    }


def mbart(config: Any) -> dict[str, Any] | None:
    """Of mBART (Liu et al. 2020): BART with norms before the sub-layers, and one more at the end."""
    return bart(config, norm_first=True)


def marian(config: Any, *, norm_first: bool = False) -> dict[str, Any] | None:
    """Of Marian and Pegasus: BART with sinusoidal positions, and embeddings that are not normed."""
    shared = getattr(config, "share_encoder_decoder_embeddings", True)
    if not shared or getattr(config, "decoder_vocab_size", config.vocab_size) != config.vocab_size:
        return None
    plain = {"embedding_norm": False, "own_source": False, "norm_first": norm_first}
    return bart(config, "sinusoidal halves", **plain)


def pegasus(config: Any) -> dict[str, Any] | None:
    """Of Pegasus: Marian with norms before the sub-layers."""
    return marian(config, norm_first=True)
