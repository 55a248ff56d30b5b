"""A comparison to make: one word in two texts, and the anchor words of its two senses."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class AnchorGroup:
    """Words of one sense, which together mark one end of a sense axis."""

    name: str
    words: tuple[str, ...]


@dataclass(frozen=True)
class Comparison:
    """One word in two sentences, and the two groups of anchor words that distinguish its senses."""

    text_a: str
    text_b: str
    word: str
    low: AnchorGroup  # at −1 on the sense axis
    high: AnchorGroup  # at +1
