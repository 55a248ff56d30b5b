"""The table of operations: each once, with a sentence and arguments in a usable order."""

from __future__ import annotations

from core.lessons import operations
from core.lessons.operations import OPERATIONS


def test_each_operation_is_there_once() -> None:
    files = [vars(operations)[name] for name in dir(operations) if not name.startswith("_")]
    listed = [one.name for file in files for one in getattr(file, "OPERATIONS", ())]
    assert sorted(listed) == sorted(OPERATIONS)
    assert len(listed) > 70


def test_each_operation_says_what_it_gives() -> None:
    for name, operation in OPERATIONS.items():
        assert operation.name == name
        assert operation.about.endswith((".", "”."))
        names = [one.name for one in operation.parameters]
        assert not {*names} & {*OPERATIONS}, name  # an argument by name is no operation
        assert len({*names}) == len(names)
        needed = [one.needed for one in operation.parameters]
        assert needed == sorted(needed, reverse=True), name  # by order, those that may be left out last
