"""What every test of a page needs."""

from __future__ import annotations

import pytest

from tests import corpora


@pytest.fixture(scope="session", autouse=True)
def docs_corpus() -> None:
    """The page Corpus opens at once, on a small corpus, and builds none."""
    corpora.docs()
