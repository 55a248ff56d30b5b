"""What a training changed: two models of one architecture on one text."""

from __future__ import annotations

from dataclasses import dataclass

from .frozen import Array, Record
from .logit_parts import LogitParts
from .prediction import Expectation


@dataclass(frozen=True, eq=False)
class ModelDifference(Record):
    """A model beside the one that it was trained from, on one text: an adapter and its base, for one.

    Both have the same layers and heads, and read the same tokens, so that a head of one corresponds to
    the same head of the other. Each difference is the first model less the second.

    Attributes:
        models: their names: the trained one, and the one before.
        tokens: the tokens of the text, as the tokenizer names them.
        heads: (layers, heads), from 0 to 1: how much of its attention a head moved. Half the sum of the
            absolute differences of a row, the total variation distance, averaged over the rows; NaN for
            a head that is missing.
        vectors: (layers + 1, tokens): how far the vector of each token moved at each depth, the length
            of the difference by the length before; depth 0 is the input of the first layer.
        expected: what each expects at the last token, or behind the first mask; None if they predict
            nothing there.
        parts: why one next token rather than another, in each of them (`core.LogitParts`); None where a
            model does not predict the next token in our own transformer.

    Raises:
        ValueError: the shapes do not fit each other.
    """

    models: tuple[str, str]
    tokens: tuple[str, ...]
    heads: Array
    vectors: Array
    expected: tuple[Expectation, Expectation] | None = None
    parts: tuple[LogitParts, LogitParts] | None = None

    def __post_init__(self) -> None:
        self._freeze("heads", "vectors")
        if self.heads.ndim != 2 or self.vectors.shape != (len(self.heads) + 1, len(self.tokens)):
            raise ValueError(
                f"heads {self.heads.shape} and vectors {self.vectors.shape} do not fit "
                f"{len(self.tokens)} tokens."
            )

    @property
    def added(self) -> LogitParts | None:
        """What the training added to the number behind `parts`, by the same parts: they add up too."""
        return None if self.parts is None else self.parts[0].less(self.parts[1])
