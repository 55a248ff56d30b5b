"""The huggingface engine: parts of larger models, long texts, many threads."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import transformers
from safetensors.torch import load_file

import core
from tests.pretrained.engines.small_huggingface import TEXT, loaded, saved
from tools.every_model import small, walk

pytestmark = pytest.mark.check


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
