"""Tokenizers of the Rust library: characters of their tokens, templates, and defects."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from tokenizers import decoders, models, pre_tokenizers, processors

import core
from core.pretrained.tokenizer.reader import TextReader
from tests.pretrained.small_models import byte_level
from tests.pretrained.tokenizer.against_transformers import (
    MANY,
    Made,
    changed,
    refused,
)
from tests.pretrained.tokenizer_kinds import FAST, made, numbered


def test_unknown_characters_in_a_row_are_one_unknown_token(reader: Callable[..., TextReader]) -> None:
    read = reader("XLM-R").read("see 🎣🐟 bank")
    assert read.tokens == ("<s>", "▁s", "e", "e", "▁", "<unk>", "▁bank", "</s>")
    assert read.offsets[5] == (4, 6)


def _after_other_parts() -> Any:
    """Byte-level BPE after splitting at punctuation and digits, each part with its own space."""
    cutting = [pre_tokenizers.Digits(True), pre_tokenizers.Punctuation()]
    return made(
        models.BPE(**byte_level("<s>", "</s>")),
        pre_tokenizer=pre_tokenizers.Sequence([*cutting, pre_tokenizers.ByteLevel()]),
        decoder=decoders.ByteLevel(),
        post_processor=processors.ByteLevel(trim_offsets=True),
    )


@pytest.mark.parametrize(
    ("make", "text", "words"),
    [
        (FAST["RoBERTa, blank before"], "river<mask>bank", ["river", "bank"]),
        (FAST["RoBERTa, blank before"], "a<s>bank</s>", ["a", "bank"]),
        (FAST["RoBERTa, blank before"], "  on<s>  a  bank", ["on", "a", "bank"]),
        (_after_other_parts, "a…bank—a", ["a", "bank", "a"]),
        (_after_other_parts, "bank1bank, on", ["bank", "1", "bank", "on"]),
    ],
)
def test_no_letter_is_taken_for_a_blank_that_a_tokenizer_puts_before_it(
    make: Callable[[], Any], text: str, words: list[str]
) -> None:
    found = TextReader(make(), 512, 10**6, "mine").read(text)
    at = 0
    for word in words:
        start = text.index(word, at)
        at = start + len(word)
        own = [(a, b) for a, b in found.offsets if a < at and b > start]
        assert (own[0][0], own[-1][1]) == (start, at), word
        assert "".join(text[a:b] for a, b in own) == word
    cut = TextReader(make(), len(found.ids) - 1, 10**6, "mine").read(text)
    (left,) = cut.left_out_by_text
    assert left is not None
    assert text[left[0] : left[1]].strip() == text[left[0] : left[1]]


def test_bytes_of_unknown_characters_each_have_their_own(reader: Callable[..., TextReader]) -> None:
    """Although the library assigns the characters of the whole run to each of them."""
    read = reader("Unigram, unknown as bytes").read("bank 我é去 🎣")
    named = [(t, read.texts[0][a:b]) for t, (a, b) in zip(read.tokens, read.offsets, strict=True)]
    assert [c for t, c in named if t.startswith("<0x")] == [*"我我我", *"éé", *"去去去", *"🎣🎣🎣🎣"]
    assert named[0] == ("▁bank", "bank")


SPLIT = {"type": "Split", "pattern": {"Regex": "(x+x+)+y"}, "behavior": "Isolated", "invert": False}

NO_LENGTH = {"type": "FixedLength", "length": 0}


def test_a_tokenizer_that_panics_is_refused() -> None:
    tokenizer = changed(lambda held: held.update(pre_tokenizer=NO_LENGTH))
    with pytest.raises(BaseException, match="chunk size") as caught:
        tokenizer("bank")
    assert not isinstance(caught.value, Exception)  # what is to be turned into a sentence
    assert "fails" in refused(lambda: TextReader(tokenizer, 64, MANY, "x"))


def test_a_text_at_which_a_tokenizer_panics_is_refused_each_time() -> None:
    read_by = TextReader(changed(lambda held: held.update(pre_tokenizer=SPLIT)), 64, MANY, "x")
    for _ in range(3):
        assert "fails" in refused(lambda: read_by.read("x" * 60))
        assert "fails" in refused(lambda: read_by.read("bank", "x" * 60))
    assert read_by.read("bank").tokens[1:-1] == ("bank",)  # and goes on with others


def test_a_tokenizer_without_its_unknown_token_reads_what_it_knows() -> None:
    def without(held: dict[str, Any]) -> None:
        del held["model"]["vocab"]["[UNK]"]
        held["added_tokens"] = [one for one in held["added_tokens"] if one["content"] != "[UNK]"]

    from tokenizers import Tokenizer
    from transformers import PreTrainedTokenizerFast

    held = json.loads(FAST["BERT"]().backend_tokenizer.to_str())
    without(held)
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=Tokenizer.from_str(json.dumps(held)))
    read_by = TextReader(tokenizer, 64, MANY, "x")
    assert read_by.read("a bank").tokens == ("[CLS]", "a", "bank", "[SEP]")
    said = refused(lambda: read_by.read("a 🎣"))
    assert "no token for unknown pieces" in said


@pytest.mark.parametrize("model", ["WordLevel", "Unigram"])
def test_no_other_model_fails_raw_without_an_unknown_token(model: str) -> None:
    from tokenizers import models, pre_tokenizers

    inner = (
        models.WordLevel(numbered(["bank", "river"]))
        if model == "WordLevel"
        else models.Unigram([("bank", 0.0), *((letter, -5.0) for letter in "bank")])
    )
    tokenizer = made(inner, pre_tokenizer=pre_tokenizers.Whitespace())
    read_by = TextReader(tokenizer, 64, MANY, "x")
    assert read_by.read("bank").tokens == ("bank",)
    assert "no token for unknown pieces" in refused(lambda: read_by.read("🎣"))


def _template(number: int, *, kind: int = 0, pair_only: bool = False) -> dict[str, Any]:
    special = {"SpecialToken": {"id": "[CLS]", "type_id": kind}}
    a, b = ({"Sequence": {"id": name, "type_id": 0}} for name in "AB")
    return {
        "type": "TemplateProcessing",
        "single": [a] if pair_only else [special, a],
        "pair": [special, a, b],
        "special_tokens": {"[CLS]": {"id": "[CLS]", "ids": [number], "tokens": ["[CLS]"]}},
    }


@pytest.mark.parametrize("pair_only", [False, True])
def test_a_template_beyond_the_models_table_is_refused(pair_only: bool) -> None:
    template = _template(1000, pair_only=pair_only)
    tokenizer = changed(lambda held: held.update(post_processor=template))
    assert "1000" in refused(lambda: TextReader(tokenizer, 64, 1000, "x"))
    assert TextReader(tokenizer, 64, 1001, "x").read("a", "b").ids[0] == 1000


def test_a_template_with_a_type_that_the_model_lacks_is_refused() -> None:
    tokenizer = changed(lambda held: held.update(post_processor=_template(2, kind=2)))
    assert "segment 2" in refused(lambda: TextReader(tokenizer, 64, MANY, "x", n_types=2))
    assert TextReader(tokenizer, 64, MANY, "x", n_types=3).read("a").types == (2, 0)


def test_a_template_that_does_not_fit_is_refused() -> None:
    from tokenizers.processors import TemplateProcessing

    tokenizer = FAST["BERT"]()
    many = TemplateProcessing(
        single=" ".join(["[CLS]"] * 8) + " $A", pair="$A $B", special_tokens=[("[CLS]", 2)]
    )
    tokenizer.backend_tokenizer.post_processor = many
    refused(lambda: TextReader(tokenizer, 8, MANY, "x"))
    assert len(TextReader(tokenizer, 9, MANY, "x").read("a bank")) == 9
    tokenizer.backend_tokenizer.post_processor = TemplateProcessing(
        single="$A", pair=" ".join(["[CLS]"] * 8) + " $A $B", special_tokens=[("[CLS]", 2)]
    )
    read_by = TextReader(tokenizer, 8, MANY, "x")
    assert read_by.read("a bank").tokens == ("a", "bank")
    refused(lambda: read_by.read("a", "bank"), core.TooLarge)
    tokenizer.backend_tokenizer.post_processor = TemplateProcessing(
        single="$A $A", pair="$A $B", special_tokens=[]
    )
    refused(lambda: TextReader(tokenizer, 8, MANY, "x").read("a bank " * 4))


def test_a_part_that_is_written_in_python_is_shared() -> None:
    """For example RoFormer's, which splits Chinese by words; the Rust library cannot copy it."""
    from tokenizers import pre_tokenizers

    class Halves:
        def pre_tokenize(self, text: Any) -> None:
            text.split(lambda _, part: [part[: len(str(part)) // 2], part[len(str(part)) // 2 :]])

    tokenizer = FAST["BERT"]()
    tokenizer.add_tokens(["<new>"])
    tokenizer.backend_tokenizer.pre_tokenizer = pre_tokenizers.PreTokenizer.custom(Halves())
    read = TextReader(tokenizer, 64, MANY, "x").read("ankank<new>riverriver")
    assert list(read.ids) == tokenizer("ankank<new>riverriver")["input_ids"]
    assert read.tokens == ("[CLS]", "ank", "ank", "<new>", "river", "river", "[SEP]")
    assert read.offsets[1:-1] == ((0, 3), (3, 6), (6, 11), (11, 16), (16, 21))


def test_training_noise_is_off(made_kind: Made) -> None:
    tokenizer = FAST["GPT-2"]()
    tokenizer.backend_tokenizer.model.dropout = 0.5
    read_by = TextReader(tokenizer, 4096, MANY, "x")
    wanted = made_kind("GPT-2")("the river bank " * 20)["input_ids"]
    assert all(list(read_by.read("the river bank " * 20).ids) == wanted for _ in range(5))
    assert tokenizer.backend_tokenizer.model.dropout == 0.5
