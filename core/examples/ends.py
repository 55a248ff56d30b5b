"""The ends of a word's axis: all anchor words and labelled sentences of its two senses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..records.inflections import same_word
from ..records.spelling import UNCASED, Spelling
from .anchors import ANCHORS
from .sentences import labelled, words


class KnownEnds(NamedTuple):
    """The ends of the axis of a labelled word, as `Model.sense_axis` takes them.

    Attributes:
        word: the word, in the singular.
        names: the names of the two senses, low and high.
        low: anchor words and labelled sentences of the sense at −1.
        high: those of the sense at +1.
    """

    word: str
    names: tuple[str, str]
    low: tuple[str, ...]
    high: tuple[str, ...]


def known_word(word: str, spelling: Spelling = UNCASED) -> str | None:
    """The labelled word of which this is a form; None if there is none."""
    return next((one for one in words() if same_word(one, word, spelling)), None)


def known_ends(
    word: str, texts: Sequence[str] = (), spelling: Spelling = UNCASED, *, causal: bool = False
) -> KnownEnds | None:
    """The ends of a labelled word; None for other words.

    Args:
        word: the word, or another form of it.
        texts: the texts to be judged. A labelled sentence that equals one of them is left out, because
            it would be measured against itself.
        spelling: which spellings the model reads alike.
        causal: whether it reads from left to right, and needs sentences with the cue before the word.
    """
    own = known_word(word, spelling)
    if own is None:
        return None
    here = {_plain(text) for text in texts}
    ends = [
        group.words
        + tuple(
            s.text
            for s in labelled(own, causal=causal)
            if s.sense == group.name and _plain(s.text) not in here
        )
        for group in ANCHORS[own]
    ]
    low, high = ANCHORS[own]
    return KnownEnds(own, (low.name, high.name), *ends)


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()
