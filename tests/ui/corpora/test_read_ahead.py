"""The table for queries is there before the first query."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from ui.corpora import offered


@pytest.mark.check
def test_an_opened_corpus_has_its_table_before_it_is_asked(docs_corpus: Path) -> None:
    corpus = offered._opened(docs_corpus, "read ahead")
    end = time.monotonic() + 30
    while "_shapes" not in vars(corpus) and time.monotonic() < end:
        time.sleep(0.05)
    assert {"tokens", "_shapes"} <= vars(corpus).keys()
