"""Many visitors at once, in Streamlit's own protocol, beside a page of Streamlit with no model.

Bounded: 127.0.0.1, at most 30 visitors, so many seconds. Every answer is compared with what a server
of its own gives to one visitor alone.
"""

from __future__ import annotations

import asyncio
import itertools
import random
import statistics
import tempfile
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import psutil

from benchmarks import sentences, stolen
from benchmarks.compare_page import server
from benchmarks.side_by_side import table
from tools.server import Server
from tools.streamlit_client import Answer, Visitor

LAYERS, HEADS = 6, 12
TEXTS = 1_000  # of the walk through memory
LENGTHS = (8, 8, 14, 14, 20, 32, 64, 128)  # tokens of those texts, in turns
MOST_MEMORY = 1_200.0  # megabytes
GROWTH = 1.05  # over the second half of the texts


class Case(NamedTuple):
    """Who comes, and what is asked of the server.

    Attributes:
        visitors: how many at once.
        tokens: of each text.
        think: seconds between an answer and the next question.
        seconds: for how long.
        least: reruns a second, or None.
        slowest: the most that 95 of 100 reruns may take, in seconds, or None.
    """

    visitors: int
    tokens: int
    think: float
    seconds: float
    least: float | None = None
    slowest: float | None = None


CASES = (
    Case(16, 64, 0, 20, least=20),
    Case(30, 64, 5, 60, slowest=0.5),
    Case(8, 512, 0, 20, least=4),
)


@dataclass
class Walk:
    """One visit: a page opened, a text typed, layers and heads chosen; each text is a new one."""

    number: int
    answers: list[Answer] = field(default_factory=list)


async def heads(visitor: Visitor, walk: int, tokens: int) -> AsyncIterator[Answer]:
    """The steps of a walk on the Heads page."""
    yield await visitor.open()
    yield await visitor.change("Text", sentences.of_tokens(tokens, walk))
    for turn in range(2):
        layer, head = (walk + 3 * turn) % LAYERS, (walk + 5 * turn) % HEADS
        yield await visitor.change("Layer", [f"Layer {layer + 1}"])
        chosen = {"rung": "head", "head": head, "query": 1 + turn, "key": 2}
        yield await visitor.choose(f"layer {layer}", chosen)


async def bare(visitor: Visitor, walk: int, tokens: int) -> AsyncIterator[Answer]:
    """As many steps on the bare page."""
    yield await visitor.open()
    for turn in range(5):
        yield await visitor.change("Text", sentences.of_tokens(tokens, 10 * walk + turn))


async def _alone(host: str, number: int, tokens: int, steps: int) -> list[str]:
    """The digests of the first steps of a walk."""
    found: list[str] = []
    async with Visitor(host, "heads") as visitor:
        async for answer in heads(visitor, number, tokens):
            found.append(answer.digest)
            if len(found) == steps:
                break
    return found


async def _crowd(host: str, case: Case, *, on_heads: bool) -> list[Walk]:
    """All visitors at once, until the time is over; each begins a new walk when one has ended."""
    numbers = itertools.count(1)
    end = time.monotonic() + case.seconds
    walks: list[Walk] = []

    async def come(first: float) -> None:
        await asyncio.sleep(first)
        while time.monotonic() < end:
            walk = Walk(next(numbers))
            walks.append(walk)
            async with Visitor(host, "heads" if on_heads else "") as visitor:
                async for answer in (heads if on_heads else bare)(visitor, walk.number, case.tokens):
                    walk.answers.append(answer)
                    if time.monotonic() >= end:
                        break
                    await asyncio.sleep(case.think)

    late = random.Random(case.visitors)
    async with asyncio.TaskGroup() as visitors:
        for _ in range(case.visitors):
            visitors.create_task(come(late.uniform(0, case.think)))
    return walks


class Held(NamedTuple):
    """What a crowd saw: how many reruns in a second, and how long they took."""

    answers: int
    rate: float
    median: float
    slow: float

    @classmethod
    def of(cls, walks: Sequence[Walk], seconds: float) -> Held:
        """Out of the walks of a crowd."""
        times = sorted(answer.seconds for walk in walks for answer in walk.answers)
        slow = times[min(len(times) - 1, int(0.95 * len(times)))]
        return cls(len(times), len(times) / seconds, statistics.median(times), slow)


async def wrong(host: str, walks: Sequence[Walk], tokens: int) -> int:
    """How many answers of a crowd are not those that one visitor alone gets from another server."""
    count = 0
    for walk in walks:
        digests = await _alone(host, walk.number, tokens, len(walk.answers))
        count += sum(a.digest != b for a, b in zip(walk.answers, digests, strict=True))
    return count


async def remember(running: Server, visitors: int, texts: int) -> dict[int, float]:
    """Resident megabytes of a server by how many varied texts so many visitors have read there."""
    assert running.process is not None
    process = psutil.Process(running.process.pid)
    found = {0: process.memory_info().rss / 1e6}
    numbers = iter(range(1, texts + 1))
    host = running.url.removeprefix("http://")

    async def read() -> None:
        async with Visitor(host, "heads") as visitor:
            await visitor.open()
            for number in numbers:
                length = LENGTHS[number % len(LENGTHS)]
                await visitor.change("Text", sentences.of_tokens(length, 10_000 + number))
                await visitor.change("Layer", [f"Layer {number % LAYERS + 1}"])
                if number % (texts // 10) == 0:
                    found[number] = process.memory_info().rss / 1e6

    async with asyncio.TaskGroup() as crowd:
        for _ in range(visitors):
            crowd.create_task(read())
    return found


def run() -> str:
    """Hold the crowds and say what happened."""
    rows: list[tuple[object, ...]] = []
    shares: list[float] = []
    with server() as crowded, server() as alone, _bare() as plain:
        host, own = (one.url.removeprefix("http://") for one in (crowded, alone))
        for one in (host, own):
            asyncio.run(_alone(one, 0, 14, 99))  # what is computed once is computed
        for case in CASES:
            before = psutil.cpu_times()
            walks = asyncio.run(_crowd(host, case, on_heads=True))
            shares.append(stolen.share(before, psutil.cpu_times()))
            beside = asyncio.run(_crowd(plain.url.removeprefix("http://"), case, on_heads=False))
            mixed = asyncio.run(wrong(own, walks, case.tokens))
            rows.append(_row(case, Held.of(walks, case.seconds), Held.of(beside, case.seconds), mixed))
    with server() as running:
        memory = asyncio.run(remember(running, 16, TEXTS))
    head = ("visitors", "reruns a second", "median", "95 of 100 within", "bare page", "ratio", "wrong")
    return (
        "## A classroom at once\n\n"
        "Visitors over Streamlit's own protocol on the Heads page: open it, type a text that nobody "
        "has typed before, choose layers and heads. The bare page has one heatmap and no model. The "
        "visitors' program runs on the same cores. *Wrong*: answers that differ in any byte from what "
        "a server of its own gives to one visitor alone.\n\n"
        f"{table(head, rows)}\n\n{stolen.said(shares)}**Memory.** {_flat(memory)}"
    )


def _row(case: Case, held: Held, beside: Held, mixed: int) -> tuple[object, ...]:
    verdict, asked = "", ""
    if case.least is not None:
        asked = f" (≥ {case.least:g})"
        verdict = "" if held.rate >= case.least else " **missed**"
    slow = f"{1000 * held.slow:.0f} ms"
    if case.slowest is not None:
        missed = "" if held.slow <= case.slowest else " **missed**"
        slow += f" (≤ {1000 * case.slowest:.0f}){missed}"
    who = f"{case.visitors}, {case.tokens} tokens" + (f", {case.think:g} s think" if case.think else "")
    return (
        who,
        f"{held.rate:.1f}{asked}{verdict}",
        f"{1000 * held.median:.0f} ms",
        slow,
        f"{beside.rate:.1f} a second, {1000 * beside.median:.0f} ms",
        f"{held.rate / beside.rate:.2f}",
        f"{mixed} of {held.answers}",
    )


def _flat(memory: dict[int, float]) -> str:
    """What the readings say."""
    half, last = memory[TEXTS // 2], memory[TEXTS]
    most = max(memory.values())
    verdict = "flat" if last <= GROWTH * half else "**not flat**"
    within = "within" if most <= MOST_MEMORY else "**above**"
    said = ", ".join(f"{size:.0f} MB after {texts}" for texts, size in memory.items())
    return (
        f"{TEXTS:,} texts of {min(LENGTHS)} to {max(LENGTHS)} tokens by 16 visitors: {said}. At most "
        f"{most:.0f} MB, {within} {MOST_MEMORY:,.0f} MB; over the second half {verdict} "
        f"({100 * (last / half - 1):+.1f} %)."
    )


@contextmanager
def _bare() -> Iterator[Server]:
    with tempfile.TemporaryDirectory() as folder:
        running = Server(Path(folder), script="benchmarks/bare_page.py")
        try:
            running.start()
            yield running
        finally:
            running.stop()


if __name__ == "__main__":
    print(run())
