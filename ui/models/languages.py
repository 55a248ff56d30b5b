"""Which languages a model knows, as far as that is known (Markdown)."""

from __future__ import annotations

from collections.abc import Sequence

from core.measures import looks_foreign
from core.records.sense_axis import FRAMES_LANGUAGE
from core.settings import CATALOGUE
from ui.models import answers, session_models

_ALONE = (
    "**{name} was trained on English alone.** For sentences in other languages, choose "
    "*Multilingual MiniLM* in the list of models (471 MB from the model hub, on first use)."
)


def known(model: str) -> str:
    """The languages that the model knows; empty if that is unknown."""
    entry = CATALOGUE.get(model)
    if entry is None or not entry.english_alone:
        return ""
    return _ALONE.format(name=entry.title.partition(",")[0])


def of_frames(model: str) -> str:
    """A note that the frames of the axis are English, for a model that also knows other languages."""
    if known(model) or session_models.is_own(model):
        return ""
    return f"The frames are in {FRAMES_LANGUAGE}, whatever the language of your sentences."


def foreign(model: str, text: str) -> bool:
    """Whether a text looks like a language that the model does not know; this is only a guess.

    Raises:
        PolyseeError: see `answers.trace`.
    """
    return bool(known(model) and text.strip()) and looks_foreign(text, answers.trace(model, text))


def warning(model: str, texts: Sequence[str]) -> str:
    """A warning beside texts of which one seems to be in a language that the model does not know.

    Raises:
        PolyseeError: see `answers.trace`.
    """
    return known(model) if any(foreign(model, text) for text in texts) else ""
