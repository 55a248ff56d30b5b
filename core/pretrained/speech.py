"""Whether and how a model predicts words, found out at load; its head is made when it is asked for."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from core.prediction import PredictionKind
from core.pretrained import generation, language_head, names
from core.pretrained.checkpoint import Checkpoint
from core.pretrained.engine import Engine
from core.pretrained.language_head import LanguageHead, Tensors
from core.pretrained.word_heads import HEADS, why_none

# Files with which sentence-transformers says how a text becomes one vector.
SENTENCES = ("modules.json", "config_sentence_transformers.json")


class Words(NamedTuple):
    """How a model predicts words, or why it does not: what `assemble` finds out at load.

    Attributes:
        predicts: `masked`, `next`, or None.
        none: why not, in a sentence; "" where it does.
        head: gives the logits.
        said: what the model's settings say about generating, by the name of a setting.
    """

    predicts: PredictionKind | None
    none: str
    head: LanguageHead
    said: Callable[[], Callable[[str], Any]]


def of_checkpoint(config: Any, found: Checkpoint, runner: Engine, name: str) -> Words:
    """How the model of a folder predicts, from the names of its tensors."""
    of_sentences = any((found.folder / file).is_file() for file in SENTENCES)
    of_sentences = of_sentences or "sentence-transformers" in str(found.folder)  # the hub's cache
    return _words(
        config,
        why_none(config, _modern(found.tensors), name, of_sentences=of_sentences),
        language_head.of_checkpoint(found),
        runner,
        name,
        partial(generation.said_in, found.folder, found.config, config, name),
    )


def of_model(model: Any, runner: Engine, name: str, *, share: bool) -> Words:
    """How a model of one's own predicts. `share`: whether its head follows if it is trained on."""
    path = str(getattr(model, "name_or_path", ""))
    said = generation.said_by(model)
    return _words(
        model.config,
        why_none(
            model.config,
            _modern(model.state_dict()),
            name,
            of_sentences="sentence-transformers" in path,
        ),
        language_head.of_model(model, runner, share=share),
        runner,
        name,
        lambda: said,
    )


def _words(
    config: Any,
    none: str,
    tensors: Tensors,
    runner: Engine,
    name: str,
    said: Callable[[], Callable[[str], Any]],
) -> Words:
    head = LanguageHead(config, {} if none else tensors, runner, name)
    return Words(None if none else HEADS[config.model_type].predicts, none, head, said)


def _modern(tensors: Any) -> set[str]:
    return {names.modern(key) for key in tensors}
