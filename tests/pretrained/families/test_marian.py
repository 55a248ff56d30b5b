"""Marian's folders: it computes its positions, and is published with two SentencePiece files."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import load_file

import core
from tests.generated import written_ids
from tests.pretrained.fake_hub import serve
from tests.pretrained.fakes import python, refusal
from tests.pretrained.small_models import SHAPES, TEXT, close, eager, save, tokenizer
from tests.pretrained.tokenizer_kinds import write_marian

TARGET = "a river on the bank"
Make = Callable[..., Path]


@pytest.fixture
def make(tmp_path: Path, fill_randomly: Callable[..., None]) -> Make:
    def saved(shape: str, head: str = "Model", **options: Any) -> Path:
        return save(tmp_path, shape, fill_randomly, head, **options)

    return saved


def test_marian_without_the_positions_that_it_can_compute(make: Make) -> None:
    folder = make("marian", "MTModel")
    held = load_file(folder / "model.safetensors")
    assert not any("embed_positions" in name for name in held)
    trace = core.load(str(folder)).trace("bank", "bank")
    table, rows = held["model.shared.weight"] * 42**0.5, trace.encoder
    position = rows.embedded - table[tokenizer("marian")("bank")["input_ids"]].numpy()
    close(position[0], np.array([0.0] * 21 + [1.0] * 21))  # sin 0, cos 0


def test_marian_with_a_tokenizer_json_beside_its_own_files(make: Make) -> None:
    folder = make("marian")
    before = core.load(str(folder)).trace(TEXT, TARGET).decoder.hidden
    file = folder / "tokenizer_config.json"
    said = json.loads(file.read_text()) | {"tokenizer_class": "MarianTokenizer"}
    file.write_text(json.dumps(said), "utf-8")
    (folder / "source.spm").write_bytes(b"")
    close(core.load(str(folder)).trace(TEXT, TARGET).decoder.hidden, before)
    (folder / "tokenizer.json").unlink()
    error = refusal(str(folder))
    assert "Add a tokenizer.json" in str(error)
    assert "source.spm" in str(error)


# As published: two SentencePiece models, and the ids in vocab.json.


@pytest.fixture
def published(tmp_path: Path, fill_randomly: Callable[..., None]) -> Callable[[], Path]:
    """A folder as on the hub."""

    def saved() -> Path:
        from transformers import AutoTokenizer, MarianConfig, MarianMTModel

        write_marian(tmp_path)
        settings = {"source_lang": "en", "target_lang": "fr", "tokenizer_class": "MarianTokenizer"}
        (tmp_path / "tokenizer_config.json").write_text(json.dumps(settings), "utf-8")
        vocabulary = json.loads((tmp_path / "vocab.json").read_text())
        pad = vocabulary["<pad>"]
        special = {"pad_token_id": pad, "decoder_start_token_id": pad, "eos_token_id": 0}
        model = MarianMTModel(
            MarianConfig(**(SHAPES["marian"][2] | special | {"vocab_size": len(vocabulary)}))
        )
        fill_randomly(model)
        model.save_pretrained(tmp_path)
        with pytest.warns(UserWarning, match="sacremoses"):
            made = AutoTokenizer.from_pretrained(tmp_path)
        assert type(made).__name__ == "MarianTokenizer"
        return tmp_path

    return saved


SOURCES = [
    "the river bank",
    "On the  river bank, the bank's riverbank",
    "see 🎣bank ½ ﬁsh café now",
    ">>fr<< the bank",
    "the </s> bank <unk>",
    "我去 the bank",
    "Write a poem about a man fishing on a river bank.",
]


def test_a_published_marian_reads_as_transformers_reads_it(published: Callable[[], Path]) -> None:
    folder = published()
    plain, model = eager(folder), core.load(str(folder))
    for text in SOURCES:
        trace = model.trace(text, TARGET)
        source = plain.tokenizer(text, return_tensors="pt")
        labels = plain.tokenizer(text_target=TARGET)["input_ids"]
        assert list(trace.encoder.tokens) == plain.tokenizer.convert_ids_to_tokens(
            source["input_ids"][0].tolist()
        )
        assert trace.encoder.tokens[-1] == "</s>"
        start = plain.model.config.decoder_start_token_id
        with torch.inference_mode():
            theirs = plain.model(
                **source,
                decoder_input_ids=torch.tensor([[start, *labels[:-1]]]),
                output_hidden_states=True,
            )
        close(trace.encoder.hidden[-1], theirs.encoder_last_hidden_state[0])
        close(trace.decoder.hidden[-1], theirs.last_hidden_state[0])


def test_the_words_of_a_published_marian_are_found(published: Callable[[], Path]) -> None:
    model = core.load(str(published()))
    text = "See ½ ﬁsh, 🎣bank and the river: a bank"
    trace = model.trace(text, "the bank, the river bank")
    for part, word, times in (
        (trace.encoder, "bank", 2),
        (trace.encoder, "river", 1),
        (trace.decoder, "bank", 2),
        (trace.decoder, "river", 1),
    ):
        found = part.find_all(word)
        assert len(found) == times
        for tokens in found:
            spans = [part.offsets[i] for i in tokens]
            read = part.texts[0][spans[0][0] : spans[-1][1]]
            assert read.strip() == word
    unknown = [i for i, token in enumerate(trace.encoder.tokens) if token == "<unk>"]
    assert any(text[slice(*trace.encoder.offsets[i])] == "🎣" for i in unknown)


def test_a_published_marian_writes_words(published: Callable[[], Path]) -> None:
    model = core.load(str(published()))
    ids = written_ids(model, "the river bank", second="", n=4)
    trace = model.trace("the river bank", "", more=ids)
    assert len(trace.decoder.tokens) == 1 + len(ids)
    assert all(
        "<" not in token or token in ("<pad>", "<unk>", ">>fr<<") for token in trace.decoder.tokens
    )
    assert all(p.tokens for p in model.predict("the bank", "the"))


def test_a_marian_tokenizer_may_come_as_an_object(published: Callable[[], Path]) -> None:
    folder = published()
    plain = eager(folder)
    own = core.load(plain.model, plain.tokenizer)
    close(
        own.trace("the bank", TARGET).decoder.hidden,
        core.load(str(folder)).trace("the bank", TARGET).decoder.hidden,
    )


@pytest.mark.parametrize("missing", ["source.spm", "target.spm", "vocab.json"])
def test_a_published_marian_needs_all_its_files(missing: str, published: Callable[[], Path]) -> None:
    folder = published()
    (folder / missing).unlink()
    assert "tokenizer" in str(refusal(str(folder)))


@pytest.mark.few(5)
@pytest.mark.parametrize("damaged", ["source.spm", "target.spm", "vocab.json"])
@pytest.mark.parametrize("content", [b"", b"no model", b"[1]", b'"/etc/passwd"', b'{"a": "b"}'])
def test_a_damaged_file_of_a_published_marian_is_refused(
    damaged: str, content: bytes, published: Callable[[], Path]
) -> None:
    folder = published()
    (folder / damaged).write_bytes(content)
    refusal(str(folder))


@pytest.mark.fuzz
@pytest.mark.check
def test_a_published_marian_comes_from_the_hub(
    published: Callable[[], Path], tmp_path_factory: pytest.TempPathFactory
) -> None:
    with serve() as hub:
        hub.repos["someone/opus-mt-en-fr"] = published()
        done = python(
            "import core\n"
            "trace = core.load('someone/opus-mt-en-fr').trace('the bank', 'a bank')\n"
            "print(trace.encoder.tokens[-1], len(trace.encoder.find('bank')))",
            HF_ENDPOINT=hub.url,
            HF_HOME=str(tmp_path_factory.mktemp("cache")),
        )
    assert done.stdout.split() == ["</s>", "1"], done.stderr
    assert {"source.spm", "target.spm", "vocab.json"} <= set(hub.downloads())
