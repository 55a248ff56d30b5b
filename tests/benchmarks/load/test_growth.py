"""The table of growing classes."""

from __future__ import annotations

from benchmarks.load import growth
from benchmarks.load.crowd import Throughput


def test_each_row_has_both_pages_and_their_waits_in_milliseconds() -> None:
    grown = {
        n: (Throughput(8 * n, float(n), 0.05, 0.1), Throughput(4 * n, n / 2, 0.1, 0.2))
        for n in growth.VISITORS
    }
    head, _, *rows = growth.report(grown).splitlines()
    assert head.count("|") == 8
    assert len(rows) == len(growth.VISITORS)
    assert rows[-1] == "| 30 | 30.0 | 50 ms | 100 ms | 15.0 | 100 ms | 200 ms |"
