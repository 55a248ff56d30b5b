"""The results of a crowd, computed from its walks."""

from __future__ import annotations

import pytest

from benchmarks.load.crowd import Throughput, Walk
from tools.streamlit_client import Answer


def walk(*seconds: float, late: int = 0) -> Walk:
    return Walk(1, [Answer(one, 0, "") for one in seconds], late)


def test_an_answer_after_the_end_has_a_wait_and_is_in_no_rate() -> None:
    held = Throughput.of([walk(0.1, 0.2, 0.3), walk(0.1, 4.0, late=1)], seconds=2)
    assert held.answers == 5
    assert held.rate == pytest.approx(2)
    assert held.median == pytest.approx(0.2)
    assert held.slow == pytest.approx(4)
