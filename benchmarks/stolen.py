"""The share of this machine's processor time that its host gave to others (steal time)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

LEAST = 0.01  # the smallest share to report


def share(before: Any, after: Any) -> float:
    """The share of the wanted processor time that others had; 0 if it is not counted.

    Args:
        before: `psutil.cpu_times()` at the start.
        after: the same at the end.
    """
    passed = {what: getattr(after, what) - getattr(before, what) for what in after._fields}
    idle = passed["idle"] + passed.get("iowait", 0)
    wanted = sum(passed[what] for what in after._fields if not what.startswith("guest")) - idle
    return float(passed.get("steal", 0)) / wanted if wanted else 0.0


def sentence(shares: Sequence[float]) -> str:
    """A paragraph of the report; "" if nothing was taken."""
    if max(shares) < LEAST:
        return ""
    parts = ", ".join(f"{100 * part:.0f} %" for part in shares)
    return (
        "Of the time for which this machine wanted its cores, the one below it gave "
        f"{parts} to others (steal time, row by row): so much of the cores was not there.\n\n"
    )
