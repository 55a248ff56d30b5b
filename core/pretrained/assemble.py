"""Configuration, weights and tokenizer become a `Model`: the only place that knows both engines."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from core import settings
from core.errors import ModelBroken, NotSupported
from core.pretrained import devices, huggingface, names, scratch
from core.pretrained.checkpoint import Checkpoint
from core.pretrained.engine import Engine
from core.pretrained.model import Model
from core.pretrained.tokens import TextReader
from core.transformer import EncoderConfig


def from_checkpoint(
    found: Checkpoint, engine: str | None, name: str, chosen: settings.Settings
) -> Model:
    """A model from a folder whose files have been looked at. Raises as `core.load`."""
    config = _read_config(found.folder, name)
    shape = _shape(config, engine, name)
    device = devices.choose(chosen.device)
    tokenizer = _read_tokenizer(found.folder, name)
    runner: Engine
    if shape is not None:
        runner = scratch.ScratchEngine(scratch.from_checkpoint(shape, found, name), device)
    else:
        runner = huggingface.HuggingFaceEngine(huggingface.from_checkpoint(found, name), device)
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
        runner = huggingface.HuggingFaceEngine(model, device)
    return _model(name, runner, model.config, tokenizer, chosen)


def _shape(config: Any, engine: str | None, name: str) -> EncoderConfig | None:
    """Our encoder's shape where it is to be used, None where `transformers` is."""
    kind = config.model_type
    if kind not in huggingface.MODEL_TYPES:
        raise NotSupported(
            f"“{name}” is a model of the type {kind}, which Polysee does not read yet. It reads "
            f"{', '.join(huggingface.MODEL_TYPES)}."
        )
    shape = names.encoder_config(config)
    if engine == "scratch" and shape is None:
        raise NotSupported(
            f"Our own transformer does not reach “{name}” ({kind}, with its settings): it has the "
            "shapes of BERT and DistilBERT. Take engine='huggingface'."
        )
    return None if engine == "huggingface" else shape


def _read_config(folder: Path, name: str) -> Any:
    from transformers import AutoConfig

    try:
        return AutoConfig.from_pretrained(folder, local_files_only=True, trust_remote_code=False)
    except Exception as error:  # a wrong value raises whatever its check raises
        raise ModelBroken(
            f"transformers does not understand the config.json of “{name}”: "
            f"{' '.join(str(error).split())[:200]}"
        ) from error


def _read_tokenizer(folder: Path, name: str) -> Any:
    from transformers import AutoTokenizer

    try:
        return AutoTokenizer.from_pretrained(folder, local_files_only=True, trust_remote_code=False)
    except Exception as error:  # the Rust tokenizer raises a bare Exception
        raise ModelBroken(
            f"The tokenizer of “{name}” cannot be read: {' '.join(str(error).split())[:200]}"
        ) from error


def _model(name: str, runner: Engine, config: Any, tokenizer: Any, chosen: settings.Settings) -> Model:
    max_tokens = _max_tokens(config)
    reader = TextReader(tokenizer, max_tokens, config.vocab_size, name)
    return Model(
        name,
        "scratch" if isinstance(runner, scratch.ScratchEngine) else "huggingface",
        runner,
        reader,
        max_tokens=max_tokens,
        # DistilBERT has no token types and tells two texts apart by [SEP]; a BERT with one has none.
        pairs=getattr(config, "type_vocab_size", None) != 1 or "roberta" in config.model_type,
        trace_bytes=chosen.trace_bytes,
    )


def _max_tokens(config: Any) -> int:
    """Rows of the position table that a text can use: RoBERTa counts from behind the padding id."""
    rows = int(config.max_position_embeddings)
    behind = config.model_type in ("roberta", "xlm-roberta", "camembert")
    return rows - (int(config.pad_token_id) + 1 if behind else 0)
