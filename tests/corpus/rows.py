"""All rows of a published corpus, read by LanceDB itself, for comparison."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa

from core.corpus.storage.manifest import read
from core.corpus.storage.store import SENTENCES, WORDS, Generation


def tables(folder: Path) -> tuple[pa.Table, pa.Table]:
    """The published rows of words and of sentences, in the order in which they are stored."""
    manifest = read(folder)
    generation = Generation(folder, manifest.generation)
    return (
        generation.table(WORDS, manifest.words_version).search().to_arrow(),
        generation.table(SENTENCES, manifest.sentences_version).search().to_arrow(),
    )


def comparable(words: pa.Table) -> pa.Table:
    """The rows in an order that does not depend on the runs."""
    return words.sort_by([("sentence", "ascending"), ("position", "ascending")])
