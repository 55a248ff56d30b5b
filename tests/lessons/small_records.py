"""The records of one short text, whose numbers can be checked by hand."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from core.lessons import Records, Value, evaluate, parse
from core.records.attention import Attention
from core.records.trace import Trace

TOKENS = ("[CLS]", "the", "cat", "sat", "[SEP]")
# Two layers of three heads, and of 5 tokens: weights that are 1 from row i to one column.
GOES_TO = np.array([[[0, 1, 2, 3, 4], [0, 0, 1, 2, 3], [4, 4, 4, 4, 4]], [[1, 2, 3, 4, 0]] * 3])


def small_trace(text: str, by: float = 3) -> Trace:
    """A text of three words; its last vectors are the learned ones times `by`."""
    weights = np.eye(5, dtype=np.float32)[GOES_TO]
    learned = np.arange(10, dtype=np.float32).reshape(5, 2)
    vectors = np.arange(60, dtype=np.float32).reshape(2, 3, 5, 2)
    return Trace(
        tokens=TOKENS,
        word_ids=(None, 0, 1, 2, None),
        segments=(0,) * 5,
        offsets=((0, 0), (0, 3), (4, 7), (8, 11), (0, 0)),
        special=(True, False, False, False, True),
        left_out=None,
        learned=learned,
        embedded=learned + 1,
        hidden=np.stack([learned * 2, learned * by]),
        final=None,
        attention=Attention(TOKENS, TOKENS, weights),
        query=vectors,
        key=vectors + 1,
        value=vectors + 2,
        model="small",
        texts=(text,),
        left_out_by_text=(None,),
        cased=False,
    )


class Small:
    """Records of this text alone."""

    name = "small"

    def trace(self, text: str, after: int | None = None, second: str | None = None) -> Trace:
        return small_trace(text)

    def __getattr__(self, name: str) -> Any:
        raise AssertionError(name)


def value(tree: object, records: Records | None = None, **names: Value) -> Value:
    """The value of an expression that is given as JSON."""
    return evaluate(parse(json.dumps(tree)), records or Small(), names)


TEXT = "the cat sat"
