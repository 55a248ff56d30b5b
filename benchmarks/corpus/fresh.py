"""A fresh process that asks a corpus: how long its first concordance takes, and its memory.

`python -m benchmarks.corpus.fresh FOLDER` prints the numbers as JSON.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
from importlib import import_module
from itertools import islice
from pathlib import Path

from benchmarks.corpus.made_up import FREQUENT
from core import figures
from core.corpus import Corpus
from core.corpus.querying import concordance
from core.figures import Picture

PAGE = 1_000  # lines
ASKED = 20  # occurrences whose neighbours over all words are asked for


def measured(folder: Path) -> list[tuple[object, ...]]:
    """What such a process needs."""
    command = [sys.executable, "-m", "benchmarks.corpus.fresh", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    of = json.loads(done.stdout)
    lines = FREQUENT["common"]
    return [
        (
            "first concordance: open, count, the first 1,000 lines (target ≤ 1 s)",
            f"**{of['first']:.2f} s**; all {lines:,} lines {of['all']:.2f} s; before, once a process, "
            f"the imports {of['import']:.1f} s",
        ),
        (
            f"the page's first concordance of {concordance.MOST_LINES:,} lines: read, cluster, draw "
            "(target ≤ 1 s)",
            f"**{of['page']:.2f} s**, {of['processor']:.2f} s of processor time",
        ),
        (
            f"resident memory after {len(FREQUENT)} words and {ASKED} searches over all "
            "(target ≤ 2 GB)",
            f"at most {of['memory'] / 1e6:.2f} GB",
        ),
    ]


def _resident() -> int:
    """The most memory that this process had, in kB."""
    found = re.search(r"VmHWM:\s+(\d+)", Path("/proc/self/status").read_text())
    return int(found[1]) if found else 0


def page(opened: Corpus, word: str) -> Picture:
    """What the page computes before it shows the lines of a word."""
    lines = concordance.read(opened, word)
    groups = concordance.by_clusters(lines, 3)
    place = {number: i for i, number in enumerate(lines.texts)}
    return figures.concordance(
        [*lines.texts.values()],
        [place[number] for number in lines.sentences],
        lines.spans,
        figures.groups_of(list(groups.names)),
        groups.of,
        groups.distance,
        words=groups.words,
        columns={"source": lines.column("source")},
        sentence=f"{len(lines):,} lines.",
        name="concordance",
    )


def main(folder: Path) -> None:
    """Ask, and print the numbers."""
    from core import corpus
    from core.corpus.extra import require
    from core.pretrained import limit_threads

    limit_threads(1)
    begin = time.perf_counter()
    require("lancedb")
    for name in ("sklearn.cluster", "core.reading", "core.measures"):
        import_module(name)  # as the app does when it starts
    imported = time.perf_counter() - begin
    begin = time.perf_counter()
    opened = corpus.open(folder)
    opened.count("common")
    lines = list(islice(opened.occurrences("common"), PAGE))
    first = time.perf_counter() - begin
    begin = time.perf_counter()
    lines = list(opened.occurrences("common"))
    every = time.perf_counter() - begin
    begin, own = time.perf_counter(), time.process_time()
    page(opened, "everywhere")
    shown, processor = time.perf_counter() - begin, time.process_time() - own
    for word in FREQUENT:
        opened.nearest(lines[0], word)
    for line in lines[:ASKED]:
        opened.nearest(line)
    numbers = {"import": imported, "first": first, "all": every, "memory": _resident()}
    print(json.dumps({**numbers, "page": shown, "processor": processor}))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
