"""The tokens of a text: their names, ids and positions."""

from __future__ import annotations

from ..expressions import Operation
from .arguments import AFTER, TEXT, parameters, tokens_at, trace_of

OPERATIONS = (
    Operation(
        "tokens",
        parameters(TEXT, AFTER),
        "The tokens of a text, including [CLS] and [SEP].",
        lambda r, g: trace_of(r, g).tokens,
    ),
    Operation(
        "ids",
        parameters(TEXT),
        "The ids of the tokens of a text. An id is the number of a row of the table, counted from 0.",
        lambda r, g: tuple(float(one) for one in r.ids(g["text"])),
    ),
    Operation(
        "pieces",
        parameters(TEXT, "word: word"),
        "The tokens that a word consists of.",
        lambda r, g: tuple(trace_of(r, g).tokens[i] for i in tokens_at(r, g)),
    ),
    Operation(
        "position",
        parameters(TEXT, "word: word"),
        "The position of a word’s first token in the text.",
        lambda r, g: float(tokens_at(r, g)[0] + 1),
    ),
    Operation(
        "vocabulary",
        (),
        "The number of rows in the table of learned vectors.",
        lambda r, g: float(r.n_vocabulary()),
    ),
)
