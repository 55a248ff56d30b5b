"""Interventions: a second run with something changed, beside the first.

An intervention is counterfactual: it says what would be. `contributions` holds the exact bookkeeping of
one run.
"""

from __future__ import annotations

from dataclasses import dataclass

from .frozen import Record
from .prediction import Expectation
from .trace import Trace


@dataclass(frozen=True)
class Cut:
    """One token no longer attends to another: its weight there is 0, and the others share it.

    Attributes:
        query: which token attends: a word of the text, or the index of a token.
        key: which token is attended to: as `query`.
        layer: in which layer, from 0; None: in all.
        head: in which head, from 0; None: in all.
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
    """The model's mask token stands for each token of this word, which are of no other word."""

    word: str
    occurrence: int = 0


@dataclass(frozen=True)
class Replace:
    """Another word replaces exactly this one's characters: the text is read anew."""

    word: str
    by: str
    occurrence: int = 0


Change = Cut | Ablate | Mask | Replace


@dataclass(frozen=True, eq=False)
class Expected(Record):
    """The predictions at one mask, without and with the changes.

    The mask may stand at another position afterwards, where a word before it was replaced.
    """

    before: Expectation
    after: Expectation


@dataclass(frozen=True, eq=False)
class Intervention(Record):
    """Two runs: as it is, and with the changes.

    A change that replaces a word can give `after` other tokens than `before`.

    Attributes:
        before: as it is.
        after: with the changes.
        changes: what they are.
        expected: of each mask that stands in both, from left to right, what the model expects there;
            None where it predicts no words behind a mask.
    """

    before: Trace
    after: Trace
    changes: tuple[Change, ...]
    expected: tuple[Expected, ...] | None = None
