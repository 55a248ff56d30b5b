"""A token that a model has written, and what it expected when it did."""

from __future__ import annotations

from dataclasses import dataclass

from .frozen import Record
from .prediction import Expectation


@dataclass(frozen=True, eq=False)
class Generated(Record):
    """One written token.

    Attributes:
        id: the token.
        token: its name in the tokenizer ("Ġbank").
        text: its spelling within a text (" bank").
        added: what the text gained by it: nothing where it is only a part of a character, which the
            token that completes it then adds; nothing for a special token.
        rank: how many tokens were likelier, among those that were allowed.
        probability: how likely it was to be drawn, after temperature and cuts; where the likeliest was
            taken, its probability at temperature 1.
        number: the number from 0 to 1 that chose it; None where the likeliest was taken.
        expectation: the logits of the model for this place, all of them: any distribution, at any
            temperature, follows (`core.language.shaped`).
        end: whether it ends the text: a sign of the model's own, or the last of a stop text.
    """

    id: int
    token: str
    text: str
    added: str
    rank: int
    probability: float
    number: float | None
    expectation: Expectation
    end: bool = False
