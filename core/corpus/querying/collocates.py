"""What stands beside a word: its collocates by side and by group, and the keywords of some texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from ...errors import CorpusError
from ...localization import _
from ...measures.collocation import (
    log_dice,
    log_likelihood,
    log_ratio,
    mutual_information,
)
from ...measures.senses.shares import at_least
from ...records.data_frames import frame
from ...records.frozen import Array, Record
from .tokens import Matches, Numbers, Tokens

if TYPE_CHECKING:
    import pandas as pd

MOST_WIDE = 20  # words of a window on one side
BY_CHANCE = 0.05  # how often chance may give any one of many words to a group so often
By = Literal["word", "lemma"]
Order = Literal["log_dice", "log_likelihood", "mutual_information", "together"]


@dataclass(frozen=True, eq=False)
class Collocates(Record):
    """The words in the window around a word, and how strongly each goes together with it.

    Attributes:
        words: (collocates,), forms or lemmas.
        together: (collocates,) int64, how often each stands in the window.
        left: (collocates,) int64, how often on the left of an occurrence (the nearest one).
        right: (collocates,) int64, how often on its right.
        frequency: (collocates,) int64, how often each occurs in the texts that count.
        by_group: (groups, collocates) int64, how often in the window of each group's lines; a word that
            stands between lines of two groups counts for the nearer one.
        count: how often the word occurs.
        window: how many words its window has.
        windows: (groups,) int64, the same for each group.
        total: how many words the texts have that count.
    """

    words: tuple[str, ...]
    together: Numbers
    left: Numbers
    right: Numbers
    frequency: Numbers
    by_group: Numbers
    count: int
    window: int
    windows: Numbers
    total: int

    @property
    def log_dice(self) -> Array:
        """(collocates,): see `core.measures.collocation.log_dice`."""
        return log_dice(self.together, self.count, self.frequency)

    @property
    def mutual_information(self) -> Array:
        """(collocates,), in bits: see `core.measures.collocation.mutual_information`."""
        return mutual_information(self.together, self.window, self.frequency, self.total)

    @property
    def log_likelihood(self) -> Array:
        """(collocates,): see `core.measures.collocation.log_likelihood`."""
        return log_likelihood(self.together, self.window, self.frequency, self.total)

    def of_group(self, group: int) -> tuple[Array, Array]:
        """(collocates,) twice: log-likelihood and log ratio of a group's window against the others'.

        Positive where a collocate is typical of the group.
        """
        own, size = self.by_group[group], int(self.windows[group])
        rest, others = self.together - own, self.window - size
        return (
            log_likelihood(own, size, self.together, self.window),
            log_ratio(own, max(1, size), rest, max(1, others)),
        )

    def surely_of_group(self, group: int, of: Sequence[int], *, least: int = 1) -> tuple[int, ...]:
        """Which collocates surely stand more often in a group's window than in the others'.

        By chance, each time falls to the group with its share of all windows: an exact binomial test,
        for the log-likelihood is too often large where counts are small. Its 5 % are divided by the
        number of words that stand in the windows so often, for each of the groups (Bonferroni).

        Args:
            group: the group.
            of: the collocates, as indices.
            least: how often a word stands in the windows at least, to be compared.
        """
        own, share = self.by_group[group], int(self.windows[group]) / max(1, self.window)
        if not 0 < share < 1:
            return ()
        tests = np.count_nonzero(self.together >= least) * len(self.by_group)
        return tuple(
            i for i in of if tests * at_least(int(own[i]), int(self.together[i]), share) <= BY_CHANCE
        )

    def best(self, by: Order = "log_dice", *, least: int = 1) -> Numbers:
        """The collocates that are met at least so often, the strongest first, as indices."""
        kept = np.flatnonzero(self.together >= least)
        value: npt.NDArray[np.float64] = np.asarray(getattr(self, by), np.float64)[kept]
        return kept[np.lexsort([np.array(self.words)[kept], -self.together[kept], -value])]

    def to_frame(self) -> pd.DataFrame:
        """One row for each collocate, the strongest by logDice first.

        Raises:
            NotSupported: pandas is not installed.
        """
        of = self.best()
        columns = {
            "word": [self.words[i] for i in of],
            "together": self.together[of],
            "left": self.left[of],
            "right": self.right[of],
            "frequency": self.frequency[of],
            "log_dice": self.log_dice[of],
            "log_likelihood": self.log_likelihood[of],
            "mutual_information": self.mutual_information[of],
        }
        for group in range(len(self.by_group)) if len(self.by_group) > 1 else ():
            columns[f"together_{group + 1}"] = self.by_group[group][of]
            columns[f"log_likelihood_{group + 1}"] = self.of_group(group)[0][of]
        return frame(columns)


@dataclass(frozen=True, eq=False)
class Keywords(Record):
    """The words of some texts against those of the others.

    Attributes:
        words: (words,), forms or lemmas.
        inside: (words,) int64, how often each occurs in these texts.
        outside: (words,) int64, how often in the others.
        size: how many words these texts have.
        rest: how many the others have.
    """

    words: tuple[str, ...]
    inside: Numbers
    outside: Numbers
    size: int
    rest: int

    @property
    def log_likelihood(self) -> Array:
        """(words,): positive for a word that is more frequent in these texts."""
        return log_likelihood(self.inside, self.size, self.inside + self.outside, self.size + self.rest)

    @property
    def log_ratio(self) -> Array:
        """(words,): how many times as frequent, in powers of two."""
        return log_ratio(self.inside, self.size, self.outside, self.rest)

    def to_frame(self) -> pd.DataFrame:
        """One row for each word, the surest key word first.

        Raises:
            NotSupported: pandas is not installed.
        """
        value = self.log_likelihood
        of = np.lexsort([np.array(self.words), -value])
        return frame(
            {
                "word": [self.words[i] for i in of],
                "inside": self.inside[of],
                "outside": self.outside[of],
                "log_likelihood": value[of],
                "log_ratio": self.log_ratio[of],
            }
        )


class _Window(NamedTuple):
    """The words around some matches, each once.

    Attributes:
        token: (words,), the tokens, ascending.
        match: (words,), the match to which each stands nearest; of two, the earlier one.
        on_left: (words,), whether it stands on its left.
    """

    token: Numbers
    match: Numbers
    on_left: npt.NDArray[np.bool_]


def window(tokens: Tokens, found: Matches, left: int, right: int) -> _Window:
    """The words of the same sentence that stand up to so many words to the left or right of a match."""
    rank = np.concatenate([[0], np.cumsum(tokens.is_word)])  # words before each token
    spoken = np.flatnonzero(tokens.is_word)
    first, behind = rank[found.start], rank[found.end]
    where: list[Numbers] = []
    match: list[Numbers] = []
    far: list[Numbers] = []
    every = np.arange(len(found.start))
    for side, most in ((-1, left), (1, right)):
        for k in range(1, most + 1):
            at = first - k if side < 0 else behind + k - 1
            inside = (at >= 0) & (at < len(spoken))
            token = spoken[np.clip(at, 0, len(spoken) - 1)]
            inside &= tokens.sentence[token] == tokens.sentence[found.start]
            where.append(token[inside])
            match.append(every[inside])
            far.append(np.full(int(inside.sum()), k))
    token, of, distance = (
        np.concatenate(one) if one else np.empty(0, np.int64) for one in (where, match, far)
    )
    order = np.lexsort([of, distance, token])
    token, of = token[order], of[order]
    once = np.r_[True, token[1:] != token[:-1]][: len(token)]
    token, of = token[once], of[once]
    return _Window(token, of, token < found.start[of])


def collocates(
    tokens: Tokens,
    found: Matches,
    *,
    left: int = 5,
    right: int = 5,
    groups: npt.NDArray[np.int64] | None = None,
    names: Sequence[str],
    texts: npt.NDArray[np.bool_] | None = None,
) -> Collocates:
    """The words around the matches of a word.

    Args:
        tokens: the texts.
        found: where the word stands.
        left: words of the window on the left, signs not counted, 0 to 20.
        right: the same on the right.
        groups: (matches,), the group of each line, from 0; −1 for none. None for one group of all.
        names: (forms,), what each form counts as: itself, or its lemma.
        texts: (tokens,), which belong to the texts that count, those of all matches among them; None
            for all. Words of other texts would make every word of these texts a collocate.

    Raises:
        CorpusError: the window is empty or too wide, or nothing was found.
    """
    if not (0 <= left <= MOST_WIDE and 0 <= right <= MOST_WIDE and left + right):
        raise CorpusError(
            _("A window has 0 to {most} words on each side, and one at least.").format(most=MOST_WIDE)
        )
    if not len(found.start):
        raise CorpusError(_("Nothing was found, and what does not occur has no collocates."))
    around = window(tokens, found, left, right)
    number, words = _numbered(names)
    own = number[tokens.form[around.token]]
    size = len(words)
    together = np.bincount(own, minlength=size)
    on_left = np.bincount(own[around.on_left], minlength=size)
    spoken = tokens.is_word if texts is None else tokens.is_word & texts
    frequency = np.bincount(number[tokens.form[spoken]], minlength=size)
    group = np.zeros(len(found.start), np.int64) if groups is None else groups
    count = int(group.max()) + 1
    of = group[around.match]
    by_group = np.stack([np.bincount(own[of == one], minlength=size) for one in range(count)])
    met = np.flatnonzero(together)
    return Collocates(
        tuple(words[i] for i in met),
        together[met],
        on_left[met],
        (together - on_left)[met],
        frequency[met],
        by_group[:, met],
        len(found.start),
        len(around.token),
        by_group.sum(axis=1),
        int(spoken.sum()),
    )


def keywords(tokens: Tokens, inside: npt.NDArray[np.bool_], names: Sequence[str]) -> Keywords:
    """The words of some sentences against all others.

    Args:
        tokens: the texts.
        inside: (tokens,), whether each belongs to these sentences.
        names: (forms,), what each form counts as: itself, or its lemma.

    Raises:
        CorpusError: one of the two sides has no word.
    """
    number, words = _numbered(names)
    own = number[tokens.form]
    there = np.bincount(own[inside & tokens.is_word], minlength=len(words))
    rest = np.bincount(own[~inside & tokens.is_word], minlength=len(words))
    size, others = int(there.sum()), int(rest.sum())
    if not size or not others:
        raise CorpusError(_("Keywords compare two parts of a corpus, and one of them has no word."))
    met = np.flatnonzero(there + rest)
    return Keywords(tuple(words[i] for i in met), there[met], rest[met], size, others)


def _numbered(names: Sequence[str]) -> tuple[Numbers, list[str]]:
    """(forms,), the number of what each form counts as, and all of these once."""
    numbers: dict[str, int] = {}
    of = np.array([numbers.setdefault(one, len(numbers)) for one in names], np.int64)
    return of, list(numbers)
