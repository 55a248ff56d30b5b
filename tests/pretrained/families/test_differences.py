"""How near our own transformer comes: the table's numbers, of one type, and its page."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.every_model import differences
from tools.every_model.__main__ import OURS

PAGE = Path(__file__).resolve().parents[3] / "docs" / "differences.md"


@pytest.mark.check
@pytest.mark.parametrize("kind", ["gpt2", "mt5"])  # T5 scales before its head, and mT5 does not
def test_one_type_is_near_in_every_part(kind: str) -> None:
    found = differences.of(kind)
    assert found.logits is not None
    assert found.parts is not None
    assert max(found.attention, found.vectors, found.logits, found.parts) < 1e-5
    table = differences.page([found, found._replace(kind="x", logits=None, parts=0.0)], ["y"])
    assert f"| `{kind}` |" in table
    assert "|  | 0 |" in table
    assert "`y`." in table


def test_the_page_has_each_type_of_ours() -> None:
    text = PAGE.read_text("utf-8")
    assert all(f"`{kind}`" in text for kind in OURS)
    rows = [line.split("|")[2:-1] for line in text.splitlines() if line.startswith("| `")]
    assert max(float(cell) for row in rows for cell in row if cell.strip()) < 1e-5
