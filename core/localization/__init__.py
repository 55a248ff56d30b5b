"""The language of the screen: messages are English in the code, and a catalogue has their translations.

A message is marked where it stands: `_("Reveal")`, `ngettext("{n} step", "{n} steps", n)`. Its
translations are in gettext catalogues, `locales/de.po` for German: one file a language, which
translators' tools open. Babel reads them, with their rules for plurals, and knows how a language writes
numbers. `python -m tools.messages` brings every catalogue up to date with the code. A message that a
catalogue does not have stays English; `tests/tools/test_messages.py` finds each one that is missing.

Which language it is belongs to the context: a run of a page, or a request, sets it. Where nothing has
set it, whoever serves visitors is asked; else it is English.
"""

from .catalogues import (
    ENGLISH,
    Language,
    current,
    languages,
    look_up,
    preferred,
    spoken,
    use,
)
from .messages import N_, _, decimal, each, gettext, ngettext, pgettext, said

__all__ = [
    "ENGLISH",
    "N_",
    "Language",
    "_",
    "current",
    "decimal",
    "each",
    "gettext",
    "languages",
    "look_up",
    "ngettext",
    "pgettext",
    "preferred",
    "said",
    "spoken",
    "use",
]
