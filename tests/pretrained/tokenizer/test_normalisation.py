"""What tokenizers of every kind read alike is one word; and where their tokens and words differ."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import pytest

import core
from core.pretrained import token_edits
from core.pretrained.tokenizer.normalisation import restored, rules_of
from core.pretrained.tokenizer.reader import TextReader
from core.records import finding, words
from core.records.spelling import Spelling
from tests.pretrained.tokenizer_kinds import FAST, SLOW, made

MANY = 10**7
# Spellings that some tokenizers read alike and others do not.
PAIRS = [
    ("bank", "Bank"),
    ("bank", "BANK"),
    ("cafe", "café"),
    ("naive", "naïve"),
    ("e\u0301a", "éa"),
    ("fish", "ﬁsh"),
    ("bank", "Ｂａｎｋ"),
    ("bank", "ba\u00adnk"),
    ("bank", "ba\u200dnk"),
    ("Strasse", "Straße"),
    ("iyi", "İyi"),
    ("a", "ａ"),
]
# The same letters: these may be one word though a tokenizer reads them apart, since nobody sees why.
UNSEEN = {("e\u0301a", "éa"), ("bank", "ba\u00adnk"), ("bank", "ba\u200dnk")}


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], TextReader]:
    held: dict[str, TextReader] = {}

    def get(kind: str) -> TextReader:
        if kind not in held:
            folder = tmp_path_factory.mktemp("tokenizer")
            tokenizer = FAST[kind]() if kind in FAST else SLOW[kind](folder)
            held[kind] = TextReader(tokenizer, 4096, MANY, kind)
        return held[kind]

    return get


def ids(read_by: TextReader, word: str) -> tuple[int, ...] | None:
    """The tokens of a word; None if the vocabulary lacks some of it, and nothing can be said."""
    try:
        read = read_by.read(word)
    except core.PolyseeError:
        return None
    unknown = getattr(read_by._cuts.tokenizer, "unk_token_id", None)
    if unknown is None:
        unknown = getattr(read_by._cuts, "_unknown", None)
    return None if unknown in read.ids else read.ids


@pytest.mark.few(8)
@pytest.mark.check
@pytest.mark.parametrize("kind", [*FAST, *SLOW])
def test_words_are_one_if_a_tokenizer_reads_them_alike_and_only_then(
    reader: Callable[[str], TextReader], kind: str
) -> None:
    read_by = reader(kind)
    for one, other in PAIRS:
        read = ids(read_by, one), ids(read_by, other)
        if None in read:
            continue
        alike = read_by.spelling.key(one) == read_by.spelling.key(other)
        if read[0] == read[1]:
            assert alike, (one, other)
        elif (one, other) not in UNSEEN:
            assert not alike, (one, other)


@pytest.mark.few(12)
@pytest.mark.parametrize("kind", FAST)
def test_rules_come_back_from_json_and_from_a_pickle(
    reader: Callable[[str], TextReader], kind: str
) -> None:
    spelling = reader(kind).spelling
    rules = rules_of(spelling)
    assert (rules is None) is (spelling.normal is None)
    same: list[Spelling] = [restored(spelling.cased, rules), pickle.loads(pickle.dumps(spelling))]
    for word in [*(word for pair in PAIRS for word in pair), "银行", "l'eau", "…"]:
        assert {one.key(word) for one in same} == {spelling.key(word)}, word


@pytest.mark.parametrize("kind", ["ByT5", "Marian"])
def test_a_tokenizer_in_python_leaves_a_pickle_without_its_rules(
    reader: Callable[[str], TextReader], kind: str
) -> None:
    spelling = reader(kind).spelling
    assert rules_of(spelling) is None
    assert pickle.loads(pickle.dumps(spelling)).key("bank") == spelling.key("bank") == "bank"


def nested(depth: int) -> dict[str, Any]:
    rules: dict[str, Any] = {"type": "NFC"}
    for _ in range(depth):
        rules = {"type": "Sequence", "normalizers": [rules]}
    return rules


@pytest.mark.parametrize(
    "rules",
    [
        {},
        {"type": "Lowercase, and more"},
        {"type": "ByteLevel"},
        {"type": "Replace", "pattern": {"Regex": "(a+)+$"}, "content": ""},
        {"type": "Replace", "pattern": "a", "content": ""},
        {"type": "Precompiled", "precompiled_charsmap": "A" * 2_000_000},
        {"type": "Sequence", "normalizers": "NFC"},
        {
            "type": "Sequence",
            "normalizers": [{"type": "Replace", "pattern": {"String": "a"}, "content": "a" * 9}] * 9,
        },
        {"type": "Replace", "pattern": {"String": "a"}, "content": "a" * 1_000},
        nested(100),
    ],
    ids=lambda rules: str(rules)[:60],
)
def test_rules_of_a_stranger_are_refused(rules: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="rules of a tokenizer"):
        restored(True, rules)


def unigram(*pieces: str) -> TextReader:
    """A tokenizer with exactly these pieces."""
    from tokenizers import models

    scored = [("<unk>", 0.0), *((piece, -1.0) for piece in pieces)]
    tokenizer = made(models.Unigram(scored, unk_id=0), unk_token="<unk>")
    return TextReader(tokenizer, 100, MANY, "made up")


def test_a_token_of_two_words_belongs_to_both_and_one_inside_a_word_is_a_piece_of_it() -> None:
    """我在 | 银行 | 存钱 by the dictionary; 我 | 在银 | 行存 | 钱 by the tokenizer."""
    read_by = unigram("我", "在银", "行存", "钱")
    read = read_by.read("我在银行存钱")
    assert read.tokens == ("我", "在银", "行存", "钱")
    found = words.occurrences(read.texts[0], _spans(read), spelling=read_by.spelling, end=6)
    assert [(one.word, one.tokens.tolist()) for one in found] == [
        ("我在", [0, 1]),
        ("银行", [1, 2]),
        ("存钱", [2, 3]),
    ]
    assert read.word_ids() == (0, 0, 1, 2)
    assert [one.tolist() for one in _pieces(read_by, read, "银行")] == [[1, 2]]
    with pytest.raises(core.NotSupported, match="as one token, “在银”"):
        token_edits.alone(read, "银行", spelling=read_by.spelling, name="made up")


def test_one_token_for_a_whole_run_belongs_to_each_of_its_words() -> None:
    read_by = unigram("ฉันไปธนาคาร", "ที่")
    read = read_by.read("ฉันไปธนาคาร")
    assert read.tokens == ("ฉันไปธนาคาร",)
    for word in ("ฉัน", "ไป", "ธนาคาร"):
        assert [one.tolist() for one in _pieces(read_by, read, word)] == [[0]]
    assert read.word_ids() == (0,)


def test_a_token_across_an_elision_belongs_to_both_words() -> None:
    read_by = unigram("l", "'e", "au")
    read = read_by.read("l'eau")
    assert [one.tolist() for one in _pieces(read_by, read, "eau")] == [[1, 2]]
    assert [one.tolist() for one in _pieces(read_by, read, "l'")] == [[0, 1]]


def test_a_word_whose_end_did_not_fit_is_not_found() -> None:
    read = unigram("银", "行", "在").up_to(2).read("在银行")
    assert read.tokens == ("在", "银")
    assert _pieces(unigram("银"), read, "银行") == []


def _spans(read: Any) -> Any:
    import numpy as np

    return np.array(read.offsets, np.int64).reshape(-1, 2)


def _pieces(read_by: TextReader, read: Any, word: str) -> Any:
    cut = read.left_out_by_text[0]
    end = cut[0] if cut else len(read.texts[0])
    return finding.pieces(read.texts[0], _spans(read), word, spelling=read_by.spelling, end=end)
