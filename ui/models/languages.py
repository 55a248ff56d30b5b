"""Which languages a model knows, as far as we know it (Markdown)."""

from __future__ import annotations

from collections.abc import Sequence

from core.measures import looks_foreign
from core.records.sense_axis import FRAMES_LANGUAGE
from core.settings import CATALOGUE
from ui.models import answers, session_models

_ALONE = (
    "**{name} learned from English alone.** For sentences in other languages, choose "
    "*Multilingual MiniLM* in the list of models (471 MB from the model hub, on first use)."
)


def known(model: str) -> str:
    """Which languages the model knows; empty where we do not know."""
    entry = CATALOGUE.get(model)
    if entry is None or not entry.english_alone:
        return ""
    return _ALONE.format(name=entry.title.partition(",")[0])


def of_frames(model: str) -> str:
    """That the frames of the axis are English, for a model that knows other languages too."""
    if known(model) or session_models.is_own(model):
        return ""
    return f"The frames are in {FRAMES_LANGUAGE}, whatever the language of your sentences."


def foreign(model: str, text: str) -> bool:
    """Whether a text looks like a language that the model does not know: a guess.

    Raises:
        PolyseeError: as `answers.trace`.
    """
    return bool(known(model) and text.strip()) and looks_foreign(text, answers.trace(model, text))


def warning(model: str, texts: Sequence[str]) -> str:
    """What to say beside texts of which one does not look like one that the model can read.

    Raises:
        PolyseeError: as `answers.trace`.
    """
    return known(model) if any(foreign(model, text) for text in texts) else ""
