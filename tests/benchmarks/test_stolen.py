from __future__ import annotations

from typing import NamedTuple

import pytest

from benchmarks import stolen


class Times(NamedTuple):
    """Times as from `psutil.cpu_times()` on Linux, where guest time is part of user time."""

    user: float
    system: float
    idle: float
    iowait: float
    steal: float
    guest: float


def test_the_share_is_of_the_time_that_was_wanted() -> None:
    before, after = Times(100, 10, 50, 5, 7, 3), Times(105, 12, 90, 8, 10, 6)
    assert stolen.share(before, after) == pytest.approx(3 / (5 + 2 + 3))
    assert stolen.share(before, before) == 0


def test_it_is_said_where_there_is_any() -> None:
    assert stolen.sentence([0, 0.009]) == ""
    assert "gave 45 %, 0 % to others" in stolen.sentence([0.45, 0])
