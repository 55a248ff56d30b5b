"""What is computed from traces alone: no model, no torch, no picture."""

from core.measures.agreement import Agreement, agreement
from core.measures.head_difference import HeadDifference, head_difference
from core.measures.heads import HeadMap, head_map, word_map
from core.measures.likeness import Likeness, likeness, sentence_vector
from core.measures.merged import merged
from core.measures.move import Across, across, plane
from core.measures.neighbour_map import NeighbourMap, tsne, umap
from core.measures.patterns import PATTERNS, PatternScores, alike, mean_patterns, patterns
from core.measures.projection import Projection, pca
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
from core.measures.sites import PARTS, Site, mean_of_all, part, sites, whole_words, without_special
from core.measures.two_sites import SiteDifference, shared, site_difference
from core.measures.why import Why
from core.measures.word_path import WordPath, word_path

__all__ = [
    "PARTS",
    "PATTERNS",
    "Across",
    "Agreement",
    "HeadDifference",
    "HeadMap",
    "Likeness",
    "NeighbourMap",
    "PatternScores",
    "PlaceRange",
    "Projection",
    "SenseAxis",
    "SenseRange",
    "Site",
    "SiteDifference",
    "Spread",
    "Why",
    "WordPath",
    "across",
    "agreement",
    "alike",
    "cosines",
    "head_difference",
    "head_map",
    "likeness",
    "mean_of_all",
    "mean_patterns",
    "merged",
    "part",
    "patterns",
    "pca",
    "place_range",
    "plane",
    "sense_accuracy",
    "sense_axis",
    "sense_range",
    "sentence_vector",
    "shared",
    "site_difference",
    "sites",
    "tsne",
    "umap",
    "whole_words",
    "without_special",
    "word_map",
    "word_path",
]
