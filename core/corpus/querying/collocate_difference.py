"""What stands beside one word and not beside another: two words' collocates side by side.

It is what Sketch Engine calls a word sketch difference (Kilgarriff et al. 2014): a collocate belongs to
the word with which its logDice is higher, by the difference of the two. A word that never stands beside
one of the two has no logDice there; it counts as 0, which is less than one meeting in 16,000 (Rychlý
2008). How sure a difference is says the log-likelihood of the two windows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from ...errors import CorpusError
from ...measures.collocation import log_dice, log_likelihood
from ...records.data_frames import frame
from ...records.frozen import Array, Record
from .collocates import Collocates
from .tokens import Numbers

if TYPE_CHECKING:
    import pandas as pd

NEVER = 0.0  # the logDice of two words that never stand together, in a difference


@dataclass(frozen=True, eq=False)
class CollocateDifference(Record):
    """The words in the windows around two words.

    Attributes:
        compared: the two words.
        words: (collocates,), forms or lemmas.
        together: (2, collocates) int64, how often each stands in the window of either word.
        frequency: (collocates,) int64, how often each occurs.
        counts: (2,) int64, how often the two words occur.
        windows: (2,) int64, how many words their windows have.
        total: how many words the texts have.
    """

    compared: tuple[str, str]
    words: tuple[str, ...]
    together: Numbers
    frequency: Numbers
    counts: Numbers
    windows: Numbers
    total: int

    @property
    def log_dice(self) -> Array:
        """(2, collocates): see `core.measures.collocation.log_dice`; −∞ where they never meet."""
        return log_dice(self.together, self.counts[:, None], self.frequency)

    @property
    def difference(self) -> Array:
        """(collocates,): logDice with the first word − logDice with the second; below 0 counts as 0."""
        first, second = np.maximum(self.log_dice, NEVER)
        apart: Array = first - second
        return apart

    @property
    def log_likelihood(self) -> Array:
        """(collocates,): how sure it is that the two windows differ; positive for more in the first.

        3.84 is reached by chance once in 20 times; see `core.measures.collocation.log_likelihood`.
        """
        first, second = self.together
        size, other = (int(one) for one in self.windows)
        return log_likelihood(first, size, first + second, size + other)

    @property
    def association(self) -> Array:
        """(2, collocates): the log-likelihood of each with either word, against the other texts."""
        return log_likelihood(self.together, self.windows[:, None], self.frequency, self.total)

    def beside(self, which: Literal[0, 1], *, least: int = 1, sure: float = 0.0) -> Numbers:
        """The collocates that stand rather beside one of the two, the largest difference first.

        Args:
            which: 0 for the first word, 1 for the second.
            least: how often each stands there at least.
            sure: above which log-likelihood each goes together with this word (`association`). That it
                stands more often there than beside the other says `log_likelihood`.
        """
        apart, surely = (1 - 2 * which) * self.difference, self.association[which]
        kept = np.flatnonzero((self.together[which] >= least) & (apart > 0) & (surely > sure))
        own = self.together[which][kept]
        return kept[np.lexsort([np.array(self.words, object)[kept].astype(str), -own, -apart[kept]])]

    def to_frame(self) -> pd.DataFrame:
        """One row for each collocate, from those of the first word to those of the second.

        Raises:
            NotSupported: pandas is not installed.
        """
        apart = self.difference
        of = np.lexsort([np.array(self.words), -self.together.sum(axis=0), -apart])
        points = self.log_dice
        names = [f"{number}" for number in (1, 2)]
        columns: dict[str, object] = {"word": [self.words[i] for i in of]}
        for k, name in enumerate(names):
            columns[f"together_{name}"] = self.together[k][of]
        for k, name in enumerate(names):
            columns[f"log_dice_{name}"] = points[k][of]
        columns["difference"] = apart[of]
        columns["log_likelihood"] = self.log_likelihood[of]
        columns["frequency"] = self.frequency[of]
        return frame(columns)


def collocate_difference(
    first: Collocates, second: Collocates, compared: tuple[str, str]
) -> CollocateDifference:
    """Two words' collocates, side by side.

    Args:
        first: those of the first word.
        second: those of the second, counted in the same texts and windows.
        compared: the two words.

    Raises:
        CorpusError: the two are counted in different texts.
    """
    if first.total != second.total:
        raise CorpusError("Collocates of two words are compared in the same texts.")
    at = {word: i for i, word in enumerate(first.words)}
    of_second = np.array([at.setdefault(word, len(at)) for word in second.words], np.int64)
    together = np.zeros((2, len(at)), np.int64)
    frequency = np.zeros(len(at), np.int64)
    together[0, : len(first.words)], frequency[: len(first.words)] = first.together, first.frequency
    together[1, of_second], frequency[of_second] = second.together, second.frequency
    return CollocateDifference(
        compared,
        tuple(at),
        together,
        frequency,
        np.array([first.count, second.count], np.int64),
        np.array([first.window, second.window], np.int64),
        first.total,
    )
