"""The multilingual model of sentences: a BertModel with an XLM-RoBERTa tokenizer.

A small random model, laid out as on the hub, stands for it; `tests/tools/test_published.py` checks the
published one if it is available.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch

import core
from core import settings
from core.measures import sentence_vector
from tests.pretrained.fake_hub import serve

ENTRY = settings.CATALOGUE["multilingual"]
TEXTS = ("The cat sleeps.", "Die Katze schläft.", "猫が寝ています。", "a" * 40)
WORDS = ("the", "cat", "sleeps", "Die", "Katze", "schl", "猫", "が")
LETTERS = "▁abcdefghijklmnopqrstuvwxyzDKTä.寝ています。"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, fill_randomly: Callable[..., None]) -> Path:
    """The files of the hub entry in small: BertConfig, Unigram tokenizer.json, sentence files."""
    from tokenizers import AddedToken, Tokenizer, models, normalizers, pre_tokenizers, processors
    from transformers import BertConfig, BertModel

    place = tmp_path_factory.mktemp("multilingual")
    special = ["<s>", "<pad>", "</s>", "<unk>"]
    pieces = dict.fromkeys([*(f"▁{word}" for word in WORDS), *WORDS, *LETTERS])
    vocabulary = [(piece, -float(i)) for i, piece in enumerate([*special, *pieces])]
    tokenizer = Tokenizer(models.Unigram([*vocabulary, ("<mask>", 0.0)], unk_id=3))
    tokenizer.add_special_tokens([AddedToken(one, special=True) for one in (*special, "<mask>")])
    tokenizer.normalizer = normalizers.NFKC()
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace()]
    )
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>",
        pair="<s> $A </s> </s> $B </s>",
        special_tokens=[("<s>", 0), ("</s>", 2)],
    )
    tokenizer.enable_truncation(128)
    tokenizer.enable_padding(length=128, pad_id=1, pad_token="<pad>")
    tokenizer.save(str(place / "tokenizer.json"))
    named = dict(zip(("bos_token", "pad_token", "eos_token", "unk_token"), special, strict=True))
    said = {**named, "cls_token": "<s>", "sep_token": "</s>", "mask_token": "<mask>"}
    config = {"tokenizer_class": "XLMRobertaTokenizer", "model_max_length": 512, **said}
    (place / "tokenizer_config.json").write_text(json.dumps(config), "utf-8")
    (place / "special_tokens_map.json").write_text(json.dumps(said), "utf-8")
    (place / "modules.json").write_text("[]", "utf-8")
    (place / "sentence_bert_config.json").write_text('{"max_seq_length": 128}', "utf-8")
    model = BertModel(
        BertConfig(
            vocab_size=len(vocabulary) + 1,
            num_hidden_layers=5,
            num_attention_heads=3,
            hidden_size=21,
            intermediate_size=37,
            pad_token_id=0,  # as published: not the tokenizer's, which is 1
        )
    )
    fill_randomly(model)
    model.save_pretrained(place)
    return place


def test_both_engines_and_transformers_give_one_sentence_vector(folder: Path) -> None:
    from transformers import AutoModel, AutoTokenizer

    own, reference = core.load(str(folder)), core.load(str(folder), engine="huggingface")
    assert (own.engine, reference.engine) == ("scratch", "huggingface")
    inputs = AutoTokenizer.from_pretrained(folder)(
        [*TEXTS], return_tensors="pt", padding="longest", truncation=False
    )
    assert inputs["attention_mask"].min() == 0  # some are padded
    model = AutoModel.from_pretrained(folder).eval()
    with torch.no_grad():
        states = model(inputs["input_ids"], attention_mask=inputs["attention_mask"]).last_hidden_state
    mask = inputs["attention_mask"][..., None]
    wanted = ((states * mask).sum(1) / mask.sum(1)).numpy()
    for text, vector, ids in zip(TEXTS, wanted, inputs["attention_mask"], strict=True):
        a, b = own.trace(text), reference.trace(text)
        assert a.tokens == b.tokens
        assert len(a.tokens) == int(ids.sum())
        assert (a.tokens[0], a.tokens[-1]) == ("<s>", "</s>")
        assert a.hidden is not None
        assert b.hidden is not None
        np.testing.assert_allclose(a.hidden, b.hidden, atol=own.bound)
        np.testing.assert_allclose(sentence_vector(a), vector, atol=1e-5)
    assert len(own.trace("猫 " * 300).tokens) == 302  # nothing is cut at the tokenizer's 128
    assert len(own.trace(TEXTS[2]).find("猫")) == 1


@pytest.mark.fuzz  # a published Marian comes from it for `make check`
@pytest.mark.check
def test_it_comes_from_the_hub_by_its_name(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a fresh process, because `huggingface_hub` reads its address only once."""
    from tests.pretrained.fakes import python

    with serve() as hub:
        hub.repos[ENTRY.hub_id] = folder
        done = python(
            "import core\n"
            "model = core.load('multilingual')\n"
            "print(model.engine, len(model.trace('Die Katze').tokens))",
            HF_ENDPOINT=hub.url,
            HF_HOME=str(tmp_path),
        )
    assert done.stdout.split() == ["scratch", "4"], done.stderr
    assert {"config.json", "model.safetensors", "tokenizer.json"} <= set(hub.downloads())
