"""Sentences through the model: one row, with its vectors, for each word occurrence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from ...pretrained.every_word import TextWords
from ...pretrained.text_model import TextModel
from ...reading.understood import Skipped
from ...records.frozen import Array
from ...records.spelling import Spelling
from ...records.words import name_of, split
from ..spelling import normalizer_of, spelling_of
from ..storage.columns import Kind, Value
from ..storage.layers import Layer
from ..storage.tables import in_order, sentences_schema, word_hash, words_schema

_LARGEST = float(np.finfo(np.float16).max)
_LONGEST = 64  # letters of a word whose form is cached


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
    spelling = spelling_of(model.cased, normalizer_of(model))
    return part_of(sentences, read_by(model, sentences, layers), layers, columns, spelling=spelling)


def read_by(
    model: TextModel, sentences: Sequence[Sentence], layers: Sequence[Layer]
) -> list[TextWords]:
    """The words of each sentence with their vectors: the model's share of `embed`."""
    return model.every_word([one.text for one in sentences], [one.layer for one in layers])


def part_of(
    sentences: Sequence[Sentence],
    read: Sequence[TextWords],
    layers: Sequence[Layer],
    columns: Mapping[str, Kind],
    *,
    spelling: Spelling,
) -> Part:
    """The rows of sentences that were read: the share of `embed` that needs no model."""
    kept = [[is_word(word.text) for word in one.words] for one in read]
    counts = [sum(one) for one in kept]
    flat = [
        (_known(word.text, spelling), position, word)
        for one, own in zip(read, kept, strict=True)
        for position, word in enumerate(one.words)
        if own[position]
    ]
    keys = [known for known, _, _ in flat]
    schema_of_words = words_schema(read[0].vectors.shape[-1], layers, columns)
    there = [one for one, count in zip(sentences, counts, strict=True) if count]
    schema = sentences_schema(columns)
    texts = pa.Table.from_arrays(
        [
            pa.array([one.id for one in there], pa.int64()),
            pa.array([one.text for one in there], pa.string()),
            pa.array([one.source for one in there], pa.string()),
            *(
                pa.array([one.columns.get(name) for one in there], schema.field(name).type)
                for name in columns
            ),
        ],
        schema=schema,
    )
    # What all words of a sentence share is repeated from its row.
    of = texts.take(pa.array(np.repeat(np.arange(len(there)), [one for one in counts if one])))
    own = np.concatenate([np.empty(0, bool), *(np.array(one, bool) for one in kept)])
    words = pa.Table.from_arrays(
        [
            pa.array([hashed for hashed, _, _ in keys], pa.uint32()),
            pa.array([key for _, key, _ in keys], pa.string()),
            pa.array([written for _, _, written in keys], pa.string()),
            of["id"].combine_chunks(),
            pa.array([position for _, position, _ in flat], pa.int32()),
            pa.array([word.start for _, _, word in flat], pa.int32()),
            pa.array([word.end for _, _, word in flat], pa.int32()),
            *(of[name].combine_chunks() for name in ("source", *columns)),
            *(_vectors([one.vectors[i] for one in read], own) for i in range(len(layers))),
        ],
        schema=schema_of_words,
    )
    return Part(in_order(words), texts, tuple(_skipped(sentences, read)))


def _known(word: str, spelling: Spelling) -> tuple[int, str, str]:
    """The hash of a word, the form under which it is found, and how it is written."""
    return _usual(word, spelling) if len(word) <= _LONGEST else _found_under(word, spelling)


@lru_cache(maxsize=50_000)  # the words of a language return again and again; 15 MB at most
def _usual(word: str, spelling: Spelling) -> tuple[int, str, str]:
    return _found_under(word, spelling)


def _found_under(word: str, spelling: Spelling) -> tuple[int, str, str]:
    key = spelling.key(word)
    return word_hash(key), key, name_of(word, spelling.cased)


def _skipped(sentences: Sequence[Sentence], read: Sequence[TextWords]) -> Iterator[Skipped]:
    """What of the sentences is beyond what the model reads at once."""
    for sentence, one in zip(sentences, read, strict=True):
        if one.left_out is None:
            continue
        starts = {word.start for word in one.words}
        lost = sum(is_word(word.text) and word.start not in starts for word in split(sentence.text))
        if lost:
            where = f"sentence {sentence.id} of the corpus"
            yield Skipped(
                sentence.source, where, f"{lost:,} of its words are beyond what the model reads at once"
            )


def _vectors(read: Sequence[Array], own: npt.NDArray[np.bool_]) -> pa.Array:
    """Those of the vectors, each (words, width), as float16; beyond its range, its largest number."""
    stacked = np.concatenate(read)[own]
    np.clip(stacked, -_LARGEST, _LARGEST, out=stacked)
    numbers = pa.array(stacked.astype(np.float16).ravel())
    return pa.FixedSizeListArray.from_arrays(numbers, stacked.shape[1])
