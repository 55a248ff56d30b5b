"""What the view shows, computed once for all visitors."""

from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np

from core.language.in_context import SHOTS, InContext, pairs_in, questions
from core.language.repetition import repeated
from core.measures import CopyingHeads, Sink, copying_heads, sink
from core.measures.attention.require_attention import weights_of
from core.memory import cached
from core.records.interventions import Ablate, Cut
from core.records.prediction import Prediction
from core.records.score import Score
from ui.models import model_cache
from ui.models.long_texts import turn

Head = tuple[int, int]


@cached()
def words(model: str, length: int, seed: int) -> str:
    """The text, see `repeated`."""
    loaded = model_cache.model(model)
    return repeated(lambda text: loaded.read(text).ids, length, seed)


@cached()
def heads(model: str, text: str, length: int) -> CopyingHeads:
    """What each head attends to."""
    with turn(text):
        trace = model_cache.model(model).trace(text, keep="attention")
    return copying_heads(weights_of(trace), length)


@cached()
def score(model: str, text: str, without: tuple[Head, ...] = ()) -> Score:
    """The surprise at each token, with some heads ablated."""
    loaded = model_cache.model(model)
    with turn(text):
        return (
            loaded.score_changed(text, *(Ablate(*one) for one in without))
            if without
            else loaded.score(text)
        )


def random_heads(found: CopyingHeads, count: int, seed: int) -> tuple[Head, ...]:
    """As many heads, drawn from those that are not among the first ten by induction."""
    others = sorted(found.ranked()[10:])
    return tuple(random.Random(seed).sample(others, min(count, len(others))))


@cached()
def of_first(model: str, text: str) -> Sink:
    """The first token against all others."""
    with turn(text):
        return sink(model_cache.model(model).trace(text))


@cached()
def without_first(model: str, text: str) -> tuple[Score, Score, Prediction, Prediction]:
    """Surprise and next token, before and after the first token is hidden from all others."""
    loaded = model_cache.model(model)
    with turn(text):
        cuts = [Cut(query, 0) for query in range(1, len(loaded.read(text).ids))]
        (before,) = loaded.expects(text)
        return (
            loaded.score(text),
            loaded.score_changed(text, *cuts),
            before.top(10, 1.0),
            loaded.expects_changed(text, *cuts).top(len(before.ids), 1.0),
        )


def in_context(model: str, lines: str, seed: int, on: Callable[[float], object]) -> InContext:
    """Answers after examples; `on` is called with the share that is done."""
    pairs = pairs_in(lines)
    shots = tuple(one for one in SHOTS if one < len(pairs))
    asked = [questions(pairs, one, seed) for one in shots]
    total, done, right = sum(map(len, asked)), 0, []
    for some in asked:
        hits = 0
        for one in some:
            hits += _is_right(model, one.prompt, one.whole)
            done += 1
            on(done / total)
        right.append(hits)
    return InContext(shots, np.array(right, np.float32), len(asked[0]))


@cached()
def _is_right(model: str, prompt: str, whole: str) -> bool:
    """Whether the likeliest next token is the first one of the answer."""
    loaded = model_cache.model(model)
    with turn(prompt):
        (expected,) = loaded.expects(prompt)
    before, after = loaded.read(prompt).ids, loaded.read(whole).ids
    kept = next((i for i, (a, b) in enumerate(zip(before, after, strict=False)) if a != b), len(before))
    return kept == expected.position + 1 and bool(expected.ids[0] == after[kept])
