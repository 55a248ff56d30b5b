"""A whole class that types on Next word at the same time, and a visitor of MiniLM's beside it.

Limited to 127.0.0.1, 16 visitors, and half a minute. Each answer is compared with that of a separate
server to a single visitor.
"""

from __future__ import annotations

import asyncio
import statistics
from collections.abc import Sequence
from typing import NamedTuple

from benchmarks import sentences
from benchmarks.compare_page import server
from benchmarks.side_by_side import table
from tools.streamlit_client import Answer, Visitor

VISITORS = 16
KEYS = 12  # that each types
PAUSE = 0.2  # seconds between the bars and the next key
SLOWEST = 2.0  # seconds: the limit for 95 of 100 keys
BESIDE = 1.5  # the limit for the visitor of MiniLM, as a multiple of her time alone
ADDRESS = "next-word"
WORDS = 7  # typed before: with these and the keys, a text has about 14 tokens


class Typed(NamedTuple):
    """What one visitor typed.

    Attributes:
        number: the number of the text.
        answers: the answers to its keys.
        said: all sentences of the page after each of them.
    """

    number: int
    answers: list[Answer]
    said: list[str]


def run() -> str:
    """Measure, and return the section of the report."""
    with server() as crowded, server() as alone:
        host, own = (one.url.removeprefix("http://") for one in (crowded, alone))
        for one in (host, own):
            asyncio.run(_types(one, 0))  # reads the model
        before = asyncio.run(_beside(own))
        typed, during = asyncio.run(_class(host))
        mixed = asyncio.run(_wrong(own, typed))
    keys = sorted(answer.seconds for one in typed for answer in one.answers)
    slow = keys[int(0.95 * len(keys))]
    ratio = statistics.median(during) / statistics.median(before)
    rows: list[tuple[object, ...]] = [
        ("a key → bars, median", f"{1e3 * statistics.median(keys):.0f} ms", ""),
        (
            "95 of 100 keys within",
            f"{1e3 * slow:.0f} ms",
            f"≤ {1e3 * SLOWEST:.0f}{_missed(slow > SLOWEST)}",
        ),
        (
            "a new text on *Heads* with MiniLM, beside them / alone",
            f"{1e3 * statistics.median(during):.0f} / {1e3 * statistics.median(before):.0f} ms",
            f"{ratio:.2f} ≤ {BESIDE}{_missed(ratio > BESIDE)}",
        ),
        ("wrong answers", f"{mixed} of {len(keys)}", f"0{_missed(mixed > 0)}"),
    ]
    return (
        "## A class on Next word\n\n"
        f"{VISITORS} visitors type {KEYS} keys each at the same time, {PAUSE:g} s after the bars of "
        "the key before, on the two cores that also run their program; SmolLM2 reads about 14 tokens "
        "for each. *Wrong*: answers that say anything else than a server of its own says to one "
        "visitor alone.\n\n" + table(("", "", "limit"), rows)
    )


def _missed(yes: bool) -> str:
    return " **missed**" if yes else ""


async def _types(host: str, number: int) -> Typed:
    """Open the page, and type a text that nobody typed before, letter by letter."""
    text = sentences.of_tokens(WORDS + 6, 500_000 + number)
    start = len(" ".join(text.split()[:WORDS]))
    async with Visitor(host, ADDRESS) as visitor:
        await visitor.open()
        answers, said = [], []
        for at in range(start + 1, start + 1 + KEYS):
            answers.append(await visitor.change("Text", text[:at]))
            said.append(visitor.page.sentences())
            await asyncio.sleep(PAUSE)
    return Typed(number, answers, said)


async def _class(host: str) -> tuple[list[Typed], list[float]]:
    """All visitors at once, and the times of the one beside them."""
    beside = asyncio.create_task(_beside(host))
    typed = await asyncio.gather(*(_types(host, number) for number in range(1, VISITORS + 1)))
    return list(typed), await beside


async def _beside(host: str) -> list[float]:
    """Seconds for each of a few new texts on Heads."""
    times = []
    async with Visitor(host, "heads") as visitor:
        await visitor.open()
        for number in range(8):
            answer = await visitor.change("Text", sentences.of_tokens(14, 700_000 + number))
            times.append(answer.seconds)
            await asyncio.sleep(PAUSE)
    return times


async def _wrong(host: str, typed: Sequence[Typed]) -> int:
    """How many answers differ from those of another server to a single visitor."""
    count = 0
    for one in typed:
        again = await _types(host, one.number)
        count += sum(a != b for a, b in zip(one.said, again.said, strict=True))
    return count


if __name__ == "__main__":
    print(run())
