"""The tokens of a text as they stand in it."""

from __future__ import annotations

import pytest

from core.records.pieces import FURTHER, pieces_of


def test_a_character_of_several_tokens_stands_once() -> None:
    names, offsets = ("<s>", "ðŁ", "ĺĢ", "!"), ((0, 0), (0, 1), (0, 1), (1, 2))
    assert pieces_of("😀!", names, offsets) == ("<s>", "😀", FURTHER, "!")


def test_spaces_belong_to_the_token_behind_them() -> None:
    assert pieces_of("a  b", ("a", "b"), ((0, 1), (3, 4))) == ("a", "  b")
    assert pieces_of("", (), ()) == ()


def test_there_is_a_place_for_each_token() -> None:
    with pytest.raises(ValueError, match="argument"):
        pieces_of("a", ("a",), ())
