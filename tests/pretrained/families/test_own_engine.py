"""Published families in our own engine, beside `transformers`: folders and objects, every array."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file

import core
from core import measures, memory
from core.pretrained import model_objects
from core.pretrained.engines import scratch
from core.pretrained.engines.scratch import ScratchDecoder, ScratchEngine
from core.records.attention_on_demand import AttentionOnDemand
from tests.generated import written_ids
from tests.pretrained.families.test_architectures import TYPES
from tests.pretrained.small_models import SHAPES, TEXT, save, tokenizer

BOUND = 1e-5
TEXTS = ["the bank", TEXT, "a", "on the river bank, the river, the river and the bank"]
LLAMA = SHAPES["llama"][2]
WIDE: dict[str, Any] = {"hidden_size": 60, "pad_token_id": None}
WINDOWS: dict[str, Any] = {"sliding_window": 4} | {
    "layer_types": ["sliding_attention", "full_attention", "sliding_attention"]
}
NEOX: dict[str, Any] = {"hidden_size": 60, "num_hidden_layers": 3, "num_attention_heads": 6} | {
    "intermediate_size": 17,
    "max_position_embeddings": 64,
    "rotary_pct": 0.4,
}
GPTJ: dict[str, Any] = {"n_embd": 60, "n_layer": 3, "n_head": 6, "n_positions": 64, "rotary_dim": 4}
FALCON: dict[str, Any] = {"hidden_size": 60, "num_hidden_layers": 3, "num_attention_heads": 6} | {
    "max_position_embeddings": 64
}
# name -> (the shape of its tokenizer, the class's family, settings beyond those of the shape)
FAMILIES: dict[str, tuple[str, str, dict[str, Any]]] = {
    "llama": ("llama", "Llama", {"head_dim": 10, "tie_word_embeddings": True}),
    "llama 3": ("llama, llama3 rope", "Llama", {}),
    "mistral": ("llama", "Mistral", {"head_dim": 14, "sliding_window": 4}),
    "qwen2": ("qwen2", "Qwen2", {}),
    "gpt2": ("gpt2", "GPT2", {}),
    "qwen3": ("qwen3", "Qwen3", {}),
    "smollm3": ("llama", "SmolLM3", {"head_dim": 10, "pad_token_id": None}),
    "olmo2": ("llama", "Olmo2", WIDE),
    "olmo": ("llama", "Olmo", WIDE),
    "granite": (
        "llama",
        "Granite",
        WIDE
        | {"embedding_multiplier": 3.0, "attention_multiplier": 0.4, "residual_multiplier": 0.3}
        | {"logits_scaling": 7.0},
    ),
    "cohere": ("llama", "Cohere", WIDE | {"logit_scale": 0.3}),
    "cohere2": ("llama", "Cohere2", WIDE | {"logit_scale": 0.3, "head_dim": 14} | WINDOWS),
    "glm": ("llama", "Glm", {"head_dim": 12, "attention_bias": True, "pad_token_id": None}),
    "glm4": ("llama", "Glm4", {"head_dim": 12, "attention_bias": True, "pad_token_id": None}),
    "ernie4.5": ("llama", "Ernie4_5", {"head_dim": 10, "use_bias": True, "pad_token_id": None}),
    "helium": ("llama", "Helium", WIDE | {"head_dim": 10, "mlp_bias": True, "attention_bias": True}),
    "seed-oss": (
        "llama",
        "SeedOss",
        {"head_dim": 10, "attention_out_bias": True, "pad_token_id": None},
    ),
    "exaone4": ("llama", "Exaone4", WIDE | {"head_dim": 14} | WINDOWS),
    "gemma": ("llama", "Gemma", {"head_dim": 10}),
    "gemma2": (
        "llama",
        "Gemma2",
        {"head_dim": 10, "sliding_window": 4, "query_pre_attn_scalar": 7}
        | {"attn_logit_softcapping": 2.0, "final_logit_softcapping": 3.0},
    ),
    "gemma3": (
        "llama",
        "Gemma3Text",
        {"head_dim": 10, "sliding_window": 4, "sliding_window_pattern": 2}
        | {"query_pre_attn_scalar": 7, "final_logit_softcapping": 3.0},
    ),
    "phi3": ("llama", "Phi3", WIDE),
    "gpt-neox": ("gpt2", "GPTNeoX", NEOX),
    "gptj": ("gpt2", "GPTJ", GPTJ),
    "falcon": ("gpt2", "Falcon", FALCON | {"new_decoder_architecture": True, "num_kv_heads": 2}),
    "gpt-neo": (
        "gpt2",
        "GPTNeo",
        {"hidden_size": 42, "num_layers": 3, "num_heads": 6, "max_position_embeddings": 64}
        | {"attention_types": [[["global", "local", "local"], 1]], "window_size": 4}
        | {"intermediate_size": 17},
    ),
    "starcoder": ("gpt2", "GPTBigCode", {"n_embd": 42, "n_layer": 3, "n_head": 6, "n_positions": 64}),
    "starcoder2": ("gpt2", "Starcoder2", NEOX | {"num_key_value_heads": 2, "sliding_window": 4}),
    "stablelm": ("llama", "StableLm", WIDE | {"use_qkv_bias": True, "partial_rotary_factor": 0.4}),
    "stablelm, parallel": (
        "llama",
        "StableLm",
        WIDE | {"use_parallel_residual": True, "partial_rotary_factor": 0.4},
    ),
    "phi": ("gpt2", "Phi", NEOX | {"partial_rotary_factor": 0.4}),
    "bloom": ("gpt2", "Bloom", {"hidden_size": 42, "n_layer": 3, "n_head": 6, "seq_length": 64}),
    "opt": ("opt", "OPT", {}),
    "albert": ("albert", "Albert", {"num_hidden_groups": 2, "num_hidden_layers": 5}),
    "albert, one width": ("albert", "Albert", {"embedding_size": 21, "hidden_act": "relu"}),
    "deberta-v3": (
        "albert",
        "DebertaV2",
        {"relative_attention": True, "position_buckets": 8, "position_biased_input": False}
        | {"pos_att_type": ["p2c", "c2p"], "share_att_key": True, "norm_rel_ebd": "layer_norm"}
        | {"max_position_embeddings": 64},
    ),
    "modernbert": (
        "roberta",
        "ModernBert",
        {"hidden_size": 42, "local_attention": 6, "max_position_embeddings": 64, "pad_token_id": 1},
    ),
    "mpnet": ("roberta", "MPNet", {"max_position_embeddings": 66, "pad_token_id": 1}),
    "roberta": ("roberta", "Roberta", {}),
    "xlm-roberta": ("xlm-roberta", "XLMRoberta", {}),
}


class Both(NamedTuple):
    """A folder in both engines."""

    folder: Path
    ours: core.Model
    theirs: core.Model


def saved(folder: Path, name: str, fill: Callable[..., None]) -> Path:
    import transformers

    shape, family, more = FAMILIES[name]
    if shape in SHAPES:
        kind, known, settings = SHAPES[shape]
        if family == known:
            head = "LMHeadModel" if family == "GPT2" else "ForCausalLM"
            return save(folder, shape, fill, head, **more)
        words, head = tokenizer(kind), "ForCausalLM"
        settings = settings if kind != "gpt2" else {}  # under names of its own
    else:
        known, class_, vocabulary, settings = TYPES[shape]
        settings = settings if family == known else {}
        words, head = getattr(transformers, class_)(**vocabulary()), "ForMaskedLM"
        settings = {
            "num_hidden_layers": 3,
            "num_attention_heads": 3,
            "hidden_size": 21,
            "intermediate_size": 17,
        } | settings
    words.save_pretrained(folder)
    config = getattr(transformers, f"{family}Config")(
        **({"vocab_size": len(words), "bos_token_id": 1, "eos_token_id": 2} | settings | more)
    )
    model = getattr(transformers, f"{family.removesuffix('Text')}{head}")(config)
    fill(model)
    model.save_pretrained(folder)
    return folder


# `make test` runs these alone; `make check` the others too.
FIRST = ("llama", "mistral", "gpt2", "roberta")


@pytest.fixture(
    scope="module",
    params=[one if one in FIRST else pytest.param(one, marks=pytest.mark.check) for one in FAMILIES],
)
def both(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    fill_randomly: Callable[..., None],
) -> Both:
    folder = saved(tmp_path_factory.mktemp("own"), request.param, fill_randomly)
    return Both(folder, core.load(str(folder)), core.load(str(folder), engine="huggingface"))


def arrays(trace: core.Trace) -> Iterator[tuple[str, np.ndarray | None]]:
    for name in ("learned", "embedded", "hidden", "final", "query", "key", "value", "masked"):
        yield name, getattr(trace, name)
    yield "attention", None if trace.attention is None else trace.attention.weights


def agree(ours: core.Trace, theirs: core.Trace) -> None:
    """Equal records: the same tokens, and every array to 1e-5 of its largest number.

    Ours have queries, keys and windows where `transformers` returns weights alone (GPT-J, GPT-Neo,
    Falcon, Bloom), and have queries before their scale where it records them after it (OPT).
    """
    assert ours.tokens == theirs.tokens
    assert (ours.causal, ours.left_out) == (theirs.causal, theirs.left_out)
    for (name, a), (_, b) in zip(arrays(ours), arrays(theirs), strict=True):
        if name in ("query", "key", "value") and (not theirs.products or ours.scale != theirs.scale):
            continue
        if name == "masked" and not theirs.products and b is None:
            continue
        assert (a is None) == (b is None), name
        if a is not None and b is not None:
            assert a.shape == b.shape, name
            bound = BOUND * max(1.0, float(np.abs(b).max()))
            np.testing.assert_allclose(a, b, rtol=0, atol=bound, err_msg=name)


@pytest.mark.few(7)
def test_both_engines_give_one_record(both: Both) -> None:
    assert (both.ours.engine, both.theirs.engine) == ("scratch", "huggingface")
    for name in ("kind", "shape", "gives", "max_tokens", "predicts", "bound", "cased", "pad_id"):
        if name != "gives" or both.theirs.gives.products:
            assert getattr(both.ours, name) == getattr(both.theirs, name), name
    for text in TEXTS:
        ours, theirs = both.ours.trace(text), both.theirs.trace(text)
        agree(ours, theirs)
        for layer, head in ((0, 0), (2, 2)) if theirs.products else ():
            a, b = ours.scores(layer, head), theirs.scores(layer, head)
            np.testing.assert_array_equal(a.masked, b.masked)
            np.testing.assert_allclose(a.values, b.values, rtol=1e-5, atol=1e-4)


@pytest.mark.few(7)
def test_padded_batches_and_long_texts(both: Both) -> None:
    ours, theirs = (model.trace_many(TEXTS, keep="all") for model in (both.ours, both.theirs))
    for a, b in zip(ours, theirs, strict=True):
        agree(a, b)
    long = "the river bank and " * 40
    agree(both.ours.trace(long), both.theirs.trace(long))
    assert len(both.ours.trace(long).tokens) == both.ours.max_tokens == 64
    for keep in ("attention", "hidden"):
        agree(both.ours.trace(TEXT, keep=keep), both.theirs.trace(TEXT, keep=keep))


@pytest.mark.few(7)
def test_weights_that_are_computed_when_they_are_read(
    both: Both, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are those of eager `transformers`, and only where query, key and order are all there is."""
    long = "the river bank and " * 40
    texts = (TEXT, long)
    expected = [both.ours.trace(text) for text in texts]
    monkeypatch.setattr(scratch, "ON_DEMAND", 1)
    for text, whole in zip(texts, expected, strict=True):
        trace = both.ours.trace(text)
        assert trace.attention is not None
        on_demand = isinstance(trace.attention, AttentionOnDemand)
        plain = both.ours.kind == "decoder" and whole.masked is None and whole.bias is None
        assert on_demand == plain
        assert trace.nbytes == whole.nbytes  # weights that are read later are counted from the first
        assert abs(memory.nbytes(trace) - memory.nbytes(whole)) < 2000
        if on_demand:
            assert trace.grid == whole.grid
            assert "weights" not in vars(trace.attention)  # a head does not compute the others
        head = trace.attention.head_weights(2, 1)
        assert on_demand == ("weights" not in vars(trace.attention))
        agree(trace, both.theirs.trace(text))
        agree(trace, whole)
        np.testing.assert_allclose(trace.attention.weights[2, 1], head, rtol=0, atol=1e-7)
        assert not trace.attention.weights.flags.writeable
        assert not trace.attention.missing.any()
        again = pickle.loads(pickle.dumps(trace))
        np.testing.assert_array_equal(again.attention.weights, trace.attention.weights)
        frame = trace.attention.to_frame(layer=1, head=0)
        np.testing.assert_array_equal(frame["weight"], trace.attention.weights[1, 0].ravel())
        part, of_all = trace.attention.labelled(*[["x"] * len(trace.tokens)] * 2), trace.attention
        np.testing.assert_array_equal(part.weights, of_all.weights)
        mean, expected_mean = (measures.mean_of_all(measures.as_block(one)) for one in (trace, whole))
        np.testing.assert_allclose(mean.attention.weights, expected_mean.attention.weights, atol=1e-5)


@pytest.mark.few(7)
def test_both_engines_predict_alike(both: Both) -> None:
    from transformers import AutoTokenizer

    if both.ours.kind == "encoder":
        text = f"the {AutoTokenizer.from_pretrained(both.folder).mask_token} bank"
        pairs = zip(both.ours.expects(text), both.theirs.expects(text), strict=True)
    else:
        pairs = zip(both.ours.expects(TEXT), both.theirs.expects(TEXT), strict=True)
        longer = [written_ids(model, TEXT, 5, temperature=0) for model in (both.ours, both.theirs)]
        assert longer[0] == longer[1]
    for a, b in pairs:
        np.testing.assert_allclose(a.logits, b.logits, rtol=0, atol=1e-4)


def test_learned_positions_are_the_same_rows(both: Both) -> None:
    ours, theirs = both.ours.position_table(), both.theirs.position_table()
    assert (ours is None) == (theirs is None)
    if ours is not None:
        np.testing.assert_array_equal(ours, theirs)


@pytest.mark.few(7)
def test_an_object_runs_in_ours_only_as_long_as_it_is_its_weights(both: Both) -> None:
    from transformers import AutoModel, AutoTokenizer

    own = AutoModel.from_pretrained(both.folder, dtype=torch.float32).eval()
    words = AutoTokenizer.from_pretrained(both.folder)
    as_it_is = core.load(own, words)
    assert as_it_is.engine == "scratch"
    agree(as_it_is.trace(TEXT), both.ours.trace(TEXT))
    stack = getattr(own, "encoder", None) or getattr(own, "decoder", None) or own
    names = ("layer", "layers", "h", "albert_layer_groups")
    layers = next(getattr(stack, name) for name in names if hasattr(stack, name))
    hook = layers[-1].register_forward_hook(
        lambda _, __, out: (2 * out[0], *out[1:]) if isinstance(out, tuple) else 2 * out
    )
    with pytest.warns(core.ModelNote, match="as it is"):
        edited = core.load(own, words)
    hook.remove()
    assert edited.engine == "huggingface"


@pytest.mark.few(6)
def test_a_large_decoder_is_not_copied_unasked(both: Both, monkeypatch: pytest.MonkeyPatch) -> None:
    from transformers import AutoModel, AutoTokenizer

    own = AutoModel.from_pretrained(both.folder, dtype=torch.float32).eval()
    words = AutoTokenizer.from_pretrained(both.folder)
    monkeypatch.setattr(model_objects, "MOST_COPIED", 10)
    shared = not isinstance(both.ours._runner, ScratchEngine)
    assert core.load(own, words).engine == ("huggingface" if shared else "scratch")
    assert core.load(own, words, engine="scratch").engine == "scratch"


def test_padding_in_a_text_has_no_position(tmp_path: Path, fill_randomly: Callable[..., None]) -> None:
    """RoBERTa counts the tokens that are not padding, and a text may contain its name."""
    folder = saved(tmp_path, "roberta", fill_randomly)
    text = "the river<pad> bank"
    ours, theirs = core.load(str(folder)), core.load(str(folder), engine="huggingface")
    assert "<pad>" in ours.trace(text).tokens
    agree(ours.trace(text), theirs.trace(text))
    pair = ours.trace("a bank", "the river"), theirs.trace("a bank", "the river")
    agree(*pair)


def test_a_tied_table_that_is_stored_as_the_head_alone(
    tmp_path: Path, fill_randomly: Callable[..., None]
) -> None:
    folder = saved(tmp_path, "llama", fill_randomly)
    before, file = core.load(str(folder)).trace(TEXT), folder / "model.safetensors"
    weights = load_file(file)
    weights["lm_head.weight"] = weights.pop("model.embed_tokens.weight")
    save_file(weights, file, {"format": "pt"})
    agree(core.load(str(folder)).trace(TEXT), before)


def test_shared_keys_are_kept_once(both: Both) -> None:
    """The cache of grouped heads is smaller; a trace repeats what is shared."""
    runner = both.ours._runner
    if not isinstance(runner, ScratchDecoder) or runner.decoder.config.parts.n_kv_heads != 2:
        pytest.skip("its heads share nothing")
    stack = runner.decoder.read(torch.tensor([[3, 4, 5]]))
    assert stack.layers[0].attention.key_BHMK.shape[:3] == (1, 2, 3)
    key = both.ours.trace(TEXT).key
    assert key is not None
    assert key.shape[1] == both.ours.shape.n_heads == 6
    np.testing.assert_array_equal(key[:, 0], key[:, 2])
