"""Many visitors at the same time, in Streamlit's own protocol: their actions and the answers.

Limited to 127.0.0.1, and a few seconds.
"""

from __future__ import annotations

import asyncio
import itertools
import random
import statistics
import time
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from benchmarks import sentences
from tools.streamlit_client import Answer, Visitor

LAYERS, HEADS = 6, 12


class Case(NamedTuple):
    """A crowd of visitors, and the requirements for the server.

    Attributes:
        visitors: the number of visitors at the same time.
        tokens: the length of each text.
        think: the seconds between an answer and the next request.
        seconds: the duration.
        first: the number of the first walk; each has its own text, which no other walk may use.
        least: the required reruns per second, or None.
        slowest: the limit for 95 of 100 reruns, in seconds, or None.
    """

    visitors: int
    tokens: int
    think: float
    seconds: float
    first: int = 1
    least: float | None = None
    slowest: float | None = None


@dataclass
class Walk:
    """One visit: open a page, type a new text, choose layers and heads.

    Attributes:
        number: the number of the walk, which determines its texts.
        answers: all answers.
        late: how many of them came after the end: they count for the waiting time, but not for the
            rate.
    """

    number: int
    answers: list[Answer] = field(default_factory=list)
    late: int = 0


async def heads(visitor: Visitor, walk: int, tokens: int) -> AsyncIterator[Answer]:
    """The steps of a walk on the Heads page."""
    yield await visitor.open()
    yield await visitor.change("Text", sentences.of_tokens(tokens, walk))
    for turn in range(2):
        layer, head = (walk + 3 * turn) % LAYERS, (walk + 5 * turn) % HEADS
        yield await visitor.change("Layer", [f"Layer {layer + 1}"])
        chosen = {"level": "head", "head": head, "query": 1 + turn, "key": 2}
        yield await visitor.choose(f"layer {layer}", chosen)


async def bare(visitor: Visitor, walk: int, tokens: int) -> AsyncIterator[Answer]:
    """The same number of steps on the bare page."""
    yield await visitor.open()
    for turn in range(5):
        yield await visitor.change("Text", sentences.of_tokens(tokens, 10 * walk + turn))


async def alone(host: str, number: int, tokens: int, steps: int) -> list[str]:
    """The digests of the first steps of a walk."""
    digests: list[str] = []
    async with Visitor(host, "heads") as visitor:
        async for answer in heads(visitor, number, tokens):
            digests.append(answer.digest)
            if len(digests) == steps:
                break
    return digests


async def come(host: str, case: Case, *, on_heads: bool) -> list[Walk]:
    """Run all visitors until the time is over; each starts a new walk when one has ended."""
    numbers = itertools.count(case.first)
    end = time.monotonic() + case.seconds
    walks: list[Walk] = []

    async def visit(first: float) -> None:
        await asyncio.sleep(first)
        while time.monotonic() < end:
            walk = Walk(next(numbers))
            walks.append(walk)
            async with Visitor(host, "heads" if on_heads else "") as visitor:
                async for answer in (heads if on_heads else bare)(visitor, walk.number, case.tokens):
                    walk.answers.append(answer)
                    if time.monotonic() >= end:
                        walk.late += 1
                        break
                    await asyncio.sleep(case.think)

    late = random.Random(case.visitors)
    async with asyncio.TaskGroup() as visitors:
        for _ in range(case.visitors):
            visitors.create_task(visit(late.uniform(0, case.think)))
    return walks


class Throughput(NamedTuple):
    """The results of a crowd: reruns per second, and how long they took."""

    answers: int
    rate: float
    median: float
    slow: float

    @classmethod
    def of(cls, walks: Sequence[Walk], seconds: float) -> Throughput:
        """Computed from the walks of a crowd over so many seconds."""
        times = sorted(answer.seconds for walk in walks for answer in walk.answers)
        slow = times[min(len(times) - 1, int(0.95 * len(times)))]
        rate = (len(times) - sum(walk.late for walk in walks)) / seconds
        return cls(len(times), rate, statistics.median(times), slow)


async def wrong(host: str, walks: Sequence[Walk], tokens: int) -> int:
    """How many answers of a crowd differ from those of another server to a single visitor."""
    count = 0
    for walk in walks:
        digests = await alone(host, walk.number, tokens, len(walk.answers))
        count += sum(a.digest != b for a, b in zip(walk.answers, digests, strict=True))
    return count
