"""What a visitor asks a model: strings and numbers alone, so that it can be kept and compared."""

from __future__ import annotations

from typing import NamedTuple


class TextQuery(NamedTuple):
    """One question to a model.

    Attributes:
        model: its name.
        text: what it reads; of an encoder–decoder, the source.
        second: the second text of a pair, or the target; None for one text alone.
        masked: the tokens that are hidden behind the model's mask token, from 0.
        more: ids of tokens that the model has written on, behind the text or the target.
        causal: whether later tokens are hidden in an encoder, which was trained without a mask.
    """

    model: str
    text: str
    second: str | None = None
    masked: tuple[int, ...] = ()
    more: tuple[int, ...] = ()
    causal: bool = False
