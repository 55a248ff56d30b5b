"""Corpus: every occurrence of a word in many texts, by meaning.

`choose` draws the controls, `concordance` the lines and the chosen one, `near` what is used like it,
`change` the shares over a column, `layers` the map; `building` shows the progress of the first corpus.
"""
