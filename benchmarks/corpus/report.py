"""A corpus: the rate of a build beside `vectors`, bytes, and how long its answers take.

`MASC=/path/to/masc.tsv.gz make bench` also builds the Manually Annotated Sub-Corpus. `CORPUS_ROWS` sets
the number of rows that are made up for the answers. With another number than 1,000,000, only these are
measured, for a section of their own; 10,000,000 take 20 GB of disk while they are published.
"""

from __future__ import annotations

import os
import tempfile
import time
from pathlib import Path

from benchmarks.corpus import answers, fresh, made_up, rate, scrolling, visitors
from benchmarks.side_by_side import table
from core import corpus

ROWS = 1_000_000


def answered(folder: Path, rows: int) -> list[tuple[object, ...]]:
    """Publish made-up rows, and ask."""
    begin = time.perf_counter()
    made_up.make(folder / "made-up", rows)
    published = time.perf_counter() - begin
    return [
        (f"{rows:,} made-up rows made, published and indexed", f"{published:.0f} s"),
        *asked(folder / "made-up"),
    ]


def asked(folder: Path) -> list[tuple[object, ...]]:
    """All that is asked of a corpus of made-up rows."""
    opened = corpus.open(folder)
    size = rate.size(folder / "tables") / opened.manifest.words / 1e3
    return [
        ("their bytes a layer and million words (target ≤ 0.9 GB)", f"{size:.2f} GB"),
        *answers.of_words(opened),
        answers.of_all(opened),
        *fresh.measured(folder),
        *visitors.mixed(folder),
    ]


def run() -> str:
    """Measure; returns the section of the report."""
    import faiss  # see `answers`

    faiss.omp_set_num_threads(1)
    rows = int(os.environ.get("CORPUS_ROWS", ROWS))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if rows != ROWS:
            return section(f"A corpus of {rows:,} words", answered(folder, rows))
        own = [*rate.built(folder), *rate.masc(folder)]
        measured = [*own, *answered(folder, rows)]
    return section("A corpus", [*measured, *scrolling.scrolled()])


def section(title: str, rows: list[tuple[object, ...]]) -> str:
    """The section of the report, with what its numbers are of."""
    return (
        f"## {title}\n\n"
        "`build` embeds every word of the sentences and publishes it; `vectors` gives that of one. "
        f"Answers come from made-up vectors, {made_up.AROUND} around each direction, with all files in "
        "the page cache; the exact reference is faiss-cpu, flat. Such vectors flatter a search over "
        "all words: what is near lies well apart from all else, while real words lie in one cloud. The "
        "recall on MASC is that of real words. Memory includes what is mapped from files. Lines are "
        "scrolled in a headless Chromium without a graphics processor.\n\n" + table(("", ""), rows)
    )
