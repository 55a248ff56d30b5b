"""The tokens of a text as they stand in it."""

from __future__ import annotations

import pytest

from core.records.pieces import FURTHER, has_bytes, pieces_of, spelling


def test_a_character_of_several_tokens_stands_once() -> None:
    names, offsets = ("<s>", "ðŁ", "ĺĢ", "!"), ((0, 0), (0, 1), (0, 1), (1, 2))
    assert pieces_of("😀!", names, offsets) == ("<s>", "😀", FURTHER, "!")


def test_spaces_belong_to_the_token_behind_them() -> None:
    assert pieces_of("a  b", ("a", "b"), ((0, 1), (3, 4))) == ("a", "  b")
    assert pieces_of("", (), ()) == ()


def test_there_is_a_place_for_each_token() -> None:
    with pytest.raises(ValueError, match="argument"):
        pieces_of("a", ("a",), ())


def test_a_part_of_a_character_has_its_bytes_for_a_name() -> None:
    """What a tokenizer decodes as the same sign are different tokens."""
    assert spelling("ðŁ", "\ufffd") == "⟨F0 9F⟩"
    assert spelling("ĠðŁ", " \ufffd") == " ⟨F0 9F⟩"
    assert spelling("×Ļ×", "י\ufffd") == "י⟨D7⟩"
    assert spelling("<0xE2>", "\ufffd") == "⟨E2⟩"
    assert pieces_of("a \ufffd", ("a", "ĠðŁ"), ((0, 1), (2, 3))) == ("a", " ⟨F0 9F⟩")
    assert [has_bytes(one) for one in ("⟨F0 9F⟩", "⟨ZWJ⟩", "⟨", "a", "")] == [True, *[False] * 4]


def test_what_is_written_stays_as_it_is() -> None:
    assert spelling("Ġbank", " bank") == " bank"
    assert spelling("ï¿½", "\ufffd") == "\ufffd"  # somebody typed this very sign
    assert spelling("漢", "\ufffd") == "\ufffd"  # a vocabulary of characters
