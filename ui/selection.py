"""Choices on a page: a word of a sentence, and the two ends of the axis on which it is measured."""

from __future__ import annotations

from typing import NamedTuple


class Chosen(NamedTuple):
    """A sentence and one occurrence of a word in it: `trace.find(word, number)`."""

    text: str
    word: str
    number: int


class Ends(NamedTuple):
    """The two ends of a word's axis: words that name a sense, and sentences that contain the word.

    Attributes:
        names: the names of the ends at −1 and +1.
        low: the words and sentences of the end at −1, as for `Model.sense_axis`.
        high: those of the end at +1.
        proposed: whether they were drawn from the sentences on the page; such ends give no verdict.
    """

    names: tuple[str, str]
    low: tuple[str, ...]
    high: tuple[str, ...]
    proposed: bool = False
