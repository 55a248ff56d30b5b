"""Assemble configuration, weights and tokenizer into a `Model`.

Only this module and `model_objects` know both engines.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from torch import Tensor

from .. import settings
from ..errors import Filled, ModelBroken, NotSupported
from ..transformer import Transformer
from . import can_predict, head_tensor_names, model_objects, room
from .can_predict import Words
from .engines import anatomy, devices, families, published, scratch, scratch_pair
from .engines.engine import Engine
from .engines.huggingface import HuggingFaceEngine, HuggingFaceSeq2Seq, without_head
from .engines.scratch_pair import ScratchPair
from .files import chat_templates, configs, family_tables, tensor_names, tokenizer_files
from .files.checkpoint import Checkpoint
from .files.weight_files import advice
from .model import Model
from .seq2seq import Seq2SeqModel
from .tokenizer.reader import TextReader
from .tokenizer.whole_file import followed


def from_checkpoint(
    checkpoint: Checkpoint, engine: str | None, name: str, chosen: settings.Settings
) -> Model:
    """A model from a folder whose files have been checked. Raises the errors of `core.load`."""
    configs.check_type(checkpoint.config["model_type"], name)
    config = configs.read(checkpoint, name)
    configs.check(config, checkpoint, name)
    own = scratch.plan_of(config, checkpoint.tensors)
    plan = _plan(own, config, engine, name)
    device = devices.choose(chosen.device)
    if own is None or (own.family is not None and plan is None):
        checkpoint = published.own_names(config, checkpoint, name)
    else:
        checkpoint = checkpoint.unwrapped(own_model=own.prefix == "model")
        checkpoint = checkpoint.inside(own.tensors_in(checkpoint.tensors), own.prefix)
        # This check serves both engines: importing a model of transformers takes seconds, comparing
        # names takes hardly any time.
        scratch.check(own, checkpoint, name)
    tokenizer = tokenizer_files.load(
        checkpoint.tokenizer, config.model_type, name, known=checkpoint.known
    )
    note = ""
    if not checkpoint.known:
        tokenizer, note = followed(tokenizer, checkpoint.tokenizer / tokenizer_files.WHOLE, name)
    tokenizer.chat_template = chat_templates.of_folder(checkpoint.tokenizer, name)
    # If transformers finds no tokenizer files, it silently makes a tokenizer with a few tokens.
    known = getattr(families.text_config(config), "vocab_size", 0) or 0
    if 100 * len(tokenizer) < known:
        raise ModelBroken(
            "The tokenizer of “{name}” has hardly any words: {n_tokenizer} tokens, where "
            "the model knows {known}. Its files are missing, or belong to another kind of "
            "tokenizer. {advice}",
            name=name,
            n_tokenizer=len(tokenizer),
            known=known,
            advice=advice(checkpoint.folder),
        )
    stay = {} if plan is None else scratch.may_stay(plan, checkpoint, name)
    of_room = room.choose(checkpoint, name, stay)
    if of_room.half:
        checkpoint = checkpoint.with_halves_in_file([key for key, there in stay.items() if there])
    runner: Engine
    if plan is not None:
        module, blocks = scratch.from_checkpoint(plan, checkpoint, name, half=of_room.half)
        runner = _ours(module, config, device, name, blocks)
    else:
        runner = _huggingface(published.from_checkpoint(config, checkpoint, name), device, name)
    kind = _kind(config, checkpoint.saved_as, runner)
    words = can_predict.of_checkpoint(config, checkpoint, kind, runner, name)
    of_reach = configs.note_on_reach(config, name)
    of_shape = _note_on_shape(config.model_type, name) if own is None and engine is None else ""
    notes = (*checkpoint.notes, *filter(None, [note, of_shape, of_reach, of_room.note]))
    copied = not checkpoint.known  # a class of a language is switched, and a copy stays what it was
    return _model(name, runner, config, kind, tokenizer, chosen, words, notes, copied=copied)


def from_objects(
    model: Any, tokenizer: Any, engine: str | None, name: str, chosen: settings.Settings
) -> Model:
    """A model from the caller's own objects, which stay unchanged. Raises the errors of `core.load`."""
    whole = model_objects.opened(model, name)
    config = whole.base.config
    plan = _plan(scratch.plan_of(config, whole.base.state_dict()), config, engine, name)
    device = devices.choose(chosen.device)
    made: model_objects.Chosen | str = ""
    if plan is not None:
        made = model_objects.scratch_engine(whole, plan, device, name, asked=engine == "scratch")
    if isinstance(made, str):
        configs.check_reach(config, name)
        published.refuse_not_finite(whole.model, name)
        _check_room(families.max_tokens(config, None), name)
        made = model_objects.huggingface_engine(whole, device, name, made)
    kind = _kind(config, whole.own, made.runner)
    words, made = _words_of(whole, kind, made, name, ours=engine == "scratch")
    notes = (*made.notes, *filter(None, [configs.note_on_reach(config, name)]))
    return _model(name, made.runner, config, kind, tokenizer, chosen, words, notes)


def _words_of(
    whole: model_objects.Opened,
    kind: families.Kind,
    made: model_objects.Chosen,
    name: str,
    *,
    ours: bool,
) -> tuple[Words, model_objects.Chosen]:
    """How an object predicts words; and the engine, which is another one if the head was changed.

    `ours`: whether the caller asked for our own transformer, which then stays the engine.
    """
    runner = made.runner
    lent = getattr(runner, "lent", None) is not None
    headed = can_predict.headed(whole.own, kind)
    if not (lent and headed):
        share = not isinstance(runner, scratch.Ours | ScratchPair)
        words = can_predict.of_model(whole.model, whole.own, kind, runner, name, share=share)
        if (
            not headed
            or words.none
            or model_objects.heads_agree(whole, runner, words.head.logits, name)
        ):
            return words, made
        why = "its head gives other numbers than its tensors do in the usual class"
        if ours:
            none = (
                f"“{name}” predicts no words in our own transformer: {why}. Use engine='huggingface'."
            )
            return words._replace(predicts=None, none=none), made
        made = model_objects.huggingface_engine(whole, runner.device, name, why)
        runner = made.runner
    words = can_predict.of_object(whole.model, whole.own, kind, runner, name)
    if not words.none and not model_objects.own_logits(whole, runner, name):
        none = f"“{name}” has no head that gives a number for each token of its vocabulary."
        words = words._replace(predicts=None, none=none)
    return words, made


def _note_on_shape(kind: str, name: str) -> str:
    """That `transformers` runs a model of a type that ours runs in other shapes; "" for other types."""
    if kind not in family_tables.FAMILIES and kind not in tensor_names.ENCODERS:
        return ""
    return Filled(
        "“{name}” has a shape that our own transformer does not compute, unlike others of its type "
        "({kind}): transformers runs it whole. Attention, vectors and predictions are there; "
        "contributions, cuts, ablations and patching are not.",
        name=name,
        kind=kind,
    )


def _kind(config: Any, own: str, runner: Engine) -> families.Kind:
    pair = isinstance(runner, HuggingFaceSeq2Seq | ScratchPair)
    return head_tensor_names.kind_of(config, own, pair=pair, causal=runner.causal)


def _plan(plan: scratch.Plan | None, config: Any, engine: str | None, name: str) -> scratch.Plan | None:
    """Our transformer's shape if it runs the model; None for `transformers`."""
    configs.check_type(config.model_type, name)
    if engine == "scratch" and plan is None:
        raise NotSupported(
            f"Our own transformer cannot run “{name}” ({config.model_type}, with its "
            f"settings): it supports the architectures of {scratch.NAMED}. Use "
            "engine='huggingface'."
        )
    return None if engine == "huggingface" else plan


def _ours(
    module: scratch.Module,
    config: Any,
    device: str,
    name: str,
    blocks: Mapping[str, Tensor] | None = None,
) -> scratch.Ours | ScratchPair:
    if isinstance(module, Transformer):
        return scratch_pair.engine(module, config, device, name)
    return scratch.engine(module, device, blocks)


def _huggingface(model: Any, device: str, name: str) -> HuggingFaceEngine | HuggingFaceSeq2Seq:
    _check_room(families.max_tokens(model.config, None), name)
    if anatomy.paired(without_head(model)):
        return HuggingFaceSeq2Seq(model, device, name)
    return HuggingFaceEngine(model, device, name)


def _model(
    name: str,
    runner: Engine,
    config: Any,
    kind: families.Kind,
    tokenizer: Any,
    chosen: settings.Settings,
    words: Words,
    notes: tuple[str, ...] = (),
    *,
    copied: bool = True,
) -> Model:
    rows = (
        runner.anatomy.rows
        if isinstance(runner, HuggingFaceEngine | HuggingFaceSeq2Seq)
        else getattr(runner, "rows", None)
    )
    max_tokens = families.max_tokens(config, rows)
    _check_room(max_tokens, name)
    reader = TextReader(
        tokenizer,
        max_tokens,
        len(runner.table),
        name,
        n_types=getattr(config, "type_vocab_size", None),
        n_target=getattr(config, "decoder_vocab_size", None),
        copied=copied,
    )
    if isinstance(runner, HuggingFaceSeq2Seq | ScratchPair):
        return Seq2SeqModel(
            name,
            "scratch" if isinstance(runner, ScratchPair) else "huggingface",
            runner,
            reader,
            max_tokens=max_tokens,
            trace_bytes=chosen.trace_bytes,
            words=words,
            notes=notes,
        )
    return Model(
        name,
        "scratch" if isinstance(runner, scratch.Ours) else "huggingface",
        runner,
        reader,
        kind=kind,
        max_tokens=max_tokens,
        pairs=kind == "encoder" and families.reads_pairs(config, rows),
        trace_bytes=chosen.trace_bytes,
        words=words,
        notes=notes,
    )


def _check_room(max_tokens: int, name: str) -> None:
    if max_tokens < 3:
        raise ModelBroken(
            "“{name}” has room for {max_tokens} tokens, too few for a word between its two "
            "special tokens. Choose another model.",
            name=name,
            max_tokens=max(max_tokens, 0),
        )
