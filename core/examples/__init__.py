"""What a visitor can begin with: presets, sentences labelled by sense, anchor words. No model."""

from core.examples.anchors import ANCHORS, Anchors
from core.examples.ends import KnownEnds, known_ends, known_word
from core.examples.presets import PRESETS, Preset
from core.examples.sentences import LabelledSentence, labelled, words

__all__ = [
    "ANCHORS",
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
