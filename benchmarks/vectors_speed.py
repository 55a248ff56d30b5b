"""`Model.vectors` over 10,000 texts, compared with a plain batched forward of `transformers`."""

from __future__ import annotations

import random
import resource
import time
from collections.abc import Sequence
from typing import Any

import torch
from transformers import AutoModel, AutoTokenizer

import core
from benchmarks.side_by_side import table
from core import settings
from core.pretrained.load_model import find

TARGET = 0.8
TEXTS = 10_000
SLICES = 10
BATCH = 32

_WHO = ("She", "He", "The old man", "My neighbour", "A tired clerk", "Nobody in the village")
_DID = ("waited at", "walked to", "talked about", "painted", "remembered", "wrote a long letter about")
_WHICH = (
    "the bank",
    "a grassy bank",
    "the bank of the river",
    "the bank in the high street",
    "her bank",
)
_WHEN = ("", "yesterday", "before the rain came", "and then went home without a word to anyone")


def texts(count: int) -> list[str]:
    """Sentences with `bank` of 6 to 22 tokens, the same in every run."""
    rng = random.Random(0)
    parts = (_WHO, _DID, _WHICH, _WHEN)
    return [" ".join(rng.choice(part) for part in parts).strip() + "." for _ in range(count)]


def plain(tokenizer: Any, reference: Any, part: Sequence[str]) -> float:
    """The seconds of a plain forward of `transformers`, in batches of texts in their given order."""
    begin = time.perf_counter()
    for i in range(0, len(part), BATCH):
        inputs = tokenizer(
            part[i : i + BATCH],
            return_tensors="pt",
            padding="longest",
            truncation=True,
            max_length=512,
        )
        with torch.inference_mode():
            reference(**inputs)
    return time.perf_counter() - begin


def _memory() -> float:
    """The peak memory of this process, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3


def run() -> str:
    """Measure in alternating slices of 1,000 texts; returns the section of the report."""
    folder, _ = find("minilm", settings.read())
    tokenizer = AutoTokenizer.from_pretrained(folder)
    reference = AutoModel.from_pretrained(folder).eval()
    ours = core.load("minilm")
    sentences = texts(TEXTS)
    size = TEXTS // SLICES
    spent = {"ours": 0.0, "transformers": 0.0}
    count, memory = 0, []
    for start in range(0, TEXTS, size):
        part = sentences[start : start + size]
        spent["transformers"] += plain(tokenizer, reference, part)
        begin = time.perf_counter()
        count += sum(1 for _ in ours.vectors(part, "bank", batch_size=BATCH))
        spent["ours"] += time.perf_counter() - begin
        memory.append(_memory())
    assert count == TEXTS
    speed = spent["transformers"] / spent["ours"]
    rows: list[tuple[object, ...]] = [
        (name, f"{spent[key]:.1f} s", f"{TEXTS / spent[key]:.0f}")
        for name, key in (
            ("Polysee, `vectors`", "ours"),
            ("`transformers`, batches of 32", "transformers"),
        )
    ]
    return (
        f"## The vectors of a word in {TEXTS:,} texts\n\n"
        "`transformers` in its default (fused) attention takes the texts as they come and returns only "
        "the last layer; `vectors` sorts them by length, finds the word in each and gives its learned "
        "vector and that of every layer, in their own order.\n\n"
        + table(("", "time", "texts a second"), rows)
        + f"\n\nSpeed: **{100 * speed:.0f} %** of `transformers` (target: ≥ {100 * TARGET:.0f} %). "
        f"Most memory after the first 1,000 texts {memory[0]:.0f} MB, after all {memory[-1]:.0f} MB."
    )
