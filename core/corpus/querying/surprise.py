"""How surprising a word is in its line: bits by a language model that has read what stands before it.

An unexpected use is often a new one, or a mistake. The model reads the line from its first word, and
nothing that stands after the word; a word at the beginning of its line has no number, and neither has
one in a line that the model cannot read.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from ...errors import PolyseeError
from ...records.score import Score
from .concordance import Lines

if TYPE_CHECKING:
    from ...pretrained.text_model import TextModel


def bits_of(score: Score, start: int, end: int) -> float:
    """The surprise at the characters from `start` to `end`: the sum over their tokens, in bits.

    NaN where nothing stands before them, or where they did not fit the model. A token counts that has
    one of these characters; what it holds besides, such as the blank before the word, counts with it.

    Args:
        score: the record of the text.
        start: the first character of the word.
        end: the character after its last one.
    """
    if score.left_out is not None and end > score.left_out[0]:
        return float("nan")
    own = [
        bits for bits, (a, b) in zip(score.bits, score.offsets, strict=True) if a < end and b > start
    ]
    return float(np.sum(own)) if own else float("nan")


def surprises(lines: Lines, model: TextModel, done: int = 0) -> Iterator[float]:
    """The bits of the word in each line, in their order; each sentence is read once at a time.

    Args:
        lines: the lines.
        model: a model that predicts the next token.
        done: how many lines are passed over, since their numbers are there.

    Raises:
        NotSupported: the model does not predict.
    """
    last: tuple[int, Score | None] = (-1, None)
    for number, (start, end) in list(zip(lines.sentences, lines.spans, strict=True))[done:]:
        if last[0] != number:
            try:
                # what stands after the word changes nothing that the model says before it
                last = number, model.score(lines.texts[number])
            except PolyseeError:
                if model.predicts != "next":  # no line has a number: it says why
                    raise
                last = number, None
        score = last[1]
        yield float("nan") if score is None else bits_of(score, start, end)
