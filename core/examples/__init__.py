"""Examples to begin with: first texts, presets, sentences labelled by sense, anchor words. No model."""

from .anchors import ANCHORS, Anchors
from .cue_first import CUE_FIRST
from .ends import KnownEnds, known_ends, known_word
from .presets import PRESETS, Preset
from .sentences import LabelledSentence, labelled, words

__all__ = [
    "ANCHORS",
    "CUE_FIRST",
    "PRESETS",
    "Anchors",
    "KnownEnds",
    "LabelledSentence",
    "Preset",
    "known_ends",
    "known_word",
    "labelled",
    "words",
]
