"""A corpus of made-up vectors, published by the real way: as many rows as wanted, without a model."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa

from core.corpus.building.embed import Part
from core.corpus.building.parts import Parts
from core.corpus.building.publishing import publish
from core.corpus.storage.layers import Layer
from core.corpus.storage.tables import in_order, sentences_schema, word_hash, words_schema

WIDTH = 384
FREQUENT = {"rare": 500, "common": 20_000, "everywhere": 100_000}
OTHER = 50  # occurrences of each other word
AROUND = 500  # rows around each direction: as many that lie close together, whatever the number of rows
WORDS = 20  # of a sentence
_PART = 50_000
_LAYER = (Layer(5, ("last",)),)


def make(folder: Path, rows: int, seed: int = 0) -> None:
    """Publish a corpus in a folder.

    Args:
        folder: the folder of the corpus, which must not exist; beside it, its parts are staged.
        rows: how many word occurrences, 200,000 or more.
        seed: of the random numbers.
    """
    rng = np.random.default_rng(seed)
    centres = rng.standard_normal((rows // AROUND, WIDTH), np.float32)
    # The numbers of words, row by row: the frequent ones first.
    frequent = np.repeat(np.arange(len(FREQUENT)), list(FREQUENT.values()))
    others = len(FREQUENT) + np.arange(rows - len(frequent)) // OTHER
    numbers = np.concatenate([frequent, others]).astype(np.int32)
    rng.shuffle(numbers)
    parts = Parts(folder.with_name(f"{folder.name}-staging"))
    count = 0
    for start in range(0, rows, _PART):
        own = numbers[start : start + _PART]
        vectors = 0.6 * rng.standard_normal((len(own), WIDTH), np.float32)
        vectors += centres[rng.integers(0, len(centres), len(own))]
        parts.write(count, _part(own, start, vectors.astype(np.float16)))
        count += 1
    publish(
        *(folder, None, {}, _LAYER, parts, count, lambda progress: None),
        model="minilm", checksum="", cased=False, width=WIDTH, language="en",
        sources={"made up": ""}, next_sentence=rows // WORDS + 1, skipped=(), skipped_count=0,
    )  # fmt: skip


def name(number: int) -> str:
    """The word with a number."""
    frequent = list(FREQUENT)
    return frequent[number] if number < len(frequent) else f"w{number}"


def _part(numbers: np.ndarray, start: int, vectors: np.ndarray) -> Part:
    count = len(numbers)
    words = [name(number) for number in numbers]
    ids = np.arange(start, start + count) // WORDS
    rows = pa.Table.from_arrays(
        [
            pa.array([word_hash(word) for word in words], pa.uint32()),
            pa.array(words, pa.string()),
            pa.array(words, pa.string()),
            pa.array(ids, pa.int64()),
            *(pa.array(np.arange(count) % WORDS, pa.int32()) for _ in range(3)),
            pa.array(["made up"] * count),
            pa.FixedSizeListArray.from_arrays(pa.array(vectors.ravel()), WIDTH),
        ],
        schema=words_schema(WIDTH, _LAYER, {}),
    )
    unique = np.unique(ids)
    texts = [f"Sentence {one} is made up." for one in unique]
    sentences = pa.Table.from_arrays(
        [pa.array(unique, pa.int64()), pa.array(texts), pa.array(["made up"] * len(unique))],
        schema=sentences_schema({}),
    )
    return Part(in_order(rows), sentences, ())
