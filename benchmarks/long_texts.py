"""2,048 tokens of SmolLM2 by blocks of rows, beside a pass that keeps no attention at all."""

from __future__ import annotations

import statistics
import time
import warnings
from collections.abc import Callable

import numpy as np
import torch

import core
from benchmarks.side_by_side import table
from core.pretrained.engines import long_texts

LENGTH = 2048
ROUNDS = 3
MOST = 4.0  # seconds from the text to its attention, on all processors
TEXT = (
    "The river bank was muddy, and the bank in town was closed; so he walked on along the water. " * 120
)


def run() -> str:
    """The section: times, memory, and a tile against the formula in double precision."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", core.ModelNote)
        model = core.load("smollm2")
    net = model.scratch_decoder
    assert net is not None
    ids = model.read(TEXT).ids[:LENGTH]
    text = model._reader.decode(ids)
    ids_BL = torch.tensor([model.untraced.read(text).ids])
    found = model.long_attention(text)
    with torch.inference_mode():
        plain = _seconds(lambda: net.read(ids_BL, need_weights=False))
    spent = _seconds(lambda: model.long_attention(text))
    opened = _seconds(lambda: model.long_attention(text), time.perf_counter)
    threads = long_texts.threads(model.device)
    tile = _seconds(lambda: found.tile(18, 6, slice(1024, 1280), slice(0, 256)))
    rows: list[tuple[object, ...]] = [
        (
            f"{len(found.tokens):,} tokens open, {threads} threads",
            f"{opened:.2f} s",
            _said(opened <= MOST),
        ),
        ("processor time of all threads", f"{spent:.2f} s", ""),
        ("a pass on one thread, no attention kept", f"{plain:.2f} s", ""),
        ("a tile of 256 × 256 weights", f"{1000 * tile:.1f} ms", ""),
        ("memory", f"{found.nbytes / 1e6:.0f} MB; its weights would be 4,530 MB", ""),
        ("the tile against float64", f"{_off(found):.1e}", _said(_off(found) <= 1e-5)),
    ]
    return (
        "## A long text\n\nSmolLM2, all 270 heads by blocks of rows: `Model.long_attention`. The "
        f"median of {ROUNDS}; the limit is {MOST:.0f} s from the text to its attention.\n\n"
        + table(("what", "measured", "within"), rows)
    )


def _off(found: core.LongAttention) -> float:
    """The largest difference between a tile and the softmax in double precision."""
    rows = slice(1024, 1280)
    query = found.query[18, 6, rows].astype(np.float64)
    key = found.key[18, 6 // (found.grid[1] // found.key.shape[1])].astype(np.float64)
    scores = query @ key.T * found.scale[18]
    later = np.arange(len(key)) > np.arange(len(key))[rows, None]
    scores[later] = -np.inf
    weights = np.exp(scores - scores.max(1, keepdims=True))
    weights /= weights.sum(1, keepdims=True)
    tile = found.tile(18, 6, rows, slice(0, 256))
    return float(np.abs(tile - weights[:, :256]).max())


def _said(good: bool) -> str:
    return "yes" if good else "**no**"


def _seconds(call: Callable[[], object], clock: Callable[[], float] = time.process_time) -> float:
    times = []
    for _ in range(ROUNDS):
        start = clock()
        call()
        times.append(clock() - start)
    return statistics.median(times)
