"""One head and one word: its attention, its contribution, and the effect of ablating it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ...records.contributions import Contributions
from ...records.indices import index
from ...records.trace import Array, Record, Trace
from ..attention.whole_words import merged
from .by_word import disagree, numbered, strongest

# A single head has little effect. In units of the sense axis: an effect below the first number counts
# as none; a contribution and a cut disagree only if one of them reaches the second.
HARDLY, AT_ODDS = 0.005, 0.01


@dataclass(frozen=True, eq=False)
class HeadWhy(Record):
    """The row of a word in one head, word by word. Special tokens are listed among the words.

    Attributes:
        layer: from 0.
        head: from 0.
        words: the words of the text, and its special tokens.
        tokens: for each word, its tokens.
        own: the indices of the chosen word; several for a phrase.
        attention: (words,), the attention weight of the chosen word on each word; they sum to 1.
        adds: (words,), the contribution of attention to each word to the coordinate, an exact part of
            `Contributions`; counted from the word alone, if they are.
        cuts: (words,), the change of the coordinate if the head no longer attends from the chosen word
            to this one; NaN if it was not computed.
        elsewhere: the contribution of the head through the other words of its layer.
    """

    layer: int
    head: int
    words: tuple[str, ...]
    tokens: tuple[tuple[int, ...], ...]
    own: tuple[int, ...]
    attention: Array
    adds: Array
    cuts: Array
    elsewhere: float

    def __post_init__(self) -> None:
        self._freeze("attention", "adds", "cuts")

    @property
    def names(self) -> tuple[str, ...]:
        """The words, each with its number from its second occurrence on."""
        return numbered(self.words)

    @property
    def shown(self) -> tuple[int, ...]:
        """The words whose cut was computed."""
        return tuple(int(i) for i in np.flatnonzero(~np.isnan(self.cuts)))

    @property
    def at_odds(self) -> tuple[int, ...]:
        """Of `shown`, those whose sum and cut disagree, the farthest first: see `Why.at_odds`."""
        against = {
            i: abs(float(self.adds[i] + self.cuts[i]))
            for i in self.shown
            if disagree(float(self.adds[i]), float(self.cuts[i]), HARDLY, AT_ODDS)
        }
        return tuple(sorted(against, key=against.__getitem__, reverse=True))


def words_to_cut_for_head(
    contributions: Contributions, trace: Trace, layer: int, head: int, most: int
) -> tuple[tuple[int, ...], ...]:
    """The tokens of each word to which attention is to be cut, from left to right; at most `most`.

    They are the word itself and those with the largest contributions or attention weights. For the
    arguments, see `head_why`.
    """
    attention, words = merged(trace)
    counts = contributions.by_head.shape
    layer, head = index(layer, counts[0], "layer"), index(head, counts[1], "head")
    own = [i for i, group in enumerate(words) if set(group) & set(contributions.word)]
    attended = attention.head_weights(layer, head)[own].mean(axis=0)
    adds = np.abs(
        np.add.reduceat(contributions.by_head_direct[layer, head], [group[0] for group in words])
    )
    sizes = np.maximum(adds / max(float(adds.max()), 1e-9), attended / float(attended.max()))
    return strongest(words, contributions.word, sizes, most)


def head_why(
    contributions: Contributions,
    trace: Trace,
    layer: int,
    head: int,
    cuts: Mapping[tuple[int, ...], float],
) -> HeadWhy:
    """Combine the results for one head into a record.

    Args:
        contributions: the contributions along the axis of the last layer.
        trace: the trace of the same text.
        layer: from 0.
        head: from 0.
        cuts: tokens of a word -> the change of the coordinate without the head's attention to it.

    Raises:
        IndexError: there is no such layer or head.
    """
    attention, tokens = merged(trace)
    counts = contributions.by_head.shape
    layer, head = index(layer, counts[0], "layer"), index(head, counts[1], "head")
    starts = [group[0] for group in tokens]
    own = tuple(i for i, group in enumerate(tokens) if set(group) & set(contributions.word))
    adds = np.add.reduceat(contributions.by_head_direct[layer, head], starts)
    return HeadWhy(
        layer=layer,
        head=head,
        words=attention.queries,
        tokens=tokens,
        own=own,
        attention=attention.head_weights(layer, head)[list(own)].mean(axis=0),
        adds=adds,
        cuts=np.array([cuts.get(group, np.nan) for group in tokens]),
        elsewhere=float(contributions.by_head[layer, head].sum() - adds.sum()),
    )
