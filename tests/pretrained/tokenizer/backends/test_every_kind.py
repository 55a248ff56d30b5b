"""Every kind of tokenizer, against `transformers`: ids, characters, names, and truncation."""

from __future__ import annotations

import copy
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import core
from core.pretrained.tokenizer.reader import Encoded, TextReader
from core.records import words
from tests.pretrained.tokenizer.against_transformers import (
    ALL,
    MANY,
    PLAIN,
    Made,
    is_unknown,
    names,
    refused,
    spans_of,
    theirs,
)
from tests.pretrained.tokenizer.test_reader import HARD
from tests.pretrained.tokenizer_kinds import FAST, SLOW, TEXTS
from tests.tiers import some

# For these, the class replaces <unk> by another unknown token.
OTHER_UNKNOWN = ("RemBERT", "mBART-50", "DeBERTa-v2")

# These read bytes or characters, and therefore every text.
KNOW_ALL = {
    *("GPT-2", "GPT-2, blank before", "OPT", "RoBERTa", "RoBERTa, blank before", "BART", "Blenderbot"),
    *("RoBERTa, not trimmed", "DeBERTa", "GPT-NeoX", "CodeGen", "Qwen", "Cohere", "CLIP", "Llama"),
    *("Llama, legacy", "Llama, prepended", "Gemma", "Unigram, unknown as bytes"),
    *("bytes, trimmed", "bytes, trimmed, blank before", "bytes, trimmed, not split", "bytes"),
    *("ByT5", "Perceiver", "CANINE"),
}


@pytest.mark.few(8)
@pytest.mark.check
@pytest.mark.parametrize("kind", ALL)
def test_a_text_becomes_the_ids_that_transformers_makes_of_it(
    kind: str, made_kind: Made, reader: Callable[..., TextReader]
) -> None:
    tokenizer, read_by = made_kind(kind), reader(kind)
    for text in (*HARD, *TEXTS, *PLAIN):
        try:
            read = read_by.read(text)
        except core.NotSupported:
            # A line break becomes a word that takes nine of these few pieces.
            assert kind == "BlenderbotSmall"
            assert "\n" in text
            continue
        if kind in FAST:
            said = theirs(tokenizer, text, return_offsets_mapping=True, return_special_tokens_mask=True)
            assert [tuple(span) for span in said["offset_mapping"]] == _shared(read, said)
            assert said["special_tokens_mask"] == [int(special) for special in read.special]
        else:
            said = theirs(tokenizer, text)
        assert list(read.ids) == said["input_ids"], text
        assert list(read.tokens) == names(tokenizer, said["input_ids"]), text
        assert len(read.offsets) == len(read.segments) == len(read.special) == len(read.types)
        assert set(read.segments) <= {0}
        assert read.left_out_by_text == (None,)


def _shared(read: Encoded, said: dict[str, Any]) -> list[tuple[int, int]]:
    """The characters of each token; of unknown ones that came as bytes, those of the whole run."""
    found = list(read.offsets)
    for i, (mine, wanted) in enumerate(zip(read.offsets, said["offset_mapping"], strict=True)):
        if mine != tuple(wanted):
            assert read.tokens[i].startswith("<0x")
            assert wanted[0] <= mine[0] < mine[1] <= wanted[1]
            found[i] = tuple(wanted)
    return found


@pytest.mark.few(4)
@pytest.mark.parametrize("kind", ALL)
def test_the_characters_of_words_come_back(
    kind: str, made_kind: Made, reader: Callable[..., TextReader]
) -> None:
    """By word ids, and by finding a word: exactly its letters, and none of another word."""
    tokenizer, read_by = made_kind(kind), reader(kind)
    for text in PLAIN:
        if kind == "BlenderbotSmall" and "\n" in text:
            continue
        read = read_by.read(text)
        _words_come_back(tokenizer, read, text, 0)
        if read_by._cuts.added(True) < 4096 and kind != "ESM":
            second = "a river bank"
            pair = read_by.read(text, second)
            assert pair.segments == tuple(sorted(pair.segments))
            assert set(pair.segments) <= {0, 1}
            _words_come_back(tokenizer, pair, text, 0)
            _words_come_back(tokenizer, pair, second, 1)


def _words_come_back(tokenizer: Any, read: Encoded, text: str, index: int) -> None:
    spans = spans_of(read, index)
    before = len(words.split(read.texts[0])) if index else 0
    for n, word in enumerate(words.split(text)):
        mine = [i for i, (start, end) in enumerate(spans) if start < word.end and end > word.start]
        held = {c for i in mine for c in range(*spans[i])}
        unknown = any(is_unknown(tokenizer, read, i) for i in mine)
        assert held >= set(range(word.start, word.end)), (text, word)
        joined = "".join(text[c] for c in sorted(held))
        if not unknown:  # what is unknown may be one token for several words
            assert joined.strip() == word.text, (text, word)
            assert {read.word_ids()[i] for i in mine} == {before + n}


@pytest.mark.check
@pytest.mark.parametrize("kind", ALL)
def test_hard_texts_lose_no_visible_character(kind: str, reader: Callable[..., TextReader]) -> None:
    read_by = reader(kind)
    for text in (*HARD, *TEXTS):
        try:
            read = read_by.read(text)
        except core.NotSupported:
            assert kind == "BlenderbotSmall"
            continue
        held = {c for start, end in spans_of(read) for c in range(start, end)}
        for i, character in enumerate(text):
            # Accents, control characters and spaces may be normalised away; so may characters lost
            # before.
            seen = unicodedata.category(character)[0] not in "MCZ" and character != "\ufffd"
            assert i in held or not seen, (text, i, character)
        assert all(0 <= start <= end <= len(text) for start, end in read.offsets)


@pytest.mark.few(8)
@pytest.mark.check
@pytest.mark.parametrize("kind", some(ALL, 24))
def test_cut_at_every_length_it_is_what_transformers_leaves(
    kind: str, made_kind: Made, reader: Callable[..., TextReader]
) -> None:
    tokenizer = made_kind(kind)
    text, other = "the river bank, a bank's river", "a bank on the river"
    whole = reader(kind).read(text)
    own = [i for i, special in enumerate(whole.special) if not special]
    least = max(side._cuts.added(False) for side in (reader(kind), reader(kind).target)) + 1
    for most in range(max(least, 2), len(whole)):
        read_by = reader(kind, most)
        read = read_by.read(text)
        assert list(read.ids) == theirs(tokenizer, text, most=most)["input_ids"], most
        kept = sum(not special for special in read.special)
        assert [span for span in spans_of(read) if span != (0, 0)] == [
            whole.offsets[i] for i in own[:kept] if whole.offsets[i] != (0, 0)
        ]
        assert read.left_out_by_text == ((whole.offsets[own[kept]][0], len(text)),)
        for word in words.split(text[: whole.offsets[own[kept]][0]]):
            if word.end < whole.offsets[own[kept]][0]:  # it was read whole
                held = {c for span in spans_of(read) for c in range(*span)}
                assert not set(range(word.start, word.end)) - held
    pair = len(reader(kind).read(text, other))
    for most in range(max(reader(kind)._cuts.added(True) + 1, least), pair + 1):
        read = reader(kind, most).read(text, other)
        said = theirs(tokenizer, text, other, most=most)
        assert list(read.ids) == said["input_ids"], most
        for index, cut in enumerate(read.left_out_by_text):
            ends = [end for _, end in spans_of(read, index)]
            assert cut is None or max(ends) <= cut[0] + 1


@pytest.mark.check
@pytest.mark.parametrize("kind", ALL)
def test_an_unknown_piece_has_the_name_of_the_id_that_the_model_reads(
    kind: str, made_kind: Made, reader: Callable[..., TextReader]
) -> None:
    tokenizer = made_kind(kind)
    read = reader(kind).read("see 🎣bank 🐟")
    fishes = {i for i, c in enumerate(read.texts[0]) if c in "🎣🐟"}
    here = [i for i, span in enumerate(read.offsets) if fishes & set(range(*span))]
    if kind in KNOW_ALL:
        assert not any(is_unknown(tokenizer, read, i) for i in here)
        return
    # Their characters are known nevertheless.
    assert fishes == {c for i in here for c in range(*read.offsets[i])} & fishes
    assert [read.tokens[i] for i in here] == names(tokenizer, [read.ids[i] for i in here])
    assert not any(c in read.tokens[i] for i in here for c in "🎣🐟")
    if kind not in OTHER_UNKNOWN:
        # Some assign the mark of a word start to its first character.
        assert {read.tokens[i] for i in here} - {"▁"} == {tokenizer.unk_token}


@pytest.mark.parametrize("kind", ["WordLevel", "Python"])
def test_an_added_token_beyond_the_models_table_is_refused(kind: str, tmp_path: Path) -> None:
    tokenizer = FAST["words"]() if kind == "WordLevel" else SLOW["BERT in Python"](tmp_path)
    rows = len(tokenizer)
    assert TextReader(tokenizer, 64, rows, "x").read("bank").tokens[-1] is not None
    tokenizer.add_tokens(["<new>"])
    assert str(rows) in refused(lambda: TextReader(tokenizer, 64, rows, "x"))


@pytest.mark.parametrize("kind", ["GPT-2", "XLM-R", "mBART", "Marian", "M2M100", "CTRL", "ByT5"])
def test_the_tokenizer_given_stays_as_it_is(kind: str, tmp_path: Path) -> None:
    tokenizer = FAST[kind]() if kind in FAST else SLOW[kind](tmp_path)
    said = tokenizer("on a bank", "the river")["input_ids"]
    before = copy.deepcopy(
        {key: repr(value) for key, value in vars(tokenizer).items() if key != "_tokenizer"}
    )
    read_by = TextReader(tokenizer, 64, MANY, kind)
    read = read_by.read("on a bank", "the river")
    assert list(read.ids) == said
    assert tokenizer("on a bank", "the river")["input_ids"] == said
    assert {key: repr(value) for key, value in vars(tokenizer).items() if key in before} == before
    # And conversely: later changes by its owner do not affect ours.
    tokenizer.add_tokens(["bank"])
    if hasattr(tokenizer, "_switch_to_target_mode"):
        tokenizer._switch_to_target_mode()
    assert read_by.read("on a bank", "the river") == read


@pytest.mark.parametrize("kind", ["mBART", "mBART-50", "Marian, two vocabularies", "M2M100", "PLBART"])
def test_targets_are_cut_as_transformers_cuts_them(
    kind: str, made_kind: Made, reader: Callable[..., TextReader]
) -> None:
    tokenizer, read_by = made_kind(kind), reader(kind)
    assert read_by.target is not read_by
    assert read_by.target.target is read_by.target
    differ = 0
    for text in (*TEXTS, *PLAIN):
        said = tokenizer(text_target=text)["input_ids"]
        assert list(read_by.target.read(text).ids) == said
        assert list(read_by.read(text).ids) == tokenizer(text)["input_ids"]
        differ += list(read_by.read(text).ids) != said
    assert differ


def test_other_targets_are_cut_as_the_sources(reader: Callable[..., TextReader]) -> None:
    for kind in ("T5", "BART", "GPT-2", "ByT5"):
        read_by = reader(kind)
        assert read_by.target is read_by
