"""The learned vectors of the vocabulary, and the nearest of them to any vector."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Literal, NamedTuple, get_args

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from ...errors import NotSupported, SettingError
from ...settings import MOST_PREDICTIONS
from ..engines.engine import Engine
from .reader import TextReader

Measure = Literal["dot", "cosine", "distance"]


class Neighbour(NamedTuple):
    """A token of the vocabulary near a vector.

    Attributes:
        id: its row in the word-embedding table.
        token: its name in the tokenizer.
        text: its spelling within a text.
        value: the measure between the vector and that row.
    """

    id: int
    token: str
    text: str
    value: float


class Vocabulary:
    """The part of a model that searches its word-embedding table."""

    name: str
    _runner: Engine
    _reader: TextReader

    def nearest_words(
        self, vector: npt.ArrayLike, *, by: Measure = "cosine", k: int = 10
    ) -> tuple[Neighbour, ...]:
        """The tokens whose learned vectors lie nearest to a vector, the nearest first.

        Special tokens, and rows that belong to no token ("[unused1]"), are left out.

        Args:
            vector: (d_embedding,): a learned vector, or a contextual one of that width.
            by: `dot`, the largest x·y; `cosine`, the largest x·y / (|x||y|); `distance`, the smallest
                |x − y|.
            k: the number of tokens.

        Raises:
            NotSupported: the vector and the rows of the table have different widths.
            SettingError: there is no such measure, `k` is not from 1 to `settings.MOST_PREDICTIONS`,
                or a number is not finite.
        """
        if by not in get_args(Measure):
            raise SettingError(
                f"There is no measure “{by}”; it is one of {', '.join(get_args(Measure))}."
            )
        if isinstance(k, bool) or not 1 <= k <= MOST_PREDICTIONS:
            raise SettingError(f"k is {k}; it must be from 1 to {MOST_PREDICTIONS}.")
        x = np.array(vector, dtype=np.float32)
        table_VE = self._runner.table.detach().float()
        if x.shape != (table_VE.shape[1],):
            raise NotSupported(
                f"The learned vectors of “{self.name}” have {table_VE.shape[1]} numbers; the shape "
                f"of this one is {x.shape}."
            )
        if not np.isfinite(x).all():
            raise SettingError("Only a vector of finite numbers has neighbours.")
        with torch.inference_mode():
            values_V = _measured(table_VE, torch.from_numpy(x).to(table_VE), by)
            nearness_V = -values_V if by == "distance" else values_V
            nearness_V = nearness_V.masked_fill(~self._words_V, -torch.inf)
            best = torch.topk(nearness_V, min(k, int(self._words_V.sum()))).indices.tolist()
            return tuple(
                Neighbour(i, self._reader.name(i), self._reader.surface_form(i), float(values_V[i]))
                for i in best
            )

    def spellings(self, ids: Sequence[int]) -> tuple[str | None, ...]:
        """How tokens are written behind a letter: " bank"; None for one that no text contains.

        Those are special tokens, and rows of the table that belong to no token.
        """
        return tuple(self._reader.surface_form(i) if self._is_word(i) else None for i in ids)

    def word_pieces(self) -> frozenset[str]:
        """The tokens of a WordPiece vocabulary without special ones; within a word, they begin with ##.

        Raises:
            NotSupported: the model's tokens are of another kind.
        """
        # A byte-level vocabulary has some tokens that begin with ## too, out of headlines and comments.
        inner = sum(token.startswith("##") and len(token) > len("##") for token in self._pieces)
        spaced = sum(token.startswith(("Ġ", "▁")) and len(token) > 1 for token in self._pieces)
        if inner <= spaced:
            raise NotSupported(
                "“{name}” does not split words by WordPiece. Choose MiniLM or another BERT.",
                name=self.name,
            )
        return self._pieces

    @cached_property
    def _pieces(self) -> frozenset[str]:
        numbers = range(len(self._runner.table))
        tokens = (self._reader.token(i) for i in numbers if self._is_word(i))
        return frozenset(token for token in tokens if token is not None)

    @cached_property
    def _words_V(self) -> Tensor:
        """Which rows of the table are tokens of texts."""
        table = self._runner.table
        return torch.tensor([self._is_word(i) for i in range(len(table))], device=table.device)

    def _is_word(self, number: int) -> bool:
        token = self._reader.token(number)
        return not (
            token is None
            or self._reader.is_special(number)
            or token.lower().startswith(("[unused", "<unused"))
        )


def _measured(table_VE: Tensor, x_E: Tensor, by: Measure) -> Tensor:
    if by == "distance":
        distances_V: Tensor = torch.linalg.vector_norm(table_VE - x_E, dim=1)
        return distances_V
    dots_V = table_VE @ x_E
    if by == "dot":
        return dots_V
    lengths_V = torch.linalg.vector_norm(table_VE, dim=1) * torch.linalg.vector_norm(x_E)
    return torch.where(lengths_V > 0, dots_V / lengths_V, 0.0)
