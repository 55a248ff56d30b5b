"""Long texts queue for the model; short ones never wait behind them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

from core import settings
from core.localization import _
from ui.models.work_queue import WorkQueue, waiting_room

# bytes, about 200 tokens of English, above which a model takes a second or more
LONG = 1_000


@cache
def queue() -> WorkQueue:
    """The queue for long texts; one per server."""
    return WorkQueue(settings.read().long_work)


@contextmanager
def turn(*texts: str) -> Iterator[None]:
    """Hold a place in the queue while the block runs, if these texts together are long.

    Raises:
        TooMany: see `WorkQueue.turn`.
    """
    if sum(len(one.encode("utf-8", "replace")) for one in texts) <= LONG:
        yield
        return
    with waiting_room(queue(), _("A long text")):
        yield
