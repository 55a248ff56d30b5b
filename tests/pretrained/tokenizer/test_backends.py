"""Every kind of tokenizer, against `transformers`: ids, characters, names, and truncation."""

from __future__ import annotations

import copy
import json
import time
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tokenizers import decoders, models, pre_tokenizers, processors

import core
from core.pretrained.tokenizer.backends import MOST_LETTERS, fit_as_python
from core.pretrained.tokenizer.reader import Encoded, TextReader
from core.records import words
from tests.pretrained.fakes import readable
from tests.pretrained.small_models import byte_level
from tests.pretrained.tokenizer.test_reader import HARD
from tests.pretrained.tokenizer_kinds import FAST, SLOW, TEXTS, made, numbered
from tests.tiers import some

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


@pytest.fixture(scope="module")
def made_kind(tmp_path_factory: pytest.TempPathFactory) -> Made:
    """A tokenizer by the name of its kind, made once."""
    held: dict[str, Any] = {}

    def get(kind: str) -> Any:
        if kind not in held:
            folder = tmp_path_factory.mktemp("tokenizer")
            held[kind] = FAST[kind]() if kind in FAST else SLOW[kind](folder)
        return held[kind]

    return get


@pytest.fixture(scope="module")
def reader(made_kind: Made) -> Callable[..., TextReader]:
    def read_by(kind: str, most: int = 4096) -> TextReader:
        return TextReader(made_kind(kind), most, MANY, kind)

    return read_by


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


def names(tokenizer: Any, ids: list[int]) -> list[str]:
    """The names of ids; if sources have their own vocabulary, by that one."""
    if getattr(tokenizer, "separate_vocabs", False):
        known = {number: token for token, number in tokenizer.encoder.items()}
        return [known[number] for number in ids]
    return list(tokenizer.convert_ids_to_tokens(ids))


def _shared(read: Encoded, said: dict[str, Any]) -> list[tuple[int, int]]:
    """The characters of each token; of unknown ones that came as bytes, those of the whole run."""
    found = list(read.offsets)
    for i, (mine, wanted) in enumerate(zip(read.offsets, said["offset_mapping"], strict=True)):
        if mine != tuple(wanted):
            assert read.tokens[i].startswith("<0x")
            assert wanted[0] <= mine[0] < mine[1] <= wanted[1]
            found[i] = tuple(wanted)
    return found


@pytest.mark.few(8)
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


# Unknown pieces.


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


# Defective tokenizers.


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


@pytest.mark.parametrize("kind", ["WordLevel", "Python"])
def test_an_added_token_beyond_the_models_table_is_refused(kind: str, tmp_path: Path) -> None:
    tokenizer = FAST["words"]() if kind == "WordLevel" else SLOW["BERT in Python"](tmp_path)
    rows = len(tokenizer)
    assert TextReader(tokenizer, 64, rows, "x").read("bank").tokens[-1] is not None
    tokenizer.add_tokens(["<new>"])
    assert str(rows) in refused(lambda: TextReader(tokenizer, 64, rows, "x"))


# Texts that would take minutes.


def with_words_of(letters: int) -> Any:
    """BERT's tokenizer with another limit for words: a longer word is unknown."""
    return changed(lambda held: held["model"].update(max_input_chars_per_word=letters))


@pytest.mark.parametrize("most", [100, 10**9])
def test_a_long_word_is_answered_at_once(most: int) -> None:
    read_by = TextReader(with_words_of(most), 4096, MANY, "x")
    if most == 100:  # as BERT has it: longer than that is unknown
        assert read_by.read("a" * 20_000).tokens == ("[CLS]", "[UNK]", "[SEP]")
        return
    refused(lambda: read_by.read("a" * 20_000), core.TooLarge)
    refused(lambda: read_by.read("on a", "bank " + "É" * 20_000), core.TooLarge)
    # Up to our own limit, a word is split, and unknown letters make it unknown.
    assert len(read_by.read("a" * MOST_LETTERS)) == MOST_LETTERS + 2
    assert read_by.read("🎣" * 999).tokens == ("[CLS]", "[UNK]", "[SEP]")


def test_the_bound_of_a_long_word_is_that_of_the_model_where_it_is_lower() -> None:
    for most in (100, 300, MOST_LETTERS):
        tokenizer = with_words_of(most)
        read_by = TextReader(tokenizer, 4096, MANY, "x")
        for n in (most - 1, most, most + 1):
            assert list(read_by.read("b" * n).ids) == tokenizer("b" * n)["input_ids"]


@pytest.mark.few(3)
@pytest.mark.parametrize("kind", ["GPT-2", "XLM-R", "OpenAI GPT", "Qwen", "ByT5", "Marian", "ESM"])
def test_a_hundred_thousand_letters_are_read(kind: str, reader: Callable[..., TextReader]) -> None:
    start = time.perf_counter()
    assert len(reader(kind).read("ban" * 33_333)) <= 4096
    assert time.perf_counter() - start < 5


def test_pairs_in_python_are_bounded(reader: Callable[..., TextReader]) -> None:
    refused(lambda: reader("CTRL").read("ab" * 10_000), core.TooLarge)


def test_rules_that_blow_up_a_text_are_bounded() -> None:
    def grown(times: int) -> dict[str, Any]:
        return {"type": "Replace", "pattern": {"String": "a"}, "content": "b" * times}

    read_by = TextReader(changed(lambda held: held.update(normalizer=grown(20))), 64, MANY, "x")
    assert len(read_by.read("a" * 4)) == 64
    refused(lambda: read_by.read("a" * 600_000), core.TooLarge)
    rules = {"type": "Sequence", "normalizers": [grown(2), grown(3)]}
    read_by = TextReader(changed(lambda held: held.update(normalizer=rules)), 64, MANY, "x")
    assert len(read_by.read("a" * 600_000)) == 3  # one word that is unknown: no rule of ours


# Tokenizers that the caller also uses.


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


def test_a_tokenizer_in_python_outlives_its_files(tmp_path: Path) -> None:
    for kind in ("M2M100", "BertGeneration"):
        tokenizer = SLOW[kind](tmp_path)
        for path in tmp_path.iterdir():
            path.unlink()
        assert TextReader(tokenizer, 64, MANY, kind).read("a bank").texts == ("a bank",)


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


@pytest.mark.parametrize("text", ["bank</s>", "a<s>bank</s>", "</s>", "a</s> bank", "bank </s></s>"])
def test_a_template_that_sees_the_end_of_a_text(text: str, tmp_path: Path) -> None:
    """ByT5 adds no end token to a text that already has one."""
    tokenizer = SLOW["ByT5"](tmp_path)
    found = TextReader(tokenizer, 512, 10**6, "ByT5").read(text)
    assert list(found.ids) == tokenizer(text)["input_ids"]
    own = [(a, b) for a, b in found.offsets if b > a]
    assert "".join(text[a:b] for a, b in own) == text.replace(" ", "")  # the sign takes it


def test_training_noise_is_off(made_kind: Made) -> None:
    tokenizer = FAST["GPT-2"]()
    tokenizer.backend_tokenizer.model.dropout = 0.5
    read_by = TextReader(tokenizer, 4096, MANY, "x")
    wanted = made_kind("GPT-2")("the river bank " * 20)["input_ids"]
    assert all(list(read_by.read("the river bank " * 20).ids) == wanted for _ in range(5))
    assert tokenizer.backend_tokenizer.model.dropout == 0.5


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


def test_the_pair_rule_of_python_is_that_of_transformers(tmp_path: Path) -> None:
    tokenizer = SLOW["BERT in Python"](tmp_path)
    for room in range(9):
        for first in range(9):
            for second in range(9):
                if first + second <= room:
                    continue
                kept = tokenizer.truncate_sequences(
                    [0] * first, [0] * second, first + second - room, "longest_first"
                )
                assert fit_as_python([first, second], room) == (len(kept[0]), len(kept[1]))
