"""The former address of the pictures goes on, and says where they are now."""

from __future__ import annotations

import pytest

from core import figures
from core.figures import web


def test_pictures_by_their_former_address_are_the_same_and_deprecated() -> None:
    with pytest.warns(DeprecationWarning, match=r"use core\.figures\.heatmap"):
        assert web.heatmap is figures.heatmap


def test_what_never_was_there_is_not_there() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = web.nothing
