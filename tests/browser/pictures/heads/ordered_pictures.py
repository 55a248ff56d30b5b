"""All heads ordered by a pattern, for the tests: scores made by hand, two linked pictures."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, MutableMapping
from typing import Any

import numpy as np

from core.figures import AllHeads, Patterns, Picture, overview
from core.figures.link import Link
from tests.browser.pictures import heads_pictures as made

NAMES = (
    *("the token before", "the token after", "itself", "the first token", "separators"),
    *("the same token elsewhere", "everything evenly"),
)
THRESHOLDS = (0.3, 0.3, 0.3, 0.5, 0.3, 0.3, 0.8)
NO = np.nan
HERE = np.array(
    [
        (0.11, 0.52, 0.07, 0.31, 0.43, NO, 0.91),
        (0.93, 0.03, 0.13, 0.29, 0.37, NO, NO),
        (0.47, 0.61, 0.19, 0.02, 0.71, NO, 0.83),
        (0.05, 0.17, 0.89, 0.67, 0.01, NO, 0.41),
        (0.59, 0.97, 0.08, 0.12, 0.16, NO, 0.73),
        (0.30, 0.26, 0.34, 0.79, 0.22, NO, 0.64),
    ]
).reshape(2, 3, 7)
USUAL = np.nan_to_num(HERE.reshape(6, 7)[::-1], nan=0.28).reshape(2, 3, 7)
BY_HAND = Patterns(NAMES, HERE, USUAL, THRESHOLDS)


def weights(n: int) -> np.ndarray:
    """Six maps that a single pixel distinguishes: head `i` spends (i + 1) / 8 on the token itself."""
    share = (np.arange(6) + 1) / 8
    rest = ((1 - share) / (n - 1))[:, None, None]
    found = np.where(np.eye(n, dtype=bool), share[:, None, None], rest).astype(np.float32)
    return found.reshape(2, 3, n, n)


def ordered(state: Mapping[str, Any], n: int = 14) -> Picture:
    """Six heads and their scores; without special tokens if the state says so."""
    numbers, tokens, kept = weights(n), made.tokens(n), range(n)
    if state.get("special") is False:
        kept = range(1, n - 1)
        numbers, tokens = numbers[:, :, 1:-1, 1:-1], tokens[1:-1]
        numbers = numbers / numbers.sum(axis=-1, keepdims=True)
    positions = (kept, kept) if "special" in state else None
    heads = AllHeads(numbers, tokens=tokens, positions=positions, patterns=BY_HAND)
    return overview(heads, sentence=f"All heads, {n} tokens.", name="heads", state=state)


def linked(second: int, state: Mapping[str, Any] | None = None) -> Picture:
    """Two models that split one text differently: tokens 0, 1, 3 of one are 0, 2, 1 of the other."""
    numbers = ((0, 1, 2, 3), (0, 3, 1))[second]
    n, own = len(numbers), tuple(None if i == 2 else i for i in numbers)
    heads = AllHeads(
        weights(n),
        tokens=[f"{'ab'[second]}{i}" for i in range(n)],
        patterns=Patterns(NAMES, HERE, None if second else USUAL, THRESHOLDS),
    )
    link = Link("pair", own, own)
    return overview(heads, sentence=f"Model {second + 1}.", name="heads", state=state, link=link)


def long(layers: int, heads: int, n: int, state: Mapping[str, Any]) -> Picture:
    """The longest text that a model reads; one map repeated, with different scores."""
    one = made.maps(1, 1, n)
    scores = np.random.default_rng(3).uniform(size=(layers, heads, 7))
    shown = AllHeads(
        np.broadcast_to(one, (layers, heads, n, n)),
        tokens=made.tokens(n),
        patterns=Patterns(NAMES, scores, scores, THRESHOLDS),
    )
    return overview(shown, sentence="Long.", name="heads", state=state)


def asked_for(asked: Mapping[str, str], start: Mapping[str, Any]) -> Picture:
    """The picture that an address names, in its initial state."""
    kind = asked.get("kind", "hand")
    if kind == "long":
        return long(int(asked["layers"]), int(asked["heads"]), int(asked["n"]), start)
    return ordered(start, int(asked.get("n", "14")))


def show(asked: Mapping[str, str], kept: MutableMapping[str | int, Any]) -> None:
    """One picture on a test page; with `echo`, the page answers after so many seconds."""
    from ui import figure

    start = json.loads(asked.get("state", "{}"))
    time.sleep(float(asked.get("echo", "0")))
    start |= kept.get("state") or {}
    figure.show(
        asked_for(asked, start),
        "grid",
        on_head=lambda head: kept.update(head=tuple(head)),
        on_state=lambda sent: kept.update(state=dict(sent)),
    )
