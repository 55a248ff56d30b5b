"""The anatomy of a `transformers` model, found by running it: layers, masks, sinks, padding."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import transformers
from safetensors.torch import load_file

import core
from core.figures.attention.pictures import heads_of, layer_of
from core.measures.attention.blocks import blocks
from core.measures.attention.heads import head_map
from tests.tiers import some
from tools.every_model import small, walk

pytestmark = pytest.mark.check

TEXT = "the river and the old bank and the money"


@pytest.fixture(scope="module", autouse=True)
def quiet() -> Iterator[None]:
    from transformers.utils import logging

    before = logging.get_verbosity()
    logging.set_verbosity_error()
    yield
    logging.set_verbosity(before)


def loaded(kind: str, **settings: Any) -> core.Model:
    own = small.model(kind, small.config(kind, **settings))
    return core.load(own, walk.tokenizer(), engine="huggingface")


def saved(model: Any, folder: Path) -> Path:
    model.save_pretrained(folder)
    walk.tokenizer().save_pretrained(folder)
    return folder


def distances(n: int) -> np.ndarray:
    """(queries, keys): the distance from each key to its later query."""
    return np.arange(n)[:, None] - np.arange(n)


# The tokens that a layer sees


@pytest.mark.parametrize(
    ("kind", "settings", "expected"),
    [
        ("mistral", {"sliding_window": 3}, ["back 3"] * 4),
        ("gemma2", {"sliding_window": 3}, ["back 3", "back", "back 3", "back"]),
        ("llama4_text", {"attention_chunk_size": 4}, ["chunk 4"] * 3 + ["back"]),
        (
            "modernbert",
            {"local_attention": 4, "global_attn_every_n_layers": 2},
            ["all", "both 2", "all", "both 2"],
        ),
        ("bert", {}, ["all"] * 4),
        ("gpt2", {}, ["back"] * 4),
    ],
)
def test_what_each_layer_hides(kind: str, settings: dict[str, Any], expected: list[str]) -> None:
    trace = loaded(kind, **settings).trace(TEXT)
    n = len(trace.tokens)
    behind, at = distances(n), np.arange(n)
    seen = {
        "all": np.ones((n, n), bool),
        "back": behind >= 0,
        "back 3": (behind >= 0) & (behind < 3),
        "both 2": np.abs(behind) <= 2,
        "chunk 4": (behind >= 0) & (at[:, None] // 4 == at // 4),
    }
    for layer, name in enumerate(expected):
        np.testing.assert_array_equal(~trace.scores(layer, 0).masked, seen[name])
        weights = trace.attention.weights[layer]  # type: ignore[union-attr]
        assert (weights[:, seen[name]] > 0).all()
        assert (weights[:, ~seen[name]] == 0).all()
    # A property that all layers share is stated once.
    assert (trace.masked is None) == (len(set(expected)) == 1 and expected[0] in ("all", "back"))
    assert trace.causal == (kind not in ("bert", "modernbert"))


def test_short_texts_of_local_layers_need_no_mask_of_their_own() -> None:
    assert loaded("mistral", sliding_window=3).trace("a").masked is None


@pytest.mark.parametrize("window", [2, 4, 6, 2048])
def test_heads_that_do_not_see_the_same_tokens(window: int) -> None:
    """Doge leaves out different tokens in each head; its window may be longer than the probe text."""
    own = small.model("doge", small.config("doge", keep_window_size=window))
    with torch.no_grad():
        for name, part in own.named_parameters():
            if name.endswith(".A"):
                part.normal_(0, 1)
    text = "on the old river bank in money"  # of equal tokens the window takes any
    trace = core.load(own, walk.tokenizer(), engine="huggingface").trace(text)
    assert trace.products
    n = len(trace.tokens)
    if window < n:
        some = [[trace.scores(layer, head) for head in range(4)] for layer in range(4)]
        hidden = np.array([[one.masked | (one.values < -9e3) for one in heads] for heads in some])
        assert (hidden.any(axis=1) != hidden.all(axis=1)).any()
        assert trace.masked is None or (trace.masked == hidden.all(axis=1)).all()
    for layer, head in np.ndindex(4, 4):
        scores = trace.scores(layer, head)
        seen = np.where(scores.masked, -np.inf, scores.values.astype(np.float64))
        made = np.exp(seen - seen.max(axis=-1, keepdims=True))
        weights = trace.attention.weights[layer, head]  # type: ignore[union-attr]
        np.testing.assert_allclose(made / made.sum(axis=-1, keepdims=True), weights, atol=1e-5)


def test_a_layer_that_hides_every_token_has_no_products_and_says_so() -> None:
    """Qwen2-MoE can be configured with windows of width 0 in some layers."""
    kinds = ["full_attention", "sliding_attention"] * 2
    model = loaded("qwen2_moe", layer_types=kinds, use_sliding_window=False)
    # The object itself computes with another function, which takes no mean where nothing is seen.
    assert any("do not agree" in note and "“sdpa”" in note for note in model.notes)
    trace = model.trace(TEXT)
    n = len(trace.tokens)
    assert not trace.products
    assert "hides every token" in trace.why_no_products
    assert trace.attention is not None
    np.testing.assert_allclose(trace.attention.weights[1], 1 / n, atol=1e-6)  # as softmax has it
    assert trace.masked is not None
    assert not trace.masked[1].any()
    assert trace.query is None
    with pytest.raises(core.NotSupported, match="hides every token"):
        trace.scores(0, 0)
    # Padding would change the equal weights: each text is read as if it were alone.
    together = model.trace_many([TEXT, "a bank"], keep="all")[0]
    assert together.attention is not None
    np.testing.assert_allclose(together.attention.weights, trace.attention.weights, atol=1e-6)


@pytest.mark.parametrize("kind", ["layoutlm", "switch_transformers"])
def test_one_mask_for_all_queries_is_no_local_layer(kind: str) -> None:
    trace: Any = loaded(kind).trace(TEXT, *(["a bank"] if kind != "layoutlm" else []))
    for half in (trace,) if kind == "layoutlm" else (trace.encoder, trace.decoder):
        assert half.masked is None
        assert half.scores(0, 0).masked.any() == half.causal


def test_layers_without_attention_are_missing_and_have_vectors() -> None:
    model = loaded("jamba")
    trace = model.trace(TEXT)
    assert trace.attention is not None
    assert trace.hidden is not None
    there = [kind == "attention" for kind in model._runner.model.config.layers_block_type]  # type: ignore[attr-defined]
    assert sorted(set(there)) == [False, True]
    missing = trace.attention.missing
    assert missing.all(axis=(1, 2)).tolist() == [not one for one in there]
    assert not missing[there].any()
    assert len(trace.hidden) == len(there)
    for array in (trace.query, trace.key, trace.value):
        assert array is not None
        assert np.isnan(array).all(axis=(1, 2, 3)).tolist() == [not one for one in there]
    layer = there.index(False)
    with pytest.raises(core.NotSupported, match=f"no head 0 in layer {layer}"):
        trace.scores(layer, 0)


def test_a_sink_takes_what_the_row_lacks() -> None:
    model = loaded("gpt_oss")
    trace = model.trace(TEXT)
    assert trace.attention is not None
    assert trace.attention.sink is not None
    for layer, module in enumerate(model._runner.model.layers):  # type: ignore[attr-defined]
        for head, sink in enumerate(module.self_attn.sinks.tolist()):
            scores = trace.scores(layer, head)
            seen = np.where(scores.masked, -np.inf, scores.values.astype(np.float64))
            share = np.exp(sink) / (np.exp(sink) + np.exp(seen).sum(-1))
            np.testing.assert_allclose(trace.attention.sink[layer, head], share, atol=1e-6)
            assert share.max() > 0.01


def test_one_softmax_over_two_texts_is_no_sink() -> None:
    trace: Any = loaded("t5gemma2").trace(TEXT, "a bank")
    own, cross = trace.decoder.attention, trace.cross
    assert (own.outside, cross.outside) == ("source", "target")
    assert trace.encoder.attention.sink is None
    np.testing.assert_allclose(own.sink, cross.weights.sum(axis=-1), atol=1e-6)
    np.testing.assert_allclose(cross.sink, own.weights.sum(axis=-1), atol=1e-6)
    assert own.sink.min() > 0.01
    for block, said in zip(blocks(trace).values(), ("", "the source", "the target"), strict=True):
        told = [words for words in heads_of(block).header["captions"] if "each row" in words]
        assert [said in words for words in told] == [True] * bool(said)
        assert layer_of(block, 0).header["sink"] == said


def test_a_prompt_before_the_text_is_no_sink() -> None:
    model = loaded("cpmant")
    trace = model.trace(TEXT)
    assert trace.attention is not None
    assert trace.attention.sink is not None
    assert trace.attention.outside == "prompt"
    (said,) = heads_of(trace).header["captions"]
    assert "prompt" in said
    found = head_map(trace, 0, None, special=True)
    assert found.outside == "prompt"
    asked = {"input_ids": torch.tensor([[7, 8, 9]]), "output_attentions": True}
    own = model._runner.model  # type: ignore[attr-defined]
    seen: list[torch.Tensor] = []
    hook = own.encoder.register_forward_hook(lambda _, __, out: seen.extend(out[2]))
    with torch.inference_mode():
        own(**asked)
    hook.remove()
    extra = own.prompt_length  # so many rows and columns stand before the text's
    assert seen[0].shape[-1] == extra + 3
    np.testing.assert_allclose(seen[0].sum(dim=-1), 1, atol=1e-5)


def test_several_blocks_of_attention_in_a_layer_stand_side_by_side() -> None:
    model = loaded("longcat_flash")
    trace = model.trace(TEXT)
    assert model.shape.n_layers == 4
    assert trace.grid == (4, 8)
    assert trace.hidden is not None
    assert len(trace.hidden) == 4


def test_biases_by_distance_of_encoders_of_sentences() -> None:
    trace = loaded("t5").trace(TEXT, "a bank").encoder
    assert trace.bias is not None
    assert trace.bias.ndim == 3


# Whole models, and parts of them


MODELS: dict[str, Any] = {
    "T5EncoderModel": lambda: transformers.T5EncoderModel(small.config("t5")),
    "MT5EncoderModel": lambda: transformers.MT5EncoderModel(small.config("mt5")),
    "T5GemmaEncoderModel": lambda: transformers.T5GemmaEncoderModel(
        small.config("t5gemma", is_encoder_decoder=False)
    ),
    "T5ForTokenClassification": lambda: transformers.T5ForTokenClassification(small.config("t5")),
    "BartForCausalLM": lambda: transformers.BartForCausalLM(small.config("bart")),
    "MarianForCausalLM": lambda: transformers.MarianForCausalLM(small.config("marian")),
    "BertLMHeadModel": lambda: transformers.BertLMHeadModel(small.config("bert", is_decoder=True)),
    "DPRQuestionEncoder": lambda: transformers.DPRQuestionEncoder(small.config("dpr")),
    "CLIPTextModel": lambda: transformers.CLIPTextModel(small.config("clip_text_model")),
}


@pytest.mark.few(4)
@pytest.mark.parametrize("name", MODELS)
def test_parts_of_larger_models(name: str, tmp_path: Path) -> None:
    """Only the class shows that there is no encoder, or no decoder: the type is the whole model's."""
    own = MODELS[name]().eval()
    folder = saved(own, tmp_path)
    plain = type(own).from_pretrained(folder, attn_implementation="eager").eval()
    with torch.inference_mode():
        inputs = walk.tokenizer()(TEXT, return_tensors="pt", return_token_type_ids=False)
        out = plain(**inputs, output_hidden_states=True, output_attentions=True)
    for source in (own, folder):
        model = (
            core.load(source, walk.tokenizer(), engine="huggingface")
            if source is own
            else core.load(source, engine="huggingface")
        )
        trace = model.trace(TEXT)
        decodes = "Causal" in name or "LMHead" in name
        assert model.kind == ("decoder" if decodes or "CLIP" in name else "encoder")
        assert model.predicts == ("next" if decodes else None)
        assert trace.causal == (decodes or "CLIP" in name)
        assert trace.products
        for mine, theirs in zip(trace.attention.weights, out.attentions, strict=True):  # type: ignore[union-attr]
            np.testing.assert_allclose(mine, theirs[0], atol=1e-5)
        assert trace.hidden is not None
        for mine, theirs in zip(trace.hidden[:-1], out.hidden_states[1:-1], strict=True):
            np.testing.assert_allclose(mine, theirs[0], atol=1e-5)
        if decodes:
            ids = inputs["input_ids"][:, :-1]
            with torch.inference_mode():
                expected = plain(ids).logits[0, -1]
            np.testing.assert_allclose(model.expects(TEXT)[0].logits, expected, atol=1e-4)


def test_a_table_that_is_held_by_its_name_in_the_head(tmp_path: Path) -> None:
    own = transformers.OpenAIGPTDoubleHeadsModel(small.config("openai-gpt")).eval()
    folder = saved(own, tmp_path)
    assert "lm_head.weight" in load_file(folder / "model.safetensors")
    assert "transformer.tokens_embed.weight" not in load_file(folder / "model.safetensors")
    model = core.load(folder)
    trace = model.trace(TEXT)
    with torch.inference_mode():
        inputs = walk.tokenizer()(TEXT, return_tensors="pt", return_token_type_ids=False)
        expected = own.transformer(**inputs).last_hidden_state[0]
        table = own.transformer.tokens_embed.weight[inputs["input_ids"][0]]
    np.testing.assert_allclose(trace.contextual, expected, atol=1e-5)
    np.testing.assert_array_equal(trace.learned, table)


@pytest.mark.parametrize(
    ("kind", "settings"),
    [
        ("falcon", {"alibi": True, "new_decoder_architecture": True, "parallel_attn": False}),
        ("qwen2", {"layer_types": ["sliding_attention"] * 4, "sliding_window": None}),
        ("helium", {"head_dim": 12}),
        ("blt", {}),
    ],
)
def test_a_model_of_texts_whose_settings_do_not_fit_is_not_taken_for_another(
    kind: str, settings: dict[str, Any]
) -> None:
    with pytest.raises(core.NotSupported, match="cannot read a text with these settings") as said:
        loaded(kind, **settings)
    assert "text-only" not in str(said.value)


@pytest.mark.parametrize("folder", [False, True])
def test_a_fault_of_transformers_is_not_blamed_on_the_copy(folder: bool, tmp_path: Path) -> None:
    """Its class for Flaubert cannot run with the norm before each block, whatever the weights."""
    own = small.model("flaubert", small.config("flaubert", pre_norm=True))
    source: Any = (own, walk.tokenizer())
    if folder:
        own.save_pretrained(tmp_path)
        walk.tokenizer().save_pretrained(tmp_path)
        source = (tmp_path,)
    with pytest.raises(core.NotSupported, match="FlaubertModel") as said:
        core.load(*source, engine="huggingface")
    assert "transformers 5" in str(said.value)
    assert "another copy" not in str(said.value)


def test_a_fault_of_somebodys_own_code_is_named() -> None:
    own = small.model("gpt2")

    def hook(module: Any, given: Any, out: Any) -> Any:
        raise TypeError("no such thing")

    own.h[0].register_forward_hook(hook)
    with pytest.raises(core.NotSupported, match=r"its own code .*no such thing"):
        core.load(own, walk.tokenizer())


def test_a_model_of_other_things_is_told_from_one_whose_settings_do_not_fit() -> None:
    with pytest.raises(core.NotSupported, match=r"on its own: .*text-only"):
        loaded("voxtral_realtime")


def test_a_translator_with_a_vocabulary_for_each_language(tmp_path: Path) -> None:
    sizes = {"vocab_size": 60, "decoder_vocab_size": 50, "share_encoder_decoder_embeddings": False}
    config = small.config("marian", **sizes, tie_word_embeddings=False)
    folder = saved(small.model("marian", config, "MarianMTModel"), tmp_path)
    plain = transformers.MarianMTModel.from_pretrained(folder, attn_implementation="eager").eval()
    model = core.load(folder)
    trace: Any = model.trace(TEXT, "a bank")
    words = walk.tokenizer()
    reads = torch.tensor([words.convert_tokens_to_ids(list(trace.decoder.tokens))])
    with torch.inference_mode():
        inputs = words(TEXT, return_tensors="pt", return_token_type_ids=False)
        out = plain(**inputs, decoder_input_ids=reads, output_attentions=True)
        learned = plain.model.decoder.embed_tokens.weight[reads[0]]
    np.testing.assert_array_equal(trace.decoder.learned, learned)
    np.testing.assert_allclose(trace.cross.weights[0], out.cross_attentions[0][0], atol=1e-5)
    (expected,) = model.expects(TEXT, "a bank")
    np.testing.assert_allclose(expected.logits, out.logits[0, -1], atol=1e-5)
    assert expected.logits.shape == (50,)
    with pytest.raises(core.SettingError, match="knows 50"):
        model.trace(TEXT, "a bank", more=(50,))


@pytest.mark.few(4)
@pytest.mark.parametrize(
    ("name", "kind", "said"),
    [
        ("MambaModel", "mamba", "no attention"),
        ("FNetModel", "fnet", "no attention"),
        ("ViTModel", "vit", "not a text model: it reads pixel_values"),
        ("Wav2Vec2Model", "wav2vec2", "not a text model: it reads input_values"),
        ("WhisperModel", "whisper", "not a text model: it reads input_features"),
        ("CLIPModel", "clip", "no table"),
        ("FunnelModel", "funnel", "one vector for each token"),
    ],
)
def test_what_is_not_read_says_why(name: str, kind: str, said: str, tmp_path: Path) -> None:
    own = getattr(transformers, name)(small.config(kind)).eval()
    for source, words in ((own, walk.tokenizer()), (str(saved(own, tmp_path)), None)):
        with pytest.raises(core.NotSupported, match=said):
            core.load(source, words, engine="huggingface")


# We decide how a model is run


@pytest.mark.few(6)
@pytest.mark.parametrize("kind", some(["bert", "llama", "falcon", "t5", "gemma3_text"], 2))
@pytest.mark.parametrize(
    "setting",
    [
        {"attn_implementation": "sdpa"},
        {"_attn_implementation": "flash_attention_2"},
        {"_attn_implementation_internal": "flex_attention"},
        {"attn_implementation": "somebody/kernels"},
        {"experts_implementation": "somebody/kernels"},
        {"return_dict": False, "output_attentions": True, "use_cache": True},
    ],
    ids=str,
)
def test_no_setting_chooses_how_attention_is_computed(
    kind: str, setting: dict[str, Any], tmp_path: Path
) -> None:
    folder = saved(small.model(kind), tmp_path)
    texts = (TEXT, "a bank") if kind == "t5" else (TEXT,)
    before = core.load(folder, engine="huggingface").trace(*texts)
    file = folder / "config.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | setting))
    model = core.load(folder, engine="huggingface")
    after = model.trace(*texts)
    parts = [part.config for part in model._runner.model.modules() if hasattr(part, "config")]  # type: ignore[attr-defined]
    assert {c._attn_implementation for c in parts} <= {"eager", "polysee_recorded"}
    a, b = (getattr(trace, "encoder", trace) for trace in (before, after))
    assert a.attention is not None
    assert b.attention is not None
    np.testing.assert_array_equal(a.attention.weights, b.attention.weights)
    np.testing.assert_array_equal(a.contextual, b.contextual)


@pytest.mark.parametrize("chosen", ["sdpa", "eager"])
def test_a_model_of_ones_own_keeps_its_own_way(chosen: str) -> None:
    own = small.model("falcon")
    own.config._attn_implementation = chosen
    model = core.load(own, walk.tokenizer())
    assert own.config._attn_implementation == chosen
    weights = model.trace(TEXT).attention.weights  # type: ignore[union-attr]
    assert (np.triu(weights, k=1) == 0).all()  # read by its own setting, sdpa lets Falcon see ahead


# Lengths


def test_big_bird_reads_as_far_as_it_attends_in_full() -> None:
    model = loaded("big_bird", max_position_embeddings=4096, block_size=2, num_random_blocks=1)
    assert model.max_tokens == (5 + 2) * 2
    long = "the river bank " * 20
    trace = model.trace(long)
    assert len(trace.tokens) == 14
    assert trace.left_out is not None
    assert trace.attention is not None


def test_attention_that_changes_with_the_length_is_told() -> None:
    settings = {"local_attn_chunk_length": 8, "lsh_attn_chunk_length": 8, "axial_pos_shape": [8, 8]}
    model = loaded("reformer", **settings)
    assert model.trace("a bank").attention is not None
    with pytest.raises(core.NotSupported, match="texts of this length"):
        model.trace("the old river bank " * 5)
    assert model.trace("the old river bank " * 5, keep="hidden").hidden is not None


@pytest.mark.parametrize(
    ("kind", "settings", "most"),
    [
        ("bert", {"max_position_embeddings": 40}, 40),
        ("roberta", {"max_position_embeddings": 40, "pad_token_id": 1}, 38),
        ("opt", {"max_position_embeddings": 40}, 40),
        ("llama", {"max_position_embeddings": 40}, 40),
        ("t5", {}, 512),
        ("xlm", {"max_position_embeddings": 40}, 40),
        ("bloom", {}, 2048),
    ],
)
def test_how_long_a_text_may_be(kind: str, settings: dict[str, Any], most: int) -> None:
    assert loaded(kind, **settings).max_tokens == most


# Threads


@pytest.mark.parametrize("kind", ["gptj", "falcon", "mpt", "gemma2", "jamba"])
def test_two_texts_at_once_do_not_mix(kind: str) -> None:
    """Values that a model does not return are tapped by hooks, which all texts share."""
    model = loaded(kind)
    texts = [TEXT, "the bank", "a river and a bank", "in the old money"] * 8
    alone = {text: model.trace(text) for text in set(texts)}
    with ThreadPoolExecutor(8) as pool:
        for text, trace in zip(texts, pool.map(model.trace, texts), strict=True):
            np.testing.assert_array_equal(trace.hidden, alone[text].hidden)
            np.testing.assert_array_equal(trace.contextual, alone[text].contextual)
            np.testing.assert_array_equal(trace.attention.weights, alone[text].attention.weights)  # type: ignore[union-attr]


# Long windows


@pytest.mark.parametrize("kind", ["modernbert", "llama", "t5"])
def test_a_long_window_is_read_as_far_as_memory_goes(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("POLYSEE_TRACE_MB", "1")
    sizes = {"n_positions": 4096} if kind == "t5" else {"max_position_embeddings": 4096}
    whole = loaded(kind, **sizes)
    model = whole.fitted()
    assert whole.max_tokens == model.window == 4096
    assert 50 < model.max_tokens < 300
    long = "the old river bank " * 200
    texts = (long, long) if kind == "t5" else (long,)
    with pytest.raises(core.TooLarge):
        whole.trace(*texts)
    trace = model.trace(*texts)
    assert 0.9e6 < trace.nbytes <= 1e6
    for half in (trace.encoder, trace.decoder) if isinstance(trace, core.Seq2SeqTrace) else (trace,):
        assert abs(len(half.tokens) - model.max_tokens) <= 1
        assert half.left_out is not None
        start, end = half.left_out
        assert end == len(long)
        assert 0 < start < end
    if kind != "t5":
        assert len(list(model.vectors([long], "bank"))) == len(trace.find_all("bank"))


def test_a_model_whose_window_fits_is_read_to_its_end() -> None:
    model = loaded("bert")
    assert model.fitted().max_tokens == model.max_tokens == model.window


def test_long_texts_run_few_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """For 32 texts as long as a long window, the scores of one layer alone would take gigabytes."""
    monkeypatch.setenv("POLYSEE_TRACE_MB", "1")
    model = loaded("llama", max_position_embeddings=4096)
    model.trace_many(["the bank", "a bank of a river"])  # with this, it is tried what may run together
    runs: list[tuple[int, ...]] = []
    runner = model._runner
    once = runner.run

    def counted(batch: Any, keep: Any) -> Any:
        runs.append(tuple(batch.ids_BL.shape))
        return once(batch, keep)

    monkeypatch.setattr(runner, "run", counted)
    texts = ["the bank " * 100] * 5 + ["the bank"] * 5
    assert len(list(model.vectors(texts, "bank"))) == 505
    assert sum(rows for rows, _ in runs) == 10
    assert all(rows == 1 or 4 * 4 * rows * length**2 <= 1e6 for rows, length in runs)
    assert runs[-1][0] == 5
