"""One head’s queries, keys, values, scores and weights."""

from __future__ import annotations

import math

import numpy as np
import pytest

from core.lessons import BadExpression, Value
from tests.lessons.small_records import TEXT, small_trace, value


@pytest.mark.parametrize(
    ("tree", "expected"),
    [
        ({"query": [TEXT, "cat", 1, 2]}, (14.0, 15.0)),
        ({"key": [TEXT, "cat", 1, 2]}, (15.0, 16.0)),
        ({"value vector": [TEXT, 3, 1, 2]}, (16.0, 17.0)),
        ({"weights": [TEXT, "cat", 1, 2]}, (0.0, 1.0, 0.0, 0.0, 0.0)),
        ({"weight": {"text": TEXT, "from": "cat", "to": "the", "layer": 1, "head": 2}}, 1.0),
        ({"weight": {"text": TEXT, "from": 3, "to": 2, "layer": 1, "head": 1}}, 0.0),
    ],
    ids=str,
)
def test_one_head(tree: object, expected: Value) -> None:
    assert value(tree) == expected


@pytest.mark.parametrize(
    ("tree", "named"),
    [
        ({"weights": [TEXT, "cat", 3, 1]}, "layer 3"),
        ({"weights": [TEXT, "cat", 1, 4]}, "head 4"),
        ({"weights": [TEXT, "dog", 1, 1]}, "dog"),
        ({"weights": [TEXT, 6, 1, 1]}, "token 6"),
    ],
    ids=str,
)
def test_what_cannot_be_computed_is_refused(tree: object, named: str) -> None:
    with pytest.raises((BadExpression, ValueError, LookupError), match=named):
        value(tree)


def test_attention_without_weights_and_scores() -> None:
    x = small_trace(TEXT).embedded.astype(float)
    raised = np.exp(x @ x[1] / math.sqrt(2))
    assert np.allclose(np.array(value({"unweighted": [TEXT, "the"]}), float), raised / raised.sum())
    scores = np.array(value({"scores": [TEXT, "the", 2, 1]}), float)
    assert np.allclose(scores, small_trace(TEXT).scores(1, 0).values[1])
