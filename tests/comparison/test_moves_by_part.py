"""A sentence in parts."""

from __future__ import annotations

import core
from core.comparison import Chosen
from ui.comparison import shown_parts


def test_the_chosen_place_of_a_word_is_the_one_that_is_shown(minilm: core.Model) -> None:
    text = "The bank by the river bank"
    for word, number, before in (
        ("bank", 0, "The "),
        ("bank", 1, "The bank by the river "),
        ("river bank", 0, "The bank by the "),
    ):
        shown, at = shown_parts("minilm", Chosen(text, word, number))
        assert shown[at].text == word
        assert text[: shown[at].start] == before
        assert "".join(part.text for part in shown) == text
