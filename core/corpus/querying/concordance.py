"""The lines of a concordance: a word's occurrences with their contexts, in groups of meaning.

`read` takes them from a corpus, `by_clusters` and `by_axis` group them, and `keywords` names what
stands around each group. Similarities are cosines over all lines, exact.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from ...errors import CorpusError
from ...measures.foreign import is_function_word
from ...measures.function_words import FUNCTION_WORDS
from ...measures.senses.clusters import LEAST, MOST, cluster, from_means, suggested
from ...measures.senses.density import NONE, Dense, dense
from ...measures.senses.separation import Separation, separation
from ...records.finding import by_star
from ...records.frozen import Array, Record
from ...records.sense_axis import SenseAxis
from ...records.unspaced import is_unspaced
from ..storage.columns import Value
from .beginning import beginning
from .corpus import Corpus, WordVectors
from .picking import ALL, Pick

MOST_LINES = 50_000
MOST_MAPPED = 10_000
LEAST_LINES = 5  # different ones in each cluster: fewer are no group
THIRD = 1 / 3  # of the axis between two senses: nearer to 0, a line is given neither of them
BETWEEN = "between"  # the group of these lines
NO_CLUSTER, UNMARKED, RARER = "no cluster", "not marked", "a rarer mark, or none"
LEAST_DENSE = 4 * LEAST_LINES  # different lines: in fewer, no density can be told
_READ = 200  # most typical lines of a group whose words are counted
_AROUND = 8  # words on each side of the word that are counted
# A share of the sentences, spread: two primes.
_SPREAD, _PARTS = 7_919, 10_007
_SMOOTH = 1.0
PARTS = 10  # stretches of a corpus over which a word is spread
_OFTEN, _SHORT = 0.05, 3  # occurrences a sentence, letters: of a word that is likely one of grammar
_CANDIDATES = 24  # common words of which the most evenly spread are examples
LEAST_FREQUENT = LEAST * LEAST_LINES  # lines of a word that is an example: enough for two clusters
_LETTERS = re.compile(r"[^\W\d_]{3,}")


@dataclass(frozen=True, eq=False)
class Lines(Record):
    """Occurrences of one word in the order of the texts.

    Attributes:
        word: the word as the corpus knows it.
        layer: the layer of the vectors, from 0.
        total: how often the word occurs where `condition` holds; there are at most `MOST_LINES` lines.
        rows: where each stands: the columns of the table of words, without the vectors.
        vectors: (lines, d_model) float32.
        texts: sentence -> its text.
        where: the condition by which lines were taken, if not all of them are here.
        condition: the filter over the columns that was asked for; None for none.
        picked: (lines,), which of the occurrences under `where` they are; None for the first ones.
    """

    word: str
    layer: int
    total: int
    rows: pa.Table
    vectors: Array
    texts: dict[int, str]
    where: str | None = None
    condition: str | None = None
    picked: npt.NDArray[np.int64] | None = None

    def __post_init__(self) -> None:
        self._freeze("vectors")

    def __len__(self) -> int:
        return len(self.vectors)

    @property
    def sentences(self) -> list[int]:
        """(lines,): the number of each line's sentence."""
        return self.rows["sentence"].to_pylist()  # type: ignore[no-any-return]

    @property
    def texts_in_order(self) -> list[str]:
        """(lines,): the sentence of each."""
        return [self.texts[number] for number in self.sentences]

    @property
    def spans(self) -> list[tuple[int, int]]:
        """(lines,): the first character of the word, and the one after its last."""
        return list(zip(self.rows["start"].to_pylist(), self.rows["end"].to_pylist(), strict=True))

    def column(self, name: str) -> list[Value]:
        """(lines,): the values of a column; `source` is one."""
        values: list[Value] = self.rows[name].to_pylist()
        return values

    def parts(self, which: npt.NDArray[np.int64] | None = None) -> list[tuple[str, str, str]]:
        """The sentences of all or some lines: before the word, the word, after it."""
        rows = self.rows if which is None else self.rows.take(which)
        places = (rows[name].to_pylist() for name in ("sentence", "start", "end"))
        return [
            (text[:start], text[start:end], text[end:])
            for number, start, end in zip(*places, strict=True)
            for text in (self.texts[number],)
        ]

    @cached_property
    def distinct(self) -> npt.NDArray[np.int64]:
        """The lines whose sentence stands for the first time: a text that returns counts once."""
        first: dict[tuple[str, int], int] = {}
        for line, (number, (start, _)) in enumerate(zip(self.sentences, self.spans, strict=True)):
            first.setdefault((self.texts[number], start), line)
        return np.fromiter(first.values(), np.int64, len(first))

    @property
    def nbytes(self) -> int:
        """About how much memory they take."""
        texts = sum(map(len, self.texts.values()))
        return int(self.vectors.nbytes + self.rows.nbytes + 2 * texts + 200 * len(self.texts))


@dataclass(frozen=True, eq=False)
class Groups(Record):
    """Lines in groups of meaning.

    Attributes:
        kind: found without labels ("clusters", and "density" for those that leave lines out), named by
            words ("axis"), or set by a person ("marks"); "all" for a single group of lines that are too
            few for clusters.
        names: their names; those of an axis are its two ends, and `BETWEEN`. The last one of dense
            clusters can be `NO_CLUSTER`, and of marks `UNMARKED` or `RARER`.
        of: (lines,) int64, the group of each, from 0.
        distance: (lines,) float32, how untypical each is of its group: the Euclidean distance from the
            mean of a cluster; on an axis, how far its coordinate is from the outermost one at its end,
            or, between the ends, from 0. The smallest is the most typical.
        coordinate: (lines,) float32 on the axis, −1 and +1 at its ends; None for clusters.
        words: for each group, the words that stand around it more often than around the others.
        stability: of dense clusters, see `core.measures.senses.density.Dense`.
        resampled: the same: how many clusters each sample has.
    """

    kind: Literal["clusters", "density", "axis", "marks", "all"]
    names: tuple[str, ...]
    of: npt.NDArray[np.int64]
    distance: Array
    coordinate: Array | None = None
    words: tuple[tuple[str, ...], ...] = ()
    stability: float | None = None
    resampled: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        self._freeze("distance", "coordinate")

    @property
    def left_over(self) -> int | None:
        """The group of the lines that belong to none; None if every line belongs to one."""
        rest = {"axis": (BETWEEN,), "density": (NO_CLUSTER,), "marks": (UNMARKED, RARER)}
        last = len(self.names) - 1
        return last if self.names[last] in rest.get(self.kind, ()) else None

    @property
    def counts(self) -> tuple[int, ...]:
        """How many lines each has."""
        return tuple(int(n) for n in np.bincount(self.of, minlength=len(self.names)))

    @cached_property
    def digest(self) -> str:
        """A hash of which line belongs where, by which results for these groups are cached."""
        whole = hashlib.blake2b(repr((self.kind, self.names)).encode(), digest_size=16)
        for array in (self.of, self.distance):
            whole.update(array.tobytes())
        return whole.hexdigest()

    def typical(self, group: int) -> npt.NDArray[np.int64]:
        """The lines of a group, the most typical first; ties stay in the order of the texts."""
        members = np.flatnonzero(self.of == group)
        return members[np.argsort(self.distance[members], kind="stable")]


def read(
    corpus: Corpus,
    word: str,
    *,
    layer: int | str | None = None,
    where: str | None = None,
    pick: Pick = ALL,
    most: int = MOST_LINES,
) -> Lines:
    """The lines of a word.

    If there are more than `most`, the lines of some sentences are taken, spread evenly over all texts.

    Args:
        corpus: the corpus.
        word: see `Corpus.count`.
        layer: see `Corpus.vectors`.
        where: see `Corpus.count`.
        pick: which of these lines.
        most: how many lines at most.

    Raises:
        CorpusError: see `Corpus.vectors`; or the word does not occur.
    """
    total = corpus.count(word, where=where)
    if not total:
        if where is not None and corpus.count(word):
            raise CorpusError(
                "“{beginning}” does not occur in the texts that you chose.",
                beginning=beginning(word),
            )
        offer = by_star(word, corpus.frequent(), corpus.spelling)
        raise CorpusError(f"“{beginning(word)}” does not occur in this corpus. {offer}".rstrip())
    spread = f"(sentence * {_SPREAD}) % {_PARTS} < {_PARTS * most // total}" if total > most else None
    taken = " AND ".join(f"({one})" for one in (where, spread) if one) or None
    found = corpus.vectors(word, layer=layer, where=taken)
    if not len(found.vectors):  # many occurrences in few sentences, which were all passed over
        taken, found = where, corpus.vectors(word, layer=layer, where=where)
    if len(found.vectors) > most:
        found = replace(found, rows=found.rows.slice(0, most), vectors=found.vectors[:most])
    picked = None
    if pick.way != "all":
        picked = pick.of(len(found.vectors))
        found = replace(found, rows=found.rows.take(picked), vectors=found.vectors[picked])
    texts = corpus.texts(found.rows["sentence"].to_numpy())
    return Lines(found.word, found.layer, total, found.rows, found.vectors, texts, taken, where, picked)


def similarities(lines: Lines, to: int) -> Array:
    """(lines,) float32: the cosine of each line with one of them; 0 with a zero vector."""
    x = lines.vectors
    lengths = np.sqrt(np.einsum("nd,nd->n", x, x))
    cosines: Array = np.divide(
        x @ x[to],
        lengths * lengths[to],
        out=np.zeros(len(x), np.float32),
        where=lengths * lengths[to] > 0,
    )
    return np.clip(cosines, -1, 1)


def by_clusters(lines: Lines, k: int) -> Groups:
    """The lines in k clusters, the largest first; see `core.measures.senses.clusters.cluster`.

    With 0, there are as many as `core.measures.senses.clusters.suggested` says.
    Fewer than `LEAST_LINES` different lines for each cluster stay together: k-means would find k
    clusters in k lines. Where it leaves fewer in one of them, it is asked for fewer clusters.
    """
    different = len(lines.distinct)
    if not k:
        k = suggested(lines.vectors[lines.distinct], min(MOST, different // LEAST_LINES))
    if different < LEAST_LINES * k:
        return _together(lines)
    of, distance = cluster(lines.vectors, k)
    while np.bincount(of[lines.distinct]).min() < LEAST_LINES:
        k -= 1
        if k < LEAST:
            return _together(lines)
        of, distance = cluster(lines.vectors, k)
    names = tuple(f"Cluster {number + 1}" for number in range(int(of.max()) + 1))
    groups = Groups("clusters", names, of, distance)
    return replace(groups, words=keywords(lines, groups))


def by_density(lines: Lines) -> Groups:
    """The lines in as many dense clusters as there are, and those that belong to none.

    See `core.measures.senses.density.dense`. Sentences that are repeated count once. Fewer than
    `LEAST_DENSE` different lines stay together, and so do lines without a dense region.
    """
    own = lines.distinct
    if len(own) < LEAST_DENSE:
        return _together(lines)
    found = dense(lines.vectors[own])
    if not found.count:
        return _together(lines)
    of, distance = _of_all(lines, found)
    names = [f"Cluster {number + 1}" for number in range(found.count)]
    if (of == found.count).any():
        names.append(NO_CLUSTER)
    groups = Groups(
        "density",
        tuple(names),
        of,
        distance,
        stability=found.stability,
        resampled=found.counts,
    )
    return replace(groups, words=keywords(lines, groups))


def _of_all(lines: Lines, found: Dense) -> tuple[npt.NDArray[np.int64], Array]:
    """(lines,) twice: the cluster of each, and its distance; copies have those of the first one."""
    first = {
        (lines.texts[lines.sentences[line]], lines.spans[line][0]): at
        for at, line in enumerate(lines.distinct.tolist())
    }
    sentences, spans = lines.sentences, lines.spans
    own = np.array(
        [first[lines.texts[number], start] for number, (start, _) in zip(sentences, spans, strict=True)]
    )
    of = np.where(found.of == NONE, found.count, found.of)
    return of[own].astype(np.int64), found.distance[own]


def by_marks(lines: Lines, marks: Sequence[str]) -> Groups:
    """The lines by the marks of a person, the commonest first; those without one stand last.

    Args:
        lines: the lines.
        marks: (lines,), the mark of each; "" for none.

    Raises:
        CorpusError: no line is marked.
    """
    counts = Counter(one for one in marks if one)
    if not counts:
        raise CorpusError("No line of this word is marked yet.")
    names = [name for name, _ in counts.most_common(MOST)]
    number = {name: i for i, name in enumerate(names)}
    of = np.array([number.get(one, len(names)) for one in marks], np.int64)
    if (of == len(names)).any():
        names.append(UNMARKED if len(counts) <= MOST else RARER)
    groups = Groups("marks", tuple(names), of, from_means(lines.vectors, of))
    return replace(groups, words=keywords(lines, groups))


def _together(lines: Lines) -> Groups:
    """All lines as one group, the most typical first."""
    of, distance = cluster(lines.vectors, 1)
    return Groups("all", ("All lines",), of, distance, words=((),))


def by_axis(lines: Lines, axis: SenseAxis, names: tuple[str, str]) -> Groups:
    """The lines at the two ends of a word's axis, and those between them.

    The axis is cut into three equal parts: below −1/3 a line belongs to the first sense, above +1/3 to
    the second. Of each sense, the outermost line comes first.
    """
    coordinate = axis.coordinate(lines.vectors, lines.layer)
    of = np.where(coordinate < -THIRD, 0, np.where(coordinate > THIRD, 1, 2)).astype(np.int64)
    outermost = np.array([-coordinate.min(), coordinate.max(), 0.0])
    outwards = np.stack([-coordinate, coordinate, -np.abs(coordinate)])
    distance = (outermost[of] - outwards[of, np.arange(len(of))]).astype(np.float32)
    groups = Groups("axis", (*names, BETWEEN), of, distance, coordinate)
    return replace(groups, words=keywords(lines, groups))


def separates(lines: Lines, groups: Groups) -> Separation | None:
    """How well clusters separate, by lines of different sentences; None for other groups."""
    if groups.kind != "clusters":
        return None
    return separation(lines.vectors[lines.distinct], groups.of[lines.distinct])


def keywords(lines: Lines, groups: Groups, most: int = 4) -> tuple[tuple[str, ...], ...]:
    """For each group, the words near the word that tell it from the other groups.

    Words are counted once a line, in the most typical lines of each group, and ranked by the logarithm
    of their odds against the other groups, times the square root of their count.
    """
    texts, spans = lines.texts_in_order, lines.spans
    found, sizes = [], []
    for group in range(len(groups.names)):
        near = groups.typical(group)[:_READ]
        counts: Counter[str] = Counter()
        for at in near:
            start, end = spans[at]
            before = _LETTERS.findall(texts[at][:start].lower())[-_AROUND:]
            after = _LETTERS.findall(texts[at][end:].lower())[:_AROUND]
            counts.update({*before, *after})
        found.append(counts)
        sizes.append(len(near))
    total: Counter[str] = sum(found, Counter())
    words = []
    for own, size in zip(found, sizes, strict=True):
        rest = sum(sizes) - size
        scored = []
        for word, count in own.items():
            if count < 2 or word == lines.word or word in FUNCTION_WORDS:
                continue
            other = total[word] - count
            odds = (count + _SMOOTH) / (size + 2 * _SMOOTH) / ((other + _SMOOTH) / (rest + 2 * _SMOOTH))
            if odds > 1.5:
                scored.append((-np.log(odds) * np.sqrt(count), word))
        words.append(tuple(word for _, word in sorted(scored)[:most]))
    return tuple(words)


def commonest(corpus: Corpus, most: int = 12) -> list[str]:
    """Common words of a corpus that carry meaning, as suggestions."""
    often = corpus.manifest.sentences * _OFTEN
    words = (w for w, count in corpus.frequent().items() if _carries_meaning(w, often=count > often))
    return list(islice(words, most))


def _carries_meaning(word: str, *, often: bool) -> bool:
    """Whether a word is of letters, long enough, and none of grammar, as far as can be told.

    Of languages whose function words are not listed, short and very common ones are taken for such.
    """
    letters = all(unicodedata.category(sign)[0] in "LM" for sign in word)
    unspaced = is_unspaced(word)
    long = len(word) > (1 if unspaced else 2)
    grammar = often and len(word) <= _SHORT and not unspaced and not word.isascii()
    return letters and long and not grammar and not is_function_word(word)


class Spread(NamedTuple):
    """A word that is frequent in a corpus, and spread over it.

    Attributes:
        word: the word.
        lines: how often it occurs.
        parts: in how many stretches of the corpus, equally many sentences each.
        of: how many stretches there are: `PARTS`, or fewer in a corpus of fewer sentences.
        deviation: 0 if it is spread evenly over them, towards 1 if it is in one alone: the deviation of
            proportions (Gries 2008), half the sum of |share of the word − share of the sentences|.
    """

    word: str
    lines: int
    parts: int
    of: int
    deviation: float


def spread(corpus: Corpus, most: int = 3) -> list[Spread]:
    """Words that carry meaning, are frequent in a corpus and spread over it: the best first.

    Of the commonest words, those with the largest count times (1 − deviation). One text that repeats a
    word often would else give the example. Words that occur less than `LEAST_FREQUENT` times come only
    where no others do.
    """
    parts = min(PARTS, max(1, corpus.manifest.sentences))
    found = []
    for word in commonest(corpus, _CANDIDATES):
        at = corpus.sentences_of(word)
        if not len(at):
            continue
        stretch = np.minimum(parts - 1, at * parts // max(1, corpus.manifest.next_sentence))
        shares = np.bincount(stretch, minlength=parts) / len(at)
        deviation = float(np.abs(shares - 1 / parts).sum() / 2)
        found.append(Spread(word, len(at), int((shares > 0).sum()), parts, deviation))
    frequent = [one for one in found if one.lines >= LEAST_FREQUENT] or found
    return sorted(frequent, key=lambda one: -one.lines * (1 - one.deviation))[:most]


def sample(count: int, most: int = MOST_MAPPED, seed: int = 0) -> npt.NDArray[np.int64]:
    """The lines of a map: all, or so many drawn with a fixed seed, in the order of the texts."""
    if count <= most:
        return np.arange(count)
    return np.sort(np.random.default_rng(seed).choice(count, most, replace=False))


def vectors_of_layers(corpus: Corpus, lines: Lines, which: npt.NDArray[np.int64]) -> list[Array]:
    """For each layer that the corpus keeps, (which,) vectors of some lines."""
    own = lines.rows["sentence"].to_numpy()[which], lines.rows["position"].to_numpy()[which]
    found = []
    for one in corpus.manifest.layers:
        if one.layer == lines.layer:
            found.append(lines.vectors[which])
            continue
        other: WordVectors = corpus.vectors(lines.word, layer=one.layer, where=lines.where)
        at = other.rows["sentence"].to_numpy(), other.rows["position"].to_numpy()
        # both are sorted by sentence and position
        keys, wanted = (sentence * 2**20 + position for sentence, position in (at, own))
        found.append(other.vectors[np.searchsorted(keys, wanted)])
    return found
