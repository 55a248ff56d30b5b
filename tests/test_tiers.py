"""Which of many like cases run, and which only `make fuzz` runs."""

from __future__ import annotations

from typing import Any

import pytest

from tests import tiers


class Case:
    """What `thin` needs of a test that pytest has collected."""

    def __init__(self, nodeid: str, *marks: Any) -> None:
        self.nodeid, self.marks = nodeid, {mark.name: mark for mark in marks}

    def get_closest_marker(self, name: str) -> Any:
        return self.marks.get(name)

    def add_marker(self, name: str) -> None:
        self.marks[name] = getattr(pytest.mark, name)


def left(*cases: Case) -> list[str]:
    """The cases that are left to `make fuzz`."""
    tiers.thin(cases)  # type: ignore[arg-type]
    return [case.nodeid for case in cases if "fuzz" in case.marks]


def test_few_keeps_the_first_and_the_last_and_spreads_the_others() -> None:
    five = [Case(f"a.py::t[{i}]", pytest.mark.few(3).mark) for i in range(5)]
    assert left(*five) == ["a.py::t[1]", "a.py::t[3]"]
    assert left(Case("a.py::t[0]", pytest.mark.few(3).mark)) == []


def test_each_test_is_counted_for_itself_and_without_what_is_left_already() -> None:
    few, fuzz = pytest.mark.few(1).mark, pytest.mark.fuzz.mark
    cases = [Case("a.py::t[0]", few, fuzz), Case("a.py::t[1]", few), Case("a.py::t[2]", few)]
    assert left(*cases, Case("b.py::t[0]", few), Case("b.py::u")) == ["a.py::t[0]", "a.py::t[2]"]
