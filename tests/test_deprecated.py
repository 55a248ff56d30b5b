"""Former public names go on working, and say what they are called now."""

from __future__ import annotations

import pytest

import core


def test_a_head_is_still_ablated_by_the_former_name() -> None:
    with pytest.warns(DeprecationWarning, match=r"core\.Ablate"):
        former = core.Silence
    assert former is core.Ablate
    assert isinstance(former(1, 2), core.Ablate)


def test_what_never_was_is_no_attribute() -> None:
    with pytest.raises(AttributeError, match="Quieten"):
        _ = core.Quieten
