"""Whether a model has the head that predicts words, decided by the names of its tensors alone.

`transformers` would fill a missing head with random numbers. Here the names show whether there is one,
and if not, for which other task the model was trained. The tensors of a head are listed for the types
of models whose tensors have had several names, or that can be judged without importing a model; for all
others, an empty model of their class provides the list (`core.pretrained.language_head`).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from ..localization import N_
from ..records.prediction import PredictionKind
from .engines.families import Kind


class WordHead(NamedTuple):
    """The tensors of one type of model's head, by current names: see `files.tensor_names.modern`.

    Attributes:
        predicts: the predicted token: the one behind a mask, or the next one.
        auto: the `transformers` class that loads a model with this head.
        output: the last matrix, (vocabulary, E); usually the word-embedding table itself ("tied"),
            which then need not be stored (Press and Wolf 2017).
        parts: the modules before it, each with a weight and a bias.
        bias: the bias of the vocabulary, under one name, or two for the same tensor.
        optional: tensors that are zero if a checkpoint omits them.
        others: its other tensors, by their full names.
        spare: tensors shared with the model, which need not be stored, if the class decides this; None
            if the configuration does.
        stored: the checkpoint's names of tensors that `transformers` renames when it reads one.
    """

    predicts: PredictionKind
    auto: str
    output: str
    parts: tuple[str, ...] = ()
    bias: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    spare: frozenset[str] | None = None
    stored: Mapping[str, str] = MappingProxyType({})

    def names(self) -> tuple[str, ...]:
        """All tensors that belong to the head."""
        parts = (f"{part}.{half}" for part in self.parts for half in ("weight", "bias"))
        return (*parts, *self.bias, *self.others, self.output, *self.optional)

    @property
    def alone(self) -> bool:
        """Whether the head is a single matrix, possibly the table itself."""
        return not (self.parts or self.others)


_ROBERTA = WordHead(
    "masked",
    "AutoModelForMaskedLM",
    "lm_head.decoder.weight",
    ("lm_head.dense", "lm_head.layer_norm"),
    ("lm_head.bias", "lm_head.decoder.bias"),
)
_DECODER = WordHead("next", "AutoModelForCausalLM", "lm_head.weight")
_T5 = WordHead("next", "AutoModelForSeq2SeqLM", "lm_head.weight")
_BART = _T5._replace(optional=("final_logits_bias",))

HEADS: Mapping[str, WordHead] = MappingProxyType(
    {
        "albert": _ROBERTA._replace(
            output="predictions.decoder.weight",
            parts=("predictions.dense", "predictions.LayerNorm"),
            bias=("predictions.bias", "predictions.decoder.bias"),
        ),
        "bart": _BART,
        "bert": _ROBERTA._replace(
            output="cls.predictions.decoder.weight",
            parts=("cls.predictions.transform.dense", "cls.predictions.transform.LayerNorm"),
            bias=("cls.predictions.bias", "cls.predictions.decoder.bias"),
        ),
        "camembert": _ROBERTA,
        "distilbert": _ROBERTA._replace(
            output="vocab_projector.weight",
            parts=("vocab_transform", "vocab_layer_norm"),
            bias=("vocab_projector.bias",),
        ),
        "electra": _ROBERTA._replace(
            output="generator_lm_head.weight",
            parts=("generator_predictions.dense", "generator_predictions.LayerNorm"),
            bias=("generator_lm_head.bias",),
        ),
        "bloom": _DECODER,
        "cohere": _DECODER,
        "cohere2": _DECODER,
        "ernie4_5": _DECODER,
        "exaone4": _DECODER,
        "falcon": _DECODER,
        "gemma": _DECODER,
        "gemma2": _DECODER,
        "gemma3_text": _DECODER,
        "glm": _DECODER,
        "glm4": _DECODER,
        "gpt2": _DECODER,
        "gpt_bigcode": _DECODER,
        "gpt_neo": _DECODER,
        "gpt_neox": _DECODER._replace(stored=MappingProxyType({"lm_head.weight": "embed_out.weight"})),
        "gptj": _DECODER._replace(bias=("lm_head.bias",)),
        "granite": _DECODER,
        "helium": _DECODER,
        "llama": _DECODER,
        "marian": _BART,
        "mbart": _BART,
        "mistral": _DECODER,
        "mpnet": _ROBERTA,
        "mt5": _T5,
        "olmo": _DECODER,
        "olmo2": _DECODER,
        "opt": _DECODER,
        "pegasus": _BART,
        "phi": _DECODER._replace(bias=("lm_head.bias",)),
        "phi3": _DECODER,
        "plbart": _BART,
        "qwen2": _DECODER,
        "qwen3": _DECODER,
        "roberta": _ROBERTA,
        "seed_oss": _DECODER,
        "smollm3": _DECODER,
        "stablelm": _DECODER,
        "starcoder2": _DECODER,
        "t5": _T5,
        "umt5": _T5,
        "xlm-roberta": _ROBERTA,
    }
)

_AUTO: Mapping[Kind, str] = MappingProxyType(
    {
        "encoder": "AutoModelForMaskedLM",
        "decoder": "AutoModelForCausalLM",
        "encoder-decoder": "AutoModelForSeq2SeqLM",
    }
)

_TASK: Mapping[Kind, str] = MappingProxyType(
    {"encoder": "MASKED_LM", "decoder": "CAUSAL_LM", "encoder-decoder": "SEQ_TO_SEQ_CAUSAL_LM"}
)

# What a model was trained for, judged by the head that it has instead. The first match counts.
# A model says this once, in English, when it is loaded: `ui.models.model_cache.no_predictions`.
NO_LAYER = N_("“{name}” has no output layer that predicts words")
_INSTEAD = (
    (
        r"discriminator_predictions\..*",
        N_("it is a discriminator, trained to distinguish replaced words from original ones"),
    ),
    (r"qa_outputs\..*", N_("it was trained to find answers in a text")),
    (
        r"((pre_)?classifier|score|classification_head)\..*",
        N_("it was trained to classify texts, or their words"),
    ),
    (r"cls\.seq_relationship\..*", N_("it was trained to tell whether one text follows another")),
)
_SENTENCES = N_("it was trained to produce sentence vectors")


def kind_of(config: Any, own: str, *, pair: bool, causal: bool) -> Kind:
    """The kind of a model, by what its type predicts; if nothing, by what its tokens see.

    `transformers` can configure an encoder as a decoder, and a decoder as an encoder. The kind does not
    change, unless the class is that of a decoder that predicts the next word, such as
    `BertLMHeadModel`.

    Args:
        config: the configuration.
        own: the class of the model, or the class that it was saved from.
        pair: whether it reads a source and a target.
        causal: whether a token sees only itself and earlier tokens.
    """
    if pair:
        return "encoder-decoder"
    if causal and own in _all_named("CAUSAL_LM") - _all_named("MASKED_LM"):
        return "decoder"
    if _named("MASKED_LM", config):
        return "encoder"
    if _named("CAUSAL_LM", config):
        return "decoder"
    return "decoder" if causal else "encoder"


def known_head(config: Any, kind: Kind) -> WordHead | None:
    """The listed head for a type of model, if it belongs to this kind."""
    head = HEADS.get(config.model_type)
    return head if head is not None and head.auto == _AUTO[kind] else None


def class_of(config: Any, kind: Kind, own: str = "") -> str:
    """The `transformers` class with the head that predicts words; "" if its type has none.

    Args:
        config: the configuration.
        kind: the kind of the model.
        own: the class of the model, or the class that it was saved from.
    """
    return own if own in classes_of(kind) else _named(_TASK[kind], config)


def classes_of(kind: Kind) -> set[str]:
    """The `transformers` classes with a head that predicts words, for models of this kind."""
    return _all_named(_TASK[kind])


def why_none(
    config: Any,
    head: WordHead | None,
    there: Collection[str],
    name: str,
    *,
    kind: Kind,
    causal: bool,
    of_sentences: bool,
) -> str:
    """Why a model predicts no words, in a sentence; "" if it does.

    Args:
        config: its configuration.
        head: the head of its type.
        there: the current names of its tensors (`core.pretrained.files.tensor_names.modern`).
        name: the name of the model in messages.
        kind: the kind of the model.
        causal: whether its tokens see only earlier tokens.
        of_sentences: whether it was published as a `sentence-transformers` model.
    """
    if head is None:
        return (
            f"“{name}” has no output layer that predicts words, or one that reads more than the "
            "vectors of the last layer."
        )
    if kind == "encoder" and causal:
        return (
            f"“{name}” is an encoder that is configured as a decoder: each token sees only "
            "itself and those before it. Polysee shows its attention but lets it predict "
            "no words."
        )
    if kind == "decoder" and not causal:
        return (
            f"“{name}” is a decoder that is configured to read in both directions: it would "
            "see the word that it has to predict."
        )
    tied = bool(getattr(config, "tie_word_embeddings", True))
    missing = _missing(head, there, tied)
    other = next((why for names, why in _INSTEAD if _any(names, there)), "")
    if of_sentences:
        other = other or _SENTENCES
    whole_by_tie = head.alone and head.output not in there
    if not missing and not (whole_by_tie and other):
        return ""
    some = [part for part in head.names() if part in there and part not in head.optional]
    if missing and some:
        return f"“{name}” has only a part of the head that predicts words: {missing[0]} is missing."
    other = other or f"its weights are only those of the {kind}"
    return f"{NO_LAYER.format(name=name)}: {other}."


def _named(task: str, config: Any) -> str:
    """The `transformers` class for a task and this type of model; "" if there is none."""
    named = _mapping(task).get(config.model_type, "")
    return named if isinstance(named, str) else named[0]


def _all_named(task: str) -> set[str]:
    listed = _mapping(task).values()
    return {name for named in listed for name in ([named] if isinstance(named, str) else named)}


def _mapping(task: str) -> Mapping[str, Any]:
    from transformers.models.auto import modeling_auto

    names: Mapping[str, Any] = getattr(modeling_auto, f"MODEL_FOR_{task}_MAPPING_NAMES")
    return names


def _missing(head: WordHead, there: Collection[str], tied: bool) -> list[str]:
    """The tensors missing from a head. Tied tensors count as one, whichever is stored."""
    missing = [name for name in head.names() if name not in there and name not in head.optional]
    if head.spare is not None:
        return [name for name in missing if name not in head.spare]
    if tied:
        spare = set(head.bias) if set(head.bias) & set(there) else set(head.bias[1:])
        missing = [name for name in missing if name != head.output and name not in spare]
    return missing


def _any(pattern: str, there: Collection[str]) -> bool:
    return any(re.fullmatch(pattern, name) for name in there)
