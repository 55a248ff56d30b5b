"""Tokenizers that are written in Python."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.pretrained.tokenizer.reader import TextReader
from tests.pretrained.tokenizer.against_transformers import (
    MANY,
)
from tests.pretrained.tokenizer_kinds import SLOW


def test_a_tokenizer_in_python_outlives_its_files(tmp_path: Path) -> None:
    for kind in ("M2M100", "BertGeneration"):
        tokenizer = SLOW[kind](tmp_path)
        for path in tmp_path.iterdir():
            path.unlink()
        assert TextReader(tokenizer, 64, MANY, kind).read("a bank").texts == ("a bank",)


@pytest.mark.parametrize("text", ["bank</s>", "a<s>bank</s>", "</s>", "a</s> bank", "bank </s></s>"])
def test_a_template_that_sees_the_end_of_a_text(text: str, tmp_path: Path) -> None:
    """ByT5 adds no end token to a text that already has one."""
    tokenizer = SLOW["ByT5"](tmp_path)
    found = TextReader(tokenizer, 512, 10**6, "ByT5").read(text)
    assert list(found.ids) == tokenizer(text)["input_ids"]
    own = [(a, b) for a, b in found.offsets if b > a]
    assert "".join(text[a:b] for a, b in own) == text.replace(" ", "")  # the sign takes it
