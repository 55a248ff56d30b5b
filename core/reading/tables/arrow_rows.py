"""Parquet, Arrow and Feather: their rows, batch by batch, by pyarrow."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..extra import require
from ..files import File, not_clean
from ..records import Limits, Refused, Row, Skipped

_BATCH = 1_000


def rows(file: File, kind: str, limits: Limits) -> Iterator[Row | Skipped]:
    """The rows of a file.

    Args:
        file: the file.
        kind: "parquet", "arrow" or "feather".
        limits: what may be read of it at once.

    Raises:
        Refused: it is damaged, or one of its parts is too large.
    """
    pa = require("pyarrow")
    number = 0
    try:
        for batch in _batches(file, kind, limits):
            for row in batch.to_pylist():
                number += 1
                where = f"row {number}"
                why = next(
                    (
                        reason
                        for one in row.values()
                        if isinstance(one, str) and (reason := not_clean(one))
                    ),
                    "",
                )
                yield Skipped(file.name, where, why) if why else Row(row, where)
    except (OSError, pa.ArrowException, UnicodeDecodeError) as error:
        where = f"row {number + 1}" if number else ""
        yield Skipped(file.name, where, f"the rest cannot be read: {_short(error)}")


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
    with source, ipc.open_file(source) as opened:
        for i in range(opened.num_record_batches):
            batch = opened.get_batch(i)
            for start in range(0, batch.num_rows, _BATCH):
                yield batch.slice(start, _BATCH)


def _short(error: Exception) -> str:
    text = " ".join(str(error).split())[:160]
    return text or type(error).__name__
