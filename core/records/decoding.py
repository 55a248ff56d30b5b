"""A target that a model writes for a source, step by step, with the alternatives at each step."""

from __future__ import annotations

from dataclasses import dataclass

from .frozen import Record
from .prediction import Expectation
from .seq2seq import Seq2SeqTrace


@dataclass(frozen=True, eq=False)
class Decoding(Record):
    """A decoded text: at each step the model's own token, or a forced one.

    Attributes:
        tokens: the tokens written, one per step; the last is an end token, unless there was no room.
        ids: their ids in the vocabulary.
        expectations: the predictions of the model at each step.
        trace: the whole text in one pass, as in training. The decoder reads the start token and all
            tokens but the last: row i of each attention block attends in order to predict `tokens[i]`.
        ended: whether the last token is an end token, the model's own or a forced one.
        own: (id, token) that the model itself would write at each step; empty for the likeliest. A
            model's settings may forbid the likeliest token, such as padding.

    Raises:
        ValueError: the fields do not fit each other.
    """

    tokens: tuple[str, ...]
    ids: tuple[int, ...]
    expectations: tuple[Expectation, ...]
    trace: Seq2SeqTrace
    ended: bool
    own: tuple[tuple[int, str], ...] = ()

    def __post_init__(self) -> None:
        steps = len(self.tokens)
        reads = len(self.trace.decoder.tokens)
        if not steps == len(self.ids) == len(self.expectations) == reads:
            raise ValueError(
                f"{steps} tokens, {len(self.ids)} ids, {len(self.expectations)} expectations and a "
                f"decoder that reads {reads} tokens do not fit each other."
            )
        if len(self.own) not in (0, steps):
            raise ValueError(f"{len(self.own)} own tokens do not fit {steps} steps.")

    @property
    def words(self) -> tuple[str, ...]:
        """The tokens written, without the end token."""
        return self.tokens[:-1] if self.ended else self.tokens

    def likeliest(self, step: int) -> str:
        """The token that the model itself would write at a step, counted from 0."""
        return self.own[step][1] if self.own else self.expectations[step].tokens[0]

    def likeliest_id(self, step: int) -> int:
        """Its id."""
        return self.own[step][0] if self.own else self.expectations[step].ids[0]
