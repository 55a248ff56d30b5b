"""Meanings of English words, each named by a few words, out of WordNet 3.1; and their lemmas.

`tools/dictionary.py` makes the table. It holds words alone: no definitions, no sentences.
`part_of_speech` says which of the meanings a word may have where it stands.
`unshown` knows the words that a class's screen hides.
"""

from .meanings import NOTICE, TABLE, lemma, meanings_of, parts_of
from .part_of_speech import ANY, possible_parts
from .unshown import is_unshown

__all__ = [
    "ANY",
    "NOTICE",
    "TABLE",
    "is_unshown",
    "lemma",
    "meanings_of",
    "parts_of",
    "possible_parts",
]
