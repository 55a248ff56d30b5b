"""A teacher's lesson in a link: it is restored unchanged, and hostile text does no harm."""

from __future__ import annotations

import base64
import zlib

import pytest

from core.lessons import Slide
from ui import compressed_state
from ui.state import AT, MINE, PRESENT, Mine
from ui.state.present import write

TWO = Mine((Slide("Two banks", "compare", "a=The+bank.&w=bank", "Look."), Slide("ضفة", "heads", "l=2")))


def test_it_comes_back_out_of_a_link() -> None:
    word = MINE.write(TWO)
    assert word.replace("-", "a").replace("_", "a").isalnum()
    assert MINE.parse(word) == TWO
    assert (MINE.write(Mine()), MINE.parse("")) == ("", Mine())


BOMB = zlib.compress(b'{"lesson":"' + b"x" * 50_000_000 + b'"}', 9)


@pytest.mark.parametrize(
    "word",
    [
        "nonsense",
        "<script>alert(1)</script>",
        compressed_state.pack({"lesson": "## A\n[x](javascript:alert)\n"}),
        compressed_state.pack({"lesson": "## A\n[x](/compare)\n" * 10_000}),
        compressed_state.pack({"other": "## A\n[x](/compare)\n"}),
        base64.urlsafe_b64encode(BOMB).decode(),
    ],
)
def test_a_link_by_anybody_brings_a_sentence_and_no_lesson(word: str) -> None:
    found = MINE.parse(word)
    assert found.slides == ()
    assert found.wrong.startswith("The lesson in this link cannot be read.")
    assert write(found) == ""


def test_numbers_out_of_bounds_are_refused() -> None:
    for bad in ("-1", "41", "1.5", "x"):
        with pytest.raises(ValueError, match=bad):
            AT.parse(bad)
    with pytest.raises(KeyError):
        PRESENT.parse("yes")
