"""What a reader of a document leaves out, counted by kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ..understood import Skipped


class Report:
    """Counts what is left out; one sentence a kind in the end."""

    def __init__(self) -> None:
        self._counts: Counter[tuple[str, str]] = Counter()

    def add(self, one: str, several: str, count: int = 1) -> None:
        """Count what is left out: "footnote", "footnotes"."""
        if count:
            self._counts[one, several] += count

    def skipped(self, source: str) -> Iterator[Skipped]:
        """What was left out of a file."""
        for (one, several), count in self._counts.items():
            verb, what = ("is", one) if count == 1 else ("are", several)
            yield Skipped(source, "", f"{count:,} {what} {verb} left out")
