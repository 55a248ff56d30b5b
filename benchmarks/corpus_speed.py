"""A corpus: the speed of a build compared with `vectors`, its size, and the time of its answers.

`MASC=/path/to/masc.tsv.gz make bench` also builds the Manually Annotated Sub-Corpus. `CORPUS_ROWS` sets
the number of made-up rows for the answers (1,000,000). The exact reference is NumPy.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import pyarrow as pa

import core
from benchmarks.side_by_side import table
from benchmarks.vectors_speed import texts
from core import corpus
from core.corpus.embed import Part
from core.corpus.layers import Layer
from core.corpus.parts import Parts
from core.corpus.publishing import publish
from core.corpus.tables import in_order, sentences_schema, word_hash, words_schema

TEXTS = 3_000
SLICES = 2  # measured in turns; each build also publishes and indexes
WIDTH = 384
FREQUENT = {"rare": 500, "common": 20_000}
CENTRES = 2_000  # directions around which the made-up vectors lie
SEED = 0
_LAYER = (Layer(5, ("last",)),)


def size(folder: Path) -> int:
    """The bytes of all files under a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def built(folder: Path) -> list[tuple[object, ...]]:
    """The speed of a build and of `vectors` on the same sentences, in turns."""
    model = core.load("minilm")
    spent = {"vectors": 0.0, "build": 0.0}
    sentences = texts(TEXTS)
    for start in range(0, TEXTS, TEXTS // SLICES):
        part = sentences[start : start + TEXTS // SLICES]
        begin = time.perf_counter()
        sum(1 for _ in model.vectors(part, "bank"))
        spent["vectors"] += time.perf_counter() - begin
        file = folder / f"{start}.txt"
        file.write_text("\n\n".join(part), "utf-8")
        begin = time.perf_counter()
        corpus.build([file], folder / "grammar", model=model, layers=("last",))
        spent["build"] += time.perf_counter() - begin
    rate = spent["vectors"] / spent["build"]
    return [
        (
            f"build, {TEXTS:,} sentences of our grammar",
            f"{TEXTS / spent['build']:.0f} sentences a second",
        ),
        ("the same by `vectors`", f"{TEXTS / spent['vectors']:.0f} sentences a second"),
        ("rate of the build (target ≥ 85 %)", f"{rate:.0%}"),
    ]


def masc(folder: Path) -> list[tuple[object, ...]]:
    """A build of MASC, if the variable names its file."""
    name = "build of MASC"
    if "MASC" not in os.environ:
        return [(name, "not measured: MASC names no file")]
    begin = time.perf_counter()
    names = ("genre", "document", "sentence")
    made = corpus.build([os.environ["MASC"]], folder / "masc", names=names)
    spent = time.perf_counter() - begin
    a_million = size(folder / "masc" / "tables") / len(made.layers) / made.words
    return [
        (name, f"{made.words:,} words in {made.sentences:,} sentences, {spent:.0f} s"),
        ("bytes a layer and million words (target ≤ 0.9 GB)", f"{a_million / 1e3:.2f} GB"),
    ]


def made_up(folder: Path, rows: int) -> np.ndarray:
    """Publish a corpus of made-up vectors by the library's own code; returns the word of each row."""
    rng = np.random.default_rng(SEED)
    centres = rng.standard_normal((CENTRES, WIDTH)).astype(np.float32)
    words = np.concatenate(
        [np.repeat(list(FREQUENT), list(FREQUENT.values())), [f"w{n // 50}" for n in range(rows)]]
    )[:rows]
    rng.shuffle(words)
    parts, size_of, number = Parts(folder / "staging"), 50_000, 0
    for start in range(0, rows, size_of):
        own = words[start : start + size_of]
        near = centres[rng.integers(0, CENTRES, len(own))]
        vectors = (near + 0.6 * rng.standard_normal(near.shape)).astype(np.float16)
        ids = np.arange(start, start + len(own)) // 20
        count = len(own)
        made = pa.Table.from_arrays(
            [
                pa.array([word_hash(word) for word in own], pa.uint32()),
                pa.array(own.tolist(), pa.string()),
                pa.array(ids, pa.int64()),
                *(pa.array(np.arange(count) % 20, pa.int32()) for _ in range(3)),
                pa.array(["made up"] * count),
                pa.FixedSizeListArray.from_arrays(pa.array(vectors.ravel()), WIDTH),
            ],
            schema=words_schema(WIDTH, _LAYER, {}),
        )
        unique = np.unique(ids)
        of = [unique.tolist(), ["A made-up sentence."] * len(unique), ["made up"] * len(unique)]
        sentences = pa.Table.from_arrays(
            [pa.array(one, field.type) for one, field in zip(of, sentences_schema({}), strict=True)],
            schema=sentences_schema({}),
        )
        parts.write(number, Part(in_order(made), sentences, ()))
        number += 1
    publish(
        *(folder / "made-up", None, {}, _LAYER, parts, number, lambda progress: None),
        model="minilm", checksum="", cased=False, width=WIDTH, language="en",
        sources={"made up": ""}, next_sentence=rows // 20 + 1, skipped=(), skipped_count=0,
    )  # fmt: skip
    return words


def _median(ask: Callable[[], object], times: int = 15) -> float:
    """The median time of a query in seconds, after one query to warm up."""
    ask()
    spent = []
    for _ in range(times):
        begin = time.perf_counter()
        ask()
        spent.append(time.perf_counter() - begin)
    return float(np.median(spent))


def answers(folder: Path) -> list[tuple[object, ...]]:
    """How long answers take, and whether they are correct."""
    rows = int(os.environ.get("CORPUS_ROWS", "1000000"))
    begin = time.perf_counter()
    made_up(folder, rows)
    published = time.perf_counter() - begin
    opened = corpus.open(folder / "made-up")
    result: list[tuple[object, ...]] = [(f"{rows:,} made-up rows published", f"{published:.0f} s")]
    for word, count in FREQUENT.items():
        of = opened.vectors(word)
        query = of.vectors[0]
        lengths = np.linalg.norm(of.vectors, axis=1) * np.linalg.norm(query)
        exact = np.sort(of.vectors @ query / lengths)[::-1][:10]
        found = [one.cosine for one in opened.nearest(query, word, k=10)]
        right = float(np.isclose(exact, found, atol=1e-5).mean())
        spent = _median(partial(opened.nearest, query, word, k=10))
        result.append(
            (
                f"nearest 10 of {count:,} occurrences of a word",
                f"{1e3 * spent:.1f} ms, recall {right:.3f}",
            )
        )
    query = opened.vectors("rare").vectors[0]
    spent = _median(lambda: opened.nearest(query, k=10), times=5)
    result.append(
        ("nearest 10 over all words", f"{1e3 * spent:.0f} ms, recall {opened.recall(sample=30):.3f}")
    )
    return result


def run() -> str:
    """Measure; returns the section of the report."""
    with tempfile.TemporaryDirectory() as name:
        rows = [*built(Path(name)), *masc(Path(name)), *answers(Path(name))]
    return (
        "## A corpus\n\n"
        "`build` embeds every word of the sentences and publishes it; `vectors` gives that of one. "
        "Answers come from made-up vectors around 2,000 directions.\n\n" + table(("", ""), rows)
    )
