"""The sections of the file of results: a benchmark that runs alone replaces its own."""

from __future__ import annotations

import datetime
import re
from collections.abc import Sequence


def with_sections(results: str, sections: Sequence[str]) -> str:
    """The results with these sections replacing those with the same titles, or appended.

    Each replaced section says that it was measured alone, and when: its own comparisons are still from
    one run.
    """
    head, *former = (part.strip() for part in re.split(r"(?m)^(?=## )", results))
    there = {part.partition("\n")[0]: part for part in former}
    for section in sections:
        title, _, rest = section.strip().partition("\n")
        there[title] = f"{title}\n\n*Measured by itself on {datetime.date.today()}.*\n\n{rest.strip()}"
    return "\n\n".join([head, *there.values()]) + "\n"
