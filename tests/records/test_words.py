"""Words by our own rules, by hand-made examples."""

from __future__ import annotations

import unicodedata

import numpy as np
import pytest

from core.records import words
from core.records.finding import occurrence_spans
from core.records.spelling import CASED, UNCASED

FAMILY = "👨‍👩‍👧‍👦"  # four people, three zero-width joiners: one sign to a reader


def texts(text: str) -> list[str]:
    return [word.text for word in words.split(text)]


def found(text: str, phrase: str, cased: bool = False) -> list[str]:
    """The characters of each occurrence, so that a wrong offset shows."""
    spelling = CASED if cased else UNCASED
    return [text[start:end] for start, end in occurrence_spans(text, phrase, spelling=spelling)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        (" \n\t ", []),
        ("On the riverbank.", ["On", "the", "riverbank", "."]),
        ("don't", ["don't"]),
        ("don’t", ["don’t"]),
        ("rock'n'roll", ["rock'n'roll"]),
        ("the bank's roof", ["the", "bank", "'s", "roof"]),
        ("the BANK’S roof", ["the", "BANK", "’S", "roof"]),
        ("the banks' roofs", ["the", "banks", "'", "roofs"]),
        ("'bank'", ["'", "bank", "'"]),
        ("can't've", ["can't've"]),
        ("bank-note", ["bank", "-", "note"]),
        ("bank...", ["bank", ".", ".", "."]),
        ("3.14", ["3", ".", "14"]),
        ("snake_case x²", ["snake_case", "x²"]),
        ("日本語", ["日本語"]),
        ("コーヒー", ["コーヒー"]),
        ("ひらがなkana東京", ["ひ", "ら", "が", "な", "kana", "東京"]),
        ("bank東京bank", ["bank", "東京", "bank"]),
        ("我去银行。", ["我去", "银行", "。"]),
        ("은행에 갔다", ["은행에", "갔다"]),
        ("ذهبتُ إلى البنكِ.", ["ذهبتُ", "إلى", "البنكِ", "."]),
        ("नदी के किनारे", ["नदी", "के", "किनारे"]),
        ("क्षेत्र", ["क्षेत्र"]),  # conjuncts: marks inside the word
        ("на берегу", ["на", "берегу"]),
        (f"a{FAMILY}b", ["a", FAMILY, "b"]),
        ("🎣🎣", ["🎣", "🎣"]),
        ("👍🏽", ["👍🏽"]),
        ("🇫🇷🇩🇪", ["🇫🇷", "🇩🇪"]),
        ("❤️!", ["❤️", "!"]),
        ("cafe\u0301 x", ["cafe\u0301", "x"]),
        ("river\u00adbank", ["river\u00adbank"]),
        ("می\u200cخواهم", ["می\u200cخواهم"]),  # Persian: a zero-width non-joiner inside a word
        ("river\u200bbank", ["river\u200bbank"]),  # a place for the end of a line
        ("bank\u200b", ["bank"]),
        ("ไป\u200bธนาคาร", ["ไป", "ธนาคาร"]),  # in place of a space
        ("bank\u200bไป", ["bank", "ไป"]),
        ("a\x00b\x07", ["a", "b"]),
        ("\ufeffbank", ["bank"]),
        ("\u202ebank\u202c", ["bank\u202c"]),
        ("x\u00a0y\u3000z", ["x", "y", "z"]),
        ("\u00ad\u200d", []),
    ],
)
def test_split(text: str, expected: list[str]) -> None:
    assert texts(text) == expected


@pytest.mark.parametrize("text", ["On the bank's don’t 東京 🎣 cafe\u0301.", f"  {FAMILY} ذهبتُ\x00"])
def test_places_of_words_are_those_of_the_text(text: str) -> None:
    end = 0
    for word in words.split(text):
        assert text[word.start : word.end] == word.text
        assert end <= word.start < word.end
        end = word.end


@pytest.mark.parametrize(
    ("text", "phrase", "expected"),
    [
        ("the riverbank and embankments", "bank", []),
        ("a bank, a Bank and a BANK.", "bank", ["bank", "Bank", "BANK"]),
        ("the bank's roof", "bank", ["bank"]),
        ("the bank’s roof", "bank's", ["bank’s"]),
        ("Don’t, don't", "don't", ["Don’t", "don't"]),
        ("Don’t, don't", "DON’T", ["Don’t", "don't"]),
        ("don't", "don", []),
        ("don't", "t", []),
        ("a bank-note", "bank", ["bank"]),
        ("the river bank, the river\n bank", "river bank", ["river bank", "river\n bank"]),
        ("the river, bank", "river bank", []),
        ("the river bank", "  River   Bank ", ["river bank"]),
        ("bank bank bank", "bank bank", ["bank bank"]),  # occurrences do not overlap
        ("bank bank bank bank", "bank bank", ["bank bank", "bank bank"]),
        ("a a b a b", "a b", ["a b", "a b"]),  # a start that fails takes nothing away
        ("the bank", "", []),
        ("the bank", " \u00ad ", []),
        ("", "bank", []),
        ("bank", "the bank", []),
        ("我去银行，银行很大", "银行", ["银行", "银行"]),
        ("我去银行", "行", []),
        ("東京都", "京都", []),  # 東京 and 都: the dictionary knows better
        ("我去银行", "我去银行", ["我去银行"]),
        ("コーヒーを飲む", "コーヒー", ["コーヒー"]),
        ("ذهبتُ إلى البنكِ.", "البنكِ", ["البنكِ"]),
        ("नदी के किनारे", "किनारे", ["किनारे"]),
        ("नदी के किनारे", "किनार", []),
        (f"we {FAMILY} fish", FAMILY, [FAMILY]),
        (f"we {FAMILY} fish", "👨", []),
        ("🎣 bank", "🎣 bank", ["🎣 bank"]),
        ("cafe\u0301", "caf\u00e9", ["cafe\u0301"]),
        ("caf\u00e9", "cafe\u0301", ["caf\u00e9"]),
        ("cafe\u0301", "cafe", []),
        ("한국", unicodedata.normalize("NFD", "한국"), ["한국"]),
        ("か\u3099く", "が", ["か\u3099"]),
        ("the ba\u00adnk", "bank", ["ba\u00adnk"]),
        ("the bank", "ba\u00adnk", ["bank"]),
        ("the bank\x00 .", "bank", ["bank"]),
        ("Straße", "STRASSE", ["Straße"]),
        ("İstanbul", "i\u0307stanbul", ["İstanbul"]),
        ("Is it? It is.", ".", ["."]),
    ],
)
def test_places_without_case(text: str, phrase: str, expected: list[str]) -> None:
    assert found(text, phrase) == expected


def test_places_with_case() -> None:
    assert occurrence_spans("a bank, a Bank", "Bank", spelling=CASED) == ((10, 14),)
    assert occurrence_spans("a bank, a Bank", "bank", spelling=CASED) == ((2, 6),)
    assert occurrence_spans("a bank, a Bank", "bank", spelling=UNCASED) == ((2, 6), (10, 14))
    assert occurrence_spans("cafe\u0301", "caf\u00e9", spelling=CASED) == ((0, 5),)


def test_offsets_count_characters_and_not_bytes_or_utf16_units() -> None:
    assert occurrence_spans("🎣é bank", "bank", spelling=UNCASED) == ((3, 7),)


def test_overlaps_by_hand() -> None:
    spans = np.array([[0, 0], [0, 2], [2, 5], [5, 6], [4, 7], [0, 0]])
    assert words.overlaps(spans, 2, 5).tolist() == [False, False, True, False, True, False]
    # A special token spans nothing, also at the very start of the text.
    assert words.overlaps(spans, 0, 1).tolist() == [False, True, False, False, False, False]


def test_a_final_s_before_a_chinese_character_is_a_word_of_its_own() -> None:
    """Found by `make fuzz`: a word in a text and the same word alone were split differently."""
    assert [word.text for word in words.split("bank's仙l'银")] == ["bank", "'s", "仙", "l", "'", "银"]
    assert occurrence_spans("the bank's仙", "bank's", spelling=UNCASED) == ((4, 10),)


@pytest.mark.parametrize("cased", [True, False])
@pytest.mark.parametrize("word", ["İ", "İyi", "I\u0307yi", "İSTANBUL"])
def test_a_name_never_gets_a_second_dot(word: str, cased: bool) -> None:
    assert words.name_of(word, cased) == word
    assert words.name_of("IYI", cased=False) == "iyi"


@pytest.mark.parametrize("word", ["\ufe0e\U000e0032", "\ufe0e"])
def test_a_word_of_signs_that_nobody_sees_is_found_by_its_name(word: str) -> None:
    """In the text, it hangs on a letter that Unicode does not have."""
    name = words.name_of(word, cased=False)
    assert occurrence_spans(f"\u0e67{word}o.", name, spelling=UNCASED) == ((1, 1 + len(word)),)
