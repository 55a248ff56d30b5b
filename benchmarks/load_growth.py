"""What a class of one visitor, of two, … of thirty gets, as charts."""

from __future__ import annotations

import asyncio
import math
import os
from collections.abc import Mapping

from benchmarks import chart, crowd
from benchmarks.crowd import Held

VISITORS = (1, 2, 4, 8, 16, 30)
TOKENS = 64
SECONDS = 20  # for each of them: in less, thirty would do little but open the page
RATE, WAIT = "load_rate.svg", "load_wait.svg"
STEPS = (5, 10, 20, 50, 100)  # answers a second, from one line of the chart to the next
ACROSS = chart.Axis("visitors at once", VISITORS, powers=True)

Both = tuple[Held, Held]  # on the Heads page and on the bare one


def measure(host: str, beside: str) -> dict[int, Both]:
    """Classes without think time on the Heads page of a server, and on the bare page of another."""
    found: dict[int, Both] = {}
    for visitors in VISITORS:
        case = crowd.Case(visitors, TOKENS, 0, SECONDS, first=100_000 * visitors)
        here = asyncio.run(crowd.come(host, case, on_heads=True))
        there = asyncio.run(crowd.come(beside, case, on_heads=False))
        found[visitors] = Held.of(here, SECONDS), Held.of(there, SECONDS)
    return found


def rates(grown: Mapping[int, Both], asked: float | None) -> str:
    """Reruns a second by visitors, as a chart."""
    lines = [
        chart.Line(name, colour, False, {many: both[i].rate for many, both in grown.items()})
        for i, (name, colour) in enumerate(
            (("Polysee, Heads page", "blue"), ("bare page, no model", "orange"))
        )
    ]
    most = max(asked or 0, *(rate or 0 for line in lines for rate in line.points.values()))
    step = next(step for step in STEPS if most <= 8 * step or step == STEPS[-1])
    # With room above the highest, for its name.
    ticks = range(0, step * (math.ceil(most / step) + 1) + 1, step)
    up = chart.Axis("answers a second, all visitors together", ticks)
    title = f"How many answers a second one machine of {os.cpu_count()} cores gives"
    note = "dashed: what is asked for with 16 visitors"
    return chart.draw(lines, ACROSS, up, title, note=note, asked=asked)


def waits(grown: Mapping[int, Both]) -> str:
    """How long a visitor waits, by visitors, as a chart."""
    lines = [
        chart.Line(f"{name}, {said}", colour, dashed, {n: of(both[i]) for n, both in grown.items()})
        for i, (name, colour) in enumerate((("Polysee", "blue"), ("bare page", "orange")))
        for said, dashed, of in (
            ("median", False, lambda held: held.median),
            ("95 of 100", True, lambda held: held.slow),
        )
    ]
    up = chart.Axis(
        "time until answered (seconds)", (0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10), powers=True
    )
    return chart.draw(lines, ACROSS, up, "How long a visitor waits who never stops to think")
