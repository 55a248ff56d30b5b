"""Meanings of English words, each named by a few words, out of WordNet 3.1; and their lemmas.

`tools/dictionary.py` makes the table. It holds words alone: no definitions, no sentences.
`glosses` has the beginning of each meaning's definition, for readers; no model sees it.
`part_of_speech` says which of the meanings a word may have where it stands.
`unshown` knows the words that a class's screen hides.
"""

from .glosses import GLOSSES, MOST_GLOSS, glosses_of
from .meanings import NOTICE, TABLE, every_meaning, lemma, meanings_of, parts_of
from .part_of_speech import ANY, possible_parts
from .unshown import is_unshown

__all__ = [
    "ANY",
    "GLOSSES",
    "MOST_GLOSS",
    "NOTICE",
    "TABLE",
    "every_meaning",
    "glosses_of",
    "is_unshown",
    "lemma",
    "meanings_of",
    "parts_of",
    "possible_parts",
]
