"""What a linguist asks of MASC: queries, collocates, key words, frequencies; and dense clusters."""

from __future__ import annotations

import csv
import gzip
import os
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

import numpy as np

from benchmarks.corpus import map_speed, recount
from benchmarks.side_by_side import table
from core import corpus
from core.corpus import Corpus
from core.measures.senses.density import dense
from core.measures.senses.drift import drift
from tests.corpus.synthetic import Row, publish_rows

QUERIES = (
    "bank",
    "in this case",
    "on the * of",
    "[go]",
    '[lemma="bank"] []{0,2} "of"',
    "very *{0,3} good",
)
FREQUENT = "the"  # more than 20,000 lines
LINES, TIMES = 20_000, 5
YEARS = 20
Rows = list[tuple[object, ...]]


def run() -> str:
    """Measure; returns the section of the report."""
    with tempfile.TemporaryDirectory() as name:
        rows = [*measured(Path(name)), *map_speed.measured()]
    return (
        "## A linguist’s questions to a corpus\n\n"
        "The Manually Annotated Sub-Corpus (MASC), with vectors drawn at random, which none of these "
        "counts "
        "reads. Times are medians of processor time. The figures are counted again by "
        "`benchmarks/corpus/recount.py`, which shares no code with Polysee; log-likelihood is "
        "SciPy’s. The "
        "map of words is drawn in a headless Chromium without a graphics processor, pixel by pixel in "
        "JavaScript, while others worked on the machine: frames a second count their work too, "
        "processor "
        "time does not.\n\n" + table(("", ""), rows)
    )


def measured(folder: Path) -> Rows:
    """The rows of the report: of the texts of MASC, with vectors drawn at random."""
    if "MASC" not in os.environ:
        return [("queries and collocates of MASC", "not measured: MASC names no file")]
    every = list(_sentences(Path(os.environ["MASC"])))
    sentences = [one for one in every if recount.agrees(one[-1])]
    rows = [Row(text, 0, {"genre": genre, "document": document}) for genre, document, text in sentences]
    publish_rows(folder / "masc texts", rows, {"genre": "text", "document": "text"})
    opened = corpus.open(folder / "masc texts")
    begin = time.process_time()
    words = int(opened.tokens.is_word.sum())
    first = time.process_time() - begin
    return [
        (f"MASC’s {words:,} words in the order of the texts, once", f"{first:.2f} s"),
        *_queries(opened),
        *_counts(opened),
        (
            "sentences in which the program below sees other words: left out",
            len(every) - len(sentences),
        ),
        *_counted_again(opened, sentences),
        *_groups(),
    ]


def _queries(opened: Corpus) -> Iterator[tuple[object, ...]]:
    for query in QUERIES:
        opened.count(query)  # lemmas and spellings are read once
        spent = _median(partial(opened.count, query))
        yield (
            f"`{query}` in MASC (target ≤ 100 ms)",
            f"**{spent:.0f} ms**, {opened.count(query):,} lines",
        )


def _counts(opened: Corpus) -> Iterator[tuple[object, ...]]:
    which = np.arange(LINES)
    spent = _median(lambda: opened.collocates(FREQUENT, which=which))
    yield f"collocates of {LINES:,} lines of *{FREQUENT}* (target ≤ 300 ms)", f"**{spent:.0f} ms**"
    for one, other in (("big", "large"), ("the", "of")):
        spent = _median(partial(opened.collocate_difference, one, other))
        yield f"collocates of *{one}* beside those of *{other}*, all lines", f"{spent:.0f} ms"
    spent = _median(lambda: opened.keywords("genre = 'spoken'"))
    yield "key words of the spoken texts", f"{spent:.0f} ms"
    spent = _median(lambda: opened.frequency("bank", "document"))
    yield "frequencies of *bank* by document", f"{spent:.0f} ms"


def _counted_again(opened: Corpus, sentences: Sequence[Sequence[str]]) -> Iterator[tuple[object, ...]]:
    texts = [recount.Text(genre, document, recount.split(text)) for genre, document, text in sentences]
    words = ", ".join(recount.WORDS)
    for kind, far in recount.compared(opened, texts):
        yield f"{kind} of {words}: farthest from a program of its own (target ≤ 1e-6)", f"**{far:.1e}**"


def _groups() -> Iterator[tuple[object, ...]]:
    rng = np.random.default_rng(0)
    for count in (200, 2_000):
        x = rng.normal(size=(count, 384)).astype(np.float32)
        x[: count // 2] += 0.5
        spent = _median(partial(dense, x))
        yield f"dense clusters of {count:,} lines, with their stability", f"{spent:.0f} ms"
    years = [int(one) for one in rng.integers(0, YEARS, len(x))]
    spent = _median(partial(drift, x, years))
    yield f"drift of {len(x):,} lines over {YEARS} years", f"{spent:.0f} ms"


def _median(ask: Callable[[], object]) -> float:
    """Milliseconds of processor time: the median of some runs."""
    spent = []
    for _ in range(TIMES):
        begin = time.process_time()
        ask()
        spent.append(1e3 * (time.process_time() - begin))
    return float(np.median(spent))


def _sentences(file: Path) -> Iterator[list[str]]:
    with gzip.open(file, "rt", encoding="utf-8", newline="") as lines:
        yield from csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
