"""Our transformer equals `transformers`, at every layer and in every intermediate number.

Three ways to the same numbers: the scratch engine, the huggingface engine (whose attention is our
recording function), and plain `transformers` in eager mode, which shares no line with us. Queries,
keys and values, which plain `transformers` does not give, are computed here from its hidden states.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
import torch

import core
from core.pretrained.engines import recording
from core.pretrained.engines.engine import Batch
from tests.pretrained.small_models import Eager, eager, on_the_weights_of
from tests.tiers import crossed, some

BOUND = 1e-5
LONG = (
    "Withdrawing money from an unaffordable riverbank isn’t 🎣 fishing. " * 60
)  # more than 512 tokens

SINGLES = [
    "",
    "bank",
    "Write a poem about a man fishing on a river bank.",
    "The bank's roof, don’t you see? 我去银行 café 🎣",
]
PAIRS = [
    ("On the river bank", "a bank that lends money, unaffordably"),
    ("bank", ""),
    ("", "bank"),
]
LONG_PAIRS = [("the river bank", LONG), (LONG, LONG.upper())]

SHAPES: dict[str, tuple[str, dict[str, Any]]] = {
    "bert": ("bert", {}),  # 5 layers of 3 heads of 7, d_ff 37, ε 1e-3: see conftest.SMALL
    "bert, relu, ε 1e-5": ("bert", {"hidden_act": "relu", "layer_norm_eps": 1e-5, "seed": 1}),
    "bert, gelu_new": ("bert", {"hidden_act": "gelu_new", "num_hidden_layers": 2}),
    "bert, gelu_pytorch_tanh": ("bert", {"hidden_act": "gelu_pytorch_tanh", "num_hidden_layers": 3}),
    "bert, one token type": ("bert", {"type_vocab_size": 1, "seed": 2}),
    "distilbert": ("distilbert", {}),  # 5 layers of 3 heads of 5, d_ff 29
    "distilbert, relu": ("distilbert", {"activation": "relu", "n_layers": 7, "seed": 1}),
    "distilbert, gelu_new": ("distilbert", {"activation": "gelu_new", "n_layers": 2}),
    "distilbert, sinusoidal": ("distilbert", {"sinusoidal_pos_embds": True, "n_layers": 2}),
}


class Steps(NamedTuple):
    """Its results for one text, in NumPy, without the padding."""

    ids: list[int]
    tokens: list[str]
    learned: np.ndarray
    embedded: np.ndarray
    hidden: np.ndarray
    weights: np.ndarray
    query: np.ndarray
    key: np.ndarray
    value: np.ndarray


class Three(NamedTuple):
    """One model, three ways; the third also on the tensors of the second, see `on_the_weights_of`."""

    scratch: core.Model
    hf: core.Model
    eager: Eager
    same: Eager


def three(folder: Path) -> Three:
    scratch, hf = (core.load(str(folder), engine=engine) for engine in ("scratch", "huggingface"))
    return of(scratch, hf, eager(folder))


def of(scratch: core.Model, hf: core.Model, plain: Eager) -> Three:
    return Three(scratch, hf, plain, on_the_weights_of(hf, plain))


def steps(eager: Eager, texts: list[Any]) -> list[Steps]:
    """Texts, or pairs, as one padded batch through plain `transformers`."""
    model, tokenizer = eager
    inputs = tokenizer(texts, truncation=True, max_length=512, padding=True, return_tensors="pt")
    if model.config.model_type == "distilbert" or getattr(model.config, "type_vocab_size", 2) == 1:
        inputs.pop("token_type_ids", None)
    with torch.inference_mode():
        out = model(**inputs, output_hidden_states=True, output_attentions=True)
        learned = model.get_input_embeddings()(inputs["input_ids"])
    assert len(out.attentions) == len(out.hidden_states) - 1 == model.config.num_hidden_layers
    result = []
    for row, n in enumerate(inputs["attention_mask"].sum(1).tolist()):
        ids = inputs["input_ids"][row, :n].tolist()
        states = torch.stack([h[row, :n] for h in out.hidden_states])
        result.append(
            Steps(
                ids,
                tokenizer.convert_ids_to_tokens(ids),
                learned[row, :n].numpy(),
                states[0].numpy(),
                states[1:].numpy(),
                torch.stack([a[row, :, :n, :n] for a in out.attentions]).numpy(),
                *(projected(model, states, which) for which in ("query", "key", "value")),
            )
        )
    return result


def projected(model: Any, states: torch.Tensor, which: str) -> np.ndarray:
    """W·x + b of each layer, split into heads, in double precision: (layers, heads, tokens, d_head)."""
    heads = model.config.num_attention_heads
    layers = []
    for i, x in enumerate(states[:-1]):
        if model.config.model_type == "distilbert":
            linear = getattr(model.transformer.layer[i].attention, f"{which[0]}_lin")
        else:
            linear = getattr(model.encoder.layer[i].attention.self, which)
        y = x.double() @ linear.weight.double().T + linear.bias.double()
        layers.append(y.reshape(len(x), heads, -1).transpose(0, 1).detach().numpy())
    return np.stack(layers)


def largest_difference(a: np.ndarray | None, b: np.ndarray | None) -> float:
    assert a is not None
    assert b is not None
    assert a.shape == b.shape
    return float(np.abs(a.astype(np.float64) - b).max(initial=0))


def assert_equals(trace: core.Trace, expected: Steps, *, to_the_bit: bool = False) -> None:
    """One engine against plain `transformers`."""
    assert list(trace.tokens) == expected.tokens
    assert trace.attention is not None
    assert trace.hidden is not None
    assert trace.hidden.shape[0] > 1
    for name in ("learned", "embedded", "hidden", "query", "key", "value"):
        assert largest_difference(getattr(trace, name), getattr(expected, name)) <= BOUND, name
    assert largest_difference(trace.attention.weights, expected.weights) <= BOUND
    np.testing.assert_array_equal(trace.learned, expected.learned)
    if to_the_bit:
        np.testing.assert_array_equal(trace.attention.weights, expected.weights)
        np.testing.assert_array_equal(trace.hidden, expected.hidden)


def assert_engines_agree(ours: core.Trace, theirs: core.Trace) -> None:
    assert ours.tokens == theirs.tokens
    assert ours.segments == theirs.segments
    assert ours.left_out_by_text == theirs.left_out_by_text
    for name in ("learned", "embedded", "hidden", "query", "key", "value"):
        assert largest_difference(getattr(ours, name), getattr(theirs, name)) <= BOUND, name
    assert ours.attention is not None
    assert theirs.attention is not None
    assert largest_difference(ours.attention.weights, theirs.attention.weights) <= BOUND
    layers, heads = ours.attention.weights.shape[:2]
    for layer in range(layers):
        for head in range(heads):
            a, b = ours.scores(layer, head).values, theirs.scores(layer, head).values
            # A score is a sum of d_head products and may be large: the bound is relative above 1.
            assert largest_difference(a, b) <= BOUND * max(1, np.abs(b).max())


def check(models: Three, text: Any) -> None:
    """A text or a pair, all three ways, alone in its batch."""
    texts = text if isinstance(text, tuple) else (text,)
    ours, theirs = models.scratch.trace(*texts), models.hf.trace(*texts)
    expected, same = (steps(plain, [text])[0] for plain in (models.eager, models.same))
    assert_engines_agree(ours, theirs)
    assert_equals(ours, expected)
    assert_equals(theirs, expected)
    assert_equals(theirs, same, to_the_bit=True)


@pytest.fixture(scope="module", params=list(SHAPES))
def small(request: pytest.FixtureRequest, make_folder: Any) -> Three:
    kind, config = SHAPES[request.param]
    models = three(make_folder(kind, **config))
    assert models.scratch.engine == "scratch"
    assert models.hf.engine == "huggingface"
    return models


@pytest.fixture(scope="module")
def real(minilm: core.Model, minilm_hf: core.Model, minilm_folder: Path) -> Three:
    return of(minilm, minilm_hf, eager(minilm_folder))


def takes_pairs(models: Three) -> bool:
    return getattr(models.eager.model.config, "type_vocab_size", 2) > 1


# Small models of odd sizes


@pytest.mark.few(5)
@pytest.mark.check
@pytest.mark.parametrize("text", some(SINGLES, len(SINGLES) // 2), ids=range(len(SINGLES)))
def test_small_single_texts(small: Three, text: str) -> None:
    check(small, text)


@pytest.mark.few(2)
@pytest.mark.parametrize("pair", some(map(pytest.param, PAIRS), len(PAIRS) // 2), ids=range(len(PAIRS)))
def test_small_pairs(small: Three, pair: tuple[str, str]) -> None:
    if takes_pairs(small):
        check(small, pair)
        return
    for model in (small.scratch, small.hf):
        with pytest.raises(core.NotSupported, match=r"one text at a time.*one token type.*one by one"):
            model.trace(*pair)


@pytest.mark.few(4)
@pytest.mark.check
def test_small_512_tokens(small: Three) -> None:
    check(small, LONG)
    assert len(small.scratch.trace(LONG, keep="hidden").tokens) == 512
    if takes_pairs(small):
        check(small, LONG_PAIRS[0])


@pytest.mark.few(4)
def test_small_padded_batches(small: Three) -> None:
    texts = [SINGLES[3], "bank", SINGLES[2] * 7, "", SINGLES[2]]
    expected = steps(small.eager, texts)
    ours = small.scratch.trace_many(texts, keep="all")
    theirs = small.hf.trace_many(texts, keep="all")
    for a, b, c in zip(ours, theirs, expected, strict=True):
        assert_engines_agree(a, b)
        assert_equals(a, c)
        assert_equals(b, c)


@pytest.mark.few(4)
def test_small_models_are_no_trivial_ones(small: Three) -> None:
    """Uniform attention, or a layer without effect, would prove nothing."""
    trace = small.scratch.trace(SINGLES[2])
    assert trace.attention is not None
    assert trace.hidden is not None
    assert trace.attention.weights.max() > 0.5
    assert trace.attention.weights.std() > 0.03
    assert np.abs(np.diff(trace.hidden, axis=0)).max(axis=(1, 2)).min() > 0.5


# One token, and no token


def batch_of_one() -> Batch:
    return Batch(torch.tensor([[2924]]), torch.tensor([[0]]), None)


@pytest.mark.check
def test_one_token_at_the_encoder(small: Three) -> None:
    with torch.inference_mode():
        ours = small.scratch._runner.run(batch_of_one(), "all")
        theirs = small.hf._runner.run(batch_of_one(), "all")
        out = small.same.model(torch.tensor([[2924]]), output_hidden_states=True)
    for a, b, c in zip(ours.hidden_BLD, theirs.hidden_BLD, out.hidden_states[1:], strict=True):
        assert largest_difference(a.numpy(), b.numpy()) <= BOUND
        assert torch.equal(b, c)
    for name in ("query_BHLK", "key_BHMK", "value_BHMK"):
        for a, b in zip(getattr(ours, name), getattr(theirs, name), strict=True):
            assert largest_difference(a.numpy(), b.numpy()) <= BOUND
    one = torch.ones(1, 3, 1, 1)
    assert all(w is not None and torch.equal(w, one) for w in ours.weights_BHLM)


@pytest.fixture(scope="module")
def without_specials(make_folder: Any, tmp_path_factory: pytest.TempPathFactory) -> Three:
    """A tokenizer that adds no [CLS] and no [SEP]."""
    folder = tmp_path_factory.mktemp("plain") / "bert"
    shutil.copytree(make_folder("bert"), folder)
    tokenizer = json.loads((folder / "tokenizer.json").read_text("utf-8"))
    tokenizer["post_processor"] = None
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer), "utf-8")
    (folder / "vocab.txt").unlink()
    config = {"tokenizer_class": "PreTrainedTokenizerFast", "pad_token": "[PAD]", "unk_token": "[UNK]"}
    (folder / "tokenizer_config.json").write_text(json.dumps(config), "utf-8")
    return three(folder)


def test_one_token_without_special_ones(without_specials: Three) -> None:
    trace = without_specials.scratch.trace("bank")
    assert trace.tokens == ("bank",)
    assert trace.special == (False,)
    check(without_specials, "bank")
    check(without_specials, SINGLES[2])


@pytest.mark.parametrize("engine", ["scratch", "hf"])
def test_no_token_at_all_is_refused(without_specials: Three, engine: str) -> None:
    model: core.Model = getattr(without_specials, engine)
    for keep in ("all", "attention", "hidden"):
        with pytest.raises(core.NotSupported, match="no token"):
            model.trace("", keep=keep)
        with pytest.raises(core.NotSupported, match="no token"):
            model.trace_many(["bank", "\u200b"], keep=keep)
    # In a stream, it counts as a text without the word.
    assert [v.text for v in model.vectors(["", "bank", ""], "bank")] == [1]


# The real MiniLM


@pytest.mark.few(3)
@pytest.mark.parametrize("text", [*SINGLES, *PAIRS], ids=range(len(SINGLES) + len(PAIRS)))
def test_minilm(real: Three, text: Any) -> None:
    check(real, text)


@pytest.mark.fuzz
@pytest.mark.check
def test_minilm_512_tokens(real: Three) -> None:
    check(real, LONG)


@pytest.mark.few(1)
@pytest.mark.parametrize("pair", LONG_PAIRS, ids=["second", "both"])
def test_minilm_long_pairs(real: Three, pair: tuple[str, str]) -> None:
    trace = real.scratch.trace(*pair, keep="hidden")
    expected = steps(real.eager, [pair])[0]
    assert len(trace.tokens) == 512
    assert list(trace.tokens) == expected.tokens
    assert largest_difference(trace.hidden, expected.hidden) <= BOUND
    assert largest_difference(real.hf.trace(*pair, keep="hidden").hidden, expected.hidden) <= BOUND


def test_minilm_padded_batches(real: Three) -> None:
    texts = [SINGLES[2], "bank", SINGLES[3] * 3, ""]
    expected = steps(real.eager, texts)
    ours = real.scratch.trace_many(texts, keep="all")
    theirs = real.hf.trace_many(texts, keep="all")
    for a, b, c in zip(ours, theirs, expected, strict=True):
        assert_engines_agree(a, b)
        assert_equals(a, c)
        assert_equals(b, c)


def test_minilm_is_six_layers_of_twelve_heads(real: Three) -> None:
    for model in (real.scratch, real.hf):
        assert model.shape == (6, 12, 32, 384, 384)
        assert model.max_tokens == 512
        assert not model.cased
        assert model.device == "cpu"
        assert model.bound == BOUND


# The recorder


def test_recorded_blocks_are_what_the_trace_says(real: Three) -> None:
    """Scores are computed from query and key when asked; here from what attention really added up."""
    text = SINGLES[2]
    trace = real.hf.trace(text)
    inputs = real.eager.tokenizer(text, return_tensors="pt")
    with torch.inference_mode(), recording.recording() as blocks:
        real.hf._runner.model(**inputs)  # type: ignore[attr-defined]
    assert len(blocks) == 6
    assert trace.attention is not None
    assert trace.query is not None
    for layer, block in enumerate(blocks):
        np.testing.assert_array_equal(trace.attention.weights[layer], block.weights_BHLM[0].numpy())
        np.testing.assert_array_equal(trace.query[layer], block.query_BHLK[0].numpy())
        for head in range(12):
            for model in (real.hf, real.scratch):
                found = (
                    model.trace(text).scores(layer, head) if head == 5 else trace.scores(layer, head)
                )
                recorded = recording.scores(block)[0, head].numpy()
                assert largest_difference(found.values, recorded) <= BOUND
            softmax = torch.softmax(recording.scores(block)[0, head], -1).numpy()
            assert largest_difference(softmax, trace.attention.weights[layer, head]) <= 1e-6


@pytest.mark.few(4)
def test_recorded_attention_is_eager_to_the_bit_with_a_mask(small: Three) -> None:
    inputs = small.eager.tokenizer(["bank", SINGLES[2]], padding=True, return_tensors="pt")
    inputs.pop("token_type_ids")
    own = small.hf._runner.model  # type: ignore[attr-defined]
    with torch.inference_mode():
        out = small.eager.model(**inputs, output_attentions=True, output_hidden_states=True)
        with recording.recording() as blocks:
            ours = own(**inputs, output_hidden_states=True)
    for block, weights in zip(blocks, out.attentions, strict=True):
        assert torch.equal(block.weights_BHLM, weights)
        assert (block.weights_BHLM[0, :, :, 3:] == 0).all()
        # Scores are without the mask, whose numbers are finite but huge.
        assert (recording.scores(block).abs() < 1e3).all()
    for a, b in zip(ours.hidden_states, out.hidden_states, strict=True):
        assert torch.equal(a, b)


def test_nothing_is_recorded_outside(small: Three) -> None:
    own = small.hf._runner.model  # type: ignore[attr-defined]
    with recording.recording() as outer:
        with recording.recording() as inner, torch.inference_mode():
            own(torch.tensor([[1, 2]]))
        assert len(inner) == small.hf.shape.n_layers
        assert outer == []
    with torch.inference_mode():
        own(torch.tensor([[1, 2]]))
    assert outer == []


# Variants of files


def rewritten(folder: Path, target: Path, rename: Any, extra: dict[str, Any] | None = None) -> Path:
    from safetensors.torch import load_file, save_file

    shutil.copytree(folder, target)
    tensors = {rename(k): v for k, v in load_file(target / "model.safetensors").items()}
    save_file(tensors | (extra or {}), target / "model.safetensors", metadata={"format": "pt"})
    return target


def old_names(name: str) -> str:
    return name.replace("LayerNorm.weight", "LayerNorm.gamma").replace(
        "LayerNorm.bias", "LayerNorm.beta"
    )


def tensor_names(folder: Path) -> Iterator[str]:
    from safetensors import safe_open

    for file in sorted(folder.glob("*.safetensors")):
        with safe_open(file, framework="pt") as tensors:
            yield from tensors.keys()


def check_all(folder: Path) -> None:
    models = three(folder)
    check(models, SINGLES[3])
    check(models, PAIRS[0])


@pytest.mark.check
@pytest.mark.parametrize(
    ("kind", "head", "name"),
    some(
        [
            ("bert", "BertForMaskedLM", "bert.encoder.layer.0.attention.self.query.weight"),
            ("bert", "BertForPreTraining", "cls.seq_relationship.weight"),
            ("bert", "BertForTokenClassification", "classifier.weight"),
            ("bert", "BertForQuestionAnswering", "qa_outputs.weight"),
            (
                "distilbert",
                "DistilBertForMaskedLM",
                "distilbert.transformer.layer.0.attention.q_lin.weight",
            ),
            ("distilbert", "DistilBertForSequenceClassification", "pre_classifier.weight"),
        ],
        3,
    ),
)
def test_a_checkpoint_with_a_prefix_and_a_head(
    make_folder: Any, kind: str, head: str, name: str
) -> None:
    folder = make_folder(kind, head=head)
    assert name in set(tensor_names(folder))
    check_all(folder)


@pytest.mark.check
@pytest.mark.parametrize("head", some([None, "BertForMaskedLM", "BertForPreTraining"], 1))
def test_a_checkpoint_with_gamma_and_beta(make_folder: Any, tmp_path: Path, head: str | None) -> None:
    """As the published bert-base-uncased has them, prefix, heads, counted positions and all."""
    original = make_folder("bert", head=head)
    extra = {f"{'bert.' if head else ''}embeddings.position_ids": torch.arange(512)[None]}
    folder = rewritten(original, tmp_path / "old", old_names, extra)
    names = set(tensor_names(folder))
    assert sum(name.endswith(("LayerNorm.gamma", "LayerNorm.beta")) for name in names) >= 22
    assert not any(name.endswith("LayerNorm.weight") for name in names)
    check_all(folder)
    # The norms of these models are far from 1 and 0: had they been left out, it would show.
    for engine in ("scratch", "huggingface"):
        old = core.load(str(folder), engine=engine).trace(SINGLES[2])
        new = core.load(str(original), engine=engine).trace(SINGLES[2])
        assert_engines_agree(old, new)


@pytest.mark.check
def test_a_distilbert_with_gamma_and_beta(make_folder: Any, tmp_path: Path) -> None:
    folder = rewritten(make_folder("distilbert"), tmp_path / "old", old_names)
    assert "embeddings.LayerNorm.gamma" in set(tensor_names(folder))
    check_all(folder)


@pytest.mark.check
@pytest.mark.parametrize("kind", ["bert", "distilbert"])
def test_a_checkpoint_in_several_files(make_folder: Any, kind: str) -> None:
    folder = make_folder(kind, shard="40KB")
    assert len(list(folder.glob("model-*-of-*.safetensors"))) > 2
    assert not (folder / "model.safetensors").exists()
    check_all(folder)


@pytest.mark.parametrize(("kind", "dtype"), crossed(["bert", "distilbert"], ["float16", "bfloat16"]))
def test_half_precision_files_are_computed_in_float32(make_folder: Any, kind: str, dtype: str) -> None:
    folder = make_folder(kind, dtype=dtype)
    assert json.loads((folder / "config.json").read_text())["dtype"] == dtype
    check_all(folder)
