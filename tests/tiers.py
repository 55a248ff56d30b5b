"""Choose which of many similar cases `make test` and `make check` run; `make fuzz` runs them all."""

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
    kept = _spread(len(every), of)
    return [one if i in kept else _left(one) for i, one in enumerate(every)]


def crossed(*axes: Sequence[Any], of: int | None = None) -> list[Any]:
    """The product of the lists as parameters; `make check` runs as many cases as the longest list has.

    Each value occurs in at least one of them: of four texts and two widths, four of the eight run.

    Args:
        axes: the values of each parameter.
        of: run only as many of these, spread evenly.
    """
    longest = max(map(len, axes))
    chosen = _spread(longest, longest if of is None else of)
    kept = {tuple(i % len(axis) for axis in axes) for i in chosen}
    found = []
    for places in product(*(range(len(axis)) for axis in axes)):
        one = pytest.param(*(axis[i] for axis, i in zip(axes, places, strict=True)))
        found.append(one if places in kept else _left(one))
    return found


def thin(items: Iterable[pytest.Item]) -> None:
    """Leave all but n cases of each test that is marked `few(n)`, spread evenly, to `make fuzz`."""
    cases: dict[str, list[pytest.Item]] = {}
    for item in items:
        if item.get_closest_marker("few") and not item.get_closest_marker("fuzz"):
            cases.setdefault(item.nodeid.partition("[")[0], []).append(item)
    for like in cases.values():
        mark = like[0].get_closest_marker("few")
        assert mark
        kept = _spread(len(like), min(mark.args[0], len(like)))
        for i, item in enumerate(like):
            if i not in kept:
                item.add_marker("fuzz")


def _spread(count: int, of: int) -> set[int]:
    """`of` of so many places, from the first to the last; if one, the first."""
    return {round(i * (count - 1) / max(of - 1, 1)) for i in range(of)}


def _left(one: Any) -> Any:
    """A case that only `make fuzz` runs."""
    if isinstance(one, type(pytest.param())):
        return pytest.param(*one.values, id=one.id, marks=[*one.marks, pytest.mark.fuzz])
    values = one if isinstance(one, tuple) else (one,)
    return pytest.param(*values, marks=pytest.mark.fuzz)
