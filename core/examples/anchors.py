"""Two groups of anchor words for each word whose senses are labelled: the ends of its sense axis.

They were chosen as a reader would choose them, before any model had seen them, and then checked; no
group was tuned to improve its numbers. No labelled sentence of one sense contains an anchor word of the
other.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from ..records.comparison import AnchorGroup
from .first_texts import OPENING


class Anchors(NamedTuple):
    """The two ends of a sense axis; their names are the names of the senses."""

    low: AnchorGroup  # at −1 on the sense axis
    high: AnchorGroup  # at +1


def _group(name: str, words: str) -> AnchorGroup:
    return AnchorGroup(name, tuple(words.split()))


ANCHORS: Mapping[str, Anchors] = MappingProxyType(
    {
        "bank": Anchors(OPENING.low, OPENING.high),
        "bat": Anchors(
            _group("sport", "baseball cricket ball hitter glove swing"),
            _group("animal", "animal wings cave mammal insects owl"),
        ),
        "spring": Anchors(
            _group("season", "summer autumn winter season april bloom"),
            _group("coil", "coil metal mechanism mattress lever tension"),
        ),
        "crane": Anchors(
            _group("machine", "machine construction tower lift builder excavator"),
            _group("bird", "bird heron wings nest feathers stork"),
        ),
        "mouse": Anchors(
            _group("computer", "computer keyboard click screen cursor laptop"),
            _group("animal", "animal rat cheese cat rodent tail"),
        ),
        "plant": Anchors(
            _group("factory", "factory industry production power worker steel"),
            _group("green", "flower leaf garden soil seed tree"),
        ),
        "seal": Anchors(
            _group("stamp", "stamp wax letter document official signature"),
            _group("animal", "animal walrus dolphin whale ocean penguin"),
        ),
        "match": Anchors(
            _group("fire", "fire candle flame lighter burn smoke"),
            _group("game", "game football tennis team score player"),
        ),
        "palm": Anchors(
            _group("hand", "hand finger wrist skin arm thumb"),
            _group("tree", "tree coconut beach tropical leaf island"),
        ),
        "pitcher": Anchors(
            _group("jug", "jug water glass pour drink lemonade"),
            _group("baseball", "baseball ball player team game throw"),
        ),
        "bark": Anchors(
            _group("tree", "tree wood trunk branch oak forest"),
            _group("dog", "dog puppy growl howl bite kennel"),
        ),
        "rock": Anchors(
            _group("music", "music band guitar song concert singer"),
            _group("stone", "stone boulder cliff mountain granite pebble"),
        ),
    }
)
