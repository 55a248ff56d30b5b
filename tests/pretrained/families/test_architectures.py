"""Other encoders, in the huggingface engine, against plain `transformers`, at every layer.

Each with its family's tokenizer: special tokens, token types and positions differ.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import core
from tests import small_tokenizer
from tests.pretrained import small_models
from tests.pretrained.small_models import Eager, on_the_weights_of

BOUND = 1e-5
ROBERTA = ("roberta", "camembert", "xlm-roberta")
OURS = (*ROBERTA, "albert", "electra")
TEXT = "On the river bank, the bank's riverbank"
PAIR = ("the river bank", "a bank")
PIECES = ["the", "a", "on", "river", "bank", "b", "an", "k", "s", "ank"]
SIZES = {
    "num_hidden_layers": 3,
    "num_attention_heads": 3,
    "hidden_size": 21,
    "intermediate_size": 17,
}


def unigram(*specials: str) -> list[tuple[str, float]]:
    """A SentencePiece vocabulary: pieces with the mark of a word start, and letters."""
    pieces = [f"▁{piece}" for piece in PIECES] + PIECES
    letters = [chr(i) for i in range(ord("a"), ord("z") + 1)] + list("▁.,'O")
    return [(p, -float(i)) for i, p in enumerate(dict.fromkeys([*specials, *pieces, *letters]))]


def byte_pairs() -> dict[str, Any]:
    from tokenizers.pre_tokenizers import ByteLevel

    merges = ["b a", "ba n", "ban k", "Ġ bank", "t h", "th e", "Ġ the", "e r", "r i", "ri v", "riv er"]
    letters = sorted(ByteLevel.alphabet())
    pairs = [tuple(merge.split()) for merge in merges]
    made = ["".join(pair) for pair in pairs]
    tokens = ["<s>", "<pad>", "</s>", "<unk>", *letters, *made, "<mask>"]
    return {"vocab": {t: i for i, t in enumerate(dict.fromkeys(tokens))}, "merges": pairs}


# model type -> (its Config and Model, its tokenizer, its settings beyond SIZES)
TYPES: dict[str, tuple[str, str, Callable[[], dict[str, Any]], dict[str, Any]]] = {
    "albert": (
        "Albert",
        "AlbertTokenizer",
        lambda: {"vocab": unigram("<pad>", "<unk>", "[CLS]", "[SEP]", "[MASK]")},
        {"embedding_size": 11, "num_hidden_groups": 1, "max_position_embeddings": 64},
    ),
    "electra": ("Electra", "MiniLM", dict, {"embedding_size": 13, "max_position_embeddings": 64}),
    "roberta": (
        "Roberta",
        "RobertaTokenizer",
        byte_pairs,
        {"type_vocab_size": 1, "max_position_embeddings": 66, "pad_token_id": 1},
    ),
    "camembert": (
        "Camembert",
        "CamembertTokenizer",
        lambda: {"vocab": unigram("<s>", "<pad>", "</s>", "<unk>", "<mask>")},
        {"type_vocab_size": 1, "max_position_embeddings": 66, "pad_token_id": 1},
    ),
    "xlm-roberta": (
        "XLMRoberta",
        "XLMRobertaTokenizer",
        lambda: {"vocab": unigram("<s>", "<pad>", "</s>", "<unk>", "<mask>")},
        {"type_vocab_size": 1, "max_position_embeddings": 66, "pad_token_id": 1},
    ),
}


@pytest.fixture(scope="module")
def make(
    tmp_path_factory: pytest.TempPathFactory,
    minilm_folder: Path,
    fill_randomly: Callable[..., None],
) -> Callable[..., Path]:
    """Save a small random model of a type, if requested with a head for another task."""

    def saved(kind: str, head: str = "Model") -> Path:
        import transformers

        family, tokenizer_class, vocabulary, extra = TYPES[kind]
        made: Path = tmp_path_factory.mktemp(kind)
        if tokenizer_class == "MiniLM":
            small_tokenizer.write(made, minilm_folder)
            size = small_tokenizer.SIZE
        else:
            tokenizer = getattr(transformers, tokenizer_class)(**vocabulary())
            tokenizer.save_pretrained(made)
            size = len(tokenizer)
        config = getattr(transformers, f"{family}Config")(**(SIZES | {"vocab_size": size} | extra))
        model = getattr(transformers, f"{family}{head}")(config)
        fill_randomly(model)
        model.save_pretrained(made)
        return made

    return saved


@pytest.fixture(scope="module", params=list(TYPES))
def folder(request: pytest.FixtureRequest, make: Callable[..., Path]) -> Path:
    return make(request.param)


@pytest.fixture(scope="module")
def loaded(folder: Path) -> core.Model:
    return core.load(str(folder), engine="huggingface")


@pytest.fixture(scope="module")
def eager(folder: Path) -> Eager:
    return small_models.eager(folder)


def types(model: Any) -> bool:
    return getattr(model.config, "type_vocab_size", 0) > 1


def outputs(plain: Eager, inputs: Any) -> Any:
    with torch.inference_mode():
        return plain.model(**inputs, output_hidden_states=True, output_attentions=True)


def assert_alone(trace: core.Trace, loaded: core.Model, plain: Eager, inputs: Any) -> None:
    """A text alone in its batch: close to plain `transformers`; equal to the bit on equal tensors."""
    assert_equals(trace, outputs(plain, inputs), 0)
    assert_equals(trace, outputs(on_the_weights_of(loaded, plain), inputs), 0, to_the_bit=True)


def assert_equals(trace: core.Trace, out: Any, row: int, *, to_the_bit: bool = False) -> None:
    n = len(trace.tokens)
    hidden = torch.stack([h[row, :n] for h in out.hidden_states]).numpy()
    weights = torch.stack([a[row, :, :n, :n] for a in out.attentions]).numpy()
    assert trace.hidden is not None
    assert trace.attention is not None
    assert trace.hidden.shape == (3, n, 21)
    for mine, theirs in (
        (trace.embedded, hidden[0]),
        (trace.hidden, hidden[1:]),
        (trace.attention.weights, weights),
    ):
        np.testing.assert_allclose(mine, theirs, rtol=0, atol=BOUND)
        if to_the_bit:
            np.testing.assert_array_equal(mine, theirs)
    # The scores from query and key are those of the attention.
    for layer in range(3):
        for head in range(3):
            softmax = torch.softmax(torch.tensor(trace.scores(layer, head).values), -1).numpy()
            np.testing.assert_allclose(
                softmax, trace.attention.weights[layer, head], rtol=0, atol=BOUND
            )


@pytest.mark.few(4)
@pytest.mark.parametrize(
    "texts", [(TEXT,), ("bank",), ("",), PAIR], ids=["text", "word", "empty", "pair"]
)
def test_one_text_or_pair(loaded: core.Model, eager: Eager, texts: tuple[str, ...]) -> None:
    model, tokenizer = eager
    trace = loaded.trace(*texts)
    inputs = tokenizer(*texts, return_tensors="pt", return_token_type_ids=types(model))
    with torch.inference_mode():
        learned = model.get_input_embeddings()(inputs["input_ids"])[0].numpy()
    assert loaded.engine == "huggingface"
    assert list(trace.tokens) == tokenizer.convert_ids_to_tokens(inputs["input_ids"][0])
    np.testing.assert_array_equal(trace.learned, learned)
    assert trace.learned.shape[1] == loaded.shape.d_embedding
    assert_alone(trace, loaded, eager, inputs)
    if len(texts) == 2:
        assert set(trace.segments) == {0, 1}
        assert trace.find("bank", segment=1).size


def test_a_padded_batch(loaded: core.Model, eager: Eager) -> None:
    texts = [TEXT, "bank", "", "the river " * 5]
    inputs = eager.tokenizer(texts, return_tensors="pt", padding=True)
    out = outputs(eager, inputs)
    for row, trace in enumerate(loaded.trace_many(texts, keep="all")):
        assert len(trace.tokens) == inputs["attention_mask"][row].sum()
        assert_equals(trace, out, row)
        alone = loaded.trace(texts[row])
        np.testing.assert_allclose(alone.hidden, trace.hidden, rtol=0, atol=BOUND)  # type: ignore[arg-type]


def test_a_long_text_fills_the_model(loaded: core.Model, eager: Eager) -> None:
    text = "the river bank " * 40
    assert loaded.max_tokens == 64
    trace = loaded.trace(text)
    inputs = eager.tokenizer(text, truncation=True, max_length=64, return_tensors="pt")
    assert len(trace.tokens) == 64
    assert list(trace.tokens) == eager.tokenizer.convert_ids_to_tokens(inputs["input_ids"][0])
    assert_alone(trace, loaded, eager, inputs)
    assert trace.left_out is not None
    assert trace.left_out[1] == len(text)


def test_words_are_found_whatever_the_pieces(loaded: core.Model) -> None:
    trace = loaded.trace(TEXT)
    pieces = {word: "".join(trace.tokens[i] for i in trace.find(word)) for word in ("river", "bank")}
    for word, joined in pieces.items():
        assert joined.replace("Ġ", "").replace("▁", "").replace("##", "") == word
    assert len(trace.find_all("bank")) == 2  # not the one in riverbank
    (first, second) = loaded.vectors([TEXT], "bank")
    for n, vector in enumerate((first, second)):
        tokens = trace.find("bank", occurrence=n)
        np.testing.assert_allclose(vector.learned, trace.learned[tokens].mean(0), rtol=0, atol=BOUND)
        np.testing.assert_allclose(vector.hidden, trace.hidden[:, tokens].mean(1), rtol=0, atol=BOUND)  # type: ignore[index]


def test_our_transformer_does_not_reach_the_others(folder: Path) -> None:
    if json.loads((folder / "config.json").read_text())["model_type"] in OURS:
        assert core.load(str(folder)).engine == "scratch"
        return
    with pytest.raises(core.NotSupported, match="engine='huggingface'"):
        core.load(str(folder), engine="scratch")


def test_the_model_given_is_left_as_it_is(eager: Eager) -> None:
    model, tokenizer = eager
    before = {k: v.clone() for k, v in model.state_dict().items()}
    core.load(model, tokenizer).trace(TEXT)
    assert model.config._attn_implementation == "eager"
    assert all(torch.equal(v, before[k]) for k, v in model.state_dict().items())


@pytest.mark.few(3)
@pytest.mark.parametrize(
    ("kind", "head"),
    [
        ("albert", "ForMaskedLM"),
        ("albert", "ForPreTraining"),
        ("albert", "ForSequenceClassification"),
        ("camembert", "ForMaskedLM"),
        ("electra", "ForMaskedLM"),
        ("electra", "ForPreTraining"),
        ("electra", "ForSequenceClassification"),
        ("roberta", "ForMaskedLM"),
        ("roberta", "ForSequenceClassification"),
        ("roberta", "ForQuestionAnswering"),
        ("xlm-roberta", "ForMaskedLM"),
        ("xlm-roberta", "ForTokenClassification"),
    ],
)
def test_a_checkpoint_with_a_head(make: Callable[..., Path], kind: str, head: str) -> None:
    """As published: roberta-base includes its lm_head."""
    folder = make(kind, head)
    plain, loaded = small_models.eager(folder), core.load(str(folder), engine="huggingface")
    assert_alone(loaded.trace(TEXT), loaded, plain, plain.tokenizer(TEXT, return_tensors="pt"))
