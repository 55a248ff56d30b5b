"""The text so far, shaded by how much each token surprised the model."""

from __future__ import annotations

import numpy as np

from core.figures import Picture, shaded_text
from core.figures.scales import rounded_up
from core.localization import _
from core.records.score import Score
from core.sentences import sentence
from pages.next_word import captions, hidden
from pages.next_word.state import NextWordState
from ui import figure, files, layout

BITS = 20.0  # end of the scale, or further: a token of probability one in a million


def show(s: NextWordState, score: Score) -> Picture:
    """Draw the text so far; returns the picture."""
    drawn = picture(score, len(s.written.get()))
    figure.show(
        drawn,
        "surprise",
        saved_as=[files.csv(score.to_frame, "surprise")],
        scale=layout.scale(),
    )
    return drawn


def scale_of(*scores: Score) -> float:
    """The end of one scale for some texts: `BITS`, or more if a token surprises more."""
    return max(BITS, *(rounded_up(float(np.nanmax(one.bits, initial=0.0))) for one in scores))


def picture(
    score: Score, written: int = 0, *, most: float | None = None, name: str = "surprise"
) -> Picture:
    """The tokens in a row, the last `written` by the model. `most`: the end of the scale."""
    count = len(score.tokens)
    return shaded_text(
        hidden.pieces(score.pieces),
        score.bits,
        kind="weights",
        most=scale_of(score) if most is None else most,
        unit=_("bits of surprise"),
        title=sentence("next-word.bits"),
        notes=[captions.expected(score, i) for i in range(count)],
        first_written=count - written if written else None,
        sentence=sentence("next-word.text", count=str(count)),
        name=name,
    )
