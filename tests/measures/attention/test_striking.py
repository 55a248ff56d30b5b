"""The head that a page opens with: which weight it is, and when there is none."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from core.measures import striking
from core.records.attention import Attention
from core.records.trace import Trace
from tests.figures.web.twins import traces

CAT = "The cat sat on the mat because it was tired."


def traced(text: str) -> Trace:
    """The trace of a text with the number of each token's word."""
    trace = traces.traced(text)
    numbers: list[int | None] = []
    for token, special in zip(trace.tokens, trace.special, strict=True):
        known = [number for number in numbers if number is not None]
        last = known[-1] if known else -1
        numbers.append(None if special else last + (not token.startswith("##")))
    return replace(trace, word_ids=tuple(numbers))


def weighted(text: str, *cells: tuple[int, int, str, str, float], causal: bool = False) -> Trace:
    """The trace by a model of 2 layers of 3 heads with these weights, tokens by their names."""
    trace = traced(text)
    names = trace.tokens
    weights = np.zeros((2, 3, len(names), len(names)), np.float32)
    weights[..., 0] = 1
    for layer, head, query, key, weight in cells:
        row = weights[layer, head, names.index(query)]
        row[0], row[names.index(key)] = 1 - weight, weight
    none: dict[str, Any] = {"hidden": None, "final": None, "query": None, "key": None, "value": None}
    attention = Attention(names, names, weights)
    return replace(trace, attention=attention, scale=None, causal=causal, **none)


def pair(trace: Trace) -> tuple[int, int, str, str, float] | None:
    found = striking(trace)
    if found is None:
        return None
    names = trace.tokens
    return found.layer, found.head, names[found.query], names[found.key], round(found.weight, 4)


def test_it_is_the_largest_weight_between_two_content_words_apart() -> None:
    wanted = (1, 2, "it", "cat", 0.71)
    assert pair(weighted(CAT, wanted, (0, 0, "mat", "cat", 0.7))) == wanted
    # Larger, but beside it, of a word of grammar, of itself, of a special token, or of punctuation.
    others = (
        (0, 0, "cat", "sat", 0.99),
        (0, 1, "on", "becau", 0.98),
        (0, 2, "tired", "tired", 0.97),
        (1, 0, "tired", "[SEP]", 0.96),
        (1, 1, "mat", ".", 0.95),
        (0, 0, "it", "was", 0.94),
    )
    assert pair(weighted(CAT, wanted, *others)) == wanted


def test_without_a_striking_one_it_is_of_the_next_kind() -> None:
    grammar = (0, 1, "on", "becau", 0.6)
    assert pair(weighted(CAT, (1, 2, "it", "cat", 0.1), grammar)) == grammar
    beside = (1, 1, "cat", "sat", 0.9)
    assert pair(weighted(CAT, (1, 2, "it", "cat", 0.1), beside)) == beside
    weak = (1, 2, "it", "cat", 0.1)
    assert pair(weighted(CAT, weak, (0, 1, "on", "becau", 0.15))) == weak


@pytest.mark.parametrize(
    "text", ["", "bank", "bank bank Bank", "!? …", "🎣 👩", "incomprehensibilities", " "]
)
def test_a_text_without_two_different_words_has_none(text: str) -> None:
    assert striking(traced(text)) is None


def test_pieces_of_one_word_are_no_pair_and_those_of_two_are() -> None:
    text = "incomprehensible bank"
    first = (0, 0, "##reh", "incom", 0.9)
    trace = traced(text)
    pieces = [one for one in trace.tokens if one.startswith("##")]
    assert len(pieces) > 1
    own = (0, 0, pieces[0], trace.tokens[1], 0.9)
    assert first[0] == own[0]
    two = (1, 0, "bank", pieces[0], 0.3)
    assert pair(weighted(text, own, two)) == two


def test_a_model_from_left_to_right_does_not_strike_by_its_first_token() -> None:
    text = "Cats chase small mice at night"
    trace = traced(text)
    cells = (0, 0, "night", "small", 0.4), (0, 1, "night", trace.tokens[1], 0.9)
    assert pair(weighted(text, *cells)) == cells[1]
    bare = weighted(text, *cells)
    inner = slice(1, -1)  # such a model has no special tokens here
    names = bare.tokens[inner]
    weights = bare.attention.weights[:, :, inner, inner].copy()  # type: ignore[union-attr]
    weights[..., 0] += 1 - weights.sum(axis=-1)  # what is left of each row rests on the first
    attention = Attention(names, names, weights)
    cut = {
        name: getattr(bare, name)[inner]
        for name in ("tokens", "word_ids", "segments", "offsets", "special", "learned", "embedded")
    }
    assert pair(replace(bare, attention=attention, causal=True, **cut)) == cells[0]


def test_layers_without_attention_and_masks_are_no_obstacle() -> None:
    trace = weighted(CAT, (1, 2, "it", "cat", 0.71))
    weights = trace.attention.weights.copy()  # type: ignore[union-attr]
    weights[0] = np.nan
    names = trace.tokens
    assert pair(replace(trace, attention=Attention(names, names, weights))) == (1, 2, "it", "cat", 0.71)
    weights[1] = np.nan
    assert striking(replace(trace, attention=Attention(names, names, weights))) is None
