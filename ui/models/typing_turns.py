"""Visitors who type take turns: for one of them a model reads and the page is drawn, then for the next.

A large model reads without Python's lock; a page is drawn with it. If the next text were read as soon
as the model is free, the pages of those who have been answered would keep the lock busy, and another
visitor's page would take several times as long. In turn, and with a rest between two turns, a class
takes no more of the lock than one visitor who types without a pause. A page of anybody else that is
being drawn comes first, within `PATIENCE`.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import get_ident

from core.pretrained.engines.passes import Turns
from ui.models.long_texts import LONG

REST = 0.01  # seconds: a part of what a page takes to be drawn and sent
PATIENCE = 0.05  # seconds that a turn waits for other pages; those of a class would add up
SHORT = 0.5  # seconds: nobody waits for a page that has been drawn for longer
_LOOK = 0.004  # seconds between two looks


class TypingTurns:
    """Turns for so many at once, each a rest after the one before.

    Args:
        at_once: how many.
        rest: seconds from the end of a turn to the beginning of the next one.
    """

    def __init__(self, at_once: int, rest: float = REST) -> None:
        self._turns, self._rest = Turns(at_once), rest
        self._free_at = 0.0
        self._pages: dict[int, float] = {}  # by thread, since when it draws a page

    @contextmanager
    def page(self) -> Iterator[None]:
        """A page, or a part of one, is drawn in the block, by this thread."""
        me = get_ident()
        if me in self._pages:  # a part within a page
            yield
            return
        self._pages[me] = time.monotonic()
        try:
            yield
        finally:
            self._pages.pop(me, None)

    @contextmanager
    def turn(self, text: str) -> Iterator[None]:
        """Hold a turn while the block reads a text and draws what was found; a long text needs none.

        It has its own queue (`long_texts`), and nobody who types should wait behind it.
        """
        if len(text.encode("utf-8", "replace")) > LONG:
            yield
            return
        began = self._pages.pop(get_ident(), None)  # those who type do not wait for each other here
        try:
            self._turns.take()
            try:
                self._wait()
                yield
            finally:
                self._free_at = time.monotonic() + self._rest
                self._turns.give_back()
        finally:
            if began is not None:
                self._pages[get_ident()] = began

    def _wait(self) -> None:
        """Wait for the end of the rest, and then for other pages."""
        if (left := self._free_at - time.monotonic()) > 0:
            time.sleep(left)
        end = time.monotonic() + PATIENCE
        while self._others() and time.monotonic() < end:
            time.sleep(_LOOK)

    def _others(self) -> bool:
        """Whether another page is being drawn."""
        since = time.monotonic() - SHORT
        return any(began > since for began in [*self._pages.values()])


_of_server = TypingTurns(max(1, (os.cpu_count() or 1) // 2))
turn, page = _of_server.turn, _of_server.page
