"""Compare steps that the browser has computed with Python's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from core.walkthroughs.steps.record import Matrix, Step

_CLOSE = 1e-4  # of the largest number of a matrix, or of 1


def same_steps(found: Sequence[dict[str, Any]], wanted: Sequence[Step]) -> None:
    """Fail unless all steps, with all numbers and labels, are the same."""
    assert [one["name"] for one in found] == [one.name for one in wanted]
    for ours, theirs in zip(found, wanted, strict=True):
        assert ours["kind"] == theirs.kind
        np.testing.assert_allclose(ours.get("number") or 0, theirs.number, rtol=1e-6)
        assert (ours.get("detail") or "") == theirs.detail
        part, groups = ours.get("part"), ours.get("groups")
        assert (part and tuple(part)) == theirs.part
        assert groups == (theirs.groups and theirs.groups._asdict()), theirs.name
        own = [*ours["operands"], ours["result"]]
        for matrix, other in zip(own, (*theirs.operands, theirs.result), strict=True):
            _same_matrix(matrix, other, f"{theirs.name}: {other.name}")


def _same_matrix(found: dict[str, Any], wanted: Matrix, what: str) -> None:
    assert (found["name"], found["rows"], found["columns"]) == (
        wanted.name,
        [*wanted.rows],
        [*wanted.columns],
    ), what
    assert bool(found.get("weights")) == wanted.weights, what
    whole, hidden = found.get("whole"), wanted.hidden
    assert (whole and tuple(whole)) == wanted.whole, what
    cells = [] if hidden is None else np.argwhere(hidden).tolist()
    assert (found.get("hidden") or []) == cells, what
    _close(found["values"], wanted.values, what)
    if wanted.unmasked is not None:
        _close(found["unmasked"], wanted.unmasked, what)


def _close(found: Sequence[float], wanted: Any, what: str) -> None:
    size = max(1.0, float(np.abs(wanted[wanted > -1e30]).max(initial=0)))
    np.testing.assert_allclose(
        np.array(found, "f4").reshape(wanted.shape), wanted, atol=_CLOSE * size, rtol=1e-5, err_msg=what
    )
