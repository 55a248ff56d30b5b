"""Folders of decoders and encoder–decoders: published ones load, broken ones are refused."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file

import core
from tests.pretrained.fakes import refusal
from tests.pretrained.small_models import (
    PAIRED,
    SHAPES,
    TEXT,
    close,
    eager,
    save,
    softmax_gives_the_weights,
    tokenizer,
)
from tests.tiers import crossed, some

pytestmark = pytest.mark.check

TARGET = "a river on the bank"
# As published, or fine-tuned.
HEADS = [
    ("gpt2", "LMHeadModel"),
    ("gpt2", "DoubleHeadsModel"),
    ("gpt2", "ForSequenceClassification"),
    ("opt, projected", "ForCausalLM"),
    ("opt", "ForSequenceClassification"),
    ("llama", "ForCausalLM"),
    ("llama", "ForSequenceClassification"),
    ("qwen2", "ForCausalLM"),
    ("qwen3", "ForCausalLM"),
    ("t5", "ForConditionalGeneration"),
    ("t5, gated", "ForConditionalGeneration"),
    ("bart", "ForConditionalGeneration"),
    ("bart", "ForSequenceClassification"),
    ("marian", "MTModel"),
]
Make = Callable[..., Path]


@pytest.fixture(scope="module")
def make(tmp_path_factory: pytest.TempPathFactory, fill_randomly: Callable[..., None]) -> Make:
    def saved(shape: str, head: str = "Model", **options: Any) -> Path:
        return save(tmp_path_factory.mktemp("shape"), shape, fill_randomly, head, **options)

    return saved


def last(model: core.Model) -> np.ndarray:
    """Its final vectors for a text, or for a pair of texts."""
    if model.kind == "encoder-decoder":
        return model.trace(TEXT, TARGET).decoder.contextual
    return model.trace(TEXT).contextual


def expected(folder: Path) -> np.ndarray:
    model, words = eager(folder)
    ids = words(TEXT, return_tensors="pt")["input_ids"]
    with torch.inference_mode():
        if not model.config.is_encoder_decoder:
            out = model(ids).last_hidden_state
        else:
            labels = words(TARGET, return_tensors="pt")["input_ids"][0, :-1]
            start = getattr(model.config, "decoder_start_token_id", 0)  # T5: its padding
            target = torch.cat([torch.tensor([start]), labels])[None]
            out = model(ids, decoder_input_ids=target).last_hidden_state
    result: np.ndarray = out[0].numpy()
    return result


@pytest.mark.parametrize(("shape", "head"), some(HEADS, 5))
def test_a_checkpoint_with_a_head(make: Make, shape: str, head: str) -> None:
    folder = make(shape, head)
    model = core.load(str(folder))
    if shape == "opt, projected":
        plain = eager(folder).model
        with torch.inference_mode():
            theirs = plain(**tokenizer("opt")(TEXT, return_tensors="pt")).last_hidden_state[0]
            close(plain.decoder.project_out(torch.tensor(last(model))).numpy(), theirs)
    else:
        close(last(model), expected(folder))


@pytest.mark.parametrize(("shape", "head"), some(HEADS, 5))
def test_a_model_of_ones_own_with_a_head(make: Make, shape: str, head: str) -> None:
    import transformers

    folder = make(shape, head)
    own = getattr(transformers, f"{SHAPES[shape][1]}{head}").from_pretrained(folder).eval()
    before = {k: v.clone() for k, v in own.state_dict().items()}
    model = core.load(own, tokenizer(SHAPES[shape][0]))
    close(last(model), last(core.load(str(folder))))
    assert own.config._attn_implementation != "polysee_recorded"
    assert getattr(own.config, "tie_last_hidden_states", None) is None
    assert all(torch.equal(v, before[k]) for k, v in own.state_dict().items())


@pytest.mark.few(4)
@pytest.mark.parametrize(
    ("shape", "dtype"),
    crossed(
        ["gpt2", "opt", "llama", "qwen3", "t5", "bart", "marian", "mpnet"], ["float16", "bfloat16"]
    ),
)
def test_half_precision_is_read_as_float32(make: Make, shape: str, dtype: str) -> None:
    folder = make(shape, dtype=dtype)
    model = core.load(str(folder))
    weights = load_file(folder / "model.safetensors")
    assert {str(t.dtype) for t in weights.values()} == {f"torch.{dtype}"}
    close(last(model), expected(folder))
    assert last(model).dtype == np.float32


@pytest.mark.parametrize(
    ("shape", "held"),
    crossed(["t5", "bart", "marian"], ["encoder.embed_tokens", "decoder.embed_tokens", "both"]),
)
def test_one_table_under_any_of_its_names(make: Make, shape: str, held: str) -> None:
    folder = make(shape)
    before = last(core.load(str(folder)))
    weights = load_file(folder / "model.safetensors")
    table = weights.pop("shared.weight")
    names = ["encoder.embed_tokens", "decoder.embed_tokens"] if held == "both" else [held]
    weights |= {f"{name}.weight": table.clone() for name in names}
    save_file(weights, folder / "model.safetensors", {"format": "pt"})
    close(last(core.load(str(folder))), before)


@pytest.mark.fuzz
def test_what_old_checkpoints_bring_along(make: Make) -> None:
    mask = torch.tril(torch.ones(64, 64, dtype=torch.bool))[None, None]
    extra: dict[str, dict[str, torch.Tensor]] = {
        "gpt2": {"h.0.attn.bias": mask, "h.0.attn.masked_bias": torch.tensor(-1e4)},
        "llama": {"layers.1.self_attn.rotary_emb.inv_freq": torch.ones(3)},
        "bart": {"encoder.version": torch.ones(1), "final_logits_bias": torch.zeros(1, 7)},
        "t5": {
            "decoder.block.0.layer.1.EncDecAttention.relative_attention_bias.weight": torch.ones(6, 5)
        },
    }
    for shape, more in extra.items():
        folder = make(shape)
        before = last(core.load(str(folder)))
        file = folder / "model.safetensors"
        save_file(load_file(file) | more, file, {"format": "pt"})
        close(last(core.load(str(folder))), before)


@pytest.mark.few(4)
@pytest.mark.parametrize("shape", ["gpt2", "opt", "llama", "qwen2", "t5", "bart", "marian", "mpnet"])
def test_tensors_that_are_missing_wrong_or_left_over(make: Make, shape: str) -> None:
    folder = make(shape)
    file = folder / "model.safetensors"
    whole = load_file(file)
    tables = (n for n in sorted(whole) if n.endswith("weight") and whole[n].ndim == 2)
    name = next(n for n in tables if "embed_positions" not in n)  # Marian can do without
    for held, said in (
        ({n: t for n, t in whole.items() if n != name}, rf"incomplete: .*{name} is missing"),
        (whole | {name: torch.zeros(3, 5)}, "do not fit"),
        (whole | {"something.weight": torch.zeros(3)}, "something.weight is left over"),
        (whole | {name: whole[name] * float("nan")}, "not a number"),
    ):
        save_file(held, file, {"format": "pt"})
        error = refusal(str(folder))
        assert isinstance(error, core.ModelBroken)
        assert re.search(said, str(error)), str(error)
    file.write_bytes(b"no weights at all")
    assert "damaged" in str(refusal(str(folder)))


WRONG: list[tuple[str, dict[str, Any]]] = [
    ("gpt2", {"n_head": 4}),
    ("gpt2", {"n_head": 0}),
    ("gpt2", {"n_embd": "many"}),
    ("gpt2", {"n_positions": 10**9}),
    ("gpt2", {"activation_function": "none"}),
    ("gpt2", {"layer_norm_epsilon": -1.0}),
    ("opt", {"num_hidden_layers": 10**6}),
    ("opt", {"word_embed_proj_dim": 5}),
    ("llama", {"num_key_value_heads": 4}),
    ("llama", {"num_key_value_heads": 3}),
    ("llama", {"head_dim": 3}),
    ("llama", {"rope_parameters": {"rope_type": "unheard of"}}),
    ("qwen3", {"vocab_size": 7}),
    ("t5", {"num_heads": 3}),
    ("t5", {"num_decoder_layers": 3}),
    ("t5", {"decoder_start_token_id": 10**6}),
    ("t5", {"feed_forward_proj": "gated-none", "dense_act_fn": "none"}),
    ("bart", {"decoder_attention_heads": 5}),
    ("bart", {"decoder_layers": 0}),
    ("bart", {"decoder_start_token_id": None}),
    ("marian", {"d_model": 40}),
    ("marian", {"share_encoder_decoder_embeddings": False}),
    ("llama", {"rope_parameters": {"rope_type": "longrope", "short_factor": [1.0] * 3}}),
]


@pytest.mark.few(12)
@pytest.mark.parametrize(("shape", "wrong"), WRONG, ids=str)
def test_a_configuration_that_does_not_fit(make: Make, shape: str, wrong: dict[str, Any]) -> None:
    folder = make(shape)
    file = folder / "config.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | wrong), "utf-8")
    refusal(str(folder))


def test_a_type_that_nobody_knows(make: Make) -> None:
    folder = make("gpt2")
    file = folder / "config.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | {"model_type": "gpt_new"}), "utf-8")
    error = refusal(str(folder))
    assert isinstance(error, core.NotSupported)
    assert "gpt_new" in str(error)


def test_our_transformer_does_not_reach_them(make: Make) -> None:
    for shape in ("gpt2, not scaled", "gpt2, scaled by layer", "mpnet"):
        with pytest.raises(core.NotSupported, match="engine='huggingface'"):
            core.load(str(make(shape)), engine="scratch")


def test_a_decoder_that_begins_with_a_token_of_no_name(make: Make, tmp_path: Path) -> None:
    folder = make("bart", vocab_size=400, decoder_start_token_id=399)
    assert "begins with the token 399" in str(refusal(str(folder)))


def test_a_window_hides_what_lies_further_back_in_its_layers_alone(make: Make) -> None:
    window = {"use_sliding_window": True, "sliding_window": 3, "max_window_layers": 1}
    folder = make("qwen2", **window)
    model = core.load(str(folder))
    trace = model.trace(TEXT)
    plain, words = eager(folder)
    ids = words(TEXT, return_tensors="pt")["input_ids"]
    with torch.inference_mode():
        close(trace.contextual, plain(ids).last_hidden_state[0])
    assert model.max_tokens == 64
    assert trace.causal
    n = len(trace.tokens)
    distance = np.arange(n)[:, None] - np.arange(n)
    for layer, seen in enumerate([n, 3, 3]):  # the first layers look back over all of the text
        hidden = (distance < 0) | (distance >= seen)
        np.testing.assert_array_equal(trace.scores(layer, 0).masked, hidden)
        weights = trace.attention.weights[layer, 0]  # type: ignore[union-attr]
        assert softmax_gives_the_weights(trace.scores(layer, 0), weights) < 1e-5


def test_a_decoder_that_looks_ahead(make: Make) -> None:
    """`transformers` lets a decoder be an encoder, and an encoder a decoder: the mask follows."""
    trace = core.load(str(make("llama", is_causal=False))).trace(TEXT)
    assert not trace.causal
    assert trace.attention is not None
    assert trace.attention.weights[0, 0, 0, -1] > 0


def test_every_shape_of_two_is_tested() -> None:
    assert {SHAPES[shape][0] for shape in PAIRED} == {"t5", "bart", "marian"}
