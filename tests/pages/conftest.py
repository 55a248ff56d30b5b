"""What every test of a page needs."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(scope="session", autouse=True)
def opens_at_once(docs_corpus: Path) -> None:
    """The page Corpus has what it opens on."""
