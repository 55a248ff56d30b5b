"""Meanings of English words, each named by a few words, out of WordNet 3.1; and their lemmas.

`tools/dictionary.py` makes the table. It holds words alone: no definitions, no sentences.
`unshown` knows the words that a class's screen hides.
"""

from .meanings import NOTICE, TABLE, lemma, meanings_of
from .unshown import is_unshown

__all__ = ["NOTICE", "TABLE", "is_unshown", "lemma", "meanings_of"]
