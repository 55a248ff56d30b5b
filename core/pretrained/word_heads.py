"""Whether a model has the head that predicts words, from the names of its tensors alone.

`transformers` would make a head that is missing of random numbers. Here the names say at once, without
importing a model, whether there is one, and if not, what the model was trained for instead.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from core.prediction import PredictionKind
from core.pretrained.families import FAMILIES, is_causal


class WordHead(NamedTuple):
    """The tensors of one type of model's head, by today's names (`core.pretrained.names.modern`).

    Attributes:
        predicts: what it says: the token behind a mask, or the next one.
        auto: the class of `transformers` that finds a model with this head.
        output: the last matrix, (vocabulary, E); as a rule it is the word-embedding table itself
            ("tied"), and then it need not be stored (Press and Wolf 2017).
        parts: the modules before it, each with a weight and a bias.
        bias: the vocabulary's bias, by one name or by two for the same numbers.
        optional: zeros where a checkpoint leaves them out.
    """

    predicts: PredictionKind
    auto: str
    output: str
    parts: tuple[str, ...] = ()
    bias: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()

    def names(self) -> tuple[str, ...]:
        """Every tensor that belongs to it."""
        parts = (f"{part}.{half}" for part in self.parts for half in ("weight", "bias"))
        return (*parts, *self.bias, self.output, *self.optional)


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
        "gpt2": _DECODER,
        "llama": _DECODER,
        "marian": _BART,
        "mpnet": _ROBERTA,
        "opt": _DECODER,
        "qwen2": _DECODER,
        "qwen3": _DECODER,
        "roberta": _ROBERTA,
        "t5": _T5,
        "xlm-roberta": _ROBERTA,
    }
)

# What a model was trained for, by the head that it has instead. The first that fits is said.
_INSTEAD = (
    (
        r"discriminator_predictions\..*",
        "it is a discriminator, trained to tell words that were replaced from those that were not",
    ),
    (r"qa_outputs\..*", "it was trained to find answers in a text"),
    (
        r"((pre_)?classifier|score|classification_head)\..*",
        "it was trained to sort texts, or their words, into classes",
    ),
    (r"cls\.seq_relationship\..*", "it was trained to tell whether one text follows another"),
)
_SENTENCES = "it was trained for vectors of sentences"


def why_none(config: Any, there: Collection[str], name: str, *, of_sentences: bool) -> str:
    """Why a model predicts no words, in a sentence; "" if it does.

    Args:
        config: its configuration.
        there: the names of its tensors, today's (`core.pretrained.names.modern`).
        name: what to call it.
        of_sentences: whether it came as a model of `sentence-transformers`.
    """
    kind, head = FAMILIES[config.model_type].kind, HEADS[config.model_type]
    if kind == "encoder" and is_causal(config):
        return (
            f"“{name}” is an encoder that is set up as a decoder: each token sees those before it "
            "only. Polysee reads its attention, and lets it predict no words."
        )
    if kind == "decoder" and not is_causal(config):
        return (
            f"“{name}” is a decoder that is set up to read both ways: it would see the word that it "
            "had to predict."
        )
    tied = bool(getattr(config, "tie_word_embeddings", True))
    missing = _missing(head, there, tied)
    other = next((why for names, why in _INSTEAD if _any(names, there)), "")
    if of_sentences:
        other = other or _SENTENCES
    whole_by_tie = not head.parts and head.output not in there
    if not missing and not (whole_by_tie and other):
        return ""
    some = [part for part in head.names() if part in there and part not in head.optional]
    if missing and some:
        return f"“{name}” has only a part of the head that predicts words: {missing[0]} is missing."
    other = other or f"its weights are those of the {kind} alone"
    return f"“{name}” has no head that predicts words: {other}."


def _missing(head: WordHead, there: Collection[str], tied: bool) -> list[str]:
    """The tensors without which there is no head. What is tied is one, whichever of it is stored."""
    missing = [name for name in head.names() if name not in there and name not in head.optional]
    if tied:
        spare = set(head.bias) if set(head.bias) & set(there) else set(head.bias[1:])
        missing = [name for name in missing if name != head.output and name not in spare]
    return missing


def _any(pattern: str, there: Collection[str]) -> bool:
    return any(re.fullmatch(pattern, name) for name in there)
