"""A decoder of today with one part as the paper of 2017 had it."""

from __future__ import annotations

import numpy as np

from ...records.prediction import probabilities
from ..expressions import Operation
from ..model_records import Records
from .arguments import TEXT, Given, from_zero, parameters


def _probability(records: Records, given: Given) -> float:
    word = given.get("word")
    token = records.expects(given["text"]).ids[0] if word is None else records.first_token(word)
    logits = records.exchanged(given["text"], given.get("part", "as it is"))
    return float(probabilities(logits, 1.0)[token])


def _place(records: Records, given: Given) -> float:
    """The place of the model's own first word among all words."""
    token = records.expects(given["text"]).ids[0]
    logits = records.exchanged(given["text"], given["part"])
    return float(1 + np.count_nonzero(logits > logits[token]))


def _length(records: Records, given: Given) -> float:
    lengths = records.lengths(given["text"], given.get("part", "as it is"))
    layer = given.get("layer", float(len(lengths) - 1))
    return float(lengths[0 if layer == 0 else from_zero("layer", layer, len(lengths) - 1) + 1])


OPERATIONS = (
    Operation(
        "probability with part",
        parameters(TEXT, "part: string?", "word: string?"),
        "The probability of a next word, by default of the model’s own first one, with one part as the "
        "paper had it: order, norm, positions, network, heads, mask.",
        _probability,
    ),
    Operation(
        "place with part",
        parameters(TEXT, "part: string"),
        "The place of the model’s own first word among all, with one part as the paper had it; or, as "
        "“mask but first”, with a mask that hides later words from the first one alone.",
        _place,
    ),
    Operation(
        "state length",
        parameters(TEXT, "part: string?", "layer: whole?"),
        "The length of the last token’s vector after a layer: 0 for the input of layer 1, the last by "
        "default; with one part as the paper had it.",
        _length,
    ),
    Operation(
        "keeps",
        parameters("part: string?"),
        "The numbers that are kept of a token while the model writes; or with one part of the paper.",
        lambda r, g: float(r.kept(g.get("part", "as it is"))),
    ),
)
