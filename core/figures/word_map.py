"""All words of a corpus in a plane, to be searched, lassoed and chosen: `points/wordmap.js`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..records.frozen import Array
from . import schema
from .cloud import Group
from .labels import written
from .picture import Chosen, Picture

MOST_WORDS = 200_000
WHOLE = 1_000  # a lasso's corners are in so many parts of the map's width and height
_HEIGHT, _HEIGHT_OF_TWO = 600, 640  # pixels
_ROOM = 0.02  # of the width, at each end


@dataclass(frozen=True, eq=False)
class Side:
    """A map of its own beside another one.

    Attributes:
        name: above it; "" if it is the only one.
        coordinates: (words, 2) float32, NaN for a word that it does not have.
        counts: (words,), the occurrences of each word.
        groups: (words,), the group of each word, from 0.
    """

    name: str
    coordinates: npt.ArrayLike
    counts: npt.ArrayLike
    groups: npt.ArrayLike


def word_map(
    words: Sequence[str],
    sides: Sequence[Side],
    groups: Sequence[Group],
    *,
    sentence: str,
    name: str,
) -> Picture:
    """One point a word, on one map or on two that move together.

    Event: "state" {chosen, found, lasso, side, view}: a word from 0; what is searched; the corners of
    a closed line, x and y in turn, each in thousandths of the map; the side in which it was drawn; the
    middle of the view in hundred-thousandths and its magnification in percent.

    Args:
        words: the words, those that get their names first at the beginning.
        sides: one or two.
        groups: a colour for each group; one with the name "" has the words that belong to none.
        sentence: the picture in one sentence, for those who do not see it.
        name: the name of the saved file, after "polysee-".

    Raises:
        ValueError: there is no word, or sizes do not fit.
    """
    count = len(words)
    at = [np.asarray(one.coordinates, np.float32) for one in sides]
    if not 1 <= count <= MOST_WORDS or not 1 <= len(sides) <= 2:
        raise ValueError(f"A map has 1 to {MOST_WORDS:,} words on one or two sides, not {count:,}.")
    each = [(np.asarray(one.counts, "<u4"), np.asarray(one.groups, np.uint8)) for one in sides]
    if any(one.shape != (count, 2) for one in at) or any(
        part.shape != (count,) for one in each for part in one
    ):
        raise ValueError(f"Each of {count:,} words has a position, a count and a group on each side.")
    if not any(np.isfinite(one).any() for one in at):
        raise ValueError("A map needs at least one position.")
    header = {
        "words": [written(word) for word in words],
        "sides": [written(one.name) for one in sides],
        "groups": [group.header() for group in groups],
        "bounds": bounds_of(at),
        "state": {"chosen": None, "found": "", "lasso": None, "side": 0, "view": None},
        "height": _HEIGHT if len(sides) == 1 else _HEIGHT_OF_TWO,
        "dtype": "uint8",
        "sentence": sentence,
        "file": f"polysee-{name}",
    }
    numbers = b"".join(np.ascontiguousarray(one, "<f4").tobytes() for one in at)
    numbers += b"".join(counts.tobytes() for counts, _ in each)
    numbers += b"".join(of.tobytes() for _, of in each)
    return Picture("wordmap", header, numbers, _complete)


def _complete(header: Chosen, chosen: Chosen) -> Chosen:
    there = {"words": range(len(header["words"])), "sides": range(len(header["sides"]))}
    return schema.complete("wordmap", chosen, there)


def bounds_of(coordinates: Sequence[Array]) -> tuple[float, float, float, float]:
    """The left, lower, right and upper end of a map: all positions, with some room around them."""
    every = np.concatenate([one[np.isfinite(one).all(axis=1)] for one in coordinates])
    low, high = every.min(axis=0), every.max(axis=0)
    room = np.maximum((high - low) * _ROOM, 1e-6 * np.maximum(1, np.abs(low)))
    low, high = low - room, high + room
    return float(low[0]), float(low[1]), float(high[0]), float(high[1])


def inside(lasso: Sequence[int], coordinates: Array, bounds: Sequence[float]) -> npt.NDArray[np.bool_]:
    """(words,): which positions lie inside a closed line, by the even–odd rule; the same as wordmap.js.

    Args:
        lasso: its corners, x and y in turn, in thousandths of the map's width and height.
        coordinates: (words, 2) float32; NaN lies outside.
        bounds: see `bounds_of`.
    """
    left, bottom, right, top = bounds
    x = (coordinates[:, 0].astype(np.float64) - left) / (right - left) * WHOLE
    y = (coordinates[:, 1].astype(np.float64) - bottom) / (top - bottom) * WHOLE
    found = np.zeros(len(coordinates), bool)
    corners = np.array(lasso, np.float64).reshape(-1, 2)
    for (ax, ay), (bx, by) in zip(corners, np.roll(corners, 1, axis=0), strict=True):
        if ay != by:
            crosses = (ay > y) != (by > y)
            found ^= crosses & (x < (bx - ax) * (y - ay) / (by - ay) + ax)
    return found
