"""Choose which of many similar cases `make check` runs; `make fuzz` runs them all."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def some(cases: Iterable[Any], of: int) -> list[Any]:
    """The cases as parameters; all but `of` of them, spread evenly, run only in `make fuzz`.

    Args:
        cases: values, or what `pytest.param` returns.
        of: how many run in `make check`, 2 or more.
    """
    every = list(cases)
    kept = {round(i * (len(every) - 1) / (of - 1)) for i in range(of)}
    return [one if i in kept else _left(one) for i, one in enumerate(every)]


def _left(one: Any) -> Any:
    """A case that only `make fuzz` runs."""
    if isinstance(one, type(pytest.param())):
        return pytest.param(*one.values, id=one.id, marks=[*one.marks, pytest.mark.fuzz])
    return pytest.param(one, marks=pytest.mark.fuzz)
