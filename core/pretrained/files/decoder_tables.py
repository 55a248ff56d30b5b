"""The decoders that our own transformer runs: for each family, a table of parts and of tensors' names.

All are `core.transformer.LanguageModel`. A family says which parts stand in the place of the paper's,
and how a checkpoint names their weights; nothing else in Polysee knows one family from another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from . import tensor_names

if TYPE_CHECKING:
    from torch import Tensor

    from ...transformer import Rotation, TransformerConfig


HEAD = "lm_head.weight"  # the matrix that predicts tokens, in every family
HEAD_BIAS = "lm_head.bias"


class Fused(NamedTuple):
    """Our modules that one of theirs computes at once, in the order of its outputs.

    Attributes:
        modules: ours. A query has as many outputs as there are heads, a key or a value as many as there
            are heads of them; others share the outputs evenly.
        by_group: whether the outputs come group by group: the queries that share a key, then this key,
            then its value; otherwise all queries, all keys, all values.
    """

    modules: tuple[str, ...]
    by_group: bool = False

    def split(self, config: TransformerConfig) -> tuple[int, tuple[int, ...]]:
        """The number of groups, and the outputs of each module in a group, in any unit."""
        shared = config.parts.n_kv_heads or config.n_heads
        heads = {"attention.query": config.n_heads, "attention.key": shared, "attention.value": shared}
        if not heads.keys() >= {*self.modules}:
            return 1, (1,) * len(self.modules)
        groups = shared if self.by_group else 1
        return groups, tuple(heads[module] // groups for module in self.modules)


class Family(NamedTuple):
    """One family of decoders.

    Attributes:
        prefix: what stands before the names of a model's tensors if it has a head.
        stack: where its layers are.
        outside: our modules outside the layers -> theirs.
        layer: our modules inside a layer -> theirs.
        fused: one of their modules in a layer -> those of ours that it computes at once.
        inputs_first: their modules in a layer whose matrices are (in, out), not (out, in).
        twice: one of their modules in a layer -> another of ours, which has the same weights.
        less_one: their modules, anywhere, whose γ is stored less 1.
        unused_rows: their tables -> the number of first rows that no token reads.
        biases: which layers have biases, by the names in `core.transformer.Parts`: always, never, or
            the setting that says so.
        more: the rest of our configuration; None for settings that our transformer does not know.
    """

    prefix: str
    stack: str
    outside: Mapping[str, str]
    layer: Mapping[str, str]
    biases: Mapping[str, bool | str]
    more: Callable[[Any], dict[str, Any] | None]
    fused: Mapping[str, Fused] = MappingProxyType({})
    inputs_first: tuple[str, ...] = ()
    twice: Mapping[str, str] = MappingProxyType({})
    less_one: tuple[str, ...] = ()
    unused_rows: Mapping[str, int] = MappingProxyType({})


class Piece(NamedTuple):
    """A weight of ours in a checkpoint: some of the outputs of a tensor.

    Attributes:
        name: the tensor.
        inputs_first: whether it is (in, out), not (out, in).
        groups: into how many equal groups its outputs fall.
        shares: how those of each group are divided, in any unit.
        part: which of these shares ours is.
        skipped: how many of its first rows ours does not have.
        plus: what is added to each number.
    """

    name: str
    inputs_first: bool = False
    groups: int = 1
    shares: tuple[int, ...] = (1,)
    part: int = 0
    skipped: int = 0
    plus: float = 0.0

    def shape(self, shape: tuple[int, ...]) -> tuple[int, ...]:
        """The shape of the piece, as ours is, in a tensor of this shape; this shape if none fits."""
        turned = shape[::-1] if self.inputs_first else shape
        if not turned or turned[0] % (self.groups * sum(self.shares)):
            return shape
        outputs = turned[0] // sum(self.shares) * self.shares[self.part]
        return (outputs - self.skipped, *turned[1:])

    def taken(self, tensor: Tensor) -> Tensor:
        """The piece, in memory of its own where it is not the whole tensor."""
        turned = tensor.T if self.inputs_first and tensor.ndim == 2 else tensor
        piece = turned
        if len(self.shares) > 1:
            start = sum(self.shares[: self.part])
            each = turned.reshape(self.groups, sum(self.shares), -1, *turned.shape[1:])
            piece = each[:, start : start + self.shares[self.part]].flatten(0, 2)
        if self.skipped:
            piece = piece[self.skipped :]
        if self.plus:
            piece = piece.float() + self.plus
        return piece if piece is tensor else piece.contiguous()


def decoder_config(config: Any, *, headed: bool = False) -> TransformerConfig | None:
    """Our shape for a `transformers` configuration, or None if no family has it.

    Args:
        config: any configuration.
        headed: whether the decoder gets a matrix of its own that predicts tokens, if it has one;
            otherwise its logits are those of its table of vectors.
    """
    family = family_of(config)
    if family is None or getattr(config, "is_causal", True) is False:
        return None
    from ...transformer import Parts, TransformerConfig  # torch: a folder's files are checked first

    try:
        more = family.more(config)
    except (AttributeError, TypeError, ValueError):  # a setting of a kind that no model has
        return None
    if more is None:
        return None
    biases: dict[str, Any] = {
        ours: bool(getattr(config, theirs)) if isinstance(theirs, str) else theirs
        for ours, theirs in family.biases.items()
    }
    try:
        return TransformerConfig(
            **{
                "n_vocabulary": config.vocab_size,
                "n_encoder_layers": 0,
                "n_decoder_layers": config.num_hidden_layers,
                "n_heads": config.num_attention_heads,
                "d_model": config.hidden_size,
                "norm_first": True,
                "scale_embeddings": False,
                "tied_output": not headed or bool(config.tie_word_embeddings),
                "output_bias": False,
                **more,
                "parts": Parts(**more["parts"], **biases),
            }
        )
    except (ValueError, TypeError):  # sizes that fit no model: transformers says which
        return None


def family_of(config: Any) -> Family | None:
    """The family of a `transformers` configuration, of any settings; None if there is none."""
    found = FAMILIES.get(config.model_type)
    return found if found is None or isinstance(found, Family) else found(config)


def ours(config: TransformerConfig, family: Family) -> Mapping[str, str]:
    """The pieces' (current) names -> the names in our decoder's state dict; see `pieces`."""
    modules = {theirs: our for our, theirs in family.outside.items()}
    for i in range(config.n_decoder_layers):
        inside = {theirs: our for our, theirs in family.layer.items()}
        for theirs, fused in family.fused.items():
            inside |= {_piece(theirs, part): our for part, our in enumerate(fused.modules)}
        inside |= {_piece(theirs, 1): our for theirs, our in family.twice.items()}
        modules |= {f"{family.stack}.{i}.{k}": f"stack.layers.{i}.{our}" for k, our in inside.items()}
    names = {
        f"{k}.{half}": f"{our}.{half}" for k, our in modules.items() for half in ("weight", "bias")
    }
    if config.tied_output:
        return names
    return names | {HEAD: "output.weight", HEAD_BIAS: "output.bias"}


def pieces(config: TransformerConfig, family: Family, names: Iterable[str]) -> dict[str, Piece]:
    """The tensors of a checkpoint, taken apart: for each piece, its name and where it is."""
    made: dict[str, Piece] = {}
    for name in names:
        module, _, half = name.rpartition(".")
        of_weight = half == "weight"
        whole = Piece(
            name,
            inputs_first=of_weight and _which(module, family.inputs_first) is not None,
            skipped=family.unused_rows.get(_which(module, family.unused_rows) or "", 0),
            plus=1.0 if of_weight and _which(module, family.less_one) is not None else 0.0,
        )
        if (fused := _which(module, family.fused)) is not None:
            groups, shares = family.fused[fused].split(config)
            for part in range(len(shares)):
                key = f"{_piece(module, part)}.{half}"
                made[key] = whole._replace(groups=groups, shares=shares, part=part)
            continue
        made[name] = whole
        if _which(module, family.twice) is not None:
            made[f"{_piece(module, 1)}.{half}"] = whole
    return made


def _which(module: str, listed: Iterable[str]) -> str | None:
    """The one of these names that a module's ends in."""
    return next((one for one in listed if module == one or module.endswith(f".{one}")), None)


def _piece(module: str, part: int) -> str:
    return f"{module}[{part}]"


# Settings

_ACTIVATIONS = {**tensor_names.ACTIVATIONS, "silu": "silu", "swish": "silu"}


def _gpt2(config: Any) -> dict[str, Any] | None:
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


def _llama(
    config: Any, windows: tuple[int, ...] | None = (), activation: str = "hidden_act", **parts: Any
) -> dict[str, Any] | None:
    """What is common to Llama and the families that came out of it.

    Args:
        config: the configuration.
        windows: see `core.transformer.TransformerConfig`; None if the settings are of another kind.
        activation: the setting that names it.
        parts: other parts than Llama's.
    """
    act = _ACTIVATIONS.get(str(getattr(config, activation)))
    d_head = getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads
    rotation = _rotation(getattr(config, "rope_parameters", None))
    if act is None or rotation is None or windows is None:
        return None
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

    from ...transformer import Rotation, Stretch

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


def _mistral(config: Any) -> dict[str, Any] | None:
    return _llama(config, _one_window(config))


def _qwen2(config: Any) -> dict[str, Any] | None:
    return _llama(config, _windows(config, config.layer_types))


def _qwen3(config: Any) -> dict[str, Any] | None:
    return _llama(config, _windows(config, config.layer_types), query_key_norm="each head")


def _smollm3(config: Any) -> dict[str, Any] | None:
    more, turns = _llama(config, _windows(config, config.layer_types)), config.no_rope_layers
    if more is None or len(turns) != config.num_hidden_layers:
        return None
    rotation = more["parts"]["rotation"]
    # The list says 1 where positions turn, in spite of its name.
    return more | {"rotations": tuple(rotation if one else None for one in turns)}


def _olmo2(config: Any) -> dict[str, Any] | None:
    return _llama(config, norm="RMSNorm of outputs", query_key_norm="all heads")


def _gemma(config: Any) -> dict[str, Any] | None:
    more = _llama(config)
    if more is None or config.use_bidirectional_attention:
        return None
    return more | {"scale_embeddings": True}


def _gemma2(config: Any, **parts: Any) -> dict[str, Any] | None:
    if config.use_bidirectional_attention or not config.query_pre_attn_scalar > 0:
        return None
    more = _llama(
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


def _gemma3(config: Any) -> dict[str, Any] | None:
    ropes, kinds = config.rope_parameters, config.layer_types
    # transformers has the setting of a cap for scores, and does not use it.
    if not isinstance(ropes, dict) or not {*kinds} <= ropes.keys() or config.attn_logit_softcapping:
        return None
    rotations = {kind: _rotation(ropes[kind]) for kind in {*kinds}}
    if None in rotations.values():
        return None
    flat = _Flat(config, ropes[kinds[0]])
    more = _gemma2(flat, query_key_norm="each head", score_cap=0.0)
    return None if more is None else more | {"rotations": tuple(rotations[kind] for kind in kinds)}


class _Flat:
    """A configuration with rotations of each kind of layer, as one with those of a single kind."""

    def __init__(self, config: Any, rope_parameters: Any) -> None:
        self._config, self.rope_parameters = config, rope_parameters

    def __getattr__(self, name: str) -> Any:
        return getattr(self._config, name)


def _cap(setting: float | None) -> float:
    """A cap, which 0 would not be: c · tanh(x / c) has no meaning there."""
    if setting is None:
        return 0.0
    if not setting > 0:
        raise ValueError(f"A cap must be above 0, not {setting}.")
    return float(setting)


def _phi3(config: Any) -> dict[str, Any] | None:
    d_head = getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads
    rotation = _rotation(config.rope_parameters, d_head)
    plain = _Flat(config, dict(config.rope_parameters or {}) | {"partial_rotary_factor": 1.0})
    return None if rotation is None else _llama(plain, _one_window(config), rotation=rotation)


def _gpt_neox(config: Any) -> dict[str, Any] | None:
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


def _gptj(config: Any) -> dict[str, Any] | None:
    import torch

    from ...transformer import Rotation

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


def _falcon(config: Any) -> dict[str, Any] | None:
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


def _bloom(config: Any) -> dict[str, Any] | None:
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


def _opt(config: Any) -> dict[str, Any] | None:
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


# Families

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
    more=_llama,
)
_NO_BIASES: Mapping[str, bool | str] = MappingProxyType(
    {"qkv_bias": False, "output_bias": False, "feed_forward_bias": False}
)
_ATTENTION_BIASES: Mapping[str, bool | str] = MappingProxyType(
    {"qkv_bias": "attention_bias", "output_bias": "attention_bias", "feed_forward_bias": False}
)
# Gemma Team (2024): γ is stored less 1.
_GEMMA = _LLAMA._replace(
    biases=_ATTENTION_BIASES,
    more=_gemma,
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
    more=_gemma2,
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
    more=_falcon,
)
FAMILIES: Mapping[str, Family | Callable[[Any], Family]] = MappingProxyType(
    {
        "llama": _LLAMA,
        # Jiang et al. (2023)
        "mistral": _LLAMA._replace(biases=_NO_BIASES, more=_mistral),
        # Yang et al. (2024)
        "qwen2": _LLAMA._replace(biases={**_NO_BIASES, "qkv_bias": True}, more=_qwen2),
        # Yang et al. (2025): queries and keys normed
        "qwen3": _LLAMA._replace(
            layer={**_LLAMA.layer, **_QUERY_KEY_NORM}, biases=_ATTENTION_BIASES, more=_qwen3
        ),
        # Hugging Face (2025): every fourth layer without positions
        "smollm3": _LLAMA._replace(more=_smollm3),
        # OLMo Team (2024): norms behind the sub-layers
        "olmo2": _LLAMA._replace(
            layer={
                **_LLAMA.layer,
                **_QUERY_KEY_NORM,
                "attention_norm": "post_attention_layernorm",
                "output_norm": "post_feedforward_layernorm",
            },
            biases=_ATTENTION_BIASES,
            more=_olmo2,
        ),
        "gemma": _GEMMA,
        "gemma2": _GEMMA2,
        # Gemma Team (2025): queries and keys normed in place of a cap, two rates of rotation
        "gemma3_text": _GEMMA2._replace(
            layer={**_GEMMA2.layer, **_QUERY_KEY_NORM},
            more=_gemma3,
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
            more=_phi3,
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
            more=_gpt_neox,
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
            more=_gptj,
        ),
        "falcon": _falcon_family,
        # Le Scao et al. (2022)
        "bloom": _FALCON._replace(
            outside={**_FALCON.outside, "embeddings.norm": "word_embeddings_layernorm"},
            layer={
                **_FALCON.layer,
                "attention_norm": "input_layernorm",
                "output_norm": "post_attention_layernorm",
            },
            biases={},
            more=_bloom,
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
            more=_opt,
        ),
        # Radford et al. (2019)
        "gpt2": Family(
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
            more=_gpt2,
        ),
    }
)
