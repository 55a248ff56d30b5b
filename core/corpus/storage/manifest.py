"""The manifest: the one file that says what a corpus holds, and which version of it is published.

It is replaced as a whole, last of all, so that a reader sees the corpus before a build or after it, and
never half of it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from ...errors import CorpusError
from ...reading.records import Skipped
from ..whole_file import write_whole
from .columns import Kind
from .layers import Layer

FORMAT = 2
_READS = (1, FORMAT)
# The rules by which a text is split into words and words are found. By the former ones, each Chinese
# character was a word, "l'eau" was one, and "café" was not "cafe", however the model reads them.
RULES, FORMER_RULES = 2, 1
FILE = "manifest.json"
MOST_SKIPPED = 1_000  # are listed one by one; all are counted


@dataclass(frozen=True)
class Manifest:
    """What a corpus holds.

    Attributes:
        model: the name of the model.
        checksum: SHA-256 of its weights.
        cased: whether it distinguishes upper and lower case.
        width: d_model, the length of each vector.
        layers: the layers that are kept.
        language: the language by whose rules sentences were split.
        columns: the columns of the texts, and their kinds.
        sources: the names of the files -> BLAKE2b of their contents.
        sentences: the number of sentences.
        words: the number of word occurrences.
        next_sentence: the number that the next sentence will get; numbers are never used again.
        runs: how many sorted runs the table of words consists of.
        generation: the folder of the tables.
        words_version: the version of the table of words that is published.
        sentences_version: the same of the table of sentences.
        indexed: the layers (from 0) with an index over the vectors of all words.
        versions: of the packages that wrote it.
        skipped: what was left out of the texts, the first `MOST_SKIPPED`.
        skipped_count: how much was left out.
        readings: how files were read, in words, the first `MOST_SKIPPED`.
        rules: which rules of words hold in it: `RULES`, or `FORMER_RULES`.
        normalizer: what the model's tokenizer makes of a word, as JSON (see
            `core.pretrained.tokenizer.normalisation`); "" if it makes nothing of it.
    """

    model: str
    checksum: str
    cased: bool
    width: int
    layers: tuple[Layer, ...]
    language: str
    columns: Mapping[str, Kind]
    sources: Mapping[str, str]
    sentences: int
    words: int
    next_sentence: int
    runs: int
    generation: str
    words_version: int
    sentences_version: int
    indexed: tuple[int, ...] = ()
    versions: Mapping[str, str] = field(default_factory=dict)
    skipped: tuple[Skipped, ...] = ()
    skipped_count: int = 0
    readings: Mapping[str, str] = field(default_factory=dict)
    rules: int = FORMER_RULES
    normalizer: str = ""

    def write(self, folder: Path) -> None:
        """Publish it: replace the manifest of a corpus at once."""
        write_whole(folder / FILE, json.dumps({"format": FORMAT, **asdict(self)}, indent=1))


def read(folder: Path) -> Manifest:
    """The manifest of a corpus.

    Raises:
        CorpusError: there is none, or it cannot be read by this Polysee.
    """
    file = folder / FILE
    try:
        text = file.read_text("utf-8")
    except (FileNotFoundError, NotADirectoryError):
        raise CorpusError(
            f"There is no corpus in “{folder}”. Build one with: polysee corpus build TEXTS --out DIR"
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        raise CorpusError(f"The manifest {file} cannot be read: {error}.") from error
    try:
        given: dict[str, Any] = json.loads(text)
        version = given.pop("format")
        if version not in _READS:
            made = "a newer" if isinstance(version, int) and version > FORMAT else "an older"
            raise CorpusError(
                f"The corpus in “{folder}” has the format {version}, of {made} Polysee; this one reads "
                f"{FORMAT}. Build it again from its texts, or use the other Polysee."
            )
        return _parsed(given)
    except CorpusError:
        raise
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise CorpusError(f"The manifest {file} is damaged. Build the corpus again.") from error


def exists(folder: Path) -> bool:
    """Whether a folder holds a published corpus."""
    return (folder / FILE).is_file()


def _parsed(given: dict[str, Any]) -> Manifest:
    layers = tuple(
        Layer(int(one["layer"]), tuple(one["names"]), one["accuracy"]) for one in given.pop("layers")
    )
    skipped = tuple(Skipped(**one) for one in given.pop("skipped"))
    indexed = tuple(map(int, given.pop("indexed")))
    return Manifest(layers=layers, skipped=skipped, indexed=indexed, **given)
