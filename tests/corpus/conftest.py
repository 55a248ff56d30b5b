"""Small texts, and their corpus by real MiniLM."""

from __future__ import annotations

from pathlib import Path

import pytest

import core
from core import corpus
from core.corpus.storage.manifest import Manifest

LETTERS = [
    ("1990", "money", "The bank raised its rates. She took the cash to the bank!"),
    ("1990", "river", "We sat on the grassy bank. The boat touched the bank of the river."),
    ("2005", "money", "A clerk at the bank counted the notes twice."),
    ("2005", "river", "Reeds grew along the bank, and the bank's roof was far away."),
    ("2005", "", "Don't forget 'quotes', 42 apples and the naïve café 🎣."),
]


def write_letters(file: Path, rows: list[tuple[str, str, str]] = LETTERS) -> Path:
    lines = ["year,genre,text", *(f'{year},{genre},"{text}"' for year, genre, text in rows)]
    file.write_text("\n".join(lines) + "\n", "utf-8")
    return file


@pytest.fixture(scope="session")
def letters(minilm: core.Model, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a corpus of letters; tests only read it."""
    folder = tmp_path_factory.mktemp("letters")
    write_letters(folder / "letters.csv")
    (folder / "note.txt").write_text("My savings are in the bank.\n\nThe bank was steep.", "utf-8")
    corpus.build(
        [folder / "letters.csv", folder / "note.txt"],
        folder / "corpus",
        model=minilm,
        layers=("2", "last"),
    )
    return folder / "corpus"


@pytest.fixture(scope="session")
def manifest(letters: Path) -> Manifest:
    """Its manifest."""
    from core.corpus.storage.manifest import read

    return read(letters)
