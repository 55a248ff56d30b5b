"""How an intervention shifts a model's predictions at a mask: some words, before and after."""

from __future__ import annotations

from dataclasses import dataclass

from ...records.interventions import Expected
from ...records.prediction import probabilities
from ...records.trace import Array, Record


@dataclass(frozen=True, eq=False)
class Shift(Record):
    """The likeliest words at a mask in either of two runs, in the order of the first run.

    Attributes:
        position: the index of the mask among the tokens of the unchanged text.
        ids: the token ids of the words.
        tokens: their names in the tokenizer.
        texts: the spelling of each within a text.
        before: (words,), probabilities over the whole vocabulary.
        after: (words,), the same with the change.
    """

    position: int
    ids: tuple[int, ...]
    tokens: tuple[str, ...]
    texts: tuple[str, ...]
    before: Array
    after: Array

    def __post_init__(self) -> None:
        self._freeze("before", "after")

    @property
    def difference(self) -> Array:
        """(words,), `after` minus `before`."""
        difference: Array = self.after - self.before
        return difference


def shift(expected: Expected, most: int) -> Shift:
    """The `most` likeliest words of each run, each word once."""
    both = expected.before, expected.after
    names = {i: (t, x) for one in both for i, t, x in zip(one.ids, one.tokens, one.texts, strict=True)}
    before, after = (probabilities(one.logits, 1.0) for one in both)
    ids = {*expected.before.ids[:most], *expected.after.ids[:most]}
    order = sorted(ids, key=lambda i: (-before[i], -after[i], i))
    tokens, texts = zip(*(names[i] for i in order), strict=True)
    return Shift(expected.before.position, tuple(order), tokens, texts, before[order], after[order])
