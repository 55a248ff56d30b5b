"""Configuration, weights and tokenizer become a `Model`: the only place that knows both engines."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from core import settings
from core.errors import ModelBroken, NotSupported
from core.pretrained import devices, huggingface, names, scratch
from core.pretrained.checkpoint import Checkpoint
from core.pretrained.engine import Engine
from core.pretrained.model import Model
from core.pretrained.tokens import TextReader
from core.pretrained.weight_files import again
from core.transformer import EncoderConfig

_ROBERTAS = ("camembert", "roberta", "xlm-roberta")


def from_checkpoint(
    found: Checkpoint, engine: str | None, name: str, chosen: settings.Settings
) -> Model:
    """A model from a folder whose files have been looked at. Raises as `core.load`."""
    _check_type(found.config["model_type"], name)
    config = _read_config(found.folder, name)
    _check_config(config, found, name)
    shape = _shape(config, engine, name)
    device = devices.choose(chosen.device)
    own = names.encoder_config(config)
    if own is not None:
        # For either engine: to import a model of transformers takes seconds, to compare names none.
        scratch.check(own, found, name)
    tokenizer = _read_tokenizer(found.folder, name)
    # Where it does not find its files, transformers makes a tokenizer of a few tokens without a word.
    if 100 * len(tokenizer) < config.vocab_size:
        raise ModelBroken(
            f"The tokenizer of “{name}” has no words to speak of: {len(tokenizer)} tokens, where the "
            f"model knows {config.vocab_size}. Its files are missing, or of another kind. "
            f"{again(found.folder)}"
        )
    runner: Engine
    if shape is not None:
        runner = scratch.ScratchEngine(scratch.from_checkpoint(shape, found, name), device)
    else:
        runner = huggingface.HuggingFaceEngine(huggingface.from_checkpoint(config, found, name), device)
    return _model(name, runner, config, tokenizer, chosen)


def from_objects(
    model: Any, tokenizer: Any, engine: str | None, name: str, chosen: settings.Settings
) -> Model:
    """A model of the caller's own, which is left as it is. Raises as `core.load`."""
    shape = _shape(model.config, engine, name)
    device = devices.choose(chosen.device)
    runner: Engine
    if shape is not None:
        encoder = scratch.from_state_dict(shape, model.state_dict(), name)
        runner = scratch.ScratchEngine(encoder, device)
    else:
        huggingface.refuse_what_is_no_number(model, name)
        runner = huggingface.HuggingFaceEngine(model, device)
    return _model(name, runner, model.config, tokenizer, chosen)


def _shape(config: Any, engine: str | None, name: str) -> EncoderConfig | None:
    """Our encoder's shape where it is to be used, None where `transformers` is."""
    _check_type(config.model_type, name)
    shape = names.encoder_config(config)
    if engine == "scratch" and shape is None:
        raise NotSupported(
            f"Our own transformer does not reach “{name}” ({config.model_type}, with its settings): it "
            "has the shapes of BERT and DistilBERT. Take engine='huggingface'."
        )
    return None if engine == "huggingface" else shape


def _check_type(kind: str, name: str) -> None:
    if kind not in huggingface.MODEL_TYPES:
        raise NotSupported(
            f"“{name}” is a model of the type {kind[:40]}, which Polysee does not read. It reads "
            f"{', '.join(huggingface.MODEL_TYPES)}."
        )


def _check_config(config: Any, found: Checkpoint, name: str) -> None:
    """Refuse a configuration that describes no model, or one too large for the weights beside it.

    Before a model of these sizes is built: `transformers` takes memory first and compares later.
    """
    # A layer has tensors of its own; only ALBERT's layers share theirs.
    most_layers = max(len(found.tensors), 100)
    # No table or matrix has more rows than the largest tensor has numbers.
    most_rows = max((math.prod(header.shape) for header in found.tensors.values()), default=0)
    inner = "hidden_dim" if config.model_type == "distilbert" else "intermediate_size"
    limits = {
        "num_hidden_layers": most_layers,
        "num_attention_heads": most_rows,
        "hidden_size": most_rows,
        inner: most_rows,
        "vocab_size": most_rows,
        "max_position_embeddings": most_rows,
    }
    if config.model_type != "distilbert":
        limits["type_vocab_size"] = most_rows
    for setting, most in limits.items():
        value = getattr(config, setting, None)
        if not isinstance(value, int) or not 1 <= value <= most:
            raise ModelBroken(
                f"The config.json of “{name}” has {setting} = {str(value)[:40]}, which does not fit "
                f"its weights. {again(found.folder)}"
            )
    if config.hidden_size % config.num_attention_heads:
        raise ModelBroken(
            f"The config.json of “{name}” has {config.num_attention_heads} heads, which do not divide "
            f"its width of {config.hidden_size}. {again(found.folder)}"
        )
    activation = config.activation if config.model_type == "distilbert" else config.hidden_act
    if not isinstance(activation, str) or not _known_activation(activation):
        raise ModelBroken(
            f"The config.json of “{name}” has the activation {str(activation)[:40]}, which "
            f"transformers does not know. {again(found.folder)}"
        )
    eps = getattr(config, "layer_norm_eps", 0.0)
    if not isinstance(eps, int | float) or not 0 <= eps < 1:
        raise ModelBroken(
            f"The config.json of “{name}” has layer_norm_eps = {str(eps)[:40]}; it must be a small "
            f"number, 0 or more. {again(found.folder)}"
        )


def _known_activation(activation: str) -> bool:
    if activation in names.ACTIVATIONS:
        return True
    from transformers.activations import ACT2FN  # takes a second to import

    return activation in ACT2FN


def _read_config(folder: Path, name: str) -> Any:
    from transformers import AutoConfig

    try:
        return AutoConfig.from_pretrained(folder, local_files_only=True, trust_remote_code=False)
    except Exception as error:  # a wrong value raises whatever its check raises
        raise ModelBroken(
            f"transformers does not understand the config.json of “{name}”: "
            f"{_short(error)} {again(folder)}"
        ) from error


def _short(error: Exception) -> str:
    """What a library says, as one sentence of a bearable length."""
    text = " ".join(str(error).split()) or type(error).__name__
    return text[:199] + "…" if len(text) > 200 else text.rstrip(".") + "."


def _read_tokenizer(folder: Path, name: str) -> Any:
    from transformers import AutoTokenizer

    try:
        return AutoTokenizer.from_pretrained(folder, local_files_only=True, trust_remote_code=False)
    except Exception as error:  # the Rust tokenizer raises a bare Exception
        raise ModelBroken(
            f"The tokenizer of “{name}” cannot be read: {_short(error)} {again(folder)}"
        ) from error


def _model(name: str, runner: Engine, config: Any, tokenizer: Any, chosen: settings.Settings) -> Model:
    max_tokens = _max_tokens(config)
    if max_tokens < 3:
        raise ModelBroken(
            f"“{name}” has room for {max(max_tokens, 0)} tokens, too few for a word between "
            "the two special ones. Choose another model."
        )
    reader = TextReader(tokenizer, max_tokens, config.vocab_size, name)
    return Model(
        name,
        "scratch" if isinstance(runner, scratch.ScratchEngine) else "huggingface",
        runner,
        reader,
        max_tokens=max_tokens,
        # DistilBERT and RoBERTa tell two texts apart by their separators alone; a BERT with a single
        # token type never learned to.
        pairs=getattr(config, "type_vocab_size", None) != 1 or config.model_type in _ROBERTAS,
        trace_bytes=chosen.trace_bytes,
    )


def _max_tokens(config: Any) -> int:
    """Rows of the position table that a text can use: RoBERTa counts from behind the padding id."""
    rows = int(config.max_position_embeddings)
    behind = config.model_type in _ROBERTAS
    return rows - (int(config.pad_token_id or 0) + 1 if behind else 0)
