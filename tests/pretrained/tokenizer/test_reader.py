"""Text to tokens: against `transformers` itself, on difficult texts, and from many threads at once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import core
from core.pretrained.tokenizer.reader import TextReader, fit
from core.records import words

HARD = [
    "",
    " ",
    "bank",
    "Write a poem about a man fishing on a river bank.",
    "The bank's roof, don’t you see?",
    "unaffordability of antidisestablishmentarianism",
    "x" * 101,  # longer than a WordPiece word may be: one [UNK]
    "Café CAFÉ cafe\u0301 Straße İstanbul",
    "我去银行。東京 コーヒー 은행",
    "ذهبتُ إلى البنكِ. नदी के किनारे",
    "🎣 👨‍👩‍👧‍👦 🇫🇷 ❤️",
    "ri\u00adver\u200bbank \u202ebank\u202c a\x00b\x07 \ufeffbank \ufffd",
    "[CLS] bank [SEP] bank [MASK] [PAD] [UNK]",  # typed by a person, and read as BERT reads it
    "tabs\tand\nlines\r\nand\u00a0spaces\u3000",
    "##bank ... -- 3.14 x² ½",
]


@pytest.fixture(scope="module")
def tokenizer(minilm_folder: Path) -> Any:
    from transformers import AutoTokenizer

    return AutoTokenizer.from_pretrained(minilm_folder, local_files_only=True)


@pytest.fixture(scope="module")
def reader(tokenizer: Any) -> TextReader:
    return TextReader(tokenizer, 512, 30522, "minilm")


def short_reader(tokenizer: Any, max_tokens: int) -> TextReader:
    return TextReader(tokenizer, max_tokens, 30522, "minilm")


@pytest.mark.parametrize("text", HARD, ids=range(len(HARD)))
def test_single_texts_are_cut_as_transformers_cuts_them(
    reader: TextReader, tokenizer: Any, text: str
) -> None:
    read = reader.read(text)
    theirs = tokenizer(
        text,
        truncation=True,
        max_length=512,
        return_offsets_mapping=True,
        return_special_tokens_mask=True,
    )
    assert list(read.ids) == theirs["input_ids"]
    assert list(read.tokens) == tokenizer.convert_ids_to_tokens(theirs["input_ids"])
    assert list(read.offsets) == theirs["offset_mapping"]
    assert [int(s) for s in read.special] == theirs["special_tokens_mask"]
    assert list(read.types) == theirs["token_type_ids"]
    assert set(read.segments) == {0}
    assert read.left_out_by_text == (None,)


@pytest.mark.parametrize("second", HARD, ids=range(len(HARD)))
@pytest.mark.parametrize("first", ["", "the river bank"])
def test_pairs_are_cut_as_transformers_cuts_them(
    reader: TextReader, tokenizer: Any, first: str, second: str
) -> None:
    for pair in ((first, second), (second, first)):
        read = reader.read(*pair)
        # As a list of one pair: tokenizer("a", "") ignores an empty second text.
        theirs = tokenizer([pair], truncation=True, max_length=512, return_offsets_mapping=True)
        assert list(read.ids) == theirs["input_ids"][0]
        assert list(read.types) == list(read.segments) == theirs["token_type_ids"][0]
        assert list(read.offsets) == theirs["offset_mapping"][0]


@pytest.mark.parametrize("room", range(8))
def test_fit_is_transformers_longest_first(tokenizer: Any, room: int) -> None:
    """Every pair of lengths up to 9, against the tokenizer itself."""
    ids = tokenizer.convert_tokens_to_ids(["bank", "river"])
    for first in range(10):
        for second in range(10):
            theirs = tokenizer(
                [(" ".join(["bank"] * first), " ".join(["river"] * second))],
                truncation="longest_first",
                max_length=room + 3,  # [CLS] and two [SEP]
            )["input_ids"][0]
            expected = tuple(theirs.count(i) for i in ids)
            assert fit([first, second], room) == expected, (first, second)


def test_fit_of_long_texts(tokenizer: Any) -> None:
    ids = tokenizer.convert_tokens_to_ids(["bank", "river"])
    lengths = (0, 1, 2, 253, 254, 255, 256, 257, 507, 508, 509, 510, 511, 900)
    for first in lengths:
        for second in lengths:
            theirs = tokenizer([("bank " * first, "river " * second)], truncation=True, max_length=512)[
                "input_ids"
            ][0]
            kept = fit([first, second], 509)
            assert kept == tuple(theirs.count(i) for i in ids), (first, second)
            assert sum(kept) == min(first + second, 509)
    for n in lengths:
        assert fit([n], 510) == (min(n, 510),)


@pytest.mark.parametrize("max_tokens", [5, 8, 9, 64])
def test_short_models_cut_like_transformers_and_say_what_they_left(
    tokenizer: Any, max_tokens: int
) -> None:
    reader = short_reader(tokenizer, max_tokens)
    text, other = "unaffordable fishing on the riverbank, " * 7, "a bank of unaffordability " * 5
    for texts in ((text,), (text, other), (other, text), ("bank", text), (text, "bank")):
        read = reader.read(*texts)
        given = [texts] if len(texts) > 1 else list(texts)
        theirs = tokenizer(given, truncation=True, max_length=max_tokens, return_offsets_mapping=True)
        assert list(read.ids) == theirs["input_ids"][0]
        assert list(read.offsets) == theirs["offset_mapping"][0]
        assert len(read) == max_tokens
        for index, (one, cut) in enumerate(zip(texts, read.left_out_by_text, strict=True)):
            ends = [end for (_, end), s in zip(read.offsets, read.segments, strict=True) if s == index]
            everything = tokenizer(one, return_offsets_mapping=True, truncation=False)
            if cut is None:
                assert max(ends) == len(one.rstrip())
            else:
                # From the first missing token to the end of the text.
                assert cut[1] == len(one)
                last = max(ends)
                starts = [s for s, e in everything["offset_mapping"] if e > s and s >= last]
                assert cut[0] == min(starts)


def test_what_is_left_out_begins_at_the_first_missing_token(tokenizer: Any) -> None:
    read = short_reader(tokenizer, 5).read("the river bank, a bank")
    assert read.tokens == ("[CLS]", "the", "river", "bank", "[SEP]")
    assert read.left_out_by_text == ((14, 22),)
    # In the middle of a word: ri|ver would not be found, see tests/records/test_trace.py.
    read = short_reader(tokenizer, 4).read("the unaffordable")
    assert read.tokens == ("[CLS]", "the", "una", "[SEP]")
    assert read.left_out_by_text == ((7, 16),)


def test_half_a_surrogate_pair_is_read_and_shifts_nothing(minilm: core.Model) -> None:
    text = "a \ud83d river \ude00 bank"
    trace = minilm.trace(text)
    assert trace.texts == ("a \ufffd river \ufffd bank",)
    start, end = trace.offsets[int(trace.find("bank")[0])]
    assert text[start:end] == "bank"
    # A complete surrogate pair, which is one character in Python, stays.
    assert minilm.trace("🎣 bank").texts == ("🎣 bank",)


def test_word_ids_by_hand(reader: TextReader) -> None:
    read = reader.read("The bank's unaffordable 🎣!", "I don’t")
    by_word: dict[int | None, list[str]] = {}
    for token, word in zip(read.tokens, read.word_ids(), strict=True):
        by_word.setdefault(word, []).append(token)
    assert by_word == {
        None: ["[CLS]", "[SEP]", "[SEP]"],
        0: ["the"],
        1: ["bank"],
        2: ["'", "s"],
        3: ["una", "##ff", "##ord", "##able"],
        4: ["[UNK]"],
        5: ["!"],
        6: ["i"],
        7: ["don", "’", "t"],
    }


@pytest.mark.parametrize("text", HARD, ids=range(len(HARD)))
def test_word_ids_point_at_the_word_that_holds_the_token(reader: TextReader, text: str) -> None:
    for texts in ((text,), ("one two", text)):
        read = reader.read(*texts)
        every = [(index, word) for index, t in enumerate(read.texts) for word in words.split(t)]
        for i, w in enumerate(read.word_ids()):
            start, end = read.offsets[i]
            segment = read.segments[i]
            over = [
                n
                for n, (index, word) in enumerate(every)
                if index == segment and word.start < end and start < word.end
            ]
            assert w == (over[0] if over else None)


@pytest.mark.fuzz
@pytest.mark.check
def test_texts_are_cut_alike_from_many_threads(reader: TextReader) -> None:
    texts = [f"{'the river bank ' * (i % 230)}{i}" for i in range(400)]
    alone = [reader.read(text) for text in texts]
    with ThreadPoolExecutor(8) as pool:
        for _ in range(2):
            assert list(pool.map(reader.read, texts)) == alone


@pytest.mark.few(1)
@pytest.mark.check
@pytest.mark.parametrize("engine", ["scratch", "huggingface"])
def test_one_model_answers_many_threads_as_it_answers_one(make_folder: Any, engine: Any) -> None:
    model = core.load(str(make_folder("bert")), engine=engine)
    texts = [f"{'the river bank, ' * (i * 7 % 61)}bank {i}" for i in range(96)]
    keeps = ("all", "attention", "hidden")

    def ask(i: int) -> core.Trace:
        if i % 5 == 0:
            return model.trace(texts[i], texts[-i])
        return model.trace(texts[i], keep=keeps[i % 3])  # type: ignore[call-overload]

    alone = [ask(i) for i in range(len(texts))]
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(ask, range(len(texts))))
    for one, other in zip(alone, together, strict=True):
        assert one.tokens == other.tokens
        assert one.offsets == other.offsets
        for name in ("learned", "embedded", "hidden", "query", "key", "value"):
            a, b = getattr(one, name), getattr(other, name)
            assert (a is None) == (b is None)
            if a is not None:
                np.testing.assert_allclose(a, b, rtol=0, atol=1e-5)
        assert (one.attention is None) == (other.attention is None)
        if one.attention is not None and other.attention is not None:
            np.testing.assert_allclose(
                one.attention.weights, other.attention.weights, rtol=0, atol=1e-5
            )


def test_the_tokenizer_given_stays_as_it_is(minilm_folder: Path) -> None:
    from transformers import AutoTokenizer

    given = AutoTokenizer.from_pretrained(minilm_folder, local_files_only=True)
    given(["a", "b c"], padding="max_length", truncation=True, max_length=7)
    state = given.backend_tokenizer.to_str()
    assert given.backend_tokenizer.truncation["max_length"] == 7
    reader = TextReader(given, 512, 30522, "minilm")
    text = "the river bank " * 30
    before = reader.read(text)
    assert len(before) == 92
    assert given.backend_tokenizer.to_str() == state
    # And conversely: later changes by its owner do not affect ours.
    given(["a"], truncation=True, max_length=3, padding="max_length")
    given.add_tokens(["river"])
    assert reader.read(text) == before


def test_a_tokenizer_that_does_not_belong_is_refused(tokenizer: Any) -> None:
    with pytest.raises(core.ModelBroken, match="30521"):
        TextReader(tokenizer, 512, 30521, "small")
    with pytest.raises(core.ModelBroken, match="fast"):
        TextReader(object(), 512, 30522, "slow")


def test_a_tokenizer_without_words_is_refused() -> None:
    from tokenizers import Tokenizer
    from tokenizers.models import WordPiece
    from transformers import PreTrainedTokenizerFast

    specials = {"unk_token": "[UNK]", "cls_token": "[CLS]", "sep_token": "[SEP]", "pad_token": "[PAD]"}
    vocabulary = {token: i for i, token in enumerate(specials.values())}
    empty = PreTrainedTokenizerFast(
        tokenizer_object=Tokenizer(WordPiece(vocabulary, unk_token="[UNK]")), **specials
    )
    with pytest.raises(core.ModelBroken, match="no words"):
        TextReader(empty, 512, 30522, "empty")


def test_cased_is_asked_of_the_tokenizer(reader: TextReader) -> None:
    from tokenizers import Tokenizer, pre_tokenizers
    from tokenizers.models import WordPiece
    from transformers import PreTrainedTokenizerFast

    assert not reader.cased
    inner = Tokenizer(WordPiece({"[UNK]": 0, "Bank": 1, "bank": 2}, unk_token="[UNK]"))
    inner.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    cased = TextReader(PreTrainedTokenizerFast(tokenizer_object=inner, unk_token="[UNK]"), 9, 3, "x")
    assert cased.cased
    read = cased.read("bank Bank")
    assert read.ids == (2, 1)  # no special tokens: none are added
    assert read.special == (False, False)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("a bank", ()),
        ("a [SEP] bank [SEP] [CLS]", ("[SEP]", "[CLS]")),
        ("a [MASK] bank", ()),  # there to be written
        ("a \U00013000 bank", ()),  # [UNK], and nobody wrote it
        ("a [UNK] bank", ("[UNK]",)),
        ("a [sep] bank", ()),
    ],
)
def test_special_tokens_are_found_where_somebody_wrote_them(
    reader: TextReader, text: str, found: tuple[str, ...]
) -> None:
    assert reader.special_in(reader.read(text)) == found


def test_special_tokens_are_found_in_the_text_of_a_pair_that_has_them(reader: TextReader) -> None:
    assert reader.special_in(reader.read("a bank", "a [SEP] bank")) == ("[SEP]",)
