"""Whether a configuration describes a model that can be built, and that fits the weights beside it.

Looked at before a model of these sizes is built: `transformers` takes memory first and compares later.
"""

from __future__ import annotations

import math
from typing import Any

from core.errors import ModelBroken, NotSupported
from core.pretrained import names
from core.pretrained.checkpoint import Checkpoint
from core.pretrained.families import FAMILIES, Family
from core.pretrained.weight_files import again

# Rotations have no table whose rows could be counted. The longest published context is a tenth of it.
MOST_ROTARY_TOKENS = 10**8


def check_type(kind: str, name: str) -> None:
    """Raise NotSupported for a type of model that Polysee does not read."""
    if kind not in FAMILIES:
        raise NotSupported(
            f"“{name}” is a model of the type {kind[:40]}, which Polysee does not read. It reads "
            f"{', '.join(FAMILIES)}."
        )


def check_reach(config: Any, name: str) -> None:
    """Raise NotSupported for a setting that would give numbers other than the model's own."""
    rope = getattr(config, "rope_parameters", None)
    if isinstance(rope, dict) and rope.get("rope_type") == "longrope":
        # transformers writes the rotations of this text into the model that all texts share.
        raise NotSupported(
            f"“{name}” turns its positions in one way for short texts and in another for long ones "
            "(longrope), which Polysee does not read. Choose a model with one way for all."
        )
    if config.model_type == "marian" and not config.share_encoder_decoder_embeddings:
        raise NotSupported(
            f"“{name}” has a vocabulary for each of its two languages, and Polysee reads only models "
            "with one for both. Choose such a model."
        )


def check(config: Any, found: Checkpoint, name: str) -> None:
    """Refuse a configuration that describes no model, or one too large for the weights beside it.

    Raises:
        ModelBroken: a setting is no number, too large, or does not fit the others.
        NotSupported: see `check_reach`.
    """
    family = FAMILIES[config.model_type]
    for setting, most in _limits(config, found, family).items():
        value = getattr(config, setting, None)
        if not isinstance(value, int) or not 1 <= value <= most:
            raise ModelBroken(
                f"The config.json of “{name}” has {setting} = {str(value)[:40]}, which does not fit "
                f"its weights. {again(found.folder)}"
            )
    _check_heads(config, family, found, name)
    activation = getattr(config, family.activation, None)
    if not isinstance(activation, str) or not _known_activation(activation):
        raise ModelBroken(
            f"The config.json of “{name}” has the activation {str(activation)[:40]}, which "
            f"transformers does not know. {again(found.folder)}"
        )
    eps = getattr(config, family.eps, 0.0) if family.eps else 0.0
    if not isinstance(eps, int | float) or not 0 <= eps < 1:
        raise ModelBroken(
            f"The config.json of “{name}” has {family.eps} = {str(eps)[:40]}; it must be a small "
            f"number, 0 or more. {again(found.folder)}"
        )
    check_reach(config, name)


def _limits(config: Any, found: Checkpoint, family: Family) -> dict[str, int]:
    """The settings that must be whole numbers from 1, and how large each can be."""
    # A layer has tensors of its own; only ALBERT's layers share theirs.
    most_layers = max(len(found.tensors), 100)
    # No table or matrix has more rows than the largest tensor has numbers.
    most_rows = max((math.prod(header.shape) for header in found.tensors.values()), default=0)
    limits = dict.fromkeys(family.layers, most_layers)
    limits |= dict.fromkeys((*family.heads, *family.sizes), most_rows)
    if family.positions != "relative":
        table = family.positions == "table"
        limits["max_position_embeddings"] = most_rows if table else MOST_ROTARY_TOKENS
    for setting in ("n_inner", "head_dim", "decoder_vocab_size"):
        if getattr(config, setting, None) is not None:
            limits[setting] = most_rows
    return limits


def _check_heads(config: Any, family: Family, found: Checkpoint, name: str) -> None:
    own = getattr(config, "head_dim", None)  # Llama, Qwen3 and T5 set the width of a head apart
    for heads in family.heads:
        count = getattr(config, heads)
        if own is None and config.hidden_size % count:
            raise ModelBroken(
                f"The config.json of “{name}” has {count} heads, which do not divide "
                f"its width of {config.hidden_size}. {again(found.folder)}"
            )
    if family.positions == "rotary":
        count, shared = config.num_attention_heads, config.num_key_value_heads
        if count % shared:
            raise ModelBroken(
                f"The config.json of “{name}” has {count} heads, which cannot share "
                f"{shared} keys evenly. {again(found.folder)}"
            )
        width = own or config.hidden_size // count
        if width % 2:
            raise ModelBroken(
                f"The config.json of “{name}” has heads of {width} numbers, which cannot be turned "
                f"in pairs. {again(found.folder)}"
            )
    if config.model_type == "mpnet" and config.relative_attention_num_buckets < 32:
        # transformers writes the 32 into its code.
        raise ModelBroken(
            f"The config.json of “{name}” has relative_attention_num_buckets = "
            f"{config.relative_attention_num_buckets}; MPNet needs 32. {again(found.folder)}"
        )


def _known_activation(activation: str) -> bool:
    if activation in names.ACTIVATIONS:
        return True
    from transformers.activations import ACT2FN  # takes a second to import

    return activation in ACT2FN
