"""A byte-level BPE as a GGUF file has it: a small one of a few merges, and the one of SmolLM2."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gguf import GGUFReader
from tokenizers import pre_tokenizers
from transformers import PreTrainedTokenizerFast

from core.pretrained.files.gguf import tokenizer
from core.pretrained.tokenizer.reader import TextReader

SIGNS = ("<|end|>", "<|start|>", "<|start", "<file>")  # the first two are no part of a text
LOST = (0x04, 0x13, 0xF1)  # bytes for which no token stands, as SmolLM2 has some
_LINE = "the bank banks river don't café 東京 银行 of the fishing 're 123 \n\n   \t\t ﬁne ab bc abc"
_CONTROL, _NORMAL = 3, 1


def small() -> dict[str, Any]:
    """The settings of a GGUF file with a tokenizer of a few words."""
    cut = pre_tokenizers.ByteLevel(add_prefix_space=False).pre_tokenize_str
    lost = {cut(bytes([byte]).decode("latin-1"))[0][0] for byte in LOST[:2]} | {chr(LOST[2])}
    tokens = [*SIGNS, *sorted({*pre_tokenizers.ByteLevel.alphabet()} - lost)]
    merges: dict[str, None] = {}
    words = _LINE.split(" ")
    for word in (*words, *(f" {one}" for one in words)):
        for written, _ in cut(word):
            for end in range(1, len(written)):
                merges[f"{written[:end]} {written[end]}"] = None
    tokens += dict.fromkeys(one.replace(" ", "") for one in merges)
    return {
        "tokenizer.ggml.model": "gpt2",
        "tokenizer.ggml.pre": "smollm",
        "tokenizer.ggml.tokens": tokens,
        "tokenizer.ggml.token_type": [_CONTROL if one in SIGNS else _NORMAL for one in tokens],
        "tokenizer.ggml.merges": [*merges],
        "tokenizer.ggml.bos_token_id": 1,
        "tokenizer.ggml.eos_token_id": 0,
        "tokenizer.ggml.add_bos_token": False,
    }


def of_file(file: Path) -> dict[str, Any]:
    """What a GGUF file says of its tokenizer."""
    fields = GGUFReader(file).fields
    return {name: one.contents() for name, one in fields.items() if name.startswith("tokenizer.ggml")}


def reader(settings: Mapping[str, Any], most: int) -> TextReader:
    """Python's reader of such a tokenizer, without a model."""
    own, named = tokenizer.of(settings)
    whole = PreTrainedTokenizerFast(
        tokenizer_object=own, **{name: one for name, one in named.items() if name.endswith("_token")}
    )
    return TextReader(whole, most, len(settings["tokenizer.ggml.tokens"]), "pairs", copied=False)
