"""Long texts wait for their turn at a model; short ones never stand behind them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

from core import settings
from ui.models.work_queue import WorkQueue, waiting_room

# Bytes: 200 tokens of English, after which a model takes a second and more.
LONG = 1_000


@cache
def queue() -> WorkQueue:
    """Where long texts wait; the one of this server."""
    return WorkQueue(settings.read().long_work)


@contextmanager
def turn(*texts: str) -> Iterator[None]:
    """Hold a place at work for these texts together, if they are long.

    Raises:
        TooMany: as `WorkQueue.turn`.
    """
    if sum(len(one.encode("utf-8", "replace")) for one in texts) <= LONG:
        yield
        return
    with waiting_room(queue(), "A long text"):
        yield
