"""Which meaning of the dictionary a reader would pick for each sense of a labelled word.

Each is told by one of its words. Where two would do, the noun that describes the sense best was taken,
before any sentence was judged by it.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

PICKED: Mapping[str, tuple[str, str]] = MappingProxyType(
    {  # word -> for the sense at −1, for the one at +1
        "bank": ("financial", "sloping"),
        "bat": ("club", "nocturnal"),
        "spring": ("season", "metal"),
        "crane": ("lifts", "marshes"),
        "mouse": ("computer", "rodents"),
        "plant": ("industrial", "flora"),
        "seal": ("stamp", "marine"),
        "match": ("lighter", "contest"),
        "palm": ("hand", "trunk"),
        "pitcher": ("vessel", "baseball"),
        "bark": ("woody", "dog"),
        "rock": ("music", "stone"),
    }
)
