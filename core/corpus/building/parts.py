"""Staged parts of a build: what is embedded, but not yet published.

Each part holds a fixed stretch of the sentences, under its number. Its rows of words are sorted by
hash, so that each shard, a range of hashes, is one slice of each part, and one read from its file
alone. A part is complete or absent: writing it again writes the same, and a build that was killed goes
on at the first part that is missing.
"""

from __future__ import annotations

import json
import os
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa

from ...errors import CorpusError, in_short
from ...reading.understood import Skipped
from ...untrusted import parse, record
from ..storage.tables import in_order
from .embed import Part

SENTENCES = 512  # of a part: what a kill may cost, about 10 s on two cores


@dataclass(frozen=True)
class Parts:
    """The parts in a folder."""

    folder: Path

    def has(self, number: int) -> bool:
        """Whether a part is complete."""
        return self._file(number, "words").is_file()

    def write(self, number: int, part: Part) -> None:
        """Stage a part; its rows of words come last and complete it.

        Raises:
            CorpusError: it cannot be written, because the disk is full or otherwise.
        """
        report = {b"skipped": json.dumps([asdict(one) for one in part.skipped]).encode()}
        try:
            self.stage(number, "sentences", part.sentences.replace_schema_metadata(report))
            self.stage(number, "words", part.words)
        except (OSError, pa.ArrowException) as error:
            raise CorpusError(
                f"Part {number + 1} could not be written to {self.folder}: {in_short(error)} What was "
                "finished before is kept: make room, and start the same build again."
            ) from error

    def stage(self, number: int, of: str, table: pa.Table) -> None:
        """Write one table of a part, under a name that says what it is of: wholly, or not at all."""
        self.folder.mkdir(parents=True, exist_ok=True)
        _write(self._file(number, of), table)

    def table(self, number: int, of: str) -> pa.Table:
        """One table of a part, mapped: only what is used of it is read."""
        return _read(self._file(number, of))

    def sentences(self, count: int) -> Iterator[pa.RecordBatch]:
        """The rows of sentences of the first `count` parts, in order."""
        for number in range(count):
            yield from _read(self._file(number, "sentences")).to_batches()

    def skipped(self, count: int) -> Iterator[Skipped]:
        """What was left out when the first `count` parts were embedded."""
        for number in range(count):
            metadata = _read(self._file(number, "sentences")).schema.metadata or {}
            for one in parse(metadata.get(b"skipped", b"[]")):
                yield record(Skipped, one)

    def rows(self, count: int) -> int:
        """The number of rows of words in the first `count` parts."""
        return sum(_read(self._file(number, "words")).num_rows for number in range(count))

    def words(self, count: int, ranges: Sequence[tuple[int, int]]) -> Iterator[pa.RecordBatch]:
        """The rows of words of the first `count` parts, sorted, one range of hashes after the other."""
        tables = [_read(self._file(number, "words")) for number in range(count)]
        hashes = [table["hash"].to_numpy() for table in tables]
        for first, behind in ranges:
            slices = []
            for table, of in zip(tables, hashes, strict=True):
                begin, end = np.searchsorted(of, [first, behind])
                slices.append(table.slice(begin, end - begin))
            if tables:
                yield from in_order(pa.concat_tables(slices)).to_batches()

    def _file(self, number: int, of: str) -> Path:
        return self.folder / f"{number:07}.{of}.arrow"


def _write(file: Path, table: pa.Table) -> None:
    # A name of its own: two machines may write the same part, if one of them was taken for dead.
    new = file.with_name(f".{file.name}.{uuid.uuid4().hex}")
    try:
        with new.open("wb") as stream:
            with pa.ipc.new_file(stream, table.schema) as writer:
                writer.write_table(table)
            stream.flush()
            os.fsync(stream.fileno())
        new.replace(file)
    except BaseException:
        new.unlink(missing_ok=True)  # a full disk is not filled further by each new attempt
        raise


def _read(file: Path) -> pa.Table:
    """A part's table, mapped: only what is used of it is read."""
    with pa.memory_map(str(file)) as source:
        return pa.ipc.open_file(source).read_all()
