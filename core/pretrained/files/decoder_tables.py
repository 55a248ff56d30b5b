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

    from ...transformer import TransformerConfig


HEAD = "lm_head.weight"  # the matrix that predicts tokens, in every family


class Family(NamedTuple):
    """One family of decoders.

    Attributes:
        prefix: what stands before the names of a model's tensors if it has a head.
        stack: where its layers are.
        outside: our modules outside the layers -> theirs.
        layer: our modules inside a layer -> theirs.
        fused: one of their modules in a layer -> those of ours that it computes at once.
        inputs_first: their modules in a layer whose matrices are (in, out), not (out, in).
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
    fused: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    inputs_first: tuple[str, ...] = ()


class Piece(NamedTuple):
    """A weight of ours in a checkpoint: one of `of` equal pieces of the outputs of a tensor."""

    name: str
    inputs_first: bool = False
    part: int = 0
    of: int = 1

    def shape(self, shape: tuple[int, ...]) -> tuple[int, ...]:
        """The shape of the piece, as ours is, in a tensor of this shape."""
        turned = shape[::-1] if self.inputs_first else shape
        return (turned[0] // self.of, *turned[1:]) if turned and not turned[0] % self.of else shape

    def taken(self, tensor: Tensor) -> Tensor:
        """The piece, in memory of its own where it is not the whole tensor."""
        turned = tensor.T if self.inputs_first and tensor.ndim == 2 else tensor
        piece = turned.chunk(self.of)[self.part]
        return piece if piece is tensor else piece.contiguous()


def decoder_config(config: Any, *, headed: bool = False) -> TransformerConfig | None:
    """Our shape for a `transformers` configuration, or None if no family has it.

    Args:
        config: any configuration.
        headed: whether the decoder gets a matrix of its own that predicts tokens, if it has one;
            otherwise its logits are those of its table of vectors.
    """
    family = FAMILIES.get(config.model_type)
    if family is None or getattr(config, "is_causal", True) is False:
        return None
    from ...transformer import Parts, TransformerConfig  # torch: a folder's files are checked first

    more = family.more(config)
    if more is None:
        return None
    biases: dict[str, Any] = {
        ours: bool(getattr(config, theirs)) if isinstance(theirs, str) else theirs
        for ours, theirs in family.biases.items()
    }
    try:
        return TransformerConfig(
            n_vocabulary=config.vocab_size,
            n_encoder_layers=0,
            n_decoder_layers=config.num_hidden_layers,
            n_heads=config.num_attention_heads,
            d_model=config.hidden_size,
            norm_first=True,
            scale_embeddings=False,
            tied_output=not headed or bool(config.tie_word_embeddings),
            output_bias=False,
            parts=Parts(**more.pop("parts"), **biases),
            **more,
        )
    except (ValueError, TypeError):  # sizes that fit no model: transformers says which
        return None


def ours(config: TransformerConfig, family: Family) -> Mapping[str, str]:
    """The pieces' (current) names -> the names in our decoder's state dict; see `pieces`."""
    modules = {theirs: our for our, theirs in family.outside.items()}
    for i in range(config.n_decoder_layers):
        inside = {theirs: our for our, theirs in family.layer.items()}
        for theirs, several in family.fused.items():
            inside |= {_piece(theirs, part): our for part, our in enumerate(several)}
        modules |= {f"{family.stack}.{i}.{k}": f"stack.layers.{i}.{our}" for k, our in inside.items()}
    names = {
        f"{k}.{half}": f"{our}.{half}" for k, our in modules.items() for half in ("weight", "bias")
    }
    return names if config.tied_output else names | {HEAD: "output.weight"}


def pieces(family: Family, names: Iterable[str]) -> dict[str, Piece]:
    """The tensors of a checkpoint, taken apart: for each piece, its name and where it is."""
    made: dict[str, Piece] = {}
    for name in names:
        module, _, half = name.rpartition(".")
        where = next((k for k in (*family.fused, *family.inputs_first) if _ends(module, k)), "")
        turned = where in family.inputs_first and half == "weight"
        of = len(family.fused.get(where, ("",)))
        for part in range(of):
            key = f"{_piece(module, part)}.{half}" if of > 1 else name
            made[key] = Piece(name, turned, part, of)
    return made


def _piece(module: str, part: int) -> str:
    return f"{module}[{part}]"


def _ends(module: str, with_: str) -> bool:
    return module == with_ or module.endswith(f".{with_}")


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


def _llama(config: Any, windows: tuple[int, ...] | None = ()) -> dict[str, Any] | None:
    """`windows`: see `core.transformer.TransformerConfig`; None if the settings are of another kind."""
    import torch

    from ...transformer import Rotation

    activation = _ACTIVATIONS.get(str(config.hidden_act))
    d_head = getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads
    base, stretch = _rope(getattr(config, "rope_parameters", None))
    if activation is None or base is None or windows is None:
        return None
    return {
        "d_ff": config.intermediate_size,
        "positions": "rotary",
        "activation": activation,
        "norm_eps": config.rms_norm_eps,
        "windows": windows if any(windows) else (),
        "parts": {
            "norm": "RMSNorm",
            "gated": True,
            "n_kv_heads": config.num_key_value_heads,
            "d_head": d_head,
            "rotation": Rotation(base, "halves", stretch, torch.float32),
        },
    }


def _rope(settings: Any) -> tuple[float | None, Any]:
    """The base of the rotations and how they are stretched; no base if they are of another kind."""
    from ...transformer import Stretch

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
        return None, None
    try:
        base, stretch = float(settings["rope_theta"]), known[settings["rope_type"]]()
    except (KeyError, TypeError, ValueError):  # transformers says what is missing
        return None, None
    strange = settings.get("partial_rotary_factor", 1) not in (None, 1) or not base > 0
    if stretch is not None:
        whole = isinstance(stretch.trained_length, int)
        strange = strange or not (stretch.factor > 0 and whole and 0 < stretch.low < stretch.high)
    return (None, None) if strange else (base, stretch)


def _mistral(config: Any) -> dict[str, Any] | None:
    kind = "full_attention" if config.sliding_window is None else "sliding_attention"
    return _llama(config, _windows(config, [kind] * config.num_hidden_layers))


def _qwen2(config: Any) -> dict[str, Any] | None:
    return _llama(config, _windows(config, config.layer_types))


def _windows(config: Any, kinds: Sequence[str]) -> tuple[int, ...] | None:
    """To how many tokens the attention of each layer of these kinds reaches back; 0: to all."""
    reach = {"full_attention": 0, "sliding_attention": config.sliding_window or -1}
    windows = tuple(reach.get(kind, -1) for kind in kinds)
    return (
        windows if len(windows) == config.num_hidden_layers and min(windows, default=0) >= 0 else None
    )


# Families

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
FAMILIES: Mapping[str, Family] = MappingProxyType(
    {
        "llama": _LLAMA,
        # Jiang et al. (2023)
        "mistral": _LLAMA._replace(
            biases={"qkv_bias": False, "output_bias": False, "feed_forward_bias": False},
            more=_mistral,
        ),
        # Yang et al. (2024)
        "qwen2": _LLAMA._replace(
            biases={"qkv_bias": True, "output_bias": False, "feed_forward_bias": False},
            more=_qwen2,
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
            fused={"attn.c_attn": ("attention.query", "attention.key", "attention.value")},
            inputs_first=("attn.c_attn", "attn.c_proj", "mlp.c_fc", "mlp.c_proj"),
            biases={},
            more=_gpt2,
        ),
    }
)
