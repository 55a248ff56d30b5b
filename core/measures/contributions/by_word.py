"""Why a word stands where it does on its sense axis: contributions that add up, attention, and cuts.

The sum begins where the word stands alone: it says what the sentence around the word changes.

A word's coordinate is `SenseAxis.coordinates` after the layer at which the contributions were measured.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ...localization import _, gettext
from ...records.attention import Attention
from ...records.contributions import Contributions, beginning
from ...records.sense_axis import SenseAxis
from ...records.trace import SINK, Array, Record, Trace
from ..attention.visible import mean_of_heads, mean_of_rows
from ..attention.whole_words import merged

HARDLY = 0.02  # on the sense axis: a contribution, or the effect of a cut, below this counts as nothing
AT_ODDS = 0.05  # they disagree if one of them is at least this large
TIMES = 4  # and one is this many times the other, or has the wrong sign


@dataclass(frozen=True, eq=False)
class Why(Record):
    """One sentence, word by word. Special tokens are listed among the words.

    Attributes:
        words: the words of the text, and its special tokens.
        tokens: for each word, its tokens.
        own: the indices of the chosen word; several for a phrase.
        special: which words are special tokens that the model's template added, or the sink.
        coordinate: the position of the chosen word on its axis, in the unchanged run.
        alone: its position on the same axis in a text that holds nothing else.
        by_layer: (layers + 1, words), the contribution of the vector at each word after each layer;
            row 0 is that of the embeddings. At the chosen word and at special tokens, it is what they
            contribute more than alone.
        constants: (layers + 1,), what the biases of later layers contribute more than alone. `alone`,
            each row of `by_layer` and its constant add up to `coordinate`.
        error: the largest rounding error of these sums.
        attention: (words,), the attention weight of the chosen word on each word, averaged over all
            heads.
        cuts: (words,), the change of the coordinate if the chosen word no longer attends to this one in
            any layer or head; NaN if it was not computed.
        by_head: (layers, heads), the contribution of each head through vectors that it moves from other
            positions than the chosen word's, to any position, counted from the word alone.
        by_head_own: (layers, heads), its contribution through vectors that it moves from the chosen
            word's own position, counted from the word alone.
        sink: whether the first word is the sink of a decoder.
        behind: the neutral beginning behind which the word stands alone; "" for most models.
    """

    words: tuple[str, ...]
    tokens: tuple[tuple[int, ...], ...]
    own: tuple[int, ...]
    special: tuple[bool, ...]
    coordinate: float
    alone: float
    by_layer: Array
    constants: Array
    error: float
    attention: Array
    cuts: Array
    by_head: Array
    by_head_own: Array
    sink: bool = False
    behind: str = ""

    def __post_init__(self) -> None:
        self._freeze("by_layer", "constants", "attention", "cuts", "by_head", "by_head_own")

    @property
    def names(self) -> tuple[str, ...]:
        """The words, each with its number from its second occurrence on, and the sink by its name."""
        names = numbered(self.words)
        return (gettext(SINK), *names[1:]) if self.has_sink else names

    @property
    def none_of_words(self) -> str:
        """The name of what is listed among the words and is none: special tokens, or the sink."""
        return _("the first token (sink)") if self.sink else _("special tokens")

    @property
    def has_sink(self) -> bool:
        """Whether the first of the words is the sink, and not the chosen word."""
        return self.sink and self.special[0]

    @property
    def contributions(self) -> Array:
        """(words,), the contribution of each word through all layers."""
        sources: Array = self.by_layer[0]
        return sources

    @property
    def parts(self) -> Array:
        """(layers, 4), four parts for each layer, which add up to `moved`.

        The parts come through its heads from other positions, through its heads from the word's own
        position, past its heads, and from its constant.
        """
        heads = np.stack([self.by_head.sum(axis=1), self.by_head_own.sum(axis=1)], axis=1)
        past = self.by_layer[:-1].sum(axis=1) - heads.sum(axis=1)
        return np.column_stack([heads, past, self.constants[:-1]])

    @property
    def constant(self) -> float:
        """What the biases contribute more than alone; it belongs to no word."""
        return float(self.constants[0])

    @property
    def moved(self) -> float:
        """How far the sentence moves the word from where it stands alone."""
        return self.coordinate - self.alone

    @property
    def shown(self) -> tuple[int, ...]:
        """The words whose cut was computed; in a long text, those that `words_to_cut` returns."""
        return tuple(int(i) for i in np.flatnonzero(~np.isnan(self.cuts)))

    @property
    def rest(self) -> tuple[float, int]:
        """The contribution of all other words together, and their number."""
        left = np.isnan(self.cuts)
        return float(self.contributions[left].sum()), int(left.sum())

    @property
    def others(self) -> tuple[int, ...]:
        """Those of `shown` that are words of the text, without the chosen word itself."""
        return tuple(i for i in self.shown if not self.special[i] and i not in self.own)

    @property
    def at_odds(self) -> tuple[int, ...]:
        """The words of `shown`, except the chosen one, whose contribution and cut disagree most, first.

        A word that contributes upwards is expected to lower the coordinate when it is cut, and vice
        versa; a word that hardly contributes is expected to leave the coordinate unchanged. Neither
        number is expected to be many times the other.
        """
        against = {
            i: abs(float(self.contributions[i] + self.cuts[i]))
            for i in self.shown
            if i not in self.own
            and disagree(float(self.contributions[i]), float(self.cuts[i]), HARDLY, AT_ODDS)
        }
        return tuple(sorted(against, key=against.__getitem__, reverse=True))


def disagree(adds: float, cut: float, hardly: float, least: float) -> bool:
    """Whether a cut does something other than remove the contribution.

    Args:
        adds: the contribution to the coordinate.
        cut: the change of the coordinate by the cut; it would be −`adds` if nothing else changed.
        hardly: contributions below this size count as 0.
        least: the size that one of the two needs for a disagreement; and the difference in size that a
            disagreement by size alone needs.
    """
    small, large = sorted((abs(adds), abs(cut)))
    if large < least:
        return False
    many = large > TIMES * small and large - small > least
    return adds * cut > 0 or abs(adds) < hardly or many


def push_back(words: float, moved: float) -> bool:
    """Whether the words of a sentence push against the move of the word.

    Args:
        words: what all of them add together, without the word itself.
        moved: how far the word moves from where it stands alone.
    """
    return min(abs(words), abs(moved)) > HARDLY and words * moved < 0


def numbered(words: Sequence[str]) -> tuple[str, ...]:
    """The words with numbers for repetitions: "bank", "bank (2)"."""
    counts: Counter[str] = Counter()
    names = []
    for word in words:
        counts[word] += 1
        names.append(word if counts[word] == 1 else f"{word} ({counts[word]})")
    return tuple(names)


def coordinate_of(trace: Trace, tokens: Sequence[int], axis: SenseAxis, layer: int = -1) -> float:
    """The coordinate of the word at these tokens after a layer, from 0."""
    return float(axis.coordinates(trace, list(tokens))[layer])


def words_to_cut(contributions: Contributions, trace: Trace, most: int) -> tuple[tuple[int, ...], ...]:
    """The tokens of each word whose cut is worth computing, from left to right.

    They are the chosen word, the word that it attends to most, and those that contribute most.

    Args:
        contributions: the contributions to the chosen word.
        trace: the trace of the same text.
        most: the largest number of words and special tokens.
    """
    attention, words = merged(trace)
    sizes = np.abs([contributions.by_token[list(group)].sum() for group in words])
    own = [i for i, group in enumerate(words) if set(group) & set(contributions.word)]
    sizes[_attention(attention, own).argmax()] = np.inf
    return strongest(words, contributions.word, sizes, most)


def _attention(attention: Attention, own: Sequence[int]) -> Array:
    """(words,), the attention weights of the words at `own`, averaged over all heads."""
    return mean_of_rows(mean_of_heads(one[list(own)] for layer in attention.weights for one in layer))


def strongest(
    words: Sequence[tuple[int, ...]], own: Sequence[int], sizes: Array, most: int
) -> tuple[tuple[int, ...], ...]:
    """The words at `own` tokens and the largest others, from left to right, as groups of tokens."""
    order = sorted(range(len(words)), key=lambda i: (not set(words[i]) & set(own), -sizes[i]))
    return tuple(words[i] for i in sorted(order[:most]))


def why(
    contributions: Contributions,
    trace: Trace,
    axis: SenseAxis,
    cuts: Mapping[tuple[int, ...], float],
) -> Why:
    """Combine the results for one sentence into a record.

    Args:
        contributions: the contributions along `axis.direction(layer)`, at any layer, counted from the
            word alone (`Contributions.from_alone`).
        trace: the trace of the same text.
        axis: the sense axis.
        cuts: for each word of `words_to_cut`, the change of the coordinate without attention to it.

    Raises:
        ValueError: the contributions are counted from another zero.
    """
    if contributions.alone is None:
        raise ValueError("What puts a word there is counted from the word alone.")
    attention, tokens = merged(trace)
    own = tuple(i for i, group in enumerate(tokens) if set(group) & set(contributions.word))
    alone = contributions.alone + axis.offset(contributions.layer)
    coordinate = coordinate_of(trace, contributions.word, axis, contributions.layer)
    here = [t for i in own for t in tokens[i]]
    starts = [group[0] for group in tokens]  # the pieces of a word are consecutive
    return Why(
        words=attention.queries,
        tokens=tokens,
        own=own,
        special=tuple(
            all(trace.apart[t] for t in group) and (i not in own or not trace.first_is_sink)
            for i, group in enumerate(tokens)
        ),
        sink=trace.first_is_sink,
        behind=beginning(causal=trace.causal),
        coordinate=coordinate,
        alone=alone,
        by_layer=np.add.reduceat(contributions.by_depth, starts, axis=1),
        constants=contributions.biases,
        error=max(contributions.error, abs(contributions.whole + alone - coordinate)),
        attention=_attention(attention, own),
        cuts=np.array([cuts.get(group, np.nan) for group in tokens]),
        by_head=np.delete(contributions.by_head, here, axis=-1).sum(axis=-1),
        by_head_own=contributions.by_head[..., here].sum(axis=-1),
    )
