"""The different values of a column of a corpus, read once for all visitors."""

from __future__ import annotations

from core.corpus import Corpus
from core.corpus.storage.columns import Value
from core.memory import cached
from ui.corpora.offered import Offered, opened


def values_of(corpus: Offered, column: str) -> list[Value]:
    """See `Corpus.values`.

    Raises:
        CorpusError: it cannot be read, or has no such column.
    """
    found, version = opened(corpus)
    return _values((corpus.name, version, column), found)


@cached(key=lambda key, corpus: key)
def _values(key: tuple[str, str, str], corpus: Corpus) -> list[Value]:
    return corpus.values(key[2])
