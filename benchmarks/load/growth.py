"""The service that classes of one, two, … thirty visitors get."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from benchmarks.load import crowd
from benchmarks.load.crowd import Throughput
from benchmarks.side_by_side import table

VISITORS = (1, 2, 4, 8, 16, 30)
TOKENS = 64
SECONDS = 20  # for each class: in less time, thirty would do little more than open the page

Both = tuple[Throughput, Throughput]  # on the Heads page and on the bare one


def measure(host: str, beside: str) -> dict[int, Both]:
    """Classes without think time on the Heads page of one server, and on the bare page of another."""
    by_visitors: dict[int, Both] = {}
    for visitors in VISITORS:
        case = crowd.Case(visitors, TOKENS, 0, SECONDS, first=100_000 * visitors)
        here = asyncio.run(crowd.come(host, case, on_heads=True))
        there = asyncio.run(crowd.come(beside, case, on_heads=False))
        by_visitors[visitors] = Throughput.of(here, SECONDS), Throughput.of(there, SECONDS)
    return by_visitors


def report(grown: Mapping[int, Both]) -> str:
    """The answers per second, and the waiting time without think time, by number of visitors."""
    columns = ("reruns a second", "median", "95 of 100 within")
    head = ("visitors at once", *columns, *(f"bare page: {column}" for column in columns))
    rows: list[tuple[object, ...]] = [
        (visitors, *(cell for throughput in both for cell in _cells(throughput)))
        for visitors, both in grown.items()
    ]
    return table(head, rows)


def _cells(throughput: Throughput) -> tuple[str, ...]:
    return (
        f"{throughput.rate:.1f}",
        f"{1000 * throughput.median:.0f} ms",
        f"{1000 * throughput.slow:.0f} ms",
    )
