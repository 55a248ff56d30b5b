"""The table of cases is what Python says; `twins.test.js` holds JavaScript to it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.figures.web.twins import cases

ROUNDED = ("similar", "strongest", "scores")  # four decimals, of which the last may differ


def _differences(own: Any, wanted: Any, path: str = "") -> list[str]:
    """Where two JSON values differ; numbers may, by what processors do to the last digits."""
    if isinstance(own, dict) and isinstance(wanted, dict):
        if [*own] != [*wanted]:
            return [f"{path}: {[*own]} is not {[*wanted]}"]
        return [one for name in own for one in _differences(own[name], wanted[name], f"{path}.{name}")]
    if isinstance(own, list) and isinstance(wanted, list):
        if len(own) != len(wanted):
            return [f"{path}: {len(own)} is not {len(wanted)} long"]
        pairs = enumerate(zip(own, wanted, strict=True))
        return [one for i, (a, b) in pairs for one in _differences(a, b, f"{path}.{i}")]
    if isinstance(own, float | int) and isinstance(wanted, float | int):
        near = 1 if ".levels." in path else 1.5e-4 if any(one in path for one in ROUNDED) else 1e-5
        return [] if own == pytest.approx(wanted, rel=near, abs=near) else [f"{path}: {own}, {wanted}"]
    return [] if own == wanted else [f"{path}: {own!r} is not {wanted!r}"]


@pytest.mark.check
def test_the_table_is_what_python_says() -> None:
    table = json.loads(cases.FILE.read_text("utf-8"))
    found = _differences(json.loads(cases.written()), table)
    assert not found[:5], "python -m tests.figures.web.twins.cases"
