"""What is computed from traces alone: no model, no torch, no picture."""

from .agreement import Agreement, agreement
from .attention.block_difference import SiteDifference, shared, site_difference
from .attention.blocks import PARTS, Site, mean_of_all, part, sites, whole_words, without_special
from .attention.head_difference import HeadDifference, head_difference
from .attention.heads import HeadMap, head_map, word_map
from .attention.patterns import PATTERNS, PatternScores, alike, mean_patterns, patterns
from .attention.require_attention import absent
from .attention.visible import mean_of_heads
from .attention.whole_words import merged
from .contributions.by_word import Why
from .foreign import looks_foreign
from .maps.neighbour_map import NeighbourMap, tsne, umap
from .maps.projection import Projection, pca
from .maps.trajectory import CONTEXTUAL, WordPath, positions, word_path
from .senses.how_sure import HowSure, how_sure
from .senses.move import Across, across, plane
from .senses.same_sense_baseline import SenseRange, Spread, cosines, sense_accuracy, sense_range
from .senses.shared_word import ProposedEnds, SharedWord, proposed_ends, shared_words
from .senses.verdict import Calibration, OneSide, Verdict, one_side, shipped, verdict
from .similarity import Likeness, likeness, sentence_vector

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
