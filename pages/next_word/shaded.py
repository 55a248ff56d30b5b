"""The text so far, shaded by how much each token surprised the model."""

from __future__ import annotations

from functools import partial

import pandas as pd

from core.figures import Picture, shaded_text
from core.memory import cached
from core.records.score import Score
from pages.next_word import captions
from pages.next_word.state import NextWordState
from ui import figure, files, layout
from ui.models import model_cache
from ui.models.attempt import attempt

BITS = 20.0  # end of the scale: a token of probability one in a million


def show(s: NextWordState, model: str) -> Score | None:
    """Draw the text; None if it cannot be scored, with the reason on the page."""
    score = attempt(scored, model, s.text.get(), s.written.get())
    if score is None:
        return None
    figure.show(
        picture(score, len(s.written.get())),
        "surprise",
        saved_as=[files.csv(partial(_table, score), "surprise")],
        scale=layout.scale(),
    )
    return score


def scored(model: str, typed: str, written: tuple[int, ...]) -> Score:
    """The surprise at each token of a text and its continuation.

    Raises:
        PolyseeError: see `Model.score`.
    """
    model_cache.model(model)
    return _scored(model, typed, written)


@cached()
def _scored(model: str, typed: str, written: tuple[int, ...]) -> Score:
    return model_cache.model(model).score(typed, more=written)


def picture(score: Score, written: int) -> Picture:
    """The tokens in a row; the last `written` were written by the model."""
    count = len(score.tokens)
    return shaded_text(
        pieces(score),
        score.bits,
        kind="weights",
        most=BITS,
        unit="bits of surprise",
        notes=[captions.expected(score, i) for i in range(count)],
        first_written=count - written if written else None,
        sentence=f"The text in {count} tokens, each shaded by its surprise in bits.",
        name="surprise",
    )


def pieces(score: Score) -> list[str]:
    """Each token as it stands in the text, with the spaces before it; a special one by its name."""
    found, end = [], 0
    for token, (start, stop) in zip(score.tokens, score.offsets, strict=True):
        found.append(score.text[end:stop] if stop > start else token)
        end = max(end, stop)
    return found


def _table(score: Score) -> pd.DataFrame:
    return score.to_frame()
