"""Whether and how a model predicts words, determined at load; its head is built on first use."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from ..records.prediction import PredictionKind
from . import generation, language_head
from .engines.engine import Engine
from .engines.families import Kind
from .files import tensor_names
from .files.checkpoint import Checkpoint
from .head_tensor_names import WordHead, classes_of, why_none
from .language_head import GivenLogits, LanguageHead, Tensors

# The files in which sentence-transformers describes how a text becomes one vector.
SENTENCES = ("modules.json", "config_sentence_transformers.json")


class Words(NamedTuple):
    """How a model predicts words, or why it does not, as `assemble` determines it.

    Attributes:
        predicts: `masked`, `next`, or None.
        none: why it predicts nothing, as a sentence; "" if it predicts.
        head: computes the logits.
        settings: the model's generation settings, looked up by name.
    """

    predicts: PredictionKind | None
    none: str
    head: LanguageHead | GivenLogits
    settings: Callable[[], Callable[[str], Any]]


def of_checkpoint(config: Any, checkpoint: Checkpoint, kind: Kind, runner: Engine, name: str) -> Words:
    """How the model in a folder predicts, inferred from the names of its tensors."""
    of_sentences = any((checkpoint.folder / file).is_file() for file in SENTENCES)
    of_sentences = (
        of_sentences or checkpoint.of_sentences or "sentence-transformers" in str(checkpoint.folder)
    )  # the hub's cache
    head = language_head.head_of(config, kind, runner, checkpoint.saved_as)
    none = why_none(
        config,
        head,
        _modern(checkpoint.tensors, head),
        name,
        kind=kind,
        causal=runner.causal,
        of_sentences=of_sentences,
    )
    tensors = {} if none else language_head.of_checkpoint(checkpoint, head)
    settings = partial(generation.settings_in, checkpoint.folder, checkpoint.config, config, name)
    return _words(config, head, none, tensors, runner, name, settings)


def of_model(model: Any, own: str, kind: Kind, runner: Engine, name: str, *, share: bool) -> Words:
    """How a model object predicts, by the tensors of its head.

    Args:
        model: the object with its head.
        own: the class of `transformers` that it is of.
        kind: the kind of the model.
        runner: the engine that runs it.
        name: the name of the model in messages.
        share: whether its head reflects any further training.
    """
    path = str(getattr(model, "name_or_path", ""))
    settings = generation.settings_of(model)
    head = language_head.head_of(model.config, kind, runner, own)
    none = why_none(
        model.config,
        head,
        _modern(model.state_dict(), head),
        name,
        kind=kind,
        causal=runner.causal,
        of_sentences="sentence-transformers" in path,
    )
    tensors = {} if none else language_head.of_model(model, head, runner, share=share)
    return _words(model.config, head, none, tensors, runner, name, lambda: settings)


def headed(own: str, kind: Kind) -> bool:
    """Whether a class of `transformers` has a head that predicts words."""
    # a class for pre-training has that head, and another one
    return own in classes_of(kind) or (kind == "encoder" and own.endswith("ForPreTraining"))


def of_object(model: Any, own: str, kind: Kind, runner: Engine, name: str) -> Words:
    """How an object with a head predicts that is run as it is: its own head computes the logits.

    Args:
        model: the object.
        own: the class of `transformers` that it is of.
        kind: the kind of the model.
        runner: the engine that runs it.
        name: the name of the model in messages.
    """
    settings = generation.settings_of(model)
    head = WordHead("masked" if kind == "encoder" else "next", own, "logits")
    none = why_none(
        model.config,
        head,
        {"logits"},
        name,
        kind=kind,
        causal=runner.causal,
        of_sentences=False,
    )
    return Words(None if none else head.predicts, none, GivenLogits(), lambda: settings)


def _words(
    config: Any,
    head: WordHead | None,
    none: str,
    tensors: Tensors,
    runner: Engine,
    name: str,
    settings: Callable[[], Callable[[str], Any]],
) -> Words:
    made = LanguageHead(config, head, tensors, runner, name)
    return Words(None if none or head is None else head.predicts, none, made, settings)


def _modern(tensors: Any, head: WordHead | None) -> set[str]:
    """The current names of tensors; those of the head as its class names them."""
    there = {tensor_names.modern(key) for key in tensors}
    stored = head.stored if head else {}
    return there | {name for name, other in stored.items() if other in there}
