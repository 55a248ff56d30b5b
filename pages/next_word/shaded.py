"""The text so far, shaded by how much each token surprised the model."""

from __future__ import annotations

from core.figures import Picture, shaded_text
from core.records.score import Score
from core.sentences import sentence
from pages.next_word import captions, hidden
from pages.next_word.state import NextWordState
from ui import figure, files, layout

BITS = 20.0  # end of the scale: a token of probability one in a million


def show(s: NextWordState, score: Score) -> None:
    """Draw the text so far."""
    figure.show(
        picture(score, len(s.written.get())),
        "surprise",
        saved_as=[files.csv(score.to_frame, "surprise")],
        scale=layout.scale(),
    )


def picture(score: Score, written: int = 0, *, most: float = BITS, name: str = "surprise") -> Picture:
    """The tokens in a row, the last `written` by the model. `most`: the end of the scale."""
    count = len(score.tokens)
    return shaded_text(
        hidden.pieces(score.pieces),
        score.bits,
        kind="weights",
        most=most,
        unit="bits of surprise",
        notes=[captions.expected(score, i) for i in range(count)],
        first_written=count - written if written else None,
        sentence=sentence("next-word.text", count=str(count)),
        name=name,
    )
