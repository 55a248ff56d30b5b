"""What is computed from traces alone: no model, no torch, no picture."""

from core.measures.agreement import Agreement, agreement
from core.measures.foreign import looks_foreign
from core.measures.head_difference import HeadDifference, head_difference
from core.measures.heads import HeadMap, head_map, word_map
from core.measures.how_sure import HowSure, how_sure
from core.measures.kept import absent
from core.measures.likeness import Likeness, likeness, sentence_vector
from core.measures.merged import merged
from core.measures.move import Across, across, plane
from core.measures.neighbour_map import NeighbourMap, tsne, umap
from core.measures.patterns import PATTERNS, PatternScores, alike, mean_patterns, patterns
from core.measures.projection import Projection, pca
from core.measures.sense_range import (
    SenseRange,
    Spread,
    cosines,
    sense_accuracy,
    sense_range,
)
from core.measures.shared_word import ProposedEnds, SharedWord, proposed_ends, shared_words
from core.measures.sites import PARTS, Site, mean_of_all, part, sites, whole_words, without_special
from core.measures.two_sites import SiteDifference, shared, site_difference
from core.measures.verdict import Calibration, OneSide, Verdict, one_side, shipped, verdict
from core.measures.visible import mean_of_heads
from core.measures.why import Why
from core.measures.word_path import CONTEXTUAL, WordPath, positions, word_path

__all__ = [
    "CONTEXTUAL",
    "PARTS",
    "PATTERNS",
    "Across",
    "Agreement",
    "Calibration",
    "HeadDifference",
    "HeadMap",
    "HowSure",
    "Likeness",
    "NeighbourMap",
    "OneSide",
    "PatternScores",
    "Projection",
    "ProposedEnds",
    "SenseRange",
    "SharedWord",
    "Site",
    "SiteDifference",
    "Spread",
    "Verdict",
    "Why",
    "WordPath",
    "absent",
    "across",
    "agreement",
    "alike",
    "cosines",
    "head_difference",
    "head_map",
    "how_sure",
    "likeness",
    "looks_foreign",
    "mean_of_all",
    "mean_of_heads",
    "mean_patterns",
    "merged",
    "one_side",
    "part",
    "patterns",
    "pca",
    "plane",
    "positions",
    "proposed_ends",
    "sense_accuracy",
    "sense_range",
    "sentence_vector",
    "shared",
    "shared_words",
    "shipped",
    "site_difference",
    "sites",
    "tsne",
    "umap",
    "verdict",
    "whole_words",
    "without_special",
    "word_map",
    "word_path",
]
