"""How far a build is, its rate, and the time that is left."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Progress:
    """A moment of a build.

    Attributes:
        step: what is being done: `read`, `embed` or `publish`.
        done: the sentences that are done; rows when publishing.
        total: all of them; 0 if this is not known yet.
        words: the word occurrences that were embedded so far, in this run of the program.
        seconds: the seconds that this step has taken so far, in this run of the program.
        resumed: how many of `done` an earlier run had finished.
    """

    step: str
    done: int
    total: int
    words: int = 0
    seconds: float = 0.0
    resumed: int = 0

    @property
    def rate(self) -> float | None:
        """Sentences (or rows) a second; None at the beginning."""
        fresh = self.done - self.resumed
        return fresh / self.seconds if self.seconds > 0 and fresh > 0 else None

    @property
    def left(self) -> float | None:
        """The seconds that are left at this rate; None if this cannot be said yet."""
        rate = self.rate
        return (self.total - self.done) / rate if rate and self.total else None

    def __str__(self) -> str:
        if self.step == "read":
            return f"reading: {self.done:,} sentences"
        what = "sentences" if self.step == "embed" else "rows"
        text = f"{self.step}: {self.done:,} of {self.total:,} {what}"
        if self.rate:
            text += f", {self.rate:,.0f} a second"
        if self.left is not None:
            text += f", {duration(self.left)} left"
        return text


Report = Callable[[Progress], None]


def counted(number: int, what: str) -> str:
    """A number of things: 1 sentence, 2,000 sentences."""
    return f"{number:,} {what}{'s' * (number != 1)}"


def duration(seconds: float) -> str:
    """A duration in words, rounded as a person would."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    if seconds < 5400:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"
