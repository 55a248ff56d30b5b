"""A whole class at the same time, in Streamlit's own protocol, beside a Streamlit page without a model.

Limited to 127.0.0.1, at most 30 visitors, and a few seconds. Every answer is compared with that of a
separate server to a single visitor.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil

from benchmarks import stolen
from benchmarks.compare_page import server
from benchmarks.load import crowd, growth, memory
from benchmarks.load.crowd import Case, Throughput
from benchmarks.side_by_side import table
from tools.server import Server

CASES = (
    Case(16, 64, 0, 20, least=20),
    Case(30, 64, 5, 60, first=10_001, slowest=0.5),
    Case(8, 512, 0, 20, least=4),
)


def run() -> str:
    """Run the crowds, and return the section of the report."""
    rows: list[tuple[object, ...]] = []
    shares: list[float] = []
    with server() as crowded, server() as alone, _bare() as plain:
        host, own, beside = (one.url.removeprefix("http://") for one in (crowded, alone, plain))
        for one in (host, own):
            asyncio.run(crowd.alone(one, 0, 14, 99))  # computes everything that is computed only once
        for case in CASES:
            before = psutil.cpu_times()
            walks = asyncio.run(crowd.come(host, case, on_heads=True))
            shares.append(stolen.share(before, psutil.cpu_times()))
            bare_walks = asyncio.run(crowd.come(beside, case, on_heads=False))
            mixed = asyncio.run(crowd.wrong(own, walks, case.tokens))
            rows.append(
                _row(
                    case,
                    Throughput.of(walks, case.seconds),
                    Throughput.of(bare_walks, case.seconds),
                    mixed,
                )
            )
        grown = growth.measure(host, beside)
    with server() as running:
        readings = asyncio.run(memory.remember(running))
    head = ("visitors", "reruns a second", "median", "95 of 100 within", "bare page", "ratio", "wrong")
    return (
        "## A classroom at once\n\n"
        "Visitors over Streamlit's own protocol on the Heads page: open it, type a text that nobody "
        "has typed before, choose layers and heads. The bare page has one heatmap, no model, and the "
        "same settings of Streamlit. The visitors' program runs on the same cores. *Wrong*: answers "
        "that differ in any byte from what a server of its own gives to one visitor alone.\n\n"
        f"{table(head, rows)}\n\n{stolen.sentence(shares)}"
        f"As the class grows, {growth.SECONDS} seconds for each point, {growth.TOKENS} "
        "tokens, without think time:\n\n"
        f"{growth.report(grown)}\n\n"
        f"**Memory.** {memory.sentence(readings)}"
    )


def _row(case: Case, throughput: Throughput, beside: Throughput, mixed: int) -> tuple[object, ...]:
    verdict, target = "", ""
    if case.least is not None:
        target = f" (≥ {case.least:g})"
        verdict = "" if throughput.rate >= case.least else " **missed**"
    slow = f"{1000 * throughput.slow:.0f} ms"
    if case.slowest is not None:
        missed = "" if throughput.slow <= case.slowest else " **missed**"
        slow += f" (≤ {1000 * case.slowest:.0f}){missed}"
    who = f"{case.visitors}, {case.tokens} tokens" + (f", {case.think:g} s think" if case.think else "")
    return (
        who,
        f"{throughput.rate:.1f}{target}{verdict}",
        f"{1000 * throughput.median:.0f} ms",
        slow,
        f"{beside.rate:.1f} a second, {1000 * beside.median:.0f} ms",
        f"{throughput.rate / beside.rate:.2f}",
        f"{mixed} of {throughput.answers}",
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
