"""The manifest: the one file that says what a corpus holds, and which version of it is published.

It is replaced as a whole, last of all, so that a reader sees the corpus before a build or after it, and
never half of it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from ...errors import CorpusError, in_short
from ...reading.understood import Skipped
from ...untrusted import Misfit, NoName, NotJson, entry, record
from ...untrusted import read as read_json
from ..whole_file import write_whole
from . import readme
from .columns import Kind
from .layers import Layer

FORMAT = 2
RULES = 2  # the version of the rules by which a text is split into words, and words are found
FILE = "manifest.json"
MOST_SKIPPED = 1_000  # are listed one by one; all are counted
_MOST_BYTES = 200_000_000  # a million files take about 100 MB
_MOST, _MOST_WIDTH, _MOST_LAYERS = 2**53, 2**20, 10_000
_GENERATION = re.compile(r"[0-9]{6,12}")


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
        rules: the version of the rules of words by which it was made.
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
    rules: int = RULES
    normalizer: str = ""

    def of_sources(self, names: Collection[str]) -> Manifest:
        """The manifest without the other files, and without what was left out of them."""
        kept = tuple(one for one in self.skipped if one.source in names)
        return replace(
            self,
            sources={name: digest for name, digest in self.sources.items() if name in names},
            readings={name: read for name, read in self.readings.items() if name in names},
            skipped=kept,
            skipped_count=self.skipped_count - len(self.skipped) + len(kept),
        )

    def write(self, folder: Path) -> None:
        """Publish it: replace the manifest at once, after what the folder says of itself."""
        write_whole(folder / readme.FILE, readme.readme(self))
        write_whole(folder / FILE, json.dumps({"format": FORMAT, **asdict(self)}, indent=1))


def read(folder: Path) -> Manifest:
    """The manifest of a corpus.

    Raises:
        CorpusError: there is none, or it cannot be read by this Polysee.
    """
    file = folder / FILE
    try:
        given = read_json(file, most_bytes=_MOST_BYTES)
    except (FileNotFoundError, NotADirectoryError):
        raise CorpusError(
            "There is no corpus in “{folder}”. Build one with: polysee corpus build TEXTS --out DIR",
            folder=folder,
        ) from None
    except OSError as error:
        raise CorpusError(
            "The manifest {file} cannot be read: {in_short}",
            file=file,
            in_short=in_short(error),
        ) from error
    except NotJson as error:
        raise _damaged(file, error) from error
    version = given.pop("format", None) if isinstance(given, dict) else None
    if type(version) is int and version != FORMAT:
        made = "a newer" if version > FORMAT else "an older"
        raise CorpusError(
            "The corpus in “{folder}” has the format {version}, of {made} Polysee; this "
            "one reads {format}. Build it again from its texts, or use the other Polysee.",
            folder=folder,
            version=version,
            made=made,
            format=FORMAT,
        )
    try:
        if version != FORMAT:
            raise Misfit("it does not say which format it has")
        return _checked(record(Manifest, given))
    except (Misfit, NoName) as error:
        raise _damaged(file, error) from error


def exists(folder: Path) -> bool:
    """Whether a folder holds a published corpus."""
    return (folder / FILE).is_file()


def _damaged(file: Path, why: Exception) -> CorpusError:
    return CorpusError(
        "The manifest {file} is damaged: {why}. Build the corpus again.",
        file=file,
        why=why,
    )


def _checked(manifest: Manifest) -> Manifest:
    """The same manifest. Raises Misfit or NoName if its values cannot be those of a corpus."""
    counts = {
        name: value for name, value in vars(manifest).items() if type(value) is int and name != "width"
    }
    bounds = [(name, value, 0, _MOST) for name, value in counts.items()]
    bounds += [("width", manifest.width, 1, _MOST_WIDTH)]
    bounds += [("layer", one.layer, 0, _MOST_LAYERS) for one in manifest.layers]
    bounds += [("indexed", one, 0, _MOST_LAYERS) for one in manifest.indexed]
    for name, value, least, most in bounds:
        if not least <= value <= most:
            raise Misfit(f"{name} is {value}, not a number from {least} to {most}")
    if manifest.rules != RULES:
        raise Misfit(f"its rules of words are those of version {manifest.rules}, not {RULES}")
    if not manifest.layers:
        raise Misfit("it names no layer")
    if not _GENERATION.fullmatch(entry(manifest.generation)):
        raise NoName(f"the generation “{manifest.generation[:40]}” is no number")
    return manifest
