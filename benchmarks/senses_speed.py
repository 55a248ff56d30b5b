"""The Senses page's own work on 10,000 sentences, beside a plain batched forward of `transformers`."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

from transformers import AutoModel, AutoTokenizer

import core
from benchmarks import vectors_speed
from benchmarks.side_by_side import table
from core import settings
from core.measures.senses.clusters import clusters, suggested
from core.measures.senses.occurrences import Occurrences, maps, nearest, nearest_centroid_accuracy
from core.pretrained.load_model import find
from pages.senses.job import Job
from ui.models import word_vectors
from ui.models.word_vectors import OccurrenceQuery

TARGET = 0.8
TEXTS = 10_000
SLICES = 10
T = TypeVar("T")


def texts(count: int) -> list[str]:
    """The texts of `vectors_speed`, numbered, because repeated texts are read only once."""
    return [f"{text[:-1]} on day {i}." for i, text in enumerate(vectors_speed.texts(count))]


def run(count: int = TEXTS) -> str:
    """Measure in alternating slices, so that a busy moment affects both; returns the section."""
    folder, _ = find("minilm", settings.read())
    tokenizer = AutoTokenizer.from_pretrained(folder)
    reference = AutoModel.from_pretrained(folder).eval()
    model = core.load("minilm")
    sentences = texts(count)
    spent = {"page": 0.0, "transformers": 0.0}
    size = count // SLICES
    for start in range(0, count, size):
        part = sentences[start : start + size]
        spent["transformers"] += vectors_speed.plain(tokenizer, reference, part)
        spent["page"] += _read(model, part)[0]
    whole, occurrences = _read(model, sentences)  # from the cache: nothing is read again
    labels = [str(i % 3) for i in range(count)]
    word_vectors.forget()
    names = {"page": "Senses, in its thread", "transformers": "`transformers`, batches of 32"}
    rows: list[tuple[object, ...]] = [
        (name, f"{spent[key]:.1f} s", f"{count / spent[key]:.0f}") for key, name in names.items()
    ]
    k = suggested(occurrences.depths[-1])  # also imports scikit-learn
    after = [
        ("the same sentences once more", whole),
        ("maps of all depths", _timed(lambda: maps(occurrences))),
        (
            "nearest-centroid accuracy of three labels, all depths",
            _timed(lambda: nearest_centroid_accuracy(occurrences, labels)),
        ),
        (f"{k} clusters, all depths", _timed(lambda: clusters(occurrences, k))),
        ("the nearest to one, the first time", _timed(lambda: nearest(occurrences, 1, 6, 5))),
        ("the nearest to another one", _timed(lambda: nearest(occurrences, 2, 6, 5))),
    ]
    speed = spent["transformers"] / spent["page"]
    return (
        f"## One word in {count:,} sentences, as the Senses page reads them\n\n"
        "`transformers` in its default (fused) attention returns the last layer alone; the page keeps "
        "every layer of the word, looks after every 128 sentences whether it is to stop, and says "
        "how far it is.\n\n"
        + table(("", "time", "sentences a second"), rows)
        + f"\n\nSpeed: **{100 * speed:.0f} %** of `transformers` (target: ≥ {100 * TARGET:.0f} %). "
        f"The vectors take {occurrences.nbytes / 1e6:.0f} MB.\n\n"
        + table(("then", "seconds"), [(name, f"{seconds:.3f}") for name, seconds in after])
    )


def _read(model: core.Model, part: list[str]) -> tuple[float, Occurrences]:
    """The seconds that a job of the page takes, and its result."""
    query = OccurrenceQuery("minilm", "bank", tuple(part))
    begin = time.perf_counter()
    job = Job(query, model, lambda: True)
    job.join(3600)
    seconds = time.perf_counter() - begin
    cached = word_vectors.get(query)
    assert cached is not None
    return seconds, cached.occurrences


def _timed(work: Callable[[], T]) -> float:
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin
