"""Measures: numbers computed from records alone, without torch or a picture.

`copying_runs` and `model_difference` alone run models, those that they are given.
"""

from .agreement import Agreement, agreement
from .attention.blocks import (
    PARTS,
    AttentionBlock,
    as_block,
    blocks,
    in_every_layer,
    mean_of_all,
    part,
    whole_words,
    without_special,
)
from .attention.copying import Copying, CopyingHeads, control_heads, copying_heads
from .attention.difference import HeadDifference, block_difference, head_difference, shared
from .attention.heads import HeadMap, head_map, word_map
from .attention.patterns import PATTERNS, PatternScores, head_similarity, mean_patterns, patterns
from .attention.ranking import RankedHeads, rank_heads, strongest_key
from .attention.roles import RoleScores, measure_roles, shipped_roles
from .attention.sink import Sink, sink
from .attention.striking import StrikingWeight, striking
from .attention.visible import mean_of_heads
from .attention.whole_words import merged
from .contributions.by_word import Why
from .copying_runs import copies, copying_runs, random_text
from .foreign import looks_foreign
from .maps.neighbour_map import NeighbourMap, tsne, umap
from .maps.projection import Projection, pca
from .maps.trajectory import CONTEXTUAL, WordPath, sense_coordinates, word_path
from .model_difference import model_difference
from .patching import Holder, holders, leads_from, most_apart, sharers, strongest_heads
from .senses.how_sure import HowSure, how_sure
from .senses.move import Across, across, plane
from .senses.same_sense_baseline import (
    SameSenseBaseline,
    Spread,
    cosines,
    same_sense_baseline,
    sense_accuracy,
)
from .senses.shared_word import ProposedEnds, SharedWord, proposed_ends, shared_words
from .senses.verdict import Calibration, OneSide, Verdict, one_side, shipped, verdict
from .similarity import Similarity, pairwise_similarity, sentence_vector

__all__ = [
    "CONTEXTUAL",
    "PARTS",
    "PATTERNS",
    "Across",
    "Agreement",
    "AttentionBlock",
    "Calibration",
    "Copying",
    "CopyingHeads",
    "HeadDifference",
    "HeadMap",
    "Holder",
    "HowSure",
    "NeighbourMap",
    "OneSide",
    "PatternScores",
    "Projection",
    "ProposedEnds",
    "RankedHeads",
    "RoleScores",
    "SameSenseBaseline",
    "SharedWord",
    "Similarity",
    "Sink",
    "Spread",
    "StrikingWeight",
    "Verdict",
    "Why",
    "WordPath",
    "across",
    "agreement",
    "as_block",
    "block_difference",
    "blocks",
    "control_heads",
    "copies",
    "copying_heads",
    "copying_runs",
    "cosines",
    "head_difference",
    "head_map",
    "head_similarity",
    "holders",
    "how_sure",
    "in_every_layer",
    "leads_from",
    "looks_foreign",
    "mean_of_all",
    "mean_of_heads",
    "mean_patterns",
    "measure_roles",
    "merged",
    "model_difference",
    "most_apart",
    "one_side",
    "pairwise_similarity",
    "part",
    "patterns",
    "pca",
    "plane",
    "proposed_ends",
    "random_text",
    "rank_heads",
    "same_sense_baseline",
    "sense_accuracy",
    "sense_coordinates",
    "sentence_vector",
    "shared",
    "shared_words",
    "sharers",
    "shipped",
    "shipped_roles",
    "sink",
    "striking",
    "strongest_heads",
    "strongest_key",
    "tsne",
    "umap",
    "verdict",
    "whole_words",
    "without_special",
    "word_map",
    "word_path",
]
