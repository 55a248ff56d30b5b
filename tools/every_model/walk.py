"""One type of model, small and random, read by Polysee and compared with eager `transformers`.

A model counts as read if it agrees at every step, as an object and from a folder, on one text and on a
batch, which is padded unless padding changes the model's numbers.
"""

from __future__ import annotations

import inspect
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
import torch

import core
from core.measures.attention import visible_keys
from tools.every_model import small

BOUND = 1e-4  # for weights; for vectors, relative to the largest number of a layer
TEXTS = ("on the old river bank", "a bank", "the river and the bank and the river")
TARGET = "the bank on a river"
# The vocabulary of the comparison: whole words, so that no word is split, and every text is short.
WORDS = ["the", "a", "on", "river", "bank", "and", "old", "money", "in", "of"]
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]

BAND = 4  # half of the attention window of those small models that have one
State = Literal["whole", "weights", "refused", "large", "not built", "wrong"]


@dataclass(frozen=True)
class Verdict:
    """The result for one type of model.

    Attributes:
        kind: the type of model according to its config.json.
        state: `whole` (with query and key), `weights` (without), `refused`; `large` and `not built` say
            nothing about Polysee; `wrong` is a fault.
        why: the message, or what differs.
        layers: how many layers have attention, out of how many.
        predicts: what its language-model head predicts ("masked", "next"); "" without one.
        notes: further facts: local layers, other destinations of attention, padding that leaks.
    """

    kind: str
    state: State
    why: str = ""
    layers: str = ""
    predicts: str = ""
    notes: str = ""


class Different(AssertionError):
    """Polysee and `transformers` disagree."""


def walk(kind: str) -> Verdict:
    """Build a model of this type, read it, and compare."""
    try:
        plain = small.model(kind)
    except small.TooLarge as error:
        return Verdict(kind, "large", str(error))
    except Exception as error:  # a class raises anything if its sizes do not fit together
        return Verdict(kind, "not built", _short(error))
    words, headed = tokenizer(), _headed(kind, plain.config)
    with tempfile.TemporaryDirectory() as folder:
        try:
            oracle = _saved(plain, Path(folder) / "plain", words)
            model = core.load(plain, words, engine="huggingface")
            if oracle is None:
                return Verdict(kind, "wrong", "It is read, and transformers cannot run it.")
            compare(model, oracle, words)
            loaded = core.load(Path(folder) / "plain", engine="huggingface")
            compare(loaded, oracle, _tokenizer_of(Path(folder) / "plain"))
            if headed is not None and (oracle := _saved(headed, Path(folder) / "headed", words)):
                loaded = core.load(Path(folder) / "headed", engine="huggingface")
                compare_predictions(loaded, oracle, _tokenizer_of(Path(folder) / "headed"))
        except core.NotSupported as error:
            return Verdict(kind, "refused", str(error))
        except (core.PolyseeError, Different) as error:
            return Verdict(kind, "wrong", _short(error))
    trace: Any = (
        model.trace(TEXTS[0], TARGET) if model.kind == "encoder-decoder" else model.trace(TEXTS[0])
    )
    halves = (trace.encoder, trace.decoder) if model.kind == "encoder-decoder" else (trace,)
    there = [int((~half.attention.missing.all(axis=(1, 2))).sum()) for half in halves]
    of = [half.grid[0] for half in halves]
    why = "; ".join(dict.fromkeys(half.why_no_products for half in halves if half.why_no_products))
    return Verdict(
        kind,
        "weights" if why else "whole",
        why,
        ", ".join(f"{a} of {b}" for a, b in zip(there, of, strict=True)),
        loaded.predicts or "",
        ", ".join(_notes(model, halves)),
    )


_OUTSIDE = {
    "sink": "sinks",
    "source": "the decoder reads both texts at once",
    "target": "the decoder reads both texts at once",
    "prompt": "a learned prompt before the text",
}


def _notes(model: core.Model, halves: Sequence[core.Trace]) -> Iterator[str]:
    """The notes for the table."""
    if any(one.kind not in ("all", "causal") for half in halves for one in _reaches(half)):
        yield "local layers"
    if any(half.bias is not None for half in halves):
        yield "position bias"
    if any(half.softcap for half in halves):
        yield "capped scores"
    attentions = [half.attention for half in halves if half.attention is not None]
    outside = {one.outside for one in attentions if one.sink is not None}
    yield from (_OUTSIDE[one] for one in sorted(outside))
    if model.padding_leaks:
        yield "padding changes its vectors"


def _reaches(half: core.Trace) -> Iterator[visible_keys.Reach]:
    """The reach of each layer with its own mask."""
    if half.masked is None or half.attention is None:
        return
    for masked, missing in zip(half.masked, half.attention.missing, strict=True):
        if not missing.all():
            yield visible_keys.reach(masked)


def _saved(model: Any, folder: Path, words: Any) -> Any:
    """The model in plain, eager `transformers`, loaded from the folder where it is saved.

    None if `transformers` itself cannot run it on a text.
    """
    model.save_pretrained(folder)
    words.save_pretrained(folder)
    read: Any = type(model).from_pretrained(folder, attn_implementation="eager").eval()
    inputs = words(TEXTS[0], return_tensors="pt", return_token_type_ids=False)
    if read.config.is_encoder_decoder:
        inputs["decoder_input_ids"] = inputs["input_ids"]
    try:
        with torch.inference_mode():  # run once: BigBird changes its attention at the first short text
            read(**inputs, **_quietly(read))
    except Exception:  # a model that does not read only texts may raise anything
        return None
    return read


def _quietly(model: Any) -> dict[str, Any]:
    """Without a cache of past keys, with which some models omit their masks."""
    return {"use_cache": False} if "use_cache" in inspect.signature(model.forward).parameters else {}


def _tokenizer_of(folder: Path) -> Any:
    """The tokenizer of a folder, which splits as its file says.

    Some classes take only the vocabulary from that file. Those of translators write the template for
    the languages, which no file holds.
    """
    from tokenizers import Tokenizer
    from transformers import AutoTokenizer

    made = AutoTokenizer.from_pretrained(folder)
    whole = Tokenizer.from_file(str(folder / "tokenizer.json"))
    if hasattr(made, "src_lang"):
        whole.post_processor = made.backend_tokenizer.post_processor
    made._tokenizer = whole
    return made


def tokenizer() -> Any:
    """A fast tokenizer of whole words, with a template for one text and for two."""
    from tokenizers import Tokenizer, models, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    known = {word: i for i, word in enumerate([*SPECIAL, *WORDS])}
    made = Tokenizer(models.WordLevel(known, unk_token="[UNK]"))
    made.pre_tokenizer = pre_tokenizers.Whitespace()
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", known["[CLS]"]), ("[SEP]", known["[SEP]"])],
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=made,
        pad_token="[PAD]",
        unk_token="[UNK]",
        cls_token="[CLS]",
        sep_token="[SEP]",
        mask_token="[MASK]",
    )


def _headed(kind: str, config: Any) -> Any:
    """A model of this type with a language-model head; None if its type has none."""
    from transformers.models.auto import modeling_auto

    for task, auto in (
        ("MASKED_LM", "AutoModelForMaskedLM"),
        ("SEQ_TO_SEQ_CAUSAL_LM", "AutoModelForSeq2SeqLM"),
        ("CAUSAL_LM", "AutoModelForCausalLM"),
    ):
        if kind in getattr(modeling_auto, f"MODEL_FOR_{task}_MAPPING_NAMES"):
            try:
                return small.model(kind, config, auto)
            except Exception:  # a head that cannot be built small says nothing about the model
                return None
    return None


def compare(model: core.Model, oracle: Any, words: Any) -> None:
    """Raise Different if a step differs from `transformers`, on one text or in a batch."""
    if model.kind == "encoder-decoder":
        _compare_pair(model, oracle, words)
        return
    for text in TEXTS:
        inputs = words(text, return_tensors="pt", return_token_type_ids=_typed(oracle))
        _compare_trace(model.trace(text), _outputs(oracle, inputs), 0, text)
    inputs = words(
        list(TEXTS),
        return_tensors="pt",
        padding=True,
        padding_side="right",
        return_token_type_ids=_typed(oracle),
    )
    traces = model.trace_many(TEXTS, keep="all")
    if model.padding_leaks:  # then the batch of `transformers` itself gives other numbers
        for text, trace in zip(TEXTS, traces, strict=True):
            alone = words(text, return_tensors="pt", return_token_type_ids=_typed(oracle))
            _compare_trace(trace, _outputs(oracle, alone), 0, f"{text} (in a batch)")
        return
    out = _outputs(oracle, inputs)
    for row, (text, trace) in enumerate(zip(TEXTS, traces, strict=True)):
        _compare_trace(trace, out, row, f"{text} (padded)")


def compare_predictions(model: core.Model, oracle: Any, words: Any) -> None:
    """Raise Different if the logits differ from those of `transformers`."""
    if model.predicts is None:
        return
    if model.predicts == "masked":
        text = TEXTS[0].replace("river", "[MASK]")
        inputs = words(text, return_tensors="pt", return_token_type_ids=_typed(oracle))
        at = int((inputs["input_ids"][0] == words.mask_token_id).nonzero()[0])
        (expectation,) = model.expects(text)
    elif model.kind == "encoder-decoder":
        trace: Any = model.trace(TEXTS[0], TARGET)
        (expectation,) = model.expects(TEXTS[0], TARGET)
        reads = words.convert_tokens_to_ids(list(trace.decoder.tokens))
        inputs = words(TEXTS[0], return_tensors="pt", return_token_type_ids=False)
        inputs["decoder_input_ids"] = torch.tensor([reads])
        at = -1
    else:
        ids = words(TEXTS[0])["input_ids"][:-1]  # a decoder continues from before the end token
        inputs, at = {"input_ids": torch.tensor([ids])}, -1
        (expectation,) = model.expects(TEXTS[0])
    with torch.inference_mode():
        expected = oracle(**inputs, **_quietly(oracle)).logits[0, at].numpy()
    _near(expectation.logits, expected, "logits")


def _typed(oracle: Any) -> bool:
    return getattr(oracle.config, "type_vocab_size", 0) > 1


def _outputs(oracle: Any, inputs: Any) -> Any:
    with torch.inference_mode():
        more = {"output_hidden_states": True, "output_attentions": True} | _quietly(oracle)
        return oracle(**inputs, **more)


def _compare_pair(model: core.Model, oracle: Any, words: Any) -> None:
    trace: Any = model.trace(TEXTS[0], TARGET)
    reads = words.convert_tokens_to_ids(list(trace.decoder.tokens))
    if reads[1:] != words(TARGET)["input_ids"][:-1]:
        raise Different(f"The decoder reads {trace.decoder.tokens}.")
    inputs = words(TEXTS[0], return_tensors="pt", return_token_type_ids=False)
    out = _outputs(oracle, {**inputs, "decoder_input_ids": torch.tensor([reads])})
    for part, half in (("encoder", trace.encoder), ("decoder", trace.decoder)):
        attentions, states = out[f"{part}_attentions"], out[f"{part}_hidden_states"]
        name = "encoder_last_hidden_state" if part == "encoder" else "last_hidden_state"
        last = out.get(name, states[-1])  # with a head, the decoder's final vectors are not returned
        _compare_parts(half, states, last, attentions, 0, part)
    n, m = len(trace.decoder.tokens), len(trace.encoder.tokens)
    _compare_weights(
        trace.cross.weights, [w[:, :, :n] for w in out.cross_attentions], 0, (n, m), "cross"
    )


def _compare_trace(trace: core.Trace, out: Any, row: int, what: str) -> None:
    last = out.get("last_hidden_state", out.hidden_states[-1])  # with a head, they are not returned
    _compare_parts(trace, out.hidden_states, last, out.attentions, row, what)


def _compare_parts(
    trace: core.Trace, states: Any, last: Any, attentions: Any, row: int, what: str
) -> None:
    n = len(trace.tokens)
    assert trace.hidden is not None
    assert trace.attention is not None
    given = [trace.embedded, *trace.hidden[:-1], trace.contextual]
    if last.shape[-1] != trace.contextual.shape[-1]:
        last = states[-1]  # OPT may project its vectors back, and FSMT's last ones are logits
    for layer, (mine, theirs) in enumerate(zip(given, [*states[:-1], last], strict=True)):
        tensor = theirs[0] if isinstance(theirs, tuple) else theirs
        if tensor.ndim == 4 and tensor.shape[0] != last.shape[0]:  # streams first
            tensor = tensor.permute(1, 2, 0, 3)
        _near(mine, tensor[row, :n].flatten(1).numpy(), f"{what}: vectors of layer {layer}")
    _compare_weights(trace.attention.weights, attentions, row, (n, n), what)
    if not trace.products:
        return
    for layer, head in np.ndindex(*trace.grid):
        if trace.attention.missing[layer, head].any():
            continue
        scores = trace.scores(layer, head)
        seen = np.where(scores.masked, -np.inf, scores.values.astype(np.float64))
        made = np.exp(seen - seen.max(axis=-1, keepdims=True))
        made /= made.sum(axis=-1, keepdims=True)
        sink = trace.attention.sink
        rest = 1.0 if sink is None else 1 - sink[layer, head][:, None]
        _near(made * rest, trace.attention.weights[layer, head], f"{what}: scores of layer {layer}")


def _compare_weights(mine: Any, given: Any, row: int, shape: tuple[int, int], what: str) -> None:
    """Compare weights; a layer without attention is NaN in ours, and missing or different in theirs."""
    there = [i for i, layer in enumerate(mine) if not np.isnan(layer).all()]
    listed = [weights for weights in given if weights is not None]
    if len(listed) == len(mine):
        listed = [listed[i] for i in there]
    theirs = [_square(w)[row, :, : shape[0], : shape[1]].numpy() for w in listed]
    if len(theirs) != len(there):  # several attention blocks in one layer
        each = len(theirs) // len(there)
        theirs = [np.concatenate(theirs[i * each : (i + 1) * each]) for i in range(len(there))]
    for layer, weights in zip(there, theirs, strict=True):
        if not np.allclose(weights.sum(-1), 1, atol=1e-3) and weights.min() < 0:
            raw = np.exp(weights - weights.max(-1, keepdims=True))  # SqueezeBERT returns scores
            weights = raw / raw.sum(-1, keepdims=True)
        _near(mine[layer], weights, f"{what}: weights of layer {layer}")


def _square(weights: torch.Tensor) -> torch.Tensor:
    """Longformer's weights by distance, as a full matrix: slow, and independent of our code."""
    length, reach = weights.shape[2], weights.shape[3] // 2
    if length == weights.shape[3] or weights.shape[3] % 2 == 0 or reach != BAND:
        return weights
    square = torch.zeros(*weights.shape[:2], length, length)
    for i in range(length):
        for j in range(max(0, i - reach), min(length, i + reach + 1)):
            square[:, :, i, j] = weights[:, :, i, j - i + reach]
    return square


def _near(mine: Any, theirs: Any, what: str) -> None:
    if mine.shape != theirs.shape:
        raise Different(f"{what}: {mine.shape} and {theirs.shape}.")
    off = float(np.abs(mine - theirs).max(initial=0))
    if not off <= BOUND * max(1.0, float(np.abs(theirs).max(initial=0))):
        raise Different(f"{what}: off by {off:.2g}.")


def _short(error: BaseException) -> str:
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text[:200]}"
