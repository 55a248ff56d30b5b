"""Fair comparison of times: alternating runs, so that a busy moment affects both."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Mapping

Timing = Mapping[str, float]


def in_turns(
    things: Mapping[str, Callable[[], object]],
    *,
    rounds: int,
    clock: Callable[[], float] = time.perf_counter,
) -> Timing:
    """The median time of each thing in seconds, run once per round, after one unmeasured round.

    `clock`: `time.process_time` leaves out what else the machine does meanwhile.
    """
    for thing in things.values():
        thing()
    times: dict[str, list[float]] = {name: [] for name in things}
    gc.collect()
    for _ in range(rounds):
        for name, thing in things.items():
            start = clock()
            thing()
            times[name].append(clock() - start)
    return {name: statistics.median(values) for name, values in times.items()}


def table(head: tuple[str, ...], rows: list[tuple[object, ...]]) -> str:
    """A Markdown table."""
    lines = [head, tuple("---" for _ in head), *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)
