"""The choices on the Embeddings page, in its link."""

from __future__ import annotations

import pytest

from pages.embeddings.state import EmbeddingsState
from ui.state.side import ANGLE, Side
from ui.state.thread import WordAt


@pytest.mark.parametrize("side", [Side(0, 0), Side(34, 23), Side(359, -90), Side(7, 90)])
def test_a_side_is_read_as_it_is_written(side: Side) -> None:
    assert ANGLE(str(side)) == side


@pytest.mark.few(4)
@pytest.mark.parametrize(
    "typed", ["", "34", "34.", ".23", "360.0", "-1.0", "1.91", "1.--3", "a.b", "1.2.3"]
)
def test_what_is_no_side_is_refused(typed: str) -> None:
    with pytest.raises(ValueError, match=r"^[^ ]*$"):
        ANGLE(typed)


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("bank:2, river", WordAt("bank", 2)),
        ("bank; river", WordAt("bank", 1)),
        ("bank:٣", WordAt("bank", 1)),
        ("bank:" + "9" * 5000, WordAt("bank", 1)),  # Python refuses such a number
        ("", None),
    ],
)
def test_the_first_word_goes_along(typed: str, first: WordAt | None) -> None:
    assert EmbeddingsState.thread()["word"].leave(typed) == first
