"""Which languages a model knows, as far as that is known (Markdown)."""

from __future__ import annotations

from collections.abc import Sequence

from ..localization import N_, _, gettext
from ..measures import looks_foreign
from ..records.sense_axis import FRAMES_LANGUAGE
from ..records.trace import Trace
from ..settings import CATALOGUE
from .source import Source

_ALONE = N_(
    "**{name} was trained on English alone.** For sentences in other languages, choose "
    "*Multilingual MiniLM* in the list of models (471 MB from the model hub, on first "
    "use)."
)


def known(model: str) -> str:
    """The languages that the model knows; empty if that is unknown."""
    entry = CATALOGUE.get(model)
    if entry is None or not entry.english_alone:
        return ""
    return gettext(_ALONE).format(name=entry.title.partition(",")[0])


def of_frames(model: str, *, toy: bool = False) -> str:
    """A note that the frames of the axis are English, for a model that also knows other languages.

    Args:
        model: its name.
        toy: whether it knows only our toy language, whose axis is made of sentences alone.
    """
    if known(model) or toy:
        return ""
    return _("The frames are in {language}, whatever the language of your sentences.").format(
        language=gettext(FRAMES_LANGUAGE)
    )


def foreign(model: str, text: str, trace: Trace) -> bool:
    """Whether a text looks like a language that the model does not know; this is only a guess."""
    return bool(known(model) and text.strip()) and looks_foreign(text, trace)


def warning(source: Source, texts: Sequence[str]) -> str:
    """A warning beside texts of which one seems to be in a language that the model does not know.

    Raises:
        PolyseeError: see `Model.trace`.
    """
    note = known(source.model)
    read = [(text, source.trace(text)) for text in texts if note and text.strip()]
    return note if any(foreign(source.model, text, trace) for text, trace in read) else ""
