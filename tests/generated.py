"""What a model writes, as the ids that a test compares."""

from __future__ import annotations

from typing import Any

import core


def written_ids(model: core.TextModel, text: str, n: int = 1, **options: Any) -> tuple[int, ...]:
    """The ids of the tokens with which a model continues a text: see `core.Model.generate`."""
    return tuple(one.id for one in model.generate(text, n, **options))
