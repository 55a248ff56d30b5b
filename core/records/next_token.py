"""How a model read a text, and what it expects next: both from one run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from .frozen import Array, Record, frozen
from .prediction import Expectation, Prediction, check_top, probabilities
from .score import Score

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False)
class NextToken(Record):
    """What comes next after a text, and how the text itself surprised the model.

    Attributes:
        score: the surprise at each token of the text; None for a model that scores no text.
        expectation: the model's own logits for the next token.
        forbidden: ids of the tokens that the model's settings do not allow here; none for most models.
        ids: the likeliest tokens among those that are allowed, in descending order; at least one.
        tokens: their names in the tokenizer ("Ġbank").
        texts: their spellings within a text (" bank").

    Raises:
        ValueError: the fields do not fit each other.
    """

    score: Score | None
    expectation: Expectation
    forbidden: Array
    ids: tuple[int, ...]
    tokens: tuple[str, ...]
    texts: tuple[str, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "forbidden", frozen(self.forbidden, np.int64))
        if not len(self.ids) == len(self.tokens) == len(self.texts) >= 1:
            raise ValueError(
                "There must be a name and a spelling for each token, and one token at least."
            )
        if set(self.ids) & set(self.forbidden.tolist()):
            raise ValueError("A forbidden token cannot be among the likeliest.")

    @property
    def logits(self) -> Array:
        """(V,) float32: what a token is drawn from, −inf for those that are forbidden."""
        found = self.expectation.logits.copy()
        found[self.forbidden] = -np.inf
        return found

    def top(self, k: int = 10) -> Prediction:
        """The `k` likeliest of what is allowed, at temperature 1; a smaller vocabulary returns fewer.

        Raises:
            SettingError: `k` is out of range.
        """
        check_top(k, 1.0)
        p = probabilities(self.logits, 1.0)
        some = p[p > 0]
        ids = self.ids[:k]
        entropy = max(0.0, float(-(some * np.log2(some)).sum()))
        at = self.expectation.position, self.expectation.kind
        return Prediction(*at, ids, self.tokens[:k], self.texts[:k], p[list(ids)], entropy, 1.0)

    def to_frame(self) -> pd.DataFrame:
        """One row for each of the likeliest tokens: token, id, probability; the index is its place."""
        import pandas as pd

        top = self.top(len(self.ids))
        return pd.DataFrame(
            {"token": top.texts, "id": top.ids, "probability": top.probabilities},
            index=pd.RangeIndex(1, len(top.ids) + 1, name="place"),
        )
