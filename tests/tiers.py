"""Choose which of many similar cases `make check` runs; `make fuzz` runs them all."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from typing import Any

import pytest


def some(cases: Iterable[Any], of: int) -> list[Any]:
    """The cases as parameters; all but `of` of them, spread evenly, run only in `make fuzz`.

    Args:
        cases: values, or what `pytest.param` returns.
        of: how many run in `make check`; if one, the first.
    """
    every = list(cases)
    kept = {round(i * (len(every) - 1) / max(of - 1, 1)) for i in range(of)}
    return [one if i in kept else _left(one) for i, one in enumerate(every)]


def crossed(*axes: Sequence[Any]) -> list[Any]:
    """The product of the lists as parameters; `make check` runs as many cases as the longest list has.

    Each value occurs in at least one of them: of four texts and two widths, four of the eight run.
    """
    longest = max(map(len, axes))
    kept = {tuple(i % len(axis) for axis in axes) for i in range(longest)}
    found = []
    for places in product(*(range(len(axis)) for axis in axes)):
        one = pytest.param(*(axis[i] for axis, i in zip(axes, places, strict=True)))
        found.append(one if places in kept else _left(one))
    return found


def _left(one: Any) -> Any:
    """A case that only `make fuzz` runs."""
    if isinstance(one, type(pytest.param())):
        return pytest.param(*one.values, id=one.id, marks=[*one.marks, pytest.mark.fuzz])
    values = one if isinstance(one, tuple) else (one,)
    return pytest.param(*values, marks=pytest.mark.fuzz)
