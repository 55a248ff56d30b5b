from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest

from ui.serving import entry, turns


@pytest.fixture
def usual() -> Iterator[float]:
    """Seconds of a turn; what a test sets is set back."""
    before = sys.getswitchinterval()
    yield before
    sys.setswitchinterval(before)


def test_a_server_takes_short_turns_from_its_start(
    usual: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []
    monkeypatch.setattr("ui.serving.memory.share_heaps", lambda: done.append("heaps"))
    monkeypatch.setattr("ui.serving.logs.set_up", lambda way: done.append("log"))
    entry.set_up()
    assert done == ["heaps", "log"]
    assert sys.getswitchinterval() == pytest.approx(turns.TURN)
    assert usual > turns.TURN
