"""How long a corpus takes to answer, and whether it is right: exact answers are those of faiss.

Faiss is imported where it is used: only `make bench` installs it, and tests import the benchmarks.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial

import numpy as np
import pyarrow as pa

from benchmarks.corpus.made_up import FREQUENT
from core.corpus.querying.corpus import Corpus, Near
from core.corpus.querying.cosines import halves, widened
from core.corpus.storage.store import batches, stretches

K = 10
WORD_QUERIES, QUERIES = 10, 30
TIMES = 15
TARGETS = {"rare": "≤ 10 ms", "common": "≤ 50 ms", "everywhere": "≤ 1.2 × reading its vectors"}

Place = tuple[int, int]  # sentence, position


def of_words(opened: Corpus) -> list[tuple[object, ...]]:
    """The nearest of a word's own occurrences."""
    return [_of_word(opened, word, count) for word, count in FREQUENT.items()]


def _of_word(opened: Corpus, word: str, count: int) -> tuple[object, ...]:
    import faiss

    of = opened.vectors(word)
    index = faiss.IndexFlatIP(of.vectors.shape[1])
    index.add(unit(of.vectors))
    queries = of.vectors[:: len(of.vectors) // WORD_QUERIES][:WORD_QUERIES]
    _, exact = index.search(unit(queries), K)
    every = list(zip(*(of.rows[name].to_pylist() for name in ("sentence", "position")), strict=True))
    right = np.mean(
        [
            len(places(opened.nearest(query, word, K)) & {every[i] for i in rows}) / K
            for query, rows in zip(queries, exact, strict=True)
        ]
    )
    spent = in_turns(
        ask=partial(opened.nearest, queries[0], word, K),
        read=partial(_read, opened, word, batches),
        stretches=partial(_read, opened, word, stretches),
        faiss=partial(index.search, unit(queries[:1]), K),
    )
    return (
        f"nearest {K} of {count:,} occurrences of a word (target {TARGETS[word]}, recall 1.000)",
        f"**{spent['ask']:.1f} ms**, recall {right:.3f}; reading its vectors by one scan "
        f"{spent['read']:.1f} ms, ratio **{spent['ask'] / spent['read']:.2f}**; reading them in the "
        f"stretches that are compared {spent['stretches']:.1f} ms, ratio "
        f"{spent['ask'] / spent['stretches']:.2f}; faiss-cpu, from memory {spent['faiss']:.1f} ms",
    )


def _read(opened: Corpus, word: str, how: Callable[..., Iterator[pa.RecordBatch]]) -> None:
    """Read a word's vectors and do nothing with them."""
    column = opened.layer().column
    for _ in how(opened._words, f"word = '{word}'", column if how is stretches else (column,)):
        pass


def of_all(opened: Corpus) -> tuple[object, ...]:
    """The nearest over all words, by the index."""
    column, rows = opened.layer().column, opened.manifest.words
    drawn = np.sort(np.random.default_rng(0).choice(rows, QUERIES, replace=False))
    stored = opened._words.take_offsets([int(one) for one in drawn]).select([column]).to_arrow()
    queries = widened(halves(stored[column], opened.manifest.width))
    exact = nearest_of_all(opened, queries)
    spent, found = [], 0
    for query, right in zip(queries, exact, strict=True):
        begin = time.perf_counter()
        near = opened.nearest(query, k=K)
        spent.append(1e3 * (time.perf_counter() - begin))
        found += len(places(near) & right)
    return (
        f"nearest {K} over all {rows:,} (target ≤ 100 ms, recall ≥ 0.95)",
        f"**{np.median(spent):.0f} ms**, 95 of 100 within {np.percentile(spent, 95):.0f} ms, "
        f"recall {found / QUERIES / K:.3f}",
    )


def nearest_of_all(opened: Corpus, queries: np.ndarray) -> list[set[Place]]:
    """The K nearest to each query over all words, exactly: by faiss, a few thousand rows at a time."""
    import faiss

    column = opened.layer().column
    best = np.full((len(queries), K), -np.inf, np.float32)
    where = np.zeros((len(queries), K, 2), np.int64)
    for batch in batches(opened._words, None, (column, "sentence", "position")):
        vectors = widened(halves(batch.column(column), opened.manifest.width))
        own, rows = faiss.knn(unit(queries), unit(vectors), K, metric=faiss.METRIC_INNER_PRODUCT)
        both = [batch.column(name).to_numpy() for name in ("sentence", "position")]
        best = np.concatenate([best, own], axis=1)
        where = np.concatenate([where, np.stack([one[rows] for one in both], axis=-1)], axis=1)
        order = np.argsort(-best, axis=1)[:, :K]
        best = np.take_along_axis(best, order, axis=1)
        where = np.take_along_axis(where, order[:, :, None], axis=1)
    return [{(int(sentence), int(position)) for sentence, position in one} for one in where]


def places(near: Sequence[Near]) -> set[Place]:
    """Where some occurrences stand."""
    return {(one.occurrence.sentence, one.occurrence.position) for one in near}


def unit(vectors: np.ndarray) -> np.ndarray:
    """Vectors of length 1."""
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def in_turns(**things: Callable[[], object]) -> dict[str, float]:
    """The least milliseconds of each thing, in turns, after one round that is not counted.

    Others on the machine only ever add to a time.
    """
    spent: dict[str, list[float]] = {name: [] for name in things}
    for turn in range(TIMES + 1):
        for name, thing in things.items():
            begin = time.perf_counter()
            thing()
            if turn:
                spent[name].append(1e3 * (time.perf_counter() - begin))
    return {name: min(of) for name, of in spent.items()}
