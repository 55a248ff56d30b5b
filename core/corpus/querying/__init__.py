"""Questions to a published corpus.

`corpus` answers them, by exact `cosines` wherever a word is named; `concordance` has the lines of a
word in groups of meaning, as the page *Corpus* shows them.
"""
