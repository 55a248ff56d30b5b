"""Contributions counted from the word alone: by hand, and by subtracting two runs of the real model."""

from __future__ import annotations

import numpy as np
import pytest

import core
from core.records.contributions import Contributions

DIRECTION = np.array([0.0, 1.0])


def made(
    tokens: str, word: tuple[int, ...], row: list[float], bias: float, layer: int = 0
) -> Contributions:
    """Layers of one head, which moves half of what is at each token."""
    every, layers = np.array(row), layer + 1
    whole = float(every.sum()) + bias
    last = np.zeros(len(row))
    last[list(word)] = whole / len(word)
    heads = np.tile(every / 2, (layers, 1, 1))
    return Contributions(
        tokens=tuple(tokens.split()),
        word=word,
        layer=layer,
        direction=DIRECTION,
        whole=whole,
        by_depth=np.stack([*[every] * layers, last]),
        biases=np.array([*[bias] * layers, 0.0]),
        by_head=heads,
        by_head_direct=heads / 2,
    )


def test_what_the_word_and_the_template_add_alone_is_subtracted() -> None:
    here = made("[CLS] the bank lends [SEP]", (2,), [0.5, 1, 2, -4, 0.25], 8)
    there = made("[CLS] bank [SEP]", (1,), [0.125, 1.5, 1], 7)
    found = here.from_alone(there)
    assert found.by_token.tolist() == [0.375, 1, 0.5, -4, -0.75]
    assert (found.bias, found.alone, found.whole) == (1, there.whole, here.whole - there.whole)
    assert found.by_head.tolist() == [[[0.1875, 0.5, 0.25, -2, -0.375]]]
    assert found.by_head_direct.tolist() == [[[0.09375, 0.25, 0.125, -1, -0.1875]]]
    assert found.error == 0
    assert (found.tokens, found.word) == (here.tokens, here.word)
    assert found.to_frame()["contribution"].sum() == pytest.approx(2 * found.whole)


def test_pieces_are_subtracted_one_by_one_and_in_equal_shares_if_their_number_differs() -> None:
    here = made("[CLS] em ##bank ##ment [SEP]", (1, 2, 3), [0, 1, 2, 4, 0], 0)
    same = made("[CLS] em ##bank ##ment [SEP]", (1, 2, 3), [0, 0.5, 0.25, 1, 0], 0)
    assert here.from_alone(same).by_token.tolist() == [0, 0.5, 1.75, 3, 0]
    fewer = made("[CLS] em ##bankment [SEP]", (1, 2), [0, 1, 2, 0], 0)
    assert here.from_alone(fewer).by_token.tolist() == [0, 0, 1, 3, 0]
    assert here.from_alone(fewer).error < 1e-6


@pytest.mark.parametrize(
    ("there", "says"),
    [
        (made("[CLS] a bank [SEP]", (2,), [0, 1, 1, 0], 0), "more than the word"),
        (made("[CLS] bank [SEP]", (1,), [0, 1, 0], 0, layer=1), "one layer"),
    ],
)
def test_another_text_or_layer_is_refused(there: Contributions, says: str) -> None:
    here = made("[CLS] the bank [SEP]", (2,), [0, 1, 1, 0], 0)
    with pytest.raises(ValueError, match=says):
        here.from_alone(there)


@pytest.mark.parametrize("layer", [0, 3, 5])
def test_it_adds_up_along_any_direction(minilm: core.Model, layer: int) -> None:
    random = np.random.default_rng(layer)
    direction = random.normal(size=384).astype(np.float32)
    text, word = "At the river, embankments hold the water.", "embankments"
    here = minilm.contributions(text, word, direction, layer=layer)
    there = minilm.contributions(word, word, direction, layer=layer)
    found = here.from_alone(there)
    traces = minilm.trace(text), minilm.trace(word)
    vectors = []
    for trace in traces:
        assert trace.hidden is not None
        vectors.append(trace.hidden[layer, trace.find(word)].mean(axis=0))
    assert found.whole == pytest.approx(float((vectors[0] - vectors[1]) @ direction), abs=1e-3)
    assert found.error < 1e-3 * max(1, abs(found.whole))
    others = [i for i in range(1, len(found.tokens) - 1) if i not in found.word]
    np.testing.assert_array_equal(found.by_depth[:, others], here.by_depth[:, others])
    assert np.abs(found.by_depth[-1, others]).max() == 0
