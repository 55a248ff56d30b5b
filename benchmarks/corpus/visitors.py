"""Sixteen visitors ask one corpus at once, as threads and as processes: are their answers their own?"""

from __future__ import annotations

import multiprocessing
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from itertools import islice
from pathlib import Path

from benchmarks.corpus.made_up import FREQUENT, name
from core import corpus
from core.corpus.querying.corpus import Corpus

VISITORS = 16
# Processes share nothing: each reads the index itself. Of many rows, that is half a gigabyte in each.
MANY, FEWER = 2_000_000, 4
ROUNDS = 5
LINES = 50
WORDS = ["rare", "common", *(name(len(FREQUENT) + 7 * n) for n in range(VISITORS - 2))]
Answer = tuple[object, ...]


def mixed(folder: Path) -> list[tuple[object, ...]]:
    """How many answers differ from those to one visitor alone."""
    opened = corpus.open(folder)
    alone = [answer(opened, word) for word in WORDS]
    assert len({repr(one) for one in alone}) == VISITORS
    with ThreadPoolExecutor(VISITORS) as pool:
        threads = list(pool.map(partial(answer, opened), WORDS * ROUNDS))
    # A process that is forked would inherit locks of LanceDB's threads, but not the threads.
    spawn = multiprocessing.get_context("spawn")
    count = VISITORS if opened.manifest.words <= MANY else FEWER
    with ProcessPoolExecutor(count, mp_context=spawn) as processes:
        others = list(processes.map(partial(fresh_answer, folder), WORDS * 2))
    rows: list[tuple[object, ...]] = []
    for many, who, given in (
        (VISITORS, "threads of one opened corpus", threads),
        (count, "processes", others),
    ):
        wrong = sum(one != alone[i % VISITORS] for i, one in enumerate(given))
        what = f"{many} visitors at once, {who}: answers of another (target 0)"
        rows.append((what, f"**{wrong}** of {len(given)}"))
    return rows


def answer(opened: Corpus, word: str) -> Answer:
    """All kinds of answers about a word."""
    lines = list(islice(opened.occurrences(word), LINES))
    return (
        opened.count(word),
        lines,
        opened.vector(lines[0]).tobytes(),
        opened.nearest(lines[0], word, k=5),
        opened.nearest(lines[-1], k=5),
    )


def fresh_answer(folder: Path, word: str) -> Answer:
    """The same, of a corpus that is opened for it."""
    return answer(corpus.open(folder), word)
