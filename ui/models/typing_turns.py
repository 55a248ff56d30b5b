"""Visitors who type take turns: for one of them a model reads and the page is drawn, then for the next.

A large model reads without Python's lock; a page is drawn with it. If the next text were read as soon
as the model is free, the pages of those who have been answered would keep the lock busy, and another
visitor's page would take several times as long. In turn, and with a rest between two turns, a class
takes no more of the lock than one visitor who types without a pause.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager

from core.pretrained.engines.passes import Turns
from ui.models.long_texts import LONG

REST = 0.03  # seconds: about as long as a page takes to be drawn and sent


class TypingTurns:
    """Turns for so many at once, each a rest after the one before.

    Args:
        at_once: how many.
        rest: seconds from the end of a turn to the beginning of the next one.
    """

    def __init__(self, at_once: int, rest: float = REST) -> None:
        self._turns, self._rest = Turns(at_once), rest
        self._free_at = 0.0

    @contextmanager
    def turn(self, text: str) -> Iterator[None]:
        """Hold a turn while the block reads a text and draws what was found; a long text needs none.

        It has its own queue (`long_texts`), and nobody who types should wait behind it.
        """
        if len(text.encode("utf-8", "replace")) > LONG:
            yield
            return
        self._turns.take()
        try:
            if (left := self._free_at - time.monotonic()) > 0:
                time.sleep(left)
            yield
        finally:
            self._free_at = time.monotonic() + self._rest
            self._turns.give_back()


_of_server = TypingTurns(max(1, (os.cpu_count() or 1) // 2))
turn = _of_server.turn
