"""A corpus without a model: words get random vectors around one of two centres, by a hidden sense.

It is published by the real code, with the name and the checksum of MiniLM.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pyarrow as pa

from core.corpus.building.embed import Part, is_word
from core.corpus.building.parts import Parts
from core.corpus.building.publishing import publish
from core.corpus.storage.columns import Kind, Value
from core.corpus.storage.layers import Layer
from core.corpus.storage.manifest import Manifest
from core.corpus.storage.tables import in_order, sentences_schema, word_hash, words_schema
from core.pretrained.load_model import weights_checksum
from core.records.spelling import UNCASED
from core.records.words import name_of, split

WIDTH = 384
LAYERS = (Layer(1, ("2",)), Layer(5, ("best", "last"), 0.9))


@dataclass(frozen=True)
class Row:
    """A sentence of one sense."""

    text: str
    sense: int = 0
    columns: Mapping[str, Value] = field(default_factory=dict)


def publish_rows(
    folder: Path,
    rows: Sequence[Row],
    kinds: Mapping[str, Kind],
    *,
    words: frozenset[str] | None = None,
    model: str = "minilm",
    checksum: str | None = None,
    seed: int = 7,
) -> Manifest:
    """Publish sentences as a corpus.

    Args:
        folder: where.
        rows: the sentences.
        kinds: their columns.
        words: the only words that get rows; None for all.
        model: the model that made it, by its own account.
        checksum: of that model's weights; None for those that are here.
        seed: of the vectors.
    """
    random = np.random.default_rng(seed)
    centres = random.normal(size=(2, WIDTH)).astype(np.float32)
    found: dict[str, list[object]] = {one.name: [] for one in words_schema(WIDTH, (), {})}
    columns: dict[str, list[Value]] = {name: [] for name in kinds}
    senses = []
    for number, row in enumerate(rows):
        for position, one in enumerate(split(row.text)):
            key = UNCASED.key(one.text)
            if not is_word(one.text) or (words is not None and key not in words):
                continue
            there = number, position, one.start, one.end, "texts.csv"
            values = (word_hash(key), key, name_of(one.text, cased=False), *there)
            for name, value in zip(found, values, strict=True):
                found[name].append(value)
            for name, column in columns.items():
                column.append(row.columns.get(name))
            senses.append(row.sense)
    vectors = centres[senses] + random.normal(size=(len(senses), WIDTH)).astype(np.float32)
    schema = words_schema(WIDTH, LAYERS, kinds)
    flat = pa.array(vectors.astype(np.float16).ravel())
    table = pa.Table.from_arrays(
        [
            *(pa.array(found[one.name], one.type) for one in words_schema(WIDTH, (), {})),
            *(pa.array(columns[name], schema.field(name).type) for name in kinds),
            *(pa.FixedSizeListArray.from_arrays(flat, WIDTH) for _ in LAYERS),
        ],
        schema=schema,
    )
    texts = sentences_schema(kinds)
    sentences = pa.Table.from_arrays(
        [
            pa.array(range(len(rows)), pa.int64()),
            pa.array([row.text for row in rows]),
            pa.array(["texts.csv"] * len(rows)),
            *(pa.array([row.columns.get(n) for row in rows], texts.field(n).type) for n in kinds),
        ],
        schema=texts,
    )
    folder.mkdir(parents=True, exist_ok=True)
    parts = Parts(folder / "staging" / "parts")
    parts.write(0, Part(in_order(table), sentences, ()))
    made = publish(
        folder,
        None,
        kinds,
        LAYERS,
        parts,
        1,
        lambda progress: None,
        model=model,
        checksum=weights_checksum("minilm") if checksum is None else checksum,
        cased=False,
        width=WIDTH,
        language="en",
        sources={"texts.csv": "0"},
        next_sentence=len(rows),
        skipped=(),
        skipped_count=0,
    )
    for file in sorted((folder / "staging").rglob("*"), reverse=True):
        file.unlink() if file.is_file() else file.rmdir()
    (folder / "staging").rmdir()
    return made
