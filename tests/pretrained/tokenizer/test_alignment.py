"""Tokens aligned with their text, by hand."""

from __future__ import annotations

import pytest

from core.pretrained.tokenizer.alignment import Handed, Piece, Unaligned, align, align_bytes

ALIGNED = {
    "whole words": ("the bank", ["the", "bank"], [(0, 3), (4, 8)]),
    "pieces that go on": ("riverbank", ["river", "##ba", "##nk"], [(0, 5), (5, 7), (7, 9)]),
    "a mark behind": ("the bank", ["th@@", "e", "bank"], [(0, 2), (2, 3), (4, 8)]),
    "the end of a word": ("the bank", ["th", "e</w>", "bank</w>"], [(0, 2), (2, 3), (4, 8)]),
    "a mark before": ("a bank", ["▁a", "▁ba", "nk"], [(0, 1), (1, 4), (4, 6)]),
    "a mark alone": ("a bank", ["▁", "a", "▁", "bank"], [(0, 0), (0, 1), (1, 2), (2, 6)]),
    "two blanks": ("a  bank", ["a", "bank"], [(0, 1), (3, 7)]),
    "a mark that is text": ("##bank", ["#", "#", "bank"], [(0, 1), (1, 2), (2, 6)]),
    "such a mark in pieces": ("a@@ b", ["a@@", "@@@", "@", "b"], [(0, 1), (1, 2), (2, 3), (4, 5)]),
    "upper case": ("Bank BANK", ["bank", "bank"], [(0, 4), (5, 9)]),
    "accents": ("Café cafe\u0301!", ["cafe", "cafe", "!"], [(0, 4), (5, 9), (10, 11)]),
    "one sign of three": ("½ a", ["1", "⁄2", "a"], [(0, 1), (0, 1), (2, 3)]),
    "two in one": ("ﬁsh", ["fi", "sh"], [(0, 1), (1, 3)]),
    "ß": ("Straße", ["strasse"], [(0, 6)]),
    "what cannot be seen": ("ri\u00adver\u200bbank", ["river", "bank"], [(0, 6), (7, 11)]),
    "other dashes and quotes": ("“a—b”", ['"', "a", "-", "b", '"'], [(i, i + 1) for i in range(5)]),
    "escaped": ("don't & go", ["don", "&apos;", "t", "&amp;", "go"],
                [(0, 3), (3, 4), (4, 5), (6, 7), (8, 10)]),
    "escaped, in pieces": ("'s", ["&ap", "os;", "s"], [(0, 1), (0, 1), (1, 2)]),
    "bytes": ("é 🎣", ["<0xC3>", "<0xA9>", "▁", "<0xF0>", "<0x9F>", "<0x8E>", "<0xA3>"],
              [(0, 1), (0, 1), (1, 2), *[(2, 3)] * 4]),
    "bytes by number": ("aé", ["a", "<|byte195|>", "<|byte169|>"], [(0, 1), (1, 2), (1, 2)]),
    "rewritten blanks": ("a b\nc", ["a", "<SP>", "b", "<BR>", "c"], [(i, i + 1) for i in range(5)]),
    "nothing": ("", [], []),
    "blanks alone": ("  ", [], []),
}  # fmt: skip


@pytest.mark.parametrize("case", ALIGNED)
def test_each_token_finds_its_characters(case: str) -> None:
    text, tokens, spans = ALIGNED[case]
    assert align(text, tokens) == spans


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("the bank", ["the"]),  # something is left
        ("the bank", ["the", "river"]),
        ("the bank", ["the", "a", "bank"]),
        ("the bank", ["bank", "the"]),
        ("the", ["the", "the"]),
        ("see 🎣", ["see", "[UNK]"]),  # nothing says how much is unknown
        ("é", ["<0xC3>"]),  # half a character
        ("éa", ["<0xC3>", "a"]),
        ("a", ["<0xC3>"]),
        ("3 + 4", ["3", "plus", "4"]),
        ("", ["a"]),
    ],
)
def test_nothing_is_guessed(text: str, tokens: list[str]) -> None:
    with pytest.raises(Unaligned):
        align(text, tokens)


def pieces(text: str, *spans: tuple[int, int]) -> list[str]:
    source = Handed(text)
    return [Piece(f"<{i}>", source, start, end) for i, (start, end) in enumerate(spans)]


def test_a_library_that_knows_the_characters_is_believed() -> None:
    text = "see 🎣bank, see 🎣bank"
    parts = [
        *pieces("see 🎣bank", (0, 3), (3, 5), (5, 9)),
        ",",
        *pieces(" see 🎣bank", (0, 4), (4, 10)),
    ]
    assert align(text, parts) == [(0, 3), (3, 5), (5, 9), (9, 10), (10, 14), (14, 20)]
    assert align("½", pieces("½", (0, 1), (0, 1), (0, 1))) == [(0, 1)] * 3
    assert align("a", pieces("a", (0, 0), (0, 1))) == [(0, 0), (0, 1)]


def test_what_a_library_was_given_is_found_in_the_text() -> None:
    # In lower case, and after a token that is not part of the text.
    assert align("Ab Cd", pieces("ab cd", (0, 2), (2, 5))) == [(0, 2), (3, 5)]
    assert align("bank", pieces("<unk>bank", (5, 7), (7, 9))) == [(0, 2), (2, 4)]
    # The same letter twice, each time as a separate token.
    assert align("a a", [*pieces("a", (0, 1)), *pieces("a", (0, 1))]) == [(0, 1), (2, 3)]
    with pytest.raises(Unaligned):
        align("the bank", pieces("bank", (0, 4)))
    with pytest.raises(Unaligned):
        align("bank the", pieces("bank", (0, 4)))


def test_bytes_find_their_character() -> None:
    assert align_bytes("aé", ["a", "Ã", "©"]) == [(0, 1), (1, 2), (1, 2)]
    assert align_bytes("a b", ["a", " ", "b"]) == [(0, 1), (1, 2), (2, 3)]
    # An added token includes the spaces around it.
    assert align_bytes("a </s> b", ["a", "</s>", "b"]) == [(0, 1), (2, 6), (7, 8)]
    for text, tokens in (("aé", ["a", "Ã"]), ("a", ["b"]), ("ab", ["a"]), ("a", ["a", "a"])):
        with pytest.raises(Unaligned):
            align_bytes(text, tokens)


def test_a_long_text_takes_no_long_time() -> None:
    text = "Straße ½ 🎣 bank " * 5_000
    tokens = ["strasse", "1", "⁄", "2", "🎣", "ba", "##nk"] * 5_000
    spans = align(text, tokens)
    assert spans[-1] == (len(text) - 3, len(text) - 1)
