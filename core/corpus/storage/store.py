"""The tables of a corpus in LanceDB: one folder a generation; only whole versions are published.

An append adds one version to the tables. Merging and deleting write a new generation and remove the old
one, so that nothing of it is left: LanceDB would keep deleted rows in its files. What no manifest
names, an interrupted build left behind; it is rolled back before the next one.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from ...errors import CorpusError, in_short
from ...untrusted import entry
from ..extra import require
from .manifest import Manifest
from .tables import sentences_schema, words_schema

WORDS, SENTENCES = "words", "sentences"
FOLDER = "tables"
# Up to here, the vectors of all words are searched exactly, which takes about a tenth of a second.
EXACT_ROWS = 100_000
OFFSET = "_rowoffset"  # LanceDB's column of the places of rows in their table, from 0, at one version
_PARTITION, _MOST_PARTITIONS = 8_192, 128  # rows of a partition of the index; partitions
_BATCH = 4_096  # rows that are read at once: with 1,024, each batch costs more than its rows
# Rows of one scan in `stretches`. LanceDB reads far ahead: a scan of more takes new memory for all of
# them, page by page, which costs as much as the reading itself; so few get what was freed before.
_STRETCH = 20_000
_FEW = 1_000  # rows of a run below which a scan of its own costs more than a filter


def generation_name(number: int) -> str:
    """The folder of a generation, which counts from 1."""
    return f"{number:06}"


class Generation:
    """The tables in one folder."""

    def __init__(self, corpus: Path, name: str) -> None:
        self.name = entry(name)  # it may come out of a manifest
        self.folder = corpus / FOLDER / self.name

    @cached_property
    def _db(self) -> Any:
        return require("lancedb").connect(str(self.folder))  # which creates the folder

    def table(self, name: str, version: int | None = None) -> Any:
        """A table, at a version or at the latest.

        Raises:
            CorpusError: there is none, or not this version of it.
        """
        try:
            if not self.folder.is_dir():
                raise ValueError("its folder is missing")
            table = self._db.open_table(name)
            if version is not None:
                table.checkout(version)
        except (ValueError, RuntimeError, OSError) as error:  # with our paths in its text
            raise CorpusError(
                "The tables of “{name}” cannot be opened. If it is not being changed at this "
                "moment, build it again from its texts.",
                name=self.folder.parents[1].name,
            ) from error
        return table

    def append(self, name: str, schema: pa.Schema, rows: Iterator[pa.RecordBatch]) -> int:
        """Add rows to a table, which is created if need be, as one version; returns that version."""
        reader = pa.RecordBatchReader.from_batches(schema, rows)
        if name in self._db.list_tables().tables:
            table = self._db.open_table(name)
            table.add(reader)
        else:
            table = self._db.create_table(name, reader, schema=schema)
        return int(table.version)

    def index_column(self, name: str, column: str) -> int:
        """Index a column whose values are looked up; returns the version with the index."""
        from lancedb.index import BTree

        table = self._db.open_table(name)
        table.create_index(column, config=BTree(), replace=True)
        return int(table.version)

    def index_vectors(self, column: str) -> int:
        """Index the vectors of all words by their direction; returns the version with the index."""
        from lancedb.index import IvfRq

        table = self._db.open_table(WORDS)
        # LanceDB compares each row with the centre of each partition, in slow float16: beyond some
        # partitions, that would take hours. It would also train them on four times as many rows, for
        # up to 50 rounds, which finds no more neighbours.
        index = IvfRq(
            distance_type="cosine",
            num_bits=1,
            num_partitions=min(max(1, table.count_rows() // _PARTITION), _MOST_PARTITIONS),
            sample_rate=64,
            max_iterations=20,
        )
        table.create_index(column, config=index, replace=True)
        return int(table.version)

    def roll_back(self, name: str, version: int) -> None:
        """Undo what was added to a table after a version."""
        table = self.table(name)
        if table.version != version:
            self.table(name, version).restore()


def published(corpus: Path, manifest: Manifest) -> tuple[Any, Any]:
    """The tables of words and of sentences that a manifest names.

    Raises:
        CorpusError: they are not there, or have other columns than the manifest says.
    """
    generation = Generation(corpus, manifest.generation)
    words = generation.table(WORDS, manifest.words_version)
    sentences = generation.table(SENTENCES, manifest.sentences_version)
    for table, schema in (
        (words, words_schema(manifest.width, manifest.layers, manifest.columns)),
        (sentences, sentences_schema(manifest.columns)),
    ):
        if table.schema.names != schema.names or table.schema.types != schema.types:
            raise CorpusError(
                "The tables of this corpus do not have the columns that its manifest names. Build it "
                "again from its texts."
            )
    return words, sentences


def roll_back(corpus: Path, manifest: Manifest | None) -> None:
    """Remove what an interrupted build or deletion left behind: all that the manifest does not name."""
    tables = corpus / FOLDER
    for folder in sorted(tables.iterdir()) if tables.is_dir() else ():
        if manifest is None or folder.name != manifest.generation:
            shutil.rmtree(folder)
    if manifest is not None:
        generation = Generation(corpus, manifest.generation)
        generation.roll_back(WORDS, manifest.words_version)
        generation.roll_back(SENTENCES, manifest.sentences_version)


def batches(
    table: Any, where: str | None, columns: Sequence[str] | None = None, *, size: int = _BATCH
) -> Iterator[pa.RecordBatch]:
    """The rows of a table for which a filter holds, at most `size` at once.

    Raises:
        CorpusError: the filter is wrong, or the version is no longer there.
    """
    query = table.search()
    if where is not None:
        query = query.where(where)
    if columns is not None:
        query = query.select(list(columns))
    yield from _read(query, size)


def stretches(table: Any, where: str, column: str) -> Iterator[pa.RecordBatch]:
    """One column of the rows for which a filter holds, and their `OFFSET`, in any order.

    A word's rows lie together in each sorted run. Where they do, short stretches of the table are read
    without the filter, in half the time of one scan and in memory for one stretch.

    Raises:
        CorpusError: see `batches`.
    """
    both = (column, OFFSET)
    if table.count_rows(where) <= _STRETCH:
        yield from batches(table, where, both)
        return
    places = batches(table, where, (OFFSET,), size=_STRETCH)
    offsets = np.sort(np.concatenate([batch.column(OFFSET).to_numpy() for batch in places]))
    runs = _runs(offsets)
    if len(offsets) < _FEW * len(runs):
        yield from batches(table, where, both)
        return
    for first, behind in runs:
        for start in range(first, behind, _STRETCH):
            count = min(_STRETCH, behind - start)
            yield from _read(
                table.search().offset(start).limit(count).select(list(both)), _STRETCH // 2
            )


def _runs(offsets: npt.NDArray[np.uint64]) -> list[tuple[int, int]]:
    """Runs of neighbours in some ascending numbers: (first, one behind the last)."""
    breaks = np.flatnonzero(np.diff(offsets) != 1)
    firsts, lasts = offsets[np.r_[0, breaks + 1]], offsets[np.r_[breaks, len(offsets) - 1]]
    return [(int(first), int(last) + 1) for first, last in zip(firsts, lasts, strict=True)]


def _read(query: Any, size: int) -> Iterator[pa.RecordBatch]:
    try:
        yield from query.to_batches(size)
    except (ValueError, RuntimeError, OSError) as error:
        raise read_error(error) from error


def ahead(rows: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """The same batches; a thread reads the next one while the caller works on one."""
    with ThreadPoolExecutor(1) as reader:
        coming = reader.submit(next, rows, None)
        while (batch := coming.result()) is not None:
            coming = reader.submit(next, rows, None)
            yield batch


def taken(table: Any, rows: npt.NDArray[np.uint64], columns: Sequence[str]) -> pa.Table:
    """Some columns of the rows at these offsets, in their order.

    Raises:
        CorpusError: the version is no longer there.
    """
    try:
        query = table.take_offsets([int(one) for one in rows]).select([*columns, OFFSET])
        found = query.to_arrow()
    except (ValueError, RuntimeError, OSError) as error:
        raise read_error(error) from error
    there = found[OFFSET].to_numpy()  # in LanceDB's order
    return found.drop_columns([OFFSET]).take(np.argsort(there)[np.argsort(np.argsort(rows))])


def read_error(error: Exception) -> CorpusError:
    """LanceDB's error in a sentence."""
    text = str(error)
    if "not found" in text.lower() and ".lance" in text:
        return CorpusError("This corpus was changed while it was read. Open it again.")
    # Its message ends with a line of its own source, on the machine that built it.
    ours = " ".join(word for word in text.split() if ".rs:" not in word).rstrip(",")
    return CorpusError(
        "LanceDB cannot answer this: {in_short}",
        in_short=in_short(RuntimeError(ours)),
    )
