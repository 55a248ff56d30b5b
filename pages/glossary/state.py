"""The fields of the Glossary page, in the session and in the link."""

from __future__ import annotations

from core import glossary
from ui.state import Field, PageState, Switch


def _known(anchor: str) -> str:
    """The anchor of a term, or "" for none; anything else is refused."""
    if anchor and glossary.find(anchor) is None:
        raise ValueError(anchor)
    return anchor


class GlossaryState(PageState):
    """The requested term, and the search text."""

    term = Field("g", "glossary term", "", parse=_known)
    typed = Field("f", "glossary typed", "", parse=str)
    python = Switch("py", "glossary python")
