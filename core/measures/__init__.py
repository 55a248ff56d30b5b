"""What is computed from traces alone: no model, no torch, no picture."""

from core.measures.agreement import Agreement, agreement
from core.measures.heads import HeadMap, head_map
from core.measures.move import Across, across, plane
from core.measures.sense_axis import SenseAxis, sense_axis
from core.measures.sense_range import (
    PlaceRange,
    SenseRange,
    Spread,
    cosines,
    place_range,
    sense_accuracy,
    sense_range,
)
from core.measures.word_path import WordPath, word_path

__all__ = [
    "Across",
    "Agreement",
    "HeadMap",
    "PlaceRange",
    "SenseAxis",
    "SenseRange",
    "Spread",
    "WordPath",
    "across",
    "agreement",
    "cosines",
    "head_map",
    "place_range",
    "plane",
    "sense_accuracy",
    "sense_axis",
    "sense_range",
    "word_path",
]
