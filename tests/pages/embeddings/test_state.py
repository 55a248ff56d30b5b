"""The choices on the Embeddings page, in its link."""

from __future__ import annotations

import pytest

from ui.state.side import ANGLE, Side


@pytest.mark.parametrize("side", [Side(0, 0), Side(34, 23), Side(359, -90), Side(7, 90)])
def test_a_side_is_read_as_it_is_written(side: Side) -> None:
    assert ANGLE(str(side)) == side


@pytest.mark.parametrize(
    "typed", ["", "34", "34.", ".23", "360.0", "-1.0", "1.91", "1.--3", "a.b", "1.2.3"]
)
def test_what_is_no_side_is_refused(typed: str) -> None:
    with pytest.raises(ValueError, match=r"^[^ ]*$"):
        ANGLE(typed)
