"""Interventions: a run with something changed, beside the unchanged run.

An intervention is counterfactual: it shows what the model would do. `contributions` accounts exactly
for a single run.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from .frozen import Record
from .prediction import Expectation
from .seq2seq import Seq2SeqTrace
from .trace import Trace

Block = Literal["", "encoder", "decoder", "cross"]


@dataclass(frozen=True)
class Cut:
    """One token no longer attends to another: that weight becomes 0, and the others are rescaled to 1.

    Attributes:
        query: the token that attends: a word of the text, or the index of a token.
        key: the token that is attended to: as `query`.
        layer: from 0; None for all layers.
        head: from 0; None for all heads.
        block: which attention of an encoder–decoder is meant: the self-attention of one of its halves,
            or "cross", where `query` is of the target and `key` of the source; "" for other models.
    """

    query: str | int
    key: str | int
    layer: int | None = None
    head: int | None = None
    block: Block = ""


@dataclass(frozen=True)
class Ablate:
    """One head is ablated: its output is multiplied by 0. `block`: see `Cut`."""

    layer: int
    head: int
    block: Block = ""


@dataclass(frozen=True)
class Mask:
    """The model's mask token replaces each token of this word. No other word may share these tokens."""

    word: str
    occurrence: int = 0


@dataclass(frozen=True)
class Replace:
    """Another word replaces exactly the characters of this one, and the text is tokenized anew."""

    word: str
    by: str
    occurrence: int = 0


Change = Cut | Ablate | Mask | Replace


@dataclass(frozen=True, eq=False)
class Expected(Record):
    """The predictions at one mask, without and with the changes.

    If a word before the mask was replaced, the mask may have another position afterwards.
    """

    before: Expectation
    after: Expectation


@dataclass(frozen=True, eq=False)
class Intervention(Record):
    """Two runs: the original one, and one with the changes.

    A change that replaces a word can give `after` other tokens than `before`.

    Attributes:
        before: the original run.
        after: the run with the changes.
        changes: the changes.
        expected: for each mask that both runs have, from left to right, the predictions there; None if
            the model predicts no masked words.
    """

    before: Trace
    after: Trace
    changes: tuple[Change, ...]
    expected: tuple[Expected, ...] | None = None


@dataclass(frozen=True, eq=False)
class PairIntervention(Record):
    """Two runs of a source with its target: the original one, and one with the changes.

    Attributes:
        before: the original run.
        after: the run with the changes.
        changes: the changes.
        expected: what the decoder predicts behind each token that it read, without and with the
            changes; None if it predicts no words.
    """

    before: Seq2SeqTrace
    after: Seq2SeqTrace
    changes: tuple[Cut | Ablate, ...]
    expected: tuple[Expected, ...] | None = None
