"""An address as a QR code."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import segno

QUIET = 4  # modules of light around a code, as its standard wants


class Code(NamedTuple):
    """A QR code: `size` modules a side, its quiet zone included; `path` draws the dark ones (SVG)."""

    size: int
    path: str


@lru_cache(8)
def code(address: str) -> Code:
    """The QR code of an address, readable where 15 % of it are covered."""
    made = segno.make(address, error="m", micro=False)
    rows = [[bool(module) for module in row] for row in made.matrix_iter(border=QUIET)]
    path = "".join(
        f"M{x} {y}h1v1h-1z" for y, row in enumerate(rows) for x, dark in enumerate(row) if dark
    )
    return Code(len(rows), path)
