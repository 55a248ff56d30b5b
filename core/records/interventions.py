"""Interventions: a run with something changed, beside the unchanged run.

An intervention is counterfactual: it shows what the model would do. `contributions` accounts exactly
for a single run.
"""

from __future__ import annotations

from dataclasses import dataclass

from .frozen import Record
from .prediction import Expectation
from .trace import Trace


@dataclass(frozen=True)
class Cut:
    """One token no longer attends to another: that weight becomes 0, and the others are rescaled to 1.

    Attributes:
        query: the token that attends: a word of the text, or the index of a token.
        key: the token that is attended to: as `query`.
        layer: from 0; None for all layers.
        head: from 0; None for all heads.
    """

    query: str | int
    key: str | int
    layer: int | None = None
    head: int | None = None


@dataclass(frozen=True)
class Ablate:
    """One head is ablated: its output is multiplied by 0."""

    layer: int
    head: int


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
