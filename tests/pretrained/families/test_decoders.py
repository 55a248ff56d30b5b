"""Decoders, which see only earlier tokens, against plain `transformers`, at every layer."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import core
from tests.pretrained.small_models import (
    DECODERS,
    TEXT,
    Eager,
    close,
    eager,
    on_the_weights_of,
    save,
    softmax_gives_the_weights,
)

# The modules of the layers, and the module in each layer that combines its heads.
LAYERS = {"gpt2": "h", "opt": "decoder.layers", "llama": "layers", "qwen2": "layers", "qwen3": "layers"}
OUTPUTS = ("attn.c_proj", "self_attn.out_proj", "self_attn.o_proj")


@pytest.fixture(scope="module", params=DECODERS)
def folder(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    fill_randomly: Callable[..., None],
) -> Path:
    return save(tmp_path_factory.mktemp("decoder"), request.param, fill_randomly)


@pytest.fixture(scope="module")
def loaded(folder: Path) -> core.Model:
    return core.load(str(folder), engine="huggingface")


@pytest.fixture(scope="module")
def plain(folder: Path) -> Eager:
    return eager(folder)


def steps(plain: Eager, ids: torch.Tensor) -> dict[str, Any]:
    """Every step of one text, by hooks, which our own code does not use."""
    model = plain.model
    layers = model.get_submodule(LAYERS[model.config.model_type])
    outputs: list[torch.Tensor] = []
    heads: list[torch.Tensor] = []
    hooks = [layer.register_forward_hook(lambda _, __, out: outputs.append(out[0])) for layer in layers]
    for name, module in model.named_modules():
        if name.endswith(OUTPUTS):
            hooks.append(module.register_forward_pre_hook(lambda _, args: heads.append(args[0][0])))
    with torch.inference_mode():
        out = model(ids, output_hidden_states=True, output_attentions=True)
        learned = model.get_input_embeddings()(ids)[0]
    for hook in hooks:
        hook.remove()
    assert len(outputs) == len(heads) == model.config.num_hidden_layers
    return {
        "learned": learned,
        "embedded": out.hidden_states[0][0],
        "hidden": torch.stack(outputs),
        "between": torch.stack(out.hidden_states[1:-1])[:, 0],
        "final": out.last_hidden_state[0],
        "weights": torch.stack(out.attentions)[:, 0],
        "heads": torch.stack(heads),
    }


def heads_out(trace: core.Trace) -> np.ndarray:
    """(layers, tokens, heads · d_head): the outputs of the heads, side by side."""
    assert trace.attention is not None
    assert trace.value is not None
    mixed = (trace.attention.weights @ trace.value).transpose(0, 2, 1, 3)
    return mixed.reshape(*mixed.shape[:2], -1)


def assert_equals(trace: core.Trace, loaded: core.Model, plain: Eager, ids: torch.Tensor) -> None:
    """Close to plain `transformers` at every step; equal to the bit on the same weights."""
    expected = steps(plain, ids)
    assert trace.attention is not None
    for mine, name in (
        (trace.learned, "learned"),
        (trace.embedded, "embedded"),
        (trace.hidden, "hidden"),
        (trace.attention.weights, "weights"),
        (heads_out(trace), "heads"),
    ):
        close(mine, expected[name])
    assert trace.hidden is not None
    config = plain.model.config
    close(trace.hidden[:-1], expected["between"])
    if not getattr(config, "reorder_and_upcast_attn", False):  # eager then multiplies in another order
        same = steps(on_the_weights_of(loaded, plain), ids)
        np.testing.assert_array_equal(trace.hidden[:-1], same["between"])
    if config.model_type == "opt" and not config.do_layer_norm_before:
        assert trace.final is None
        last = plain.model.decoder.project_out(torch.tensor(trace.contextual))
    else:
        assert trace.final is not None
        assert np.abs(trace.final - trace.hidden[-1]).max() > 0.1
        last = torch.tensor(trace.contextual)
        if config.model_type == "opt" and config.word_embed_proj_dim != config.hidden_size:
            last = plain.model.decoder.project_out(last)
    close(last.detach().numpy(), expected["final"])


@pytest.mark.few(4)
@pytest.mark.parametrize("text", [TEXT, "bank", " a bank", "🎣 on the bank é"])
def test_one_text(loaded: core.Model, plain: Eager, text: str) -> None:
    trace = loaded.trace(text)
    ids = plain.tokenizer(text, return_tensors="pt")["input_ids"]
    assert loaded.engine == "huggingface"
    assert loaded.kind == "decoder"
    assert list(trace.tokens) == plain.tokenizer.convert_ids_to_tokens(ids[0])
    assert_equals(trace, loaded, plain, ids)
    assert trace.learned.shape[1] == loaded.shape.d_embedding
    assert trace.query is not None
    s = loaded.shape
    assert trace.query.shape == (s.n_layers, s.n_heads, len(trace.tokens), s.d_head)


def test_softmax_of_the_scores_gives_the_weights(loaded: core.Model) -> None:
    trace = loaded.trace(TEXT)
    assert trace.attention is not None
    n = len(trace.tokens)
    above = np.arange(n)[None] > np.arange(n)[:, None]
    layers, heads = trace.grid
    for layer in range(layers):
        for head in range(heads):
            scores = trace.scores(layer, head)
            np.testing.assert_array_equal(scores.masked, above)
            assert softmax_gives_the_weights(scores, trace.attention.weights[layer, head]) < 1e-5


def test_keys_are_shared_by_heads_in_a_row(loaded: core.Model, plain: Eager) -> None:
    shared = getattr(plain.model.config, "num_key_value_heads", loaded.shape.n_heads)
    trace = loaded.trace(TEXT)
    each = loaded.shape.n_heads // shared
    for array in (trace.key, trace.value):
        assert array is not None
        groups = array.reshape(array.shape[0], shared, each, *array.shape[2:])
        assert (groups == groups[:, :, :1]).all()
        assert np.abs(groups[:, 0] - groups[:, 1]).max() > 0.01
    assert trace.query is not None
    assert np.abs(trace.query[:, 0] - trace.query[:, 1]).max() > 0.01


def test_the_future_changes_nothing(loaded: core.Model) -> None:
    whole, first = loaded.trace(TEXT), loaded.trace("On the river bank")
    n = len(first.tokens)
    assert whole.tokens[:n] == first.tokens
    assert whole.hidden is not None
    close(first.hidden, whole.hidden[:, :n])


@pytest.mark.few(4)
def test_padding_never_leaks(loaded: core.Model) -> None:
    texts = [TEXT, "bank", "the river " * 5, "a bank on the bank", TEXT]
    for text, trace in zip(texts, loaded.trace_many(texts, keep="all", batch_size=3), strict=True):
        alone = loaded.trace(text)
        assert trace.tokens == alone.tokens
        for name in ("learned", "embedded", "hidden", "final", "query", "key", "value"):
            if getattr(alone, name) is not None:
                close(getattr(trace, name), getattr(alone, name))
        assert trace.attention is not None
        assert alone.attention is not None
        close(trace.attention.weights, alone.attention.weights)
    found = list(loaded.vectors(texts, "bank", batch_size=2))
    assert [(v.text, v.occurrence) for v in found] == [
        (0, 0),
        (0, 1),
        (1, 0),
        (3, 0),
        (3, 1),
        (4, 0),
        (4, 1),
    ]
    for vector in found:
        trace = loaded.trace(texts[vector.text])
        tokens = trace.find("bank", vector.occurrence)
        assert trace.hidden is not None
        close(vector.learned, trace.learned[tokens].mean(0))
        close(vector.hidden, trace.hidden[:, tokens].mean(1))


def test_words_are_found_whatever_the_pieces(loaded: core.Model) -> None:
    trace = loaded.trace(TEXT)
    assert trace.words() == ("On", "the", "river", "bank", ",", "'s", "riverbank")
    for word in ("river", "bank", "riverbank"):
        joined = "".join(trace.tokens[i] for i in trace.find(word))
        assert joined.lstrip("Ġ▁") == word
    assert len(trace.find_all("bank")) == 2  # not the one in riverbank
    (river,) = (trace.word_ids[i] for i in trace.find("river")[:1])
    assert river == 2
    begins = trace.special[0]
    assert begins == (trace.tokens[0] in ("<s>", "</s>"))
    assert not any(trace.special[1:])


def test_a_long_text_is_cut_where_the_model_ends(loaded: core.Model, plain: Eager) -> None:
    text = "the river bank " * 40
    assert loaded.max_tokens == 64
    trace = loaded.trace(text)
    inputs = plain.tokenizer(text, truncation=True, max_length=64, return_tensors="pt")
    assert list(trace.tokens) == plain.tokenizer.convert_ids_to_tokens(inputs["input_ids"][0])
    assert_equals(trace, loaded, plain, inputs["input_ids"])
    assert trace.left_out is not None
    assert trace.left_out[1] == len(text)


def test_an_empty_text(loaded: core.Model, plain: Eager) -> None:
    if plain.tokenizer("")["input_ids"]:
        trace = loaded.trace("")
        assert trace.special == (True,)
        assert trace.scores(0, 0).masked.tolist() == [[False]]
    else:
        with pytest.raises(core.NotSupported, match=r"no token from it and adds none\. Write a word\."):
            loaded.trace("")


def test_a_pair_is_refused(loaded: core.Model) -> None:
    with pytest.raises(core.NotSupported, match="it is a decoder"):
        loaded.trace("a bank", "a river")


@pytest.mark.parametrize("keep", ["all", "attention", "hidden"])
def test_the_limit_counts_what_a_trace_takes(
    monkeypatch: pytest.MonkeyPatch, loaded: core.Model, keep: Any
) -> None:
    size = loaded.trace(TEXT, keep=keep).nbytes
    monkeypatch.setattr(loaded, "_trace_bytes", size)
    loaded.trace(TEXT, keep=keep)
    monkeypatch.setattr(loaded, "_trace_bytes", size - 1)
    with pytest.raises(core.TooLarge):
        loaded.trace(TEXT, keep=keep)


def test_an_encoder_that_is_set_up_as_a_decoder(minilm_folder: Path) -> None:
    from transformers import AutoModel, AutoTokenizer

    own = AutoModel.from_pretrained(minilm_folder, is_decoder=True).eval()
    trace = core.load(own, AutoTokenizer.from_pretrained(minilm_folder)).trace(TEXT)
    assert trace.causal
    assert trace.attention is not None
    assert softmax_gives_the_weights(trace.scores(5, 11), trace.attention.weights[5, 11]) < 1e-5
