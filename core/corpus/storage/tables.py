"""The two tables of a corpus as Arrow schemas, and the order of the rows of words.

`words` has one row for each word occurrence: the word, where it stands, the columns of its text, and
one vector for each layer. `sentences` has one row for each sentence, since its text would otherwise
stand in each row of its words.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence

import pyarrow as pa
import pyarrow.compute as pc

from .columns import ARROW, Kind
from .layers import Layer

HASHES = 2**32
_ORDER = [(name, "ascending") for name in ("hash", "word", "sentence", "position")]


def words_schema(width: int, layers: Sequence[Layer], columns: Mapping[str, Kind]) -> pa.Schema:
    """The columns of the table of words.

    `word` is the form under which the word is found, `hash` is its `word_hash`; `written` is the word
    as its text has it, in lower case for an uncased model; `position` counts the words of the sentence
    from 0; `start` and `end` are characters of the sentence's text.

    Args:
        width: the length of a vector.
        layers: the layers that are kept.
        columns: the columns of the texts.
    """
    return pa.schema(
        [
            pa.field("hash", pa.uint32()),
            pa.field("word", pa.string()),
            pa.field("written", pa.string()),
            pa.field("sentence", pa.int64()),
            pa.field("position", pa.int32()),
            pa.field("start", pa.int32()),
            pa.field("end", pa.int32()),
            pa.field("source", pa.string()),
            *(pa.field(name, ARROW[kind]) for name, kind in columns.items()),
            *(pa.field(layer.column, pa.list_(pa.float16(), width)) for layer in layers),
        ]
    )


def sentences_schema(columns: Mapping[str, Kind]) -> pa.Schema:
    """The columns of the table of sentences, in the order of their numbers."""
    return pa.schema(
        [
            pa.field("id", pa.int64()),
            pa.field("text", pa.string()),
            pa.field("source", pa.string()),
            *(pa.field(name, ARROW[kind]) for name, kind in columns.items()),
        ]
    )


def word_hash(word: str) -> int:
    """CRC-32 of a word: rows are sorted by it first, so that any range of hashes is a shard."""
    return zlib.crc32(word.encode("utf-8"))


def in_order(words: pa.Table) -> pa.Table:
    """Rows of words, sorted by hash, word, sentence and position."""
    return words.take(pc.sort_indices(words.select([name for name, _ in _ORDER]), sort_keys=_ORDER))


def shards(rows: int, row_bytes: int, shard_bytes: int = 128_000_000) -> list[tuple[int, int]]:
    """Ranges of hashes (first, one behind the last), each with the rows of about `shard_bytes`."""
    count = max(1, -(-rows * row_bytes // shard_bytes))
    return [(HASHES * i // count, HASHES * (i + 1) // count) for i in range(count)]


def row_bytes(width: int, layers: Sequence[Layer]) -> int:
    """About how many bytes a row of words takes in memory."""
    return 2 * width * len(layers) + 100
