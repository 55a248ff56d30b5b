"""Meanings of English words, each named by a few words, out of WordNet 3.1; and their lemmas.

`tools/dictionary.py` makes the table. It holds words alone: no definitions, no sentences.
"""

from .meanings import NOTICE, TABLE, lemma, meanings_of

__all__ = ["NOTICE", "TABLE", "lemma", "meanings_of"]
