"""How often one visitor's page is computed: as fast as a person works, and no faster than is fair."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

import streamlit as st

from core import settings
from core.errors import PolyseeError
from ui.serving import logs, metrics

_KEY = "pace"
_ROUNDING = 1e-9  # who has waited as long as was said has a whole token
_LOOK = 0.1  # seconds between two looks whether the visitor wants something else by now
WAITING = (
    "This page was asked for more than {} times in a minute, and the server is shared. It goes on by "
    "itself in a moment; what you chose last counts."
)


@dataclass
class Bucket:
    """A token bucket: `rate` tokens a second flow in, `most` fit, a run takes one."""

    rate: float
    most: float
    _tokens: float = field(init=False)
    _at: float | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        self._tokens = self.most

    def wait(self, now: float) -> float:
        """Take a token and return 0, or return the seconds until there is one.

        Args:
            now: seconds on a clock that never goes back.
        """
        since = 0.0 if self._at is None else max(0.0, now - self._at)
        self._tokens = min(self.most, self._tokens + since * self.rate)
        self._at = now
        if self._tokens >= 1 - _ROUNDING:
            self._tokens -= 1
            return 0.0
        return (1 - self._tokens) / self.rate


def keep() -> None:
    """Wait until this visitor's page may be computed again, with a sentence on it meanwhile.

    Nothing is lost by waiting: a later choice ends the wait of the one before, and is the one that is
    answered.
    """
    container = st.empty()  # in every run, so that what stands below it keeps its place on the page
    try:
        rate = settings.read().rate
    except PolyseeError:
        return  # a folder that has gone since the start: the page itself says so
    bucket: Bucket = st.session_state.setdefault(_KEY, Bucket(rate / 60, max(1.0, rate / 4)))
    if not (wait := bucket.wait(time.monotonic())):
        return
    metrics.REFUSED.labels("rate").inc()
    logs.event("refused", why="rate", place="run")
    while wait:
        container.info(WAITING.format(rate))  # also ends this run where a later one is wanted
        time.sleep(min(wait, _LOOK))
        wait = bucket.wait(time.monotonic())
    container.empty()
