"""Parquet, Arrow and Feather: their rows, batch by batch, by pyarrow."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from ..extra import require
from ..files import File
from ..understood import Limits, Refused, Row, Skipped
from .json_rows import Entry, not_read, opened

_BATCH = 1_000
_LOST = "is damaged, or cut off: export it again"
_DAMAGED = f"it {_LOST}"


def rows(file: File, kind: str, limits: Limits) -> Iterator[Row | Skipped]:
    """The rows of a file.

    Args:
        file: the file.
        kind: "parquet", "arrow" or "feather".
        limits: what may be read of it at once.

    Raises:
        Refused: it is damaged, or one of its parts is too large.
    """
    beside: Counter[str] = Counter()
    for row in opened(_entries(file, kind, limits), beside):
        yield row if isinstance(row, Row) else replace(row, source=file.name)
    for name, count in beside.items():
        yield Skipped(file.name, "", not_read(name, count))


def _entries(file: File, kind: str, limits: Limits) -> Iterator[Entry]:
    pa = require("pyarrow")
    number = 0
    try:
        for batch in _batches(file, kind, limits):
            for row in batch.to_pylist():
                number += 1
                yield Entry(row, f"row {number}")
    except (OSError, pa.ArrowException, UnicodeDecodeError) as error:
        if not number:
            raise Refused(_DAMAGED) from error
        yield Entry(None, f"row {number + 1}", f"the rest {_LOST}")


def _batches(file: File, kind: str, limits: Limits) -> Iterator[Any]:
    if kind == "parquet":
        parquet = require("pyarrow.parquet")
        with parquet.ParquetFile(file.open() if file.path is None else file.path) as opened:
            meta = opened.metadata
            for i in range(meta.num_row_groups):
                size = meta.row_group(i).total_byte_size
                if size > 10 * limits.unpacked:
                    raise Refused(
                        f"it unpacks to {size / 1e6:,.0f} MB at once; write it in smaller groups"
                    )
            yield from opened.iter_batches(batch_size=_BATCH)
        return
    if kind == "feather":
        feather = require("pyarrow.feather")
        yield from feather.read_table(file.path or file.open()).to_batches(_BATCH)
        return
    ipc = require("pyarrow.ipc")
    pa = require("pyarrow")
    source = pa.OSFile(str(file.path)) if file.path is not None else pa.BufferReader(file.content)
    with source:
        if kind == "arrows":
            with ipc.open_stream(source) as stream:
                for batch in stream:
                    yield from _slices(batch)
            return
        with ipc.open_file(source) as opened_file:
            for i in range(opened_file.num_record_batches):
                yield from _slices(opened_file.get_batch(i))


def _slices(batch: Any) -> Iterator[Any]:
    for start in range(0, batch.num_rows, _BATCH):
        yield batch.slice(start, _BATCH)
