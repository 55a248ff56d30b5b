"""What is computed from traces alone: no model, no torch, no picture."""

from core.measures.agreement import Agreement, agreement
from core.measures.heads import HeadMap, head_map
from core.measures.sense_axis import SenseAxis, sense_axis
from core.measures.word_path import WordPath, word_path

__all__ = [
    "Agreement",
    "HeadMap",
    "SenseAxis",
    "WordPath",
    "agreement",
    "head_map",
    "sense_axis",
    "word_path",
]
