"""The evidence beside a verdict: how often such verdicts are right, and what the cosine suggests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ...records.inflections import form_of
from ...records.sense_axis import SenseAxis
from ...records.spelling import UNCASED, Spelling
from ..maps.trajectory import WordPath
from ..similarity import cosine
from .same_sense_baseline import SameSenseBaseline, same_sense_baseline
from .verdict import Answer, Bounds, Calibration, Ends, OutOfDictionary, Side, kind_of

LEAST_SENTENCES = 2  # of a sense, for a pair of that sense


@dataclass(frozen=True)
class Standing:
    """A word of an end that occurs in one of the sentences, in any form.

    Attributes:
        word: the word of the end.
        end: the index of the end.
        text: the sentence: 0 for the first, 1 for the second.
    """

    word: str
    end: Side
    text: int


@dataclass(frozen=True, eq=False)
class HowSure:
    """The evidence beside a verdict.

    Attributes:
        ends: the kind of ends; None if it was not measured.
        bounds: how often verdicts with such ends are given and right; None if that is unknown.
        standing: the words of the ends that occur in the sentences. It is no surprise if a sentence
            with *river* is on the side of *river*.
        cosine: the cosine similarity of the word's two vectors at the last layer, −1 to 1.
        labelled: the cosines of labelled sentences, of one sense and of two; None if there are none.
    """

    ends: Ends | None
    bounds: Bounds | None
    standing: tuple[Standing, ...]
    cosine: float
    labelled: SameSenseBaseline | None

    @property
    def cosine_says(self) -> Answer | None:
        """What the cosine suggests, compared with pairs of one sense; None without such pairs.

        Below them it suggests two meanings, above them one. Usually it lies within their range and
        suggests nothing, even if the meanings differ: cosine alone says little.
        """
        if self.labelled is None:
            return None
        same = self.labelled.same
        if self.cosine < float(same.low[-1]):
            return "two meanings"
        return "one meaning" if self.cosine > float(same.high[-1]) else "not clear"


def how_sure(
    axis: SenseAxis,
    a: WordPath,
    b: WordPath,
    texts: tuple[str, str],
    calibration: Calibration | None,
    labelled: Mapping[str, Sequence[WordPath]] | None = None,
    spelling: Spelling = UNCASED,
    out_of_dictionary: OutOfDictionary | None = None,
) -> HowSure:
    """Gather the evidence beside a verdict.

    Args:
        axis: the sense axis.
        a: the path of the word in the first sentence.
        b: its path in the second sentence.
        texts: the two sentences.
        calibration: the calibration of the axis's model; None if it was not measured.
        labelled: sense -> the paths of the word in labelled sentences of this sense, from the same
            model.
        spelling: which spellings this model reads alike.
        out_of_dictionary: how ends out of a dictionary came about; None for others.
    """
    kind = out_of_dictionary or kind_of(axis.frames)
    bounds = None if calibration is None or kind is None else calibration.bounds.get(kind)
    similarity = float(cosine(a.vectors[-1][None], b.vectors[-1][None])[0, 0])
    groups = labelled or {}
    enough = len(groups) > 1 and any(len(paths) >= LEAST_SENTENCES for paths in groups.values())
    return HowSure(
        kind,
        bounds,
        standing(axis, texts, spelling),
        similarity,
        same_sense_baseline(groups) if enough else None,
    )


def standing(
    axis: SenseAxis, texts: Sequence[str], spelling: Spelling = UNCASED
) -> tuple[Standing, ...]:
    """The words of the two ends that occur in some sentences."""
    ends: tuple[tuple[Side, tuple[str, ...]], ...] = (
        ("low", axis.frames.low.words),
        ("high", axis.frames.high.words),
    )
    return tuple(
        Standing(word, end, number)
        for number, text in enumerate(texts)
        for end, words in ends
        for word in words
        if form_of(text, word, spelling) is not None
    )
