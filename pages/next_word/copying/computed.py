"""What the view shows, computed once for all visitors."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import numpy as np

from core.errors import NotSupported
from core.language.in_context import SHOTS, InContext, pairs_in, questions
from core.measures import CopyingHeads, Sink, copying_heads, random_text, sink
from core.measures.attention.require_attention import weights_of
from core.memory import cached
from core.records.frozen import Array
from core.records.interventions import Ablate, Cut
from core.records.prediction import Prediction, probabilities
from core.records.score import Score
from ui.models import model_cache
from ui.models.long_texts import turn

Head = tuple[int, int]
DRAWS = 5  # of random heads


@cached()
def drawn(model: str, length: int, seed: int, vocabulary: bool) -> str:
    """The text, see `random_text`."""
    return random_text(model_cache.model(model), length, seed, vocabulary=vocabulary)


def text(model: str, source: str, length: int, seed: int) -> tuple[str, bool]:
    """The text, and whether it has the model's own tokens because it does not know our words.

    Args:
        model: the model.
        source: "words" or "tokens".
        length: of one half.
        seed: which.

    Raises:
        PolyseeError: see `random_text`.
    """
    if source == "words":
        with suppress(NotSupported):
            return drawn(model, length, seed, False), False
    return drawn(model, length, seed, True), source == "words"


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


@cached()
def of_first(model: str, text: str) -> Sink:
    """The first token against all others."""
    with turn(text):
        loaded = model_cache.model(model)
        return sink(loaded.trace(text), loaded.output_gram())


@cached()
def without_first(model: str, text: str) -> tuple[Score, Score, Prediction, Array]:
    """Surprise and the ten likeliest tokens; both again with the first token hidden from all others.

    The last are the probabilities that the same ten tokens then have.
    """
    loaded = model_cache.model(model)
    with turn(text):
        cuts = [Cut(query, 0) for query in range(1, len(loaded.read(text).ids))]
        (before,) = loaded.expects(text)
        first = before.top(10, 1.0)
        then = probabilities(loaded.expects_changed(text, *cuts).logits, 1.0)[list(first.ids)]
        return loaded.score(text), loaded.score_changed(text, *cuts), first, then


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
