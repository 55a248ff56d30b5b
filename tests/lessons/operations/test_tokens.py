"""Tokens, their ids and positions."""

from __future__ import annotations

import pytest

from core.lessons import Value
from tests.lessons.small_records import TEXT, TOKENS, Small, value


@pytest.mark.parametrize(
    ("tree", "expected"),
    [
        ({"tokens": TEXT}, TOKENS),
        ({"pieces": [TEXT, "cat"]}, ("cat",)),
        ({"position": [TEXT, "cat"]}, 3.0),
    ],
    ids=str,
)
def test_tokens(tree: object, expected: Value) -> None:
    assert value(tree) == expected


class _WithIds(Small):
    def ids(self, text: str) -> tuple[int, ...]:
        return (101, 7, 102)

    def n_vocabulary(self) -> int:
        return 211


def test_ids_and_the_size_of_the_vocabulary() -> None:
    assert value({"ids": TEXT}, _WithIds()) == (101.0, 7.0, 102.0)
    assert value({"vocabulary": {}}, _WithIds()) == 211.0
