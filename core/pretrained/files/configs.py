"""Whether a configuration describes a model that can be built, and that fits the weights beside it.

This is checked before such a model is built: `transformers` allocates memory first and compares later.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from typing import Any

from ...errors import Filled, ModelBroken, NotSupported, in_short
from . import tensor_names
from .checkpoint import Checkpoint
from .weight_files import advice

# Rotations have no table whose rows could be counted. This is ten times the longest published context.
MOST_ROTARY_TOKENS = 10**8
# For models without rotations, which may have no table either.
MOST_TOKENS = 2**21
# Each layer has its own tensors; if layers share theirs (ALBERT), there are at most this many.
MOST_SHARED_LAYERS = 100
# More experts, groups or branches than any published model has; each of them is built one by one.
MOST_PARTS = 4096

# Settings by their meaning, under the names of all types of models.
_LAYERS = re.compile(r"((num|n)_)?((hidden|encoder|decoder)_)?layers?|(en|de)coder_layers|depth")
_PARTS = re.compile(r"(num|n)_(\w+_)?(experts|groups|branches|streams)|(num|n)_(\w+_)?heads")
_SIZES = re.compile(
    r"hidden_size|hidden_dim|dim|d_model|d_kv|d_ff|n_embd|n_inner|head_dim|intermediate_size|ffn_dim"
    r"|(en|de)coder_ffn_dim|(decoder_)?vocab_size|type_vocab_size|embedding_size|word_embed_proj_dim"
    r"|relative_attention_num_buckets|num_key_value_heads"
)
_POSITIONS = re.compile(r"max_position_embeddings|n_positions|max_seq_len|max_sequence_length|n_ctx")
_ACTIVATIONS = re.compile(r"hidden_act|activation(_function)?|dense_act_fn|hidden_activation")
# `transformers` builds lists of these lengths while it reads a configuration: of layers, under all
# their names, of blocks and of labels.
_LISTED = re.compile(
    r"(?!.*per_layer).*(layers?|depths?|blocks?|stages?)|(num_)?block_(sizes|repeats)|attention_types"
    r"|first_k_dense_replace"
)
_LABELS = "num_labels"
_OF_OTHER_THINGS = re.compile(r"vision|image|audio|speech|vq|video|codec|acoustic|semantic")
_EPS = re.compile(r"(\w+_)?(eps|epsilon)")


# Settings that say how a model is run, not what it is: we choose these ourselves. The first two may
# name a program on the hub.
HOW_TO_RUN = frozenset(
    {
        "attn_implementation",
        "experts_implementation",
        "output_attentions",
        "output_hidden_states",
        "return_dict",
        "use_return_dict",
        "torchscript",
        "tie_last_hidden_states",
        "gradient_checkpointing",
        "use_kernels",
    }
)
NO_JSON_NUMBERS = ("Infinity", "-Infinity", "NaN")


def read(checkpoint: Checkpoint, name: str) -> Any:
    """The configuration of a folder as `transformers` reads it, with our settings for how it runs.

    Raises:
        ModelBroken: if it cannot read it, or would build a list of more layers than there are.
    """
    from transformers import CONFIG_MAPPING

    _check_lists(checkpoint, name)
    settings = _without_run_settings(checkpoint.config)
    try:
        if settings["model_type"] == "mistral" and "layer_types" in settings:
            settings["model_type"] = "ministral"  # as transformers treats it
        made = CONFIG_MAPPING[settings["model_type"]]
        return made.from_dict(
            settings, name_or_path=str(checkpoint.folder), attn_implementation="eager"
        )
    except Exception as error:  # a wrong value may raise any exception
        raise ModelBroken(
            "transformers does not understand the config.json of “{name}”: {in_short} {advice}",
            name=name,
            in_short=in_short(error),
            advice=advice(checkpoint.folder),
        ) from error


def _check_lists(checkpoint: Checkpoint, name: str) -> None:
    """Raise ModelBroken for a count, at any depth, that would lead to a list that fills the memory.

    A label needs a row in the head's matrix, a layer needs a tensor.
    """
    most_labels = max(
        (max(header.shape, default=0) for header in checkpoint.tensors.values()), default=0
    )
    for setting, value in _numbers(checkpoint.config):
        listed = setting == _LABELS or _LISTED.fullmatch(setting)
        if listed and value > (most_labels if setting == _LABELS else _most_layers(checkpoint)):
            raise _misfit(setting, value, checkpoint, name)


def _numbers(config: Mapping[str, Any]) -> Iterator[tuple[str, int | float]]:
    """The numbers in a configuration, in lists and at any depth, each with the name of its setting."""
    rest: list[tuple[str, Any]] = [("", config)]
    while rest:
        setting, value = rest.pop()
        if isinstance(value, Mapping):
            rest += ((str(key), inner) for key, inner in value.items())
        elif isinstance(value, list):
            rest += ((setting, inner) for inner in value)
        elif isinstance(value, int | float) and not isinstance(value, bool):
            yield setting, value


def _most_layers(checkpoint: Checkpoint) -> int:
    """The largest possible number of layers: each has its own tensors, or they share theirs."""
    return max(len(checkpoint.tensors), MOST_SHARED_LAYERS)


def _without_run_settings(config: Any) -> Any:
    """A configuration, or a part of one, without the settings that say how to run the model."""
    if isinstance(config, Mapping):
        if config.keys() == {"__float__"} and config["__float__"] in NO_JSON_NUMBERS:
            # how `transformers` writes numbers that JSON cannot represent
            return float(config["__float__"])
        return {
            key: _without_run_settings(value)
            for key, value in config.items()
            if key.strip("_").removesuffix("_internal") not in HOW_TO_RUN
        }
    return [_without_run_settings(value) for value in config] if isinstance(config, list) else config


def check_type(kind: str, name: str) -> None:
    """Raise NotSupported for a type of model that is unknown to `transformers`."""
    from transformers import CONFIG_MAPPING

    if kind not in CONFIG_MAPPING:
        raise NotSupported(
            "“{name}” is a model of the type {kind}, which transformers does not know. "
            "Choose a model of texts of a type that it reads.",
            name=name,
            kind=kind[:40],
        )


def check_reach(config: Any, name: str) -> None:
    """Raise NotSupported for a setting that would lead to numbers other than the model's own."""
    for _, settings in _sections(config):
        rope = getattr(settings, "rope_parameters", None)
        longrope = isinstance(rope, dict) and rope.get("rope_type") == "longrope"
        if longrope and not short_reach(settings):
            raise NotSupported(
                "“{name}” rotates its positions in one way for short texts and in another for long "
                "ones (longrope), and its config.json does not say where long ones begin. Choose "
                "another copy of the model.",
                name=name,
            )


def short_reach(settings: Any) -> int:
    """How many tokens a text may have whose positions turn in the way of short ones; 0: all do.

    Ding et al. (2024), "LongRoPE". Longer texts turn at other rates from their first token on, which
    transformers keeps in the model, where all texts share them.
    """
    rope = getattr(settings, "rope_parameters", None)
    if not isinstance(rope, dict) or rope.get("rope_type") != "longrope":
        return 0
    name = "original_max_position_embeddings"
    length = rope.get(name, getattr(settings, name, None))
    return length if type(length) is int and length > 0 else 0


def note_on_reach(config: Any, name: str) -> str:
    """That a model reads no longer texts here than `short_reach`; "" if there is no such limit."""
    if not (short := short_reach(config.get_text_config(decoder=True))):
        return ""
    return Filled(
        "“{name}” turns its positions at one set of rates in texts of up to {short:,} tokens, and at "
        "another in longer ones (longrope). Polysee reads it up to that length.",
        name=name,
        short=short,
    )


def check(config: Any, checkpoint: Checkpoint, name: str) -> None:
    """Refuse a configuration that describes no valid model, or one too large for the weights beside it.

    Raises:
        ModelBroken: if a setting is not a number, is too large, or does not fit the others.
        NotSupported: see `check_reach`.
    """
    # No table or matrix has more rows than the largest tensor has elements.
    most_rows = max((math.prod(header.shape) for header in checkpoint.tensors.values()), default=0)
    most_layers = _most_layers(checkpoint)
    for _, settings in _sections(config):
        rotary = getattr(settings, "rope_parameters", None) is not None
        for setting, value in _values(settings):
            most = None
            if _LAYERS.fullmatch(setting):
                most = most_layers
            elif _PARTS.fullmatch(setting):
                most = min(most_rows, MOST_PARTS)
            elif _SIZES.fullmatch(setting):
                most = most_rows
            elif _POSITIONS.fullmatch(setting):
                most = MOST_ROTARY_TOKENS if rotary else max(most_rows, MOST_TOKENS)
            elif isinstance(value, int) and abs(value) > max(most_rows, MOST_ROTARY_TOKENS):
                most = max(most_rows, MOST_ROTARY_TOKENS)
            # A BERT without token types would be mistaken for a DistilBERT.
            none = setting == "n_inner" or (
                setting == "type_vocab_size" and settings.model_type != "bert"
            )
            _check_number(setting, value, most, checkpoint, name, least=0 if none else 1)
            _check_kind(setting, value, checkpoint, name)
        _check_heads(settings, checkpoint, name)
    check_reach(config, name)


def _sections(config: Any) -> Iterator[tuple[str, Any]]:
    """A configuration and the text configurations inside it: an encoder's, a decoder's."""
    yield "", config
    for name in getattr(config, "sub_configs", {}):
        inner = getattr(config, name, None)
        if inner is not None and not _OF_OTHER_THINGS.match(name):
            yield name, inner


def _values(settings: Any) -> Iterator[tuple[str, Any]]:
    """The values of a configuration, under every name that its class accepts for them."""
    values = {key: value for key, value in vars(settings).items() if not key.startswith("_")}
    for other, own in getattr(settings, "attribute_map", {}).items():
        if own in values:
            yield other, values[own]
    yield from values.items()


def _check_number(
    setting: str, value: Any, most: int | None, checkpoint: Checkpoint, name: str, least: int
) -> None:
    """Raise ModelBroken if a setting that must be a whole number is not one, or is too large."""
    if most is None or value is None or isinstance(value, list | tuple):
        return
    least = least if _needed(setting) else -1  # there may be no experts, written 0 or −1
    whole = type(value) is int or (type(value) is float and value.is_integer())
    if not whole or not least <= value <= most:
        raise _misfit(setting, value, checkpoint, name)


def _misfit(setting: str, value: Any, checkpoint: Checkpoint, name: str) -> ModelBroken:
    return ModelBroken(
        "The config.json of “{name}” has {setting} = {value}, which does not fit its weights. {advice}",
        name=name,
        setting=setting,
        value=str(value)[:40],
        advice=advice(checkpoint.folder),
    )


def _needed(setting: str) -> bool:
    return bool(_LAYERS.fullmatch(setting) or _SIZES.fullmatch(setting) or setting.endswith("heads"))


def _check_kind(setting: str, value: Any, checkpoint: Checkpoint, name: str) -> None:
    """Raise ModelBroken for an unknown activation, or an ε that is not a small number."""
    if value is None or isinstance(value, dict):
        return
    named = _ACTIVATIONS.fullmatch(setting)
    if named and not (isinstance(value, str) and _known_activation(value)):
        raise ModelBroken(
            "The config.json of “{name}” has the activation {value}, which transformers "
            "does not know. {advice}",
            name=name,
            value=str(value)[:40],
            advice=advice(checkpoint.folder),
        )
    if _EPS.fullmatch(setting) and not (isinstance(value, int | float) and 0 <= value < 1):
        raise ModelBroken(
            "The config.json of “{name}” has {setting} = {value}; it must be a small "
            "number, 0 or more. {advice}",
            name=name,
            setting=setting,
            value=str(value)[:40],
            advice=advice(checkpoint.folder),
        )


def _check_heads(settings: Any, checkpoint: Checkpoint, name: str) -> None:
    values = dict(_values(settings))
    width, heads = values.get("hidden_size"), values.get("num_attention_heads")
    if type(width) is not int or type(heads) is not int:
        return
    # Many models set the width of a head separately; then it need not divide the model's width.
    own = values.get("head_dim") or values.get("d_kv") or values.get("v_head_dim")
    if own is None and width % heads:
        raise ModelBroken(
            "The config.json of “{name}” has {heads} heads, which do not divide its width "
            "of {width}. {advice}",
            name=name,
            heads=heads,
            width=width,
            advice=advice(checkpoint.folder),
        )
    shared = values.get("num_key_value_heads")
    if type(shared) is int and shared > 0 and heads % shared:
        raise ModelBroken(
            "The config.json of “{name}” has {heads} heads, which cannot share {shared} "
            "keys evenly. {advice}",
            name=name,
            heads=heads,
            shared=shared,
            advice=advice(checkpoint.folder),
        )
    if settings.model_type == "mpnet" and values.get("relative_attention_num_buckets", 32) < 32:
        # In transformers, the 32 is part of the code.
        raise ModelBroken(
            "The config.json of “{name}” has relative_attention_num_buckets = {values}; "
            "MPNet needs 32. {advice}",
            name=name,
            values=values["relative_attention_num_buckets"],
            advice=advice(checkpoint.folder),
        )


def _known_activation(activation: str) -> bool:
    if activation in tensor_names.ACTIVATIONS:
        return True
    from transformers.activations import ACT2FN  # takes a second to import

    return activation in ACT2FN
