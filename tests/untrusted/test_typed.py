"""A record out of JSON: exactly the types that it declares."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import pytest

from core.untrusted import Misfit, record


@dataclass(frozen=True)
class Inner:
    name: str
    share: float | None = None


@dataclass(frozen=True)
class Outer:
    count: int
    on: bool
    kind: Literal["a", "b"]
    inner: tuple[Inner, ...]
    by_name: Mapping[str, int] = field(default_factory=dict)


GIVEN: dict[str, Any] = {"count": 2, "on": True, "kind": "b", "inner": [{"name": "x", "share": 1}]}


def test_all_of_it() -> None:
    made = record(Outer, {**GIVEN, "by_name": {"q": 3}})
    assert made == Outer(2, True, "b", (Inner("x", 1.0),), {"q": 3})
    assert type(made.inner[0].share) is float


@pytest.mark.parametrize(
    "change",
    [
        {"count": True},
        {"count": 1.0},
        {"count": "1"},
        {"count": None},
        {"on": 1},
        {"kind": "c"},
        {"kind": ["a"]},
        {"inner": {}},
        {"inner": [3]},
        {"inner": [{}]},
        {"inner": [{"name": "x", "share": "1"}]},
        {"inner": [{"name": 3}]},
        {"by_name": {"q": "3"}},
        {"by_name": []},
        {"unknown": 1},
    ],
)
def test_another_type_is_refused_with_its_place(change: dict[str, object]) -> None:
    with pytest.raises(Misfit, match=next(iter(change))) as error:
        record(Outer, {**GIVEN, **change})
    assert "Outer" in str(error.value)


@pytest.mark.parametrize("value", [None, [], "x", 3, {}])
def test_no_record_at_all(value: object) -> None:
    with pytest.raises(Misfit):
        record(Outer, value)
