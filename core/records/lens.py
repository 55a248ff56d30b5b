"""What the state of each token after each layer reads as, if the model had to answer there and then."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

import numpy as np

from .frozen import Array, Record, frozen
from .prediction import PredictionKind

if TYPE_CHECKING:
    import pandas as pd

LensName = Literal["plain", "fitted"]


@dataclass(frozen=True, eq=False)
class LensGrid(Record):
    """The likeliest tokens of each state, read by one lens: (N + 1) depths × P tokens.

    Depth 0 is the input of the first layer, depth i the output of layer i, depth N the model's own
    prediction, which is the same by every lens.

    Attributes:
        tokens: the names of the tokens of the text, L of them.
        ids: (L,), their ids.
        offsets: where each stands in the text.
        positions: the P tokens whose states were read, ascending, from 0.
        likeliest: (N + 1, P, k) int64, the ids of the likeliest tokens, the likeliest first.
        probabilities: (N + 1, P, k) float32, theirs.
        names: the token of each id in `likeliest` and of `word`, as it is written in a text.
        word: the id of the word that was asked for; None for none.
        word_probabilities: (N + 1, P) float32, its probability; None without a word.
        word_ranks: (N + 1, P) int64, how many tokens are likelier; None without a word.
        lens: `plain` or `fitted`.
        fitted_on: what a fitted lens was fitted on, in words; "" for the plain one.
        predicts: `next`, each state reads as the token that follows; `masked`, as the token there.
        model: the name of the model.
        text: the text.
        left_out: the characters that did not fit the model; None if all did.

    Raises:
        ValueError: the fields do not fit each other.
    """

    tokens: tuple[str, ...]
    ids: tuple[int, ...]
    offsets: tuple[tuple[int, int], ...]
    positions: tuple[int, ...]
    likeliest: Array
    probabilities: Array
    names: Mapping[int, str]
    word: int | None
    word_probabilities: Array | None
    word_ranks: Array | None
    lens: LensName
    fitted_on: str
    predicts: PredictionKind
    model: str
    text: str
    left_out: tuple[int, int] | None = None

    def __post_init__(self) -> None:
        self._freeze("probabilities", "word_probabilities")
        object.__setattr__(self, "likeliest", frozen(self.likeliest, np.int64))
        object.__setattr__(self, "names", MappingProxyType(dict(self.names)))
        if self.word_ranks is not None:
            object.__setattr__(self, "word_ranks", frozen(self.word_ranks, np.int64))
        shape = self.likeliest.shape
        if len(shape) != 3 or shape[1] != len(self.positions) or self.probabilities.shape != shape:
            raise ValueError(f"likeliest has the shape {shape} for {len(self.positions)} positions.")
        if not len(self.tokens) == len(self.ids) == len(self.offsets):
            raise ValueError("There must be an id and a place in the text for each token.")
        if [*self.positions] != sorted({*self.positions} & {*range(len(self.tokens))}):
            raise ValueError(f"The positions {self.positions} are not tokens of the text, ascending.")
        p = self.probabilities
        if not ((p >= 0).all() and (p <= 1 + 1e-5).all() and (p[..., 1:] <= p[..., :-1] + 1e-6).all()):
            raise ValueError("There must be probabilities, the largest first.")
        given = {self.word_probabilities is None, self.word_ranks is None, self.word is None}
        if len(given) > 1:
            raise ValueError("A word has probabilities and ranks, and nothing else has.")
        for own in (self.word_probabilities, self.word_ranks):
            if own is not None and own.shape != shape[:2]:
                raise ValueError(f"The word has numbers of the shape {own.shape}, not {shape[:2]}.")

    @property
    def n_layers(self) -> int:
        """The number of layers."""
        return len(self.likeliest) - 1

    def reads(self, depth: int, column: int) -> str:
        """The likeliest token of a state, as written in a text; `column` counts `positions`."""
        return self.names[int(self.likeliest[depth, column, 0])]

    def since(self, column: int) -> int:
        """The first depth from which on the likeliest token is the one of the end, in each layer."""
        other = np.flatnonzero(self.likeliest[:, column, 0] != self.likeliest[-1, column, 0])
        return int(other[-1]) + 1 if other.size else 0

    def to_frame(self) -> pd.DataFrame:
        """One row for each state.

        The columns: layer (0 is the input), position (from 0), token; reads_1, probability_1 and so on,
        the likeliest tokens; and, if a word was asked for, word, word_probability and word_rank (from
        0).
        """
        import pandas as pd

        depths, columns, k = self.likeliest.shape
        table: dict[str, object] = {
            "layer": np.repeat(np.arange(depths), columns),
            "position": np.tile(np.array(self.positions), depths),
            "token": [self.tokens[i] for i in self.positions] * depths,
        }
        for place in range(k):
            ids = self.likeliest[..., place].ravel().tolist()
            table[f"reads_{place + 1}"] = [self.names[i] for i in ids]
            table[f"probability_{place + 1}"] = self.probabilities[..., place].ravel()
        if self.word is not None:
            assert self.word_probabilities is not None
            assert self.word_ranks is not None
            table["word"] = self.names[self.word]
            table["word_probability"] = self.word_probabilities.ravel()
            table["word_rank"] = self.word_ranks.ravel()
        return pd.DataFrame(table)
