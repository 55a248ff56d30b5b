"""The memory of the server while one visitor walks through many long texts."""

from __future__ import annotations

import time
from collections.abc import Callable

import psutil
from playwright.sync_api import Page

from benchmarks import sentences, stopwatch

TEXTS = 50
READ_AFTER = (10, 25, 50)
GROWTH = 1.05  # the limit of the last reading, relative to the one before
SECONDS = 600  # for all texts; the report says so if the time is not enough


def walk(page: Page, process: int, show: Callable[[str], object]) -> dict[int, float]:
    """Show the texts one after the other; returns the server's resident memory in MB, by texts shown.

    `show` enters a text and waits until it is painted. If the time is over, the last reading is for the
    texts shown so far.
    """
    server = psutil.Process(process)
    megabytes: dict[int, float] = {}
    end = time.monotonic() + SECONDS
    for number, text in enumerate(sentences.long(TEXTS), 1):
        show(text)
        late = time.monotonic() > end
        if number in READ_AFTER or late:
            stopwatch.rest(page)
            megabytes[number] = server.memory_info().rss / 1e6
        if late:
            break
    return megabytes


def sentence(megabytes: dict[int, float]) -> str:
    """The readings in words."""
    readings = ", ".join(f"{memory:.0f} MB after {count}" for count, memory in megabytes.items())
    if tuple(megabytes) != READ_AFTER:
        return (
            f"{readings}. **Stopped there: {SECONDS} s were over**, so whether it is flat is not known."
        )
    before, last = (megabytes[count] for count in READ_AFTER[-2:])
    verdict = "flat" if last <= GROWTH * before else "**not flat**"
    return (
        f"{readings}: {verdict} ({100 * (last / before - 1):+.1f} % from {READ_AFTER[-2]} to "
        f"{READ_AFTER[-1]} texts; at most {100 * (GROWTH - 1):+.0f} % is asked for)."
    )
