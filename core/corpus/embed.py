"""Sentences through the model: one row, with its vectors, for each word occurrence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from ..pretrained.text_model import TextModel
from ..records.trace import Trace
from ..records.words import key_of, split
from .columns import Kind, Value
from .layers import Layer
from .reading import Skipped
from .tables import in_order, sentences_schema, word_hash, words_schema

_LARGEST = float(np.finfo(np.float16).max)


@dataclass(frozen=True)
class Sentence:
    """A sentence to embed: its number in the corpus, its text, its file and its columns."""

    id: int
    text: str
    source: str
    columns: Mapping[str, Value]


@dataclass(frozen=True)
class Part:
    """What some sentences become: rows for both tables, those of words in order."""

    words: pa.Table
    sentences: pa.Table
    skipped: tuple[Skipped, ...]


def is_word(word: str) -> bool:
    """Whether a word of a text has rows: not punctuation and signs, which have no letter or digit."""
    return any(map(str.isalnum, word))


def embed(
    sentences: Sequence[Sentence],
    model: TextModel,
    layers: Sequence[Layer],
    columns: Mapping[str, Kind],
) -> Part:
    """Run sentences through the model.

    The vector of a word is the mean of those of its pieces, in float32, stored as float16.

    Args:
        sentences: the sentences; those without a word are left out.
        model: the model.
        layers: the layers to keep.
        columns: the columns of the corpus.
    """
    rows: dict[str, list[object]] = {
        name: [] for name in ("hash", "word", "sentence", "position", "start", "end", "source")
    }
    of_columns: dict[str, list[Value]] = {name: [] for name in columns}
    vectors: list[list[np.ndarray]] = [[] for _ in layers]
    skipped: list[Skipped] = []
    kept: list[Sentence] = []
    size = 1 if model.padding_leaks else 32
    traces = model.trace_many([one.text for one in sentences], batch_size=size)
    for sentence, trace in zip(sentences, traces, strict=True):
        if lost := _beyond(trace):
            why = f"{lost:,} words of “{sentence.text[:40]}…” are beyond what the model reads at once"
            skipped.append(Skipped(sentence.source, "", why))
        found = 0
        for position, occurrence in enumerate(trace.occurrences()):
            if not is_word(occurrence.word):
                continue
            found += 1
            key = key_of(occurrence.word, trace.cased)
            values = (word_hash(key), key, sentence.id, position, occurrence.start, occurrence.end)
            for name, value in zip(rows, (*values, sentence.source), strict=True):
                rows[name].append(value)
            for name, column in of_columns.items():
                column.append(sentence.columns.get(name))
            for layer, into in zip(layers, vectors, strict=True):
                assert trace.hidden is not None
                into.append(trace.hidden[layer.layer, occurrence.tokens].mean(axis=0))
        if found:
            kept.append(sentence)
    width = model.shape.d_model
    words = pa.Table.from_arrays(
        [
            *(pa.array(rows[f.name], f.type) for f in list(words_schema(width, (), {}))),
            *(pa.array(of_columns[f.name], f.type) for f in list(sentences_schema(columns))[3:]),
            *(_vectors(of, width) for of in vectors),
        ],
        schema=words_schema(width, layers, columns),
    )
    schema = sentences_schema(columns)
    texts = pa.Table.from_arrays(
        [
            pa.array([one.id for one in kept], pa.int64()),
            pa.array([one.text for one in kept], pa.string()),
            pa.array([one.source for one in kept], pa.string()),
            *(
                pa.array([one.columns.get(name) for one in kept], schema.field(name).type)
                for name in columns
            ),
        ],
        schema=schema,
    )
    return Part(in_order(words), texts, tuple(skipped))


def _beyond(trace: Trace) -> int:
    """How many words of a text the model did not read."""
    if trace.left_out is None:
        return 0
    read = {one.start for one in trace.occurrences()}
    return sum(is_word(one.text) and one.start not in read for one in split(trace.texts[0]))


def _vectors(vectors: Sequence[np.ndarray], width: int) -> pa.Array:
    """(rows, width) as float16; a number beyond its range becomes its largest."""
    stacked = np.array(vectors, np.float32).reshape(-1, width).clip(-_LARGEST, _LARGEST)
    return pa.FixedSizeListArray.from_arrays(pa.array(stacked.astype(np.float16).ravel()), width)
