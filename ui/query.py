"""A visitor's query to a model: only strings and numbers, which can be cached and compared."""

from __future__ import annotations

from typing import NamedTuple


class TextQuery(NamedTuple):
    """One query to a model.

    Attributes:
        model: the name of the model.
        text: the text that it reads; for an encoder–decoder, the source.
        second: the second text of a pair, or the target; None for one text alone.
        masked: the tokens that are hidden behind the model's mask token, from 0.
        more: ids of the tokens that the model has generated after the text or the target.
        causal: whether later tokens are hidden in an encoder, which was trained without a mask.
    """

    model: str
    text: str
    second: str | None = None
    masked: tuple[int, ...] = ()
    more: tuple[int, ...] = ()
    causal: bool = False
