"""Tables and texts of any kind, read once and alike for Senses, Corpus and the command line.

    from core import reading
    found = reading.understand("reviews.csv")        # format, encoding, header, columns: guessed
    for passage in reading.passages("reviews.csv", found):
        ...

`formats` tells what a file is, by its content; `encodings` how its letters are written. `tables` reads
what has rows, `documents` what has paragraphs; `columns` finds the header, the texts and the labels,
`units` whether a line is a sentence or part of running text. `read` puts them together, `collect` does
so for a visitor's file, and `folders` finds files. Whatever is guessed can be said instead (`Choices`),
and whatever is left out is said (`Skipped`). Nothing here knows of models, of corpora or of the screen.
"""

from __future__ import annotations

from .collect import Collected, Sentence, collect, pasted, typed
from .files import File
from .folders import Source, sources
from .read import Passage, passages, understand
from .repeated import Merged, merge
from .understood import Choices, Skipped, Understood

__all__ = [
    "Choices",
    "Collected",
    "File",
    "Merged",
    "Passage",
    "Sentence",
    "Skipped",
    "Source",
    "Understood",
    "collect",
    "merge",
    "passages",
    "pasted",
    "sources",
    "typed",
    "understand",
]
