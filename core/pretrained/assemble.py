"""Configuration, weights and tokenizer become a `Model`: the only place that knows both engines."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from core import settings
from core.errors import ModelBroken, NotSupported
from core.pretrained import configs, devices, families, names, published, scratch, speech
from core.pretrained.checkpoint import Checkpoint
from core.pretrained.engine import Engine
from core.pretrained.huggingface import HuggingFaceEngine, HuggingFaceSeq2Seq
from core.pretrained.model import Model
from core.pretrained.seq2seq import Seq2SeqModel
from core.pretrained.speech import Words
from core.pretrained.tokens import TextReader
from core.pretrained.weight_files import again
from core.transformer import EncoderConfig


def from_checkpoint(
    found: Checkpoint, engine: str | None, name: str, chosen: settings.Settings
) -> Model:
    """A model from a folder whose files have been looked at. Raises as `core.load`."""
    configs.check_type(found.config["model_type"], name)
    config = _read_config(found.folder, name)
    configs.check(config, found, name)
    shape = _shape(config, engine, name)
    device = devices.choose(chosen.device)
    own = names.encoder_config(config)
    if own is not None:
        # For either engine: to import a model of transformers takes seconds, to compare names none.
        scratch.check(own, found, name)
    tokenizer = _read_tokenizer(found.folder, config.model_type, name)
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
        runner = _huggingface(published.from_checkpoint(config, found, name), device, name)
    words = speech.of_checkpoint(config, found, runner, name)
    return _model(name, runner, config, tokenizer, chosen, words)


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
        configs.check_reach(model.config, name)
        published.refuse_what_is_no_number(model, name)
        runner = _huggingface(model, device, name)
    words = speech.of_model(model, runner, name, share=shape is None)
    return _model(name, runner, model.config, tokenizer, chosen, words)


def _shape(config: Any, engine: str | None, name: str) -> EncoderConfig | None:
    """Our encoder's shape where it is to be used, None where `transformers` is."""
    configs.check_type(config.model_type, name)
    shape = names.encoder_config(config)
    if engine == "scratch" and shape is None:
        raise NotSupported(
            f"Our own transformer does not reach “{name}” ({config.model_type}, with its settings): it "
            "has the shapes of BERT and DistilBERT. Take engine='huggingface'."
        )
    return None if engine == "huggingface" else shape


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
    if isinstance(error, KeyError):  # it says the name alone
        text += " is missing"
    return text[:199] + "…" if len(text) > 200 else text.rstrip(".") + "."


def _read_tokenizer(folder: Path, kind: str, name: str) -> Any:
    from transformers import AutoTokenizer, PreTrainedTokenizerFast

    # Marian's own class reads source.spm alone, and cannot tell which characters a token came from.
    reader = PreTrainedTokenizerFast if kind == "marian" else AutoTokenizer
    try:
        return reader.from_pretrained(folder, local_files_only=True, trust_remote_code=False)
    except Exception as error:  # the Rust tokenizer raises a bare Exception
        raise ModelBroken(
            f"The tokenizer of “{name}” cannot be read: {_short(error)} {again(folder)}"
        ) from error


def _huggingface(model: Any, device: str, name: str) -> HuggingFaceEngine | HuggingFaceSeq2Seq:
    if families.FAMILIES[model.config.model_type].kind == "encoder-decoder":
        return HuggingFaceSeq2Seq(model, device, name)
    return HuggingFaceEngine(model, device)


def _model(
    name: str,
    runner: Engine,
    config: Any,
    tokenizer: Any,
    chosen: settings.Settings,
    words: Words,
) -> Model:
    max_tokens = families.max_tokens(config)
    if max_tokens < 3:
        raise ModelBroken(
            f"“{name}” has room for {max(max_tokens, 0)} tokens, too few for a word between "
            "the two special ones. Choose another model."
        )
    reader = TextReader(tokenizer, max_tokens, config.vocab_size, name)
    if isinstance(runner, HuggingFaceSeq2Seq):
        return Seq2SeqModel(
            name, runner, reader, max_tokens=max_tokens, trace_bytes=chosen.trace_bytes, words=words
        )
    return Model(
        name,
        "scratch" if isinstance(runner, scratch.ScratchEngine) else "huggingface",
        runner,
        reader,
        kind=families.FAMILIES[config.model_type].kind,
        max_tokens=max_tokens,
        pairs=families.reads_pairs(config),
        trace_bytes=chosen.trace_bytes,
        words=words,
    )
