"""The rate of a build beside that of `vectors`, and a build of MASC, if its file was named."""

from __future__ import annotations

import os
import time
from pathlib import Path

import core
from benchmarks.vectors_speed import texts
from core import corpus

TEXTS = 6_000
SLICES = 4  # in turns; each build also publishes and indexes
TARGET = 0.85


def size(folder: Path) -> int:
    """The bytes of all files under a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def built(folder: Path) -> list[tuple[object, ...]]:
    """The rate of a build and of `vectors` on the same sentences, in turns."""
    model = core.load("minilm")
    sentences = texts(TEXTS)
    _build(folder / "first", sentences[:32], model)  # imports LanceDB, starts its threads
    spent = {"vectors": (0.0, 0.0), "build": (0.0, 0.0)}
    for start in range(0, TEXTS, TEXTS // SLICES):
        part = sentences[start : start + TEXTS // SLICES]
        for name in spent:
            begin, own = time.perf_counter(), time.process_time()
            if name == "vectors":
                sum(1 for _ in model.vectors(part, "bank"))
            else:
                _build(folder / "grammar" / str(start), part, model)
            wall, processor = spent[name]
            spent[name] = (
                wall + time.perf_counter() - begin,
                processor + time.process_time() - own,
            )
    wall, processor = (spent["vectors"][i] / spent["build"][i] for i in range(2))
    return [
        *(
            (f"{what}, {TEXTS:,} sentences of our grammar", f"{TEXTS / spent[name][0]:.0f} a second")
            for name, what in (("build", "build"), ("vectors", "`vectors` of one word"))
        ),
        (
            f"rate of the build (target ≥ {TARGET:.0%})",
            f"**{wall:.0%}**; by processor time {processor:.0%}",
        ),
    ]


def _build(folder: Path, sentences: list[str], model: core.TextModel) -> None:
    folder.mkdir(parents=True)
    (folder / "a.txt").write_text("\n\n".join(sentences), "utf-8")
    corpus.build([folder / "a.txt"], folder / "built", model=model, layers=("last",))


def masc(folder: Path) -> list[tuple[object, ...]]:
    """A build of MASC."""
    name = "build of MASC, layers best and last"
    if "MASC" not in os.environ:
        return [(name, "not measured: MASC names no file")]
    begin, own = time.perf_counter(), time.process_time()
    names = ("genre", "document", "sentence")
    made = corpus.build([os.environ["MASC"]], folder / "masc", names=names)
    spent, processor = time.perf_counter() - begin, time.process_time() - own
    each = size(folder / "masc" / "tables") / len(made.layers) / made.words
    opened = corpus.open(folder / "masc")
    return [
        (
            name,
            f"{made.words:,} words in {made.sentences:,} sentences, {spent:.0f} s, "
            f"{processor:.0f} s of processor time",
        ),
        ("its bytes a layer and million words (target ≤ 0.9 GB)", f"{each / 1e3:.2f} GB"),
        ("its recall over all words (target ≥ 0.95)", f"{opened.recall():.3f}"),
    ]
