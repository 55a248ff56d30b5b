"""What is chosen on a page: a word of a sentence, and the two ends that it is measured between."""

from __future__ import annotations

from typing import NamedTuple


class Chosen(NamedTuple):
    """A sentence and one occurrence of a word in it: `trace.find(word, number)`."""

    text: str
    word: str
    number: int


class Ends(NamedTuple):
    """Between what a word is measured: words that name a sense, and sentences that hold the word.

    Attributes:
        names: what the ends at −1 and +1 are called.
        low: what the end at −1 is made of, as `Model.sense_axis` takes it.
        high: the same at +1.
        proposed: whether they were drawn from the sentences on the page: then they get no verdict.
    """

    names: tuple[str, str]
    low: tuple[str, ...]
    high: tuple[str, ...]
    proposed: bool = False
