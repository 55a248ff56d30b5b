"""The memory of a server while many visitors read many different texts."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

import numpy as np
import psutil

from benchmarks import sentences
from benchmarks.load.crowd import LAYERS
from tools.server import Server
from tools.streamlit_client import Visitor

VISITORS = 16
TEXTS = 1_000
EVERY = 25  # texts between two readings
WRITTEN_EVERY = 100  # texts between two readings that the report lists
LENGTHS = (8, 8, 14, 14, 20, 32, 64, 128)  # the lengths of those texts in tokens, in turn
MOST = 1_200.0  # the limit in megabytes
GROWTH = 0.05  # the limit over the second half of the texts


async def remember(running: Server) -> dict[int, float]:
    """The resident memory of a server in megabytes, by the number of varied texts read there."""
    assert running.process is not None
    process = psutil.Process(running.process.pid)
    megabytes = {0: process.memory_info().rss / 1e6}
    numbers = iter(range(1, TEXTS + 1))
    host = running.url.removeprefix("http://")

    async def read() -> None:
        async with Visitor(host, "heads") as visitor:
            await visitor.open()
            for number in numbers:
                length = LENGTHS[number % len(LENGTHS)]
                await visitor.change("Text", sentences.of_tokens(length, 10_000 + number))
                await visitor.change("Layer", [f"Layer {number % LAYERS + 1}"])
                if number % EVERY == 0:
                    megabytes[number] = process.memory_info().rss / 1e6

    async with asyncio.TaskGroup() as crowd:
        for _ in range(VISITORS):
            crowd.create_task(read())
    return dict(sorted(megabytes.items()))


def growth(memory: Mapping[int, float]) -> float:
    """The growth over the second half, by a straight-line fit to its readings.

    A single reading can differ from the next by a twentieth, because it includes the current answers.
    """
    texts = [count for count in memory if count >= max(memory) / 2]
    slope, start = np.polyfit(texts, [memory[count] for count in texts], 1)
    return float(slope * (texts[-1] - texts[0]) / (start + slope * texts[0]))


def sentence(memory: Mapping[int, float]) -> str:
    """The readings in words."""
    most, grown = max(memory.values()), growth(memory)
    verdict = "flat" if grown <= GROWTH else "**not flat**"
    within = "within" if most <= MOST else "**above**"
    some = ", ".join(f"{size:.0f} MB after {n}" for n, size in memory.items() if n % WRITTEN_EVERY == 0)
    return (
        f"{max(memory):,} texts of {min(LENGTHS)} to {max(LENGTHS)} tokens by {VISITORS} visitors: "
        f"{some}. At most {most:.0f} MB, {within} {MOST:,.0f} MB; over the second half {verdict} "
        f"({round(100 * grown, 1) + 0:+.1f} % by a straight line through its readings, one each "
        f"{EVERY} texts)."
    )
