"""Tokenizers of every kind beside those of `transformers`, and broken ones."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

import pytest

import core
from core.pretrained.tokenizer.reader import Encoded
from tests.pretrained.fakes import readable
from tests.pretrained.tokenizer_kinds import FAST, SLOW

ALL = [*FAST, *SLOW]

# In these, each word has only letters that (nearly) all vocabularies contain.
PLAIN = [
    "on a bank",
    "the river bank, a bank",
    "a  bank   on ",
    "  lead a",
    "I go to the bank's river.",
    "bank\nbank\tbank",
    "x",
]

MANY = 10**7  # rows of a table, more than any tokenizer here needs

Made = Callable[[str], Any]


def theirs(tokenizer: Any, *texts: str, most: int = 4096, **options: Any) -> Any:
    # As a list of one: tokenizer("a", "") ignores an empty second text.
    given = [texts] if len(texts) > 1 else list(texts)
    said = tokenizer(given, truncation=True, max_length=most, **options)
    return {key: value[0] for key, value in said.items()}


def spans_of(read: Encoded, index: int = 0) -> list[tuple[int, int]]:
    """The characters of each token of one text; (0, 0) for all others."""
    return [
        span if segment == index and not special else (0, 0)
        for span, segment, special in zip(read.offsets, read.segments, read.special, strict=True)
    ]


def is_unknown(tokenizer: Any, read: Encoded, i: int) -> bool:
    return bool(read.ids[i] == getattr(tokenizer, "unk_token_id", None)) and not read.special[i]


def names(tokenizer: Any, ids: list[int]) -> list[str]:
    """The names of ids; if sources have their own vocabulary, by that one."""
    if getattr(tokenizer, "separate_vocabs", False):
        known = {number: token for token, number in tokenizer.encoder.items()}
        return [known[number] for number in ids]
    return list(tokenizer.convert_ids_to_tokens(ids))


def changed(change: Callable[[dict[str, Any]], Any], kind: str = "BERT") -> Any:
    """A tokenizer whose tokenizer.json was changed by hand."""
    from tokenizers import Tokenizer
    from transformers import PreTrainedTokenizerFast

    held = json.loads(FAST[kind]().backend_tokenizer.to_str())
    change(held)
    return PreTrainedTokenizerFast(
        tokenizer_object=Tokenizer.from_str(json.dumps(held)), pad_token="[PAD]", unk_token="[UNK]"
    )


def refused(question: Callable[[], Any], kind: type[core.PolyseeError] = core.ModelBroken) -> str:
    """The message of a refusal; it must come at once, and be a sentence."""
    start = time.perf_counter()
    with pytest.raises(core.PolyseeError) as caught:
        question()
    assert time.perf_counter() - start < 3
    assert type(caught.value) is kind
    readable(str(caught.value))
    return str(caught.value)
