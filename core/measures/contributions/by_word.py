"""Why a word stands where it does on its sense axis: contributions that add up, attention, and cuts.

A word's coordinate on the axis is `SenseAxis.position` after the layer behind which the contributions
were taken.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ...deprecated import field
from ...records.attention import Attention
from ...records.contributions import Contributions
from ...records.sense_axis import SenseAxis
from ...records.trace import Array, Record, Trace
from ..attention.visible import mean_of_heads, mean_of_rows
from ..attention.whole_words import merged

HARDLY = 0.02  # on the sense axis: a contribution, or what a cut does, below this counts as nothing
AT_ODDS = 0.05  # and the two disagree where one of them is this large
TIMES = 4  # and one is so many times the other, or of the wrong sign


@dataclass(frozen=True, eq=False)
class Why(Record):
    """One sentence, word by word. Special tokens stand among the words.

    Attributes:
        words: the words of the text, and its special tokens.
        tokens: of each, the tokens that it is made of.
        own: which of them are the word that is asked about; several for a phrase.
        special: which of them the model's template added.
        coordinate: where the word stands on its axis, as it was run.
        by_layer: (layers + 1, words), what stands at each word after each layer adds to this
            coordinate; row 0: what its embedding adds.
        constants: (layers + 1,), what no word adds: the biases of the layers after it, and where the
            axis has its 0. Each row of `by_layer` and its constant add up to `coordinate`.
        error: how far they are from it, at most, by rounding.
        attention: (words,), how much the word attends to each: raw attention, the mean of all heads.
        cuts: (words,), how far the coordinate moves when the word no longer attends to this one,
            anywhere; NaN where that was not asked.
        by_head: (layers, heads), what each head adds by what it brings from other positions than the
            word's, to wherever.
        by_head_own: (layers, heads), what it adds by what it brings from the word's own position.
    """

    words: tuple[str, ...]
    tokens: tuple[tuple[int, ...], ...]
    own: tuple[int, ...]
    special: tuple[bool, ...]
    coordinate: float
    by_layer: Array
    constants: Array
    error: float
    attention: Array
    cuts: Array
    by_head: Array
    by_head_own: Array

    place = field("place", "coordinate")
    looks = field("looks", "attention")
    pushes = field("pushes", "contributions")
    carried = field("carried", "by_head")
    kept = field("kept", "by_head_own")

    def __post_init__(self) -> None:
        self._freeze("by_layer", "constants", "attention", "cuts", "by_head", "by_head_own")

    @property
    def names(self) -> tuple[str, ...]:
        """The words, each with its number from its second occurrence on."""
        return numbered(self.words)

    @property
    def contributions(self) -> Array:
        """(words,), what each word adds through all layers."""
        sources: Array = self.by_layer[0]
        return sources

    @property
    def parts(self) -> Array:
        """(layers, 4), what each layer makes `coordinate` of: a row adds up to it.

        By its heads from other positions than the word's; by its heads from the word's own position;
        past its heads; and its constant.
        """
        heads = np.stack([self.by_head.sum(axis=1), self.by_head_own.sum(axis=1)], axis=1)
        past = self.by_layer[:-1].sum(axis=1) - heads.sum(axis=1)
        return np.column_stack([heads, past, self.constants[:-1]])

    @property
    def constant(self) -> float:
        """What no word adds."""
        return float(self.constants[0])

    @property
    def shown(self) -> tuple[int, ...]:
        """The words whose cut was asked for; of a long text those that `words_to_cut` names."""
        return tuple(int(i) for i in np.flatnonzero(~np.isnan(self.cuts)))

    @property
    def rest(self) -> tuple[float, int]:
        """What all other words add together; and how many they are."""
        left = np.isnan(self.cuts)
        return float(self.contributions[left].sum()), int(left.sum())

    @property
    def others(self) -> tuple[int, ...]:
        """Which of `shown` are words of the text, and not the one that is asked about."""
        return tuple(i for i in self.shown if not self.special[i] and i not in self.own)

    @property
    def at_odds(self) -> tuple[int, ...]:
        """Of `shown`, without the word itself, whose contribution and cut disagree, farthest first.

        What contributes upwards is expected to leave the coordinate lower when it is cut, and the
        reverse; what contributes hardly is expected to leave it as it is. And one of the two is
        expected not to be many times the other.
        """
        against = {
            i: abs(float(self.contributions[i] + self.cuts[i]))
            for i in self.shown
            if i not in self.own
            and disagree(float(self.contributions[i]), float(self.cuts[i]), HARDLY, AT_ODDS)
        }
        return tuple(sorted(against, key=against.__getitem__, reverse=True))


def disagree(adds: float, cut: float, hardly: float, least: float) -> bool:
    """Whether a cut does other than take away what is added.

    Args:
        adds: what is added to the coordinate.
        cut: how far the coordinate moves by the cut; −`adds`, were nothing else changed by it.
        hardly: what adds less counts as nothing.
        least: how large one of them is where they disagree; and how far their sizes are apart, where
            they do so by size alone.
    """
    small, large = sorted((abs(adds), abs(cut)))
    if large < least:
        return False
    many = large > TIMES * small and large - small > least
    return adds * cut > 0 or abs(adds) < hardly or many


def numbered(words: Sequence[str]) -> tuple[str, ...]:
    """Words that differ from each other: "bank", "bank (2)"."""
    counts: Counter[str] = Counter()
    names = []
    for word in words:
        counts[word] += 1
        names.append(word if counts[word] == 1 else f"{word} ({counts[word]})")
    return tuple(names)


def coordinate_of(trace: Trace, tokens: Sequence[int], axis: SenseAxis, layer: int = -1) -> float:
    """Where the word at these tokens stands after a layer, from 0."""
    return float(axis.coordinates(trace, list(tokens))[layer])


def words_to_cut(contributions: Contributions, trace: Trace, most: int) -> tuple[tuple[int, ...], ...]:
    """The tokens of each word to ask about, from left to right.

    Its own, that which it attends to most, and those that contribute most.

    Args:
        contributions: of the word.
        trace: the same text as it was run.
        most: how many words, or special tokens, at most.
    """
    attention, words = merged(trace)
    sizes = np.abs([contributions.by_token[list(group)].sum() for group in words])
    own = [i for i, group in enumerate(words) if set(group) & set(contributions.word)]
    sizes[_attention(attention, own).argmax()] = np.inf
    return strongest(words, contributions.word, sizes, most)


def _attention(attention: Attention, own: Sequence[int]) -> Array:
    """(words,), how much the words at `own` attend to each: the mean of all heads."""
    return mean_of_rows(mean_of_heads(one[list(own)] for layer in attention.weights for one in layer))


def strongest(
    words: Sequence[tuple[int, ...]], own: Sequence[int], sizes: Array, most: int
) -> tuple[tuple[int, ...], ...]:
    """Of words, each by its tokens, those at `own` tokens and then the largest, from left to right."""
    order = sorted(range(len(words)), key=lambda i: (not set(words[i]) & set(own), -sizes[i]))
    return tuple(words[i] for i in sorted(order[:most]))


def why(
    contributions: Contributions,
    trace: Trace,
    axis: SenseAxis,
    cuts: Mapping[tuple[int, ...], float],
) -> Why:
    """Put together what was asked of the model.

    Args:
        contributions: along `axis.direction(layer)`, behind any layer.
        trace: the same text as it was run.
        axis: between the two senses.
        cuts: of the words that `words_to_cut` names, how far the word moves without its attention to
            each.
    """
    attention, tokens = merged(trace)
    own = tuple(i for i, group in enumerate(tokens) if set(group) & set(contributions.word))
    offset = axis.offset(contributions.layer)
    coordinate = coordinate_of(trace, contributions.word, axis, contributions.layer)
    here = [t for i in own for t in tokens[i]]
    starts = [group[0] for group in tokens]  # the pieces of a word stand in a row
    return Why(
        words=attention.queries,
        tokens=tokens,
        own=own,
        special=tuple(all(trace.special[t] for t in group) for group in tokens),
        coordinate=coordinate,
        by_layer=np.add.reduceat(contributions.by_depth, starts, axis=1),
        constants=contributions.biases + offset,
        error=max(contributions.error, abs(contributions.whole + offset - coordinate)),
        attention=_attention(attention, own),
        cuts=np.array([cuts.get(group, np.nan) for group in tokens]),
        by_head=np.delete(contributions.by_head, here, axis=-1).sum(axis=-1),
        by_head_own=contributions.by_head[..., here].sum(axis=-1),
    )
