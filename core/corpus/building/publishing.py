"""Publish rows as one version: staged parts, or what of a corpus stays when it is merged or thinned.

The manifest comes last. Until then a reader sees what was published before, and a builder that comes
after a kill rolls the tables back to it.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pyarrow as pa

from ...reading.understood import Skipped
from .. import word_map
from ..storage.columns import Kind
from ..storage.layers import Layer
from ..storage.manifest import MOST_SKIPPED, Manifest
from ..storage.store import (
    EXACT_ROWS,
    FOLDER,
    SENTENCES,
    WORDS,
    Generation,
    batches,
    generation_name,
    published,
)
from ..storage.tables import HASHES, in_order, row_bytes, sentences_schema, shards, words_schema
from .alone import remove
from .parts import Parts
from .progress import Progress, Report

MERGE_RUNS = 8  # sorted runs at which a corpus is merged into one


def publish(
    folder: Path,
    now: Manifest | None,
    columns: Mapping[str, Kind],
    layers: tuple[Layer, ...],
    parts: Parts,
    count: int,
    on_progress: Report,
    *,
    sources: Mapping[str, str],
    next_sentence: int,
    skipped: tuple[Skipped, ...],
    skipped_count: int,
    readings: Mapping[str, str] = MappingProxyType({}),
    **of_model: Any,
) -> Manifest:
    """Add the first `count` parts to a corpus as one sorted run, or create it; returns its manifest."""
    width = of_model["width"]
    rows = parts.rows(count)
    generation = Generation(folder, now.generation if now else generation_name(1))
    every = parts.words(count, shards(rows, row_bytes(width, layers)))
    schema = words_schema(width, layers, columns)
    generation.append(WORDS, schema, _reported(every, rows, on_progress))
    texts = sum(batch.num_rows for batch in parts.sentences(count))
    generation.append(SENTENCES, sentences_schema(columns), _plain(parts.sentences(count), columns))
    before = now.skipped if now else ()
    fresh = [
        one for one in skipped if one not in before
    ]  # a folder given again has the same hidden files
    manifest = Manifest(
        layers=layers,
        columns=columns,
        sources={**(now.sources if now else {}), **sources},
        readings=dict(list({**(now.readings if now else {}), **readings}.items())[:MOST_SKIPPED]),
        sentences=texts + (now.sentences if now else 0),
        words=rows + (now.words if now else 0),
        next_sentence=next_sentence,
        runs=1 + (now.runs if now else 0),
        generation=generation.name,
        words_version=0,
        sentences_version=0,
        skipped=(*before, *fresh)[:MOST_SKIPPED],
        skipped_count=skipped_count - len(skipped) + len(fresh) + (now.skipped_count if now else 0),
        **of_model,
    )
    if manifest.runs >= MERGE_RUNS:
        # Nobody sees the tables between: the manifest names the version before, until all is merged.
        return rewrite(folder, _finished(generation, manifest, index_vectors=False), on_progress)
    # The index of the vectors may be older than the newest run, which is then searched exactly.
    manifest = replace(manifest, indexed=now.indexed if now else ())
    manifest = _finished(generation, manifest, index_vectors=not manifest.indexed)
    manifest.write(folder)
    word_map.forget(folder)
    return manifest


def rewrite(folder: Path, now: Manifest, on_progress: Report, *, keep: str | None = None) -> Manifest:
    """Write a corpus anew as one sorted run, and remove all that was there before.

    Args:
        folder: the folder of the corpus.
        now: names the versions to take; it may be unpublished.
        on_progress: called now and then.
        keep: a filter over `sentences` and `words` alike: what stays.

    Returns:
        The manifest, published.
    """
    words, sentences = published(folder, now)
    new = Generation(folder, generation_name(int(now.generation) + 1))

    schema = words_schema(now.width, now.layers, now.columns)

    def in_shards() -> Iterator[pa.RecordBatch]:
        for first, behind in shards(now.words, row_bytes(now.width, now.layers)):
            # Without a bound, a scan of all shards would compare each row with the first and the last.
            bounds = [f"hash >= {first}"] * (first > 0) + [f"hash < {behind}"] * (behind < HASHES)
            where = " AND ".join([*bounds, *([keep] if keep else [])]) or None
            yield from in_order(pa.Table.from_batches(batches(words, where), schema)).to_batches()

    rows = words.count_rows(keep)
    new.append(WORDS, schema, _reported(in_shards(), rows, on_progress))
    texts = pa.Table.from_batches(batches(sentences, keep), sentences_schema(now.columns))
    new.append(SENTENCES, sentences_schema(now.columns), iter(texts.sort_by("id").to_batches()))
    manifest = replace(
        now,
        generation=new.name,
        words=rows,
        sentences=texts.num_rows,
        runs=1,
        indexed=(),
    )
    manifest = _finished(new, manifest)
    manifest.write(folder)
    remove(folder / FOLDER / now.generation)
    word_map.forget(folder)
    return manifest


def _finished(generation: Generation, manifest: Manifest, *, index_vectors: bool = True) -> Manifest:
    """The manifest with the versions of the indexed tables."""
    words_version = generation.index_column(WORDS, "word")
    sentences_version = generation.index_column(SENTENCES, "id")
    indexed = manifest.indexed
    if index_vectors and manifest.words > EXACT_ROWS:
        for layer in manifest.layers:
            words_version = generation.index_vectors(layer.column)
        indexed = tuple(layer.layer for layer in manifest.layers)
    return replace(
        manifest,
        words_version=words_version,
        sentences_version=sentences_version,
        indexed=indexed,
        versions={name: version(name) for name in ("lancedb", "pyarrow", "sentencex", "icu4py")},
    )


def _reported(
    rows: Iterator[pa.RecordBatch], total: int, on_progress: Report
) -> Iterator[pa.RecordBatch]:
    begin, done = time.monotonic(), 0
    for batch in rows:
        yield batch
        done += batch.num_rows
        on_progress(Progress("publish", done, total, seconds=time.monotonic() - begin))


def _plain(rows: Iterator[pa.RecordBatch], columns: Mapping[str, Kind]) -> Iterator[pa.RecordBatch]:
    """Without the reports that parts carry in their schema."""
    schema = sentences_schema(columns)
    for batch in rows:
        yield pa.RecordBatch.from_arrays(batch.columns, schema=schema)
