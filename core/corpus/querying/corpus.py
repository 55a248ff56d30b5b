"""A published corpus, to be asked: how often, where, what is near, in which sense.

A word's own occurrences are always searched exactly: they lie together, and an approximate index under
a filter loses results. Only a search over all words uses an index, in a corpus that is large enough to
have one; `Corpus.recall` measures on a sample what it finds.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from ...dictionary import lemma
from ...errors import CorpusError, ModelNotFound
from ...localization import _, decimal
from ...measures.senses.clusters import cluster
from ...memory import cached
from ...pretrained import load
from ...pretrained.load_model import weights_checksum
from ...pretrained.text_model import TextModel
from ...records.elision import is_elided
from ...records.finding import STAR, has_star, is_phrase, unquoted
from ...records.frozen import Array, Record
from ...records.indices import is_index
from ...records.particles import takes_particles, with_particles
from ...records.sense_axis import SenseAxis
from ...records.spelling import SET_OTHERWISE, Spelling, shapes
from ...records.unspaced import is_unspaced
from ...records.words import name_of, split
from ..spelling import spelling_of
from ..storage import manifest as manifests
from ..storage.columns import Value
from ..storage.filters import checked, quoted
from ..storage.layers import Layer
from ..storage.store import (
    OFFSET,
    ahead,
    batches,
    published,
    read_error,
    stretches,
    taken,
)
from . import tokens as rows_of_tokens
from .beginning import beginning
from .collocate_difference import CollocateDifference, collocate_difference
from .collocates import By, Collocates, Keywords, collocates, keywords
from .cosines import Cosines, halves, largest, widened
from .frequencies import Frequencies, WordFrequencies, by_values, in_order, words_by_values
from .matching import matching, typed
from .query import is_query, parse
from .tokens import Forms, Matches, Tokens
from .typical import Typical, typical
from .word_means import LEAST_OCCURRENCES, MOST_WORDS, Report, WordMeans, averaged, chosen, counted

_SHORT = 20  # letters: few texts have sentences that are shorter on average
_WINDOW = 1_000  # occurrences whose sentences are fetched together
_NAMED = 4  # words of several that an error names
MOST_PHRASE = 8  # words of a phrase
_SENTENCE = 2**20  # more than any sentence has words: sentence and position as one number
_ALL = 100_000  # rows that are read at once where all are read
_PROBES = 40  # partitions of the index that are searched
# Candidates of the index that are compared by their exact vectors: 20 for each of k (fewer for each of
# thousands), and no fewer than these. The index keeps one bit a number, too little to order those that
# lie close together.
_REFINE, _LEAST = 20, 500
# Rows that are searched beyond those asked for where sentences are left out: so many a sentence, at
# first no more than so many in all, and each time so many times as many.
_ROWS_A_SENTENCE, _FIRST_MORE, _MORE = 4, 400, 4
# Vectors that are drawn for the similarity of unrelated words, and the share of pairs that is above it.
_DRAWN, _ABOVE, _LEAST_WORDS = 1_000, 0.01, 2_000
_PLACE = ("sentence", "position")
_SPECIAL = re.compile(r"[\\%_]")


@dataclass(frozen=True)
class Occurrence:
    """One occurrence of a word.

    Attributes:
        word: the word, in the form under which the corpus finds it.
        sentence: the number of its sentence.
        position: the number of the word in its sentence, from 0.
        start: its first character in `text`.
        end: the character after its last one.
        text: the sentence.
        source: the file.
        columns: the columns of its text.
    """

    word: str
    sentence: int
    position: int
    start: int
    end: int
    text: str
    source: str
    columns: dict[str, Value]

    @property
    def left(self) -> str:
        """What stands before it in its sentence."""
        return self.text[: self.start]

    @property
    def right(self) -> str:
        """What stands after it in its sentence."""
        return self.text[self.end :]


@dataclass(frozen=True)
class Near:
    """An occurrence, and the cosine similarity of its vector with the one that was asked for."""

    occurrence: Occurrence
    cosine: float


@dataclass(frozen=True, eq=False)
class WordVectors(Record):
    """All occurrences of a word, or those for which a filter holds, in the order of the texts.

    Attributes:
        word: the word.
        layer: the layer, from 0.
        rows: where each stands: the columns of the table of words, without the vectors.
        vectors: (occurrences, d_model) float32.
    """

    word: str
    layer: int
    rows: pa.Table
    vectors: Array

    def __post_init__(self) -> None:
        self._freeze("vectors")


@dataclass(frozen=True, eq=False)
class SenseCoordinates(Record):
    """Where the occurrences of a word stand between two of its senses: −1 and +1 at the two ends.

    Attributes:
        of: the occurrences.
        axis: the axis of the word beside its anchors; see `core.SenseAxis`.
        coordinates: (occurrences,) float32, without unit.
    """

    of: WordVectors
    axis: SenseAxis
    coordinates: Array

    def __post_init__(self) -> None:
        self._freeze("coordinates")


@dataclass(frozen=True, eq=False)
class WordClusters(Record):
    """The occurrences of a word in clusters, found without labels, the largest first.

    Attributes:
        of: the occurrences.
        cluster: (occurrences,) int64, the cluster of each, from 0.
        typical: for each cluster, the indices of its occurrences, the one nearest to its mean first.
    """

    of: WordVectors
    cluster: npt.NDArray[np.int64]
    typical: tuple[npt.NDArray[np.int64], ...]


class _Runs(NamedTuple):
    """The rows of words in a row: of each occurrence of a phrase, one or more.

    Attributes:
        rows: (words,), the offsets of all, occurrence by occurrence.
        begin: (occurrences + 1,), where each begins in `rows`; the last is their number.
    """

    rows: npt.NDArray[np.uint64]
    begin: npt.NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.begin) - 1


class Corpus:
    """A corpus at the version that was published when it was opened. Threads can share it.

    Attributes:
        folder: where it lies.
        manifest: what it holds.
    """

    def __init__(self, folder: Path | str) -> None:
        self.folder = Path(folder)
        self.manifest = manifests.read(self.folder)
        self._words, self._sentences = published(self.folder, self.manifest)

    def __repr__(self) -> str:
        of = self.manifest
        return f"<core.corpus.Corpus {str(self.folder)!r}: {of.words:,} words, {of.model}>"

    def count(self, word: str, *, where: str | None = None) -> int:
        """How often a word occurs.

        Args:
            word: one word, in any spelling that the model of the corpus reads alike: an uncased one's
                corpus finds "Bank" as "bank". With a star, all words of which it is a part: "bank*",
                "*bank". It is found in letters of another shape too ("ﬁne"), and a word of Korean,
                Arabic or Hebrew with the particles that are written together with it. `words` says
                which words were found. Or a phrase: up to eight words in a row, such as "in this case".
                Or a query, such as "on the * of" or `[lemma="bank"] []{0,2} "of"`: see
                `core.corpus.querying.query`.
            where: a filter over the columns, such as `year >= 1990`.

        Raises:
            CorpusError: it is neither a word nor such a phrase or query, or the filter is wrong.
        """
        if is_query(word):
            return len(self._matches(word, where).start)
        if phrase := self._phrase(word):
            return len(self._in_a_row(phrase, where)[0])
        return int(self._words.count_rows(self._condition(word, where)))

    def size(self, where: str | None = None) -> int:
        """How many words the texts have for which a filter holds; None for all.

        Raises:
            CorpusError: the filter is wrong.
        """
        if where is None:
            return self.manifest.words
        return int(self._words.count_rows(checked(self._words, where)))

    def matching(self, **columns: Value | tuple[float, float]) -> str | None:
        """The filter for texts that have these values, for `where`: all of them at once.

        Args:
            columns: the value of each column, or the first and the last of a range of numbers:
                `corpus.count("bank", where=corpus.matching(genre="letters", year=(1990, 1999)))`.

        Raises:
            CorpusError: there is no such column, or the value of a numeric one is no number.
        """
        return matching(self.manifest, [(name, typed(value)) for name, value in columns.items()])

    def values(self, column: str) -> list[Value]:
        """The different values of a column of the texts, or of `source`, in their order; None last.

        Raises:
            CorpusError: there is no such column.
        """
        self._require_column(column)
        read = batches(self._sentences, None, (column,), size=_ALL)
        found: set[Value] = set()
        for batch in read:
            found.update(pc.unique(batch.column(column)).to_pylist())
        return in_order(found)

    def around(self, sentence: int, most: int = 2) -> tuple[list[str], list[str]]:
        """The sentences before and after one in its file, the nearest ones, in the order of the text.

        Args:
            sentence: its number.
            most: how many on each side.

        Raises:
            CorpusError: there is no such sentence.
        """
        near = f"id >= {int(sentence) - most} AND id <= {int(sentence) + most}"
        names = ("id", "text", "source")
        schema = pa.schema([self._sentences.schema.field(name) for name in names])
        rows = pa.Table.from_batches(batches(self._sentences, near, names), schema).to_pylist()
        own = next((row for row in rows if row["id"] == sentence), None)
        if own is None:
            raise CorpusError(
                "This corpus has no sentence {sentence}.",
                sentence=sentence,
            )
        rows = sorted(
            (one for one in rows if one["source"] == own["source"]), key=lambda one: one["id"]
        )
        return (
            [one["text"] for one in rows if one["id"] < sentence],
            [one["text"] for one in rows if one["id"] > sentence],
        )

    def beginning(self, letters: int) -> str:
        """The first sentences, one a line, with about so many letters together, and never more."""
        few = f"id < {max(1, letters // _SHORT)}"
        schema = pa.schema([self._sentences.schema.field(name) for name in ("id", "text")])
        rows = pa.Table.from_batches(batches(self._sentences, few, ("id", "text")), schema).to_pylist()
        lines = (one["text"] for one in sorted(rows, key=lambda one: int(one["id"])))
        return "\n".join(lines)[:letters]

    def occurrences(self, word: str, *, where: str | None = None) -> Iterator[Occurrence]:
        """The occurrences of a word in the order of the texts, fetched as they are taken.

        Args, Raises: see `count`.
        """
        rows = self.rows(word, where=where)
        for start in range(0, rows.num_rows, _WINDOW):
            yield from self.lines(rows.slice(start, _WINDOW))

    def rows(self, word: str, *, where: str | None = None) -> pa.Table:
        """Where a word stands, in the order of the texts: the table of words without its vectors.

        `lines` makes occurrences of them, of some alone if only some are wanted.

        Args, Raises: see `count`.
        """
        return self._rows(word, where, ())

    def vectors(
        self, word: str, *, layer: int | str | None = None, where: str | None = None
    ) -> WordVectors:
        """The vectors of a word's occurrences, in the same order as `occurrences`.

        The vector of a phrase, or of what a query finds, is the mean of those of its words.

        Args:
            word: see `count`.
            layer: from 0, or `best` or `last`; the best that the corpus keeps by default.
            where: see `count`.

        Raises:
            CorpusError: see `count`; or the corpus does not keep this layer.
        """
        of = self.layer(layer)
        if (runs := self._runs(word, where)) is not None:
            return WordVectors(
                self._name(word), of.layer, self._joined(word, runs), self._mean(runs, of)
            )
        rows = self._rows(word, where, (of.column,))
        vectors = _wide(rows[of.column], self.manifest.width)
        return WordVectors(self._name(word), of.layer, rows.drop_columns([of.column]), vectors)

    def sentences_of(self, word: str) -> npt.NDArray[np.int64]:
        """(occurrences,), the numbers of the sentences in which a word stands, ascending.

        Raises:
            CorpusError: see `count`.
        """
        if is_query(word):
            return self.tokens.sentence[self._matches(word, None).start]
        if self._phrase(word):
            return self._rows(word, None, ())["sentence"].to_numpy()  # type: ignore[no-any-return]
        schema = pa.schema([pa.field("sentence", self._words.schema.field("sentence").type)])
        rows = batches(self._words, self._condition(word, None), ("sentence",))
        numbers: npt.NDArray[np.int64] = pa.Table.from_batches(rows, schema)["sentence"].to_numpy()
        return np.sort(numbers)

    def lines(self, rows: pa.Table) -> list[Occurrence]:
        """Rows of words, such as some of `WordVectors.rows`, as occurrences with their sentences."""
        texts = self._texts(rows["sentence"].to_numpy())
        names = tuple(self.manifest.columns)
        return [
            Occurrence(
                row["word"],
                row["sentence"],
                row["position"],
                row["start"],
                row["end"],
                texts[row["sentence"]],
                row["source"],
                {name: row[name] for name in names},
            )
            for row in rows.to_pylist()
        ]

    def frequent(self, rows: int = 300_000) -> dict[str, int]:
        """Word -> how often it occurs, the commonest first.

        Of a large corpus, only the words in the first `rows` rows. Rows are sorted by a hash of the
        word, so that this is a random part of its words, each with all of its occurrences.
        """
        return self._counted(None, rows)

    def words(self, word: str, *, where: str | None = None) -> dict[str, int]:
        """The different words that are found -> how often each occurs, the commonest first.

        A single word counts as one, however it is spelled. Of several, each has its commonest spelling.

        Args, Raises: see `count`.
        """
        if is_query(word):
            return self._different(self._matches(word, where))
        if self._phrase(word) or self._found(word) == _is(self._key(word) or ""):
            return {self._name(word): self.count(word, where=where)}
        return self._counted(self._condition(word, where), None)

    def _counted(self, condition: str | None, rows: int | None) -> dict[str, int]:
        """The words of the first rows for which a condition holds -> how often each occurs."""
        names = ("word", "written")
        counts: Counter[tuple[str, str]] = Counter()
        for batch in batches(self._words, condition, names):
            counts.update(zip(*(batch.column(name).to_pylist() for name in names), strict=True))
            if rows is not None and counts.total() >= rows:
                break
        totals: Counter[str] = Counter()
        written: dict[str, str] = {}
        for (key, name), count in counts.most_common():
            totals[key] += count
            written.setdefault(key, name)
        return {written[key]: count for key, count in totals.most_common()}

    def texts(self, sentences: npt.NDArray[np.int64]) -> dict[int, str]:
        """Sentence -> its text, for sentences of this corpus by their numbers."""
        return self._texts(sentences)

    def vector(self, occurrence: Occurrence, *, layer: int | str | None = None) -> Array:
        """(d_model,) float32: the vector of an occurrence.

        Raises:
            CorpusError: it is not in this corpus.
        """
        of = self.layer(layer)
        if (runs := self._runs(occurrence.word, f"sentence = {occurrence.sentence}")) is not None:
            at = self._joined(occurrence.word, runs)["position"].to_numpy() == occurrence.position
            if at.any():
                whole: Array = self._mean(runs, of)[int(np.argmax(at))]
                return whole
        place = f"sentence = {occurrence.sentence} AND position = {occurrence.position}"
        where = f"word = {quoted(occurrence.word)} AND {place}"
        rows = pa.Table.from_batches(batches(self._words, where, (of.column,)), _only(self._words, of))
        if rows.num_rows != 1:
            raise CorpusError(
                "This occurrence of “{beginning}” is not in the corpus.",
                beginning=beginning(occurrence.word),
            )
        vector: Array = widened(halves(rows[of.column], self.manifest.width))[0]
        return vector

    def nearest(
        self,
        to: Occurrence | npt.ArrayLike,
        word: str | None = None,
        k: int = 20,
        *,
        layer: int | str | None = None,
        where: str | None = None,
        other_words: bool = False,
        without: Collection[int] = (),
    ) -> list[Near]:
        """The occurrences whose vectors have the largest cosine with a vector, the nearest first.

        Args:
            to: a vector, (d_model,), or an occurrence, which is then not among the results.
            word: search the occurrences of this word, exactly; None searches all words, by an index if
                the corpus is large enough to have one.
            k: how many.
            layer: see `vectors`.
            where: see `count`.
            other_words: leave out the word of the occurrence `to`: what else is used like this?
            without: the numbers of sentences that are not searched. The words beside a word share its
                sentence, and are near it for that reason alone.

        Raises:
            CorpusError: see `vectors`; or the vector has another width, or is zero or not finite.
        """
        of = self.layer(layer)
        vector = self.vector(to, layer=of.layer) if isinstance(to, Occurrence) else to
        try:
            query = np.asarray(vector, np.float32)
        except (TypeError, ValueError):
            raise CorpusError("Neighbours are those of a vector or of an occurrence.") from None
        if query.shape != (self.manifest.width,):
            raise CorpusError(
                "A vector of this corpus has {width} numbers.",
                width=self.manifest.width,
            )
        if not np.isfinite(query).all() or not query.any():
            raise CorpusError("A zero vector, or one that is not finite, has no neighbours.")
        if k < 1:
            raise CorpusError("The number of neighbours must be 1 or more.")
        extra = int(isinstance(to, Occurrence) and not other_words)
        if word is not None:
            search = partial(self._exact, query, of, self._condition(word, where))
        else:
            conditions = [checked(self._words, where)] if where is not None else []
            if other_words and isinstance(to, Occurrence):
                conditions.append(f"word != {quoted(to.word)}")
            search = partial(self._all_words, query, of, " AND ".join(conditions))
        rows, cosines = _outside(search, without, k + extra)
        near = [Near(*one) for one in zip(self.lines(rows), cosines, strict=True)]
        if isinstance(to, Occurrence):
            here = (to.sentence, to.position)
            near = [n for n in near if (n.occurrence.sentence, n.occurrence.position) != here]
        return near[:k]

    def senses(
        self,
        word: str,
        low: Sequence[str],
        high: Sequence[str],
        *,
        layer: int | str | None = None,
        where: str | None = None,
        model: TextModel | None = None,
    ) -> SenseCoordinates:
        """The coordinates of a word's occurrences on its axis between two senses.

        Args:
            word: see `count`.
            low: names the sense at −1, as in `core.Model.sense_axis`: one word is enough.
            high: the same for the sense at +1.
            layer: see `vectors`.
            where: see `count`.
            model: the model of the corpus, if it is loaded already.

        Raises:
            CorpusError: see `vectors`; or the weights are not those that made the corpus.
            NotSupported, WordNotFound: see `core.Model.sense_axis`.
        """
        own = self._model(model)
        of = self.vectors(word, layer=layer, where=where)
        axis = own.sense_axis(self.commonest(word), low, high)
        return SenseCoordinates(of, axis, axis.coordinate(of.vectors, of.layer))

    def clusters(
        self, word: str, k: int, *, layer: int | str | None = None, where: str | None = None
    ) -> WordClusters:
        """A word's occurrences in k clusters: see `core.measures.senses.clusters`.

        Args:
            word: see `count`.
            k: how many clusters, 2 to 8; there are fewer if there are fewer different vectors.
            layer: see `vectors`.
            where: see `count`.

        Raises:
            CorpusError: see `vectors`; or there are no occurrences, or `k` is out of range.
        """
        of = self.vectors(word, layer=layer, where=where)
        if not len(of.vectors):
            raise CorpusError(
                "“{beginning}” does not occur here.",
                beginning=beginning(word),
            )
        if not 2 <= k <= 8:
            raise CorpusError("The number of clusters is 2 to 8.")
        numbers, far = cluster(of.vectors, k)
        typical = []
        for number in range(int(numbers.max()) + 1):
            members = np.flatnonzero(numbers == number)
            typical.append(members[np.argsort(far[members], kind="stable")])
        return WordClusters(of, numbers, tuple(typical))

    def collocates(
        self,
        word: str,
        *,
        left: int = 5,
        right: int = 5,
        by: By = "word",
        where: str | None = None,
        which: npt.ArrayLike | None = None,
        groups: npt.ArrayLike | None = None,
    ) -> Collocates:
        """The words that stand beside a word, and how strongly each goes together with it.

        Args:
            word: see `count`.
            left: words of the window on the left of the word, in its sentence, signs not counted.
            right: the same on its right.
            by: `word` for forms as they stand, `lemma` for the words of the dictionary.
            where: see `count`. Frequencies are then those of these texts.
            which: the numbers of the occurrences that count, from 0, ascending; None for all.
            groups: (occurrences,), the group of each of these, in the order of `occurrences`, such as
                `WordClusters.cluster`; −1 for none. If there are fewer, the others do not count.

        Raises:
            CorpusError: see `count`; or the word does not occur, the window is too wide, the groups are
                not as many as the occurrences, or the corpus is too large (`tokens`).
        """
        found = self._places(word, where)
        if which is not None:
            own = np.asarray(which, np.int64)
            if len(own) and not 0 <= own.min() <= own.max() < len(found.start):
                raise CorpusError(f"There are {len(found.start):,} occurrences, counted from 0.")
            found = Matches(found.start[own], found.end[own])
        of = None if groups is None else np.asarray(groups, np.int64)
        if of is not None and not 0 < len(of) <= len(found.start):
            raise CorpusError(
                "There are {n_start:,} occurrences for {n_of:,} groups.",
                n_start=len(found.start),
                n_of=len(of),
            )
        if of is not None:  # of a frequent word, only the first lines are in groups
            found = Matches(found.start[: len(of)], found.end[: len(of)])
        return collocates(
            self.tokens,
            found,
            left=left,
            right=right,
            groups=of,
            names=self._names(by),
            texts=None if where is None else self._kept(where)[self.tokens.sentence],
        )

    def collocate_difference(
        self,
        word: str,
        other: str,
        *,
        left: int = 5,
        right: int = 5,
        by: By = "word",
        where: str | None = None,
    ) -> CollocateDifference:
        """What stands beside one word and not beside another, such as "big" and "large".

        Args:
            word: see `count`.
            other: the word with which it is compared, also a phrase or a query.
            left: see `collocates`.
            right: the same.
            by: the same.
            where: see `count`.

        Raises:
            CorpusError: see `collocates`; the two need not be different, but both occur.
        """
        first, second = (
            self.collocates(one, left=left, right=right, by=by, where=where) for one in (word, other)
        )
        return collocate_difference(first, second, (word, other))

    def keywords(self, where: str, *, by: By = "word") -> Keywords:
        """The words of some texts against those of all others.

        Args:
            where: which texts, such as `genre = 'spoken'`.
            by: see `collocates`.

        Raises:
            CorpusError: the filter is wrong, or holds for all texts or none.
        """
        return keywords(self.tokens, self._kept(where)[self.tokens.sentence], self._names(by))

    def frequency(self, word: str, column: str, *, where: str | None = None) -> Frequencies:
        """How often a word occurs for each value of a column, and in how many words.

        Args:
            word: see `count`.
            column: a column of the texts, or `source`.
            where: see `count`. Only words of these texts are counted.

        Raises:
            CorpusError: see `count`; or there is no such column.
        """
        ids, values = self._column(column)
        tokens, found = self.tokens, self._places(word, where)
        counts = np.bincount(tokens.sentence[found.start], minlength=self.manifest.next_sentence)
        return by_values(column, values, counts[ids], self._sizes(where)[ids])

    def word_frequencies(self, word: str, column: str, *, where: str | None = None) -> WordFrequencies:
        """How often each of the different words that are found occurs for each value of a column.

        Args, Raises: see `frequency`. A query such as "on the * of" finds many; a word finds itself.
        """
        ids, values = self._column(column)
        tokens, found = self.tokens, self._places(word, where)
        spelled = self._names("word")
        names = [
            " ".join(spelled[one] or "…" for one in tokens.form[start:end].tolist())
            for start, end in zip(found.start.tolist(), found.end.tolist(), strict=True)
        ]
        place = np.full(self.manifest.next_sentence, -1, np.int64)
        place[ids] = np.arange(len(ids))
        sentences = place[tokens.sentence[found.start]]
        return words_by_values(column, values, names, sentences, self._sizes(where)[ids])

    def _sizes(self, where: str | None) -> npt.NDArray[np.int64]:
        """(sentences,): how many words each has; 0 for those that a filter leaves out."""
        tokens = self.tokens
        words = np.bincount(
            tokens.sentence[tokens.is_word], minlength=self.manifest.next_sentence
        ).astype(np.int64)
        return words if where is None else np.where(self._kept(where), words, 0)

    def typical(self, column: str) -> Typical:
        """Which value of a column each word is most typical of: see `core.corpus.querying.typical`.

        Raises:
            CorpusError: there is no such column, or the corpus is too large (`tokens`).
        """
        return typical(column, self.tokens, *self._column(column))

    def _column(self, column: str) -> tuple[npt.NDArray[np.int64], list[Value]]:
        """The numbers of all sentences, and the value of each in a column."""
        self._require_column(column)
        values = pa.Table.from_batches(
            batches(self._sentences, None, ("id", column), size=_ALL),
            pa.schema([pa.field("id", pa.int64()), self._sentences.schema.field(column)]),
        )
        return values["id"].to_numpy(), values[column].to_pylist()

    def _require_column(self, column: str) -> None:
        names = ("source", *self.manifest.columns)
        if column not in names:
            raise CorpusError(
                "This corpus has no column “{column}”; it has {names}.",
                column=column[:40],
                names=", ".join(names),
            )

    def word_means(
        self,
        *,
        layer: int | str | None = None,
        where: str | None = None,
        least: int = LEAST_OCCURRENCES,
        most: int = MOST_WORDS,
        on_progress: Report = lambda done, total: None,
    ) -> WordMeans:
        """The mean vector of each word: one point a word.

        Args:
            layer: see `vectors`.
            where: see `count`; means are then over these texts alone.
            least: how often a word must occur in them.
            most: how many words at most, the most frequent ones.
            on_progress: called with the rows that have been read, and with their number.

        Raises:
            CorpusError: see `vectors`; or no word occurs so often.
        """
        of = self.layer(layer)
        condition = None if where is None else checked(self._words, where)
        rows = batches(self._words, condition, ("word", "written"), size=_ALL)
        words = chosen(counted(rows), least=max(1, least), most=most)
        total = int(self._words.count_rows(condition))
        vectors = batches(self._words, condition, ("word", of.column))
        return averaged(words, vectors, of.column, self.manifest.width, on_progress, total)

    def recall(
        self, *, sample: int = 50, k: int = 10, layer: int | str | None = None, seed: int = 0
    ) -> float:
        """The share of the true k nearest over all words that `nearest` finds, 0 to 1.

        Measured on occurrences drawn at random. 1 where there is no index, because the search is exact.
        """
        of = self.layer(layer)
        if of.layer not in self.manifest.indexed:
            return 1.0
        drawn = np.random.default_rng(seed).choice(
            self.manifest.words, min(sample, self.manifest.words), replace=False
        )
        rows = self._words.take_offsets(sorted(map(int, drawn))).select([of.column]).to_arrow()
        found = 0
        for query in widened(halves(rows[of.column], self.manifest.width)):
            by_index, exactly = (
                {*zip(*(one[name].to_pylist() for name in _PLACE), strict=True)}
                for one, _ in (
                    self._all_words(query, of, "", k),
                    self._all_words(query, of, "", k, exactly=True),
                )
            )
            found += len(by_index & exactly)
        return found / (k * int(rows.num_rows))

    def unrelated(self, *, layer: int | str | None = None, seed: int = 0) -> float | None:
        """The cosine that one in a hundred pairs of different words reaches: above it, words are near.

        Measured on 1,000 occurrences drawn at random, those of one sentence not paired. None in a
        corpus of fewer than 2,000 words: there, the nearest few of any word would not reach it by
        chance.
        """
        of = self.layer(layer)
        if self.manifest.words < _LEAST_WORDS:
            return None
        count = min(_DRAWN, self.manifest.words)
        drawn = np.random.default_rng(seed).choice(self.manifest.words, count, replace=False)
        names = ("word", "sentence")
        rows = taken(self._words, np.sort(drawn).astype(np.uint64), (of.column, *names))
        x = _wide(rows[of.column], self.manifest.width)
        lengths = np.linalg.norm(x, axis=1, keepdims=True)
        x = np.divide(x, lengths, out=np.zeros_like(x), where=lengths > 0)
        pairs = np.tri(count, k=-1, dtype=bool)
        for name in names:
            own = np.asarray(rows[name].to_pylist())
            pairs &= own[:, None] != own
        cosines = (x @ x.T)[pairs]
        return float(np.quantile(cosines, 1 - _ABOVE)) if len(cosines) else None

    def layer(self, name: int | str | None = None) -> Layer:
        """A layer that the corpus keeps, by its number from 0 or its name; its best by default."""
        layers = self.manifest.layers
        if name is None:
            return next((one for one in layers if "best" in one.names), layers[-1])
        for one in layers:
            if (is_index(name) and int(name) == one.layer) or name in one.names:
                return one
        kept = ", ".join(f"{one.layer} ({', '.join(one.names)})" for one in layers)
        raise CorpusError(
            "The corpus keeps no layer “{name}”, from 0; it keeps {kept}.",
            name=name,
            kept=kept,
        )

    def require_model(self, model: TextModel | None) -> None:
        """Check that a model, or the one that is here under its name, has made this corpus.

        Raises:
            CorpusError: another model, or other weights, made it; or its name is a path or a hub id.
                Somebody else may have written the manifest: pass such a model yourself.
            PolyseeError: its model is not here.
        """
        name, expected = self.manifest.model, self.manifest.checksum
        if model is not None and model.name != name:
            raise CorpusError(
                _("This corpus was made with “{model}”, not with “{other}”.").format(
                    model=name, other=model.name
                )
            )
        try:
            found = weights_checksum(name, paths=model is not None)
        except ModelNotFound as error:
            if model is not None:
                raise
            raise CorpusError(
                _(
                    "This corpus was made with the model “{model}”, which is none that Polysee "
                    "offers by its name. Load it yourself, and pass it as “model”."
                ).format(model=name[:200])
            ) from error
        if found != expected:
            raise CorpusError(
                _("This corpus was made with other weights of “{model}” than are here.").format(
                    model=name
                )
            )

    def _model(self, model: TextModel | None) -> TextModel:
        self.require_model(model)
        return model or load(self.manifest.model, paths=False)

    @cached_property
    def spelling(self) -> Spelling:
        """Which spellings are one word in this corpus.

        Raises:
            CorpusError: its manifest does not say it rightly.
        """
        try:
            return spelling_of(self.manifest.cased, self.manifest.normalizer)
        except ValueError as error:
            raise CorpusError(
                "The manifest of the corpus in “{folder}” is damaged. Build the corpus again.",
                folder=self.folder,
            ) from error

    def commonest(self, word: str) -> str:
        """The word itself; of several that are found by a star or with particles, the commonest.

        Raises:
            CorpusError: see `count`.
        """
        if is_query(word):
            return next(iter(self.words(word)), self._name(word))
        if self._phrase(word):
            return self._name(word)
        key = self._key(word)
        if key is not None and self._found(word) == _is(key):
            return self._name(word)
        return next(iter(self.words(word)), self._name(word))

    def _name(self, word: str) -> str:
        """A word as `words` writes it, which finds the same again."""
        word = " ".join(unquoted(word).split())
        return word if has_star(word) or is_query(word) else name_of(word, self.manifest.cased)

    def _phrase(self, word: str) -> tuple[tuple[int, str], ...]:
        """The words of a phrase, each with its place in it; () for a single word.

        Raises:
            CorpusError: it has too many words, or a star.
        """
        word = unquoted(word)
        if has_star(word) and not is_phrase(word):
            return ()
        spoken = [
            (at, one.text) for at, one in enumerate(split(word)) if any(map(str.isalnum, one.text))
        ]
        own = [one for _, one in spoken if not is_elided(one)]
        if len(own) < 2 or self._is_together(word):  # of "l'eau", "eau" is looked for
            return ()
        if len(spoken) > MOST_PHRASE or has_star(word):
            self._refuse(word, [one for _, one in spoken])
        return tuple(spoken)

    def _in_a_row(
        self, phrase: Sequence[tuple[int, str]], where: str | None
    ) -> list[npt.NDArray[np.uint64]]:
        """For each word of a phrase, (occurrences,) the offsets of its rows, as the texts have them."""
        keys: list[npt.NDArray[np.int64]] = []
        offsets: list[npt.NDArray[np.uint64]] = []
        for at, word in phrase:
            read = [*batches(self._words, self._condition(word, where), (*_PLACE, OFFSET))]
            if not read:
                return [np.empty(0, np.uint64) for _ in phrase]
            sentence, position, offset = (
                np.concatenate([batch.column(name).to_numpy() for batch in read])
                for name in (*_PLACE, OFFSET)
            )
            keys.append(sentence.astype(np.int64) * _SENTENCE + position - at + phrase[0][0])
            offsets.append(offset)
        common = keys[0]
        for other in keys[1:]:
            common = np.intersect1d(common, other)
        order = [np.argsort(one) for one in keys]
        return [
            offset[by[np.searchsorted(key, common, sorter=by)]]
            for key, offset, by in zip(keys, offsets, order, strict=True)
        ]

    def _runs(self, word: str, where: str | None) -> _Runs | None:
        """The rows of each occurrence of a phrase, or of what a query finds; None for a single word."""
        if is_query(word):
            found = self._matches(word, where)
            tokens, count = self.tokens, found.end - found.start
            begin = np.concatenate([[0], np.cumsum(count)])
            every = np.repeat(found.start - begin[:-1], count) + np.arange(begin[-1])
            spoken = tokens.is_word[every]
            words = np.concatenate([[0], np.cumsum(spoken)])
            return _Runs(tokens.row[every[spoken]].astype(np.uint64), words[begin])
        if phrase := self._phrase(word):
            each = self._in_a_row(phrase, where)
            begin = np.arange(len(each[0]) + 1) * len(each)
            return _Runs(np.stack(each, axis=1).ravel(), begin)
        return None

    def _joined(self, word: str, runs: _Runs) -> pa.Table:
        """The rows of a phrase, from those of its words: one from the first to the last of each."""
        if not len(runs):
            return pa.schema(self._plain).empty_table()
        rows = taken(self._words, runs.rows[runs.begin[:-1]], [one.name for one in self._plain])
        ends = taken(self._words, runs.rows[runs.begin[1:] - 1], ["end"])["end"]
        names = pa.array([self._name(word)] * rows.num_rows, rows["word"].type)
        rows = rows.set_column(rows.column_names.index("end"), rows.schema.field("end"), ends)
        return rows.set_column(rows.column_names.index("word"), rows.schema.field("word"), names)

    def _mean(self, runs: _Runs, of: Layer) -> Array:
        """(occurrences, d_model): the mean vector of the words of each occurrence of a phrase."""
        if not len(runs):
            return np.zeros((0, self.manifest.width), np.float32)
        # The rows of a frequent word come again and again, and each is read once.
        rows, again = np.unique(runs.rows, return_inverse=True)
        vectors = _wide(taken(self._words, rows, [of.column])[of.column], self.manifest.width)
        total = np.zeros((len(runs), self.manifest.width), np.float32)
        count = np.diff(runs.begin)
        for place in range(int(count.max())):
            long = np.flatnonzero(count > place)
            total[long] += vectors[again[runs.begin[long] + place]]
        mean: Array = total / count[:, None].astype(np.float32)
        return mean

    def _matches(self, query: str, where: str | None) -> Matches:
        """Where a query stands in `tokens`."""
        found = rows_of_tokens.find(self.tokens, parse(query), self._forms)
        if where is None:
            return found
        inside = self._kept(where)[self.tokens.sentence[found.start]]
        return Matches(found.start[inside], found.end[inside])

    def _kept(self, where: str) -> npt.NDArray[np.bool_]:
        """(sentences,): for which sentences a filter holds, by their numbers."""
        condition = checked(self._words, where)
        kept = np.zeros(self.manifest.next_sentence, bool)
        for batch in batches(self._words, condition, ("sentence",), size=_ALL):
            kept[batch.column("sentence").to_numpy()] = True
        return kept

    def _places(self, word: str, where: str | None) -> Matches:
        """Where a word, a phrase or a query stands in `tokens`, in the order of the texts."""
        if is_query(word):
            return self._matches(word, where)
        token = self.tokens.of_rows
        if (runs := self._runs(word, where)) is not None:
            start, end = token[runs.rows[runs.begin[:-1]]], token[runs.rows[runs.begin[1:] - 1]]
            return Matches(start, end + 1)
        read = batches(self._words, self._condition(word, where), (OFFSET,), size=_ALL)
        rows = [batch.column(OFFSET).to_numpy() for batch in read]
        start = np.sort(token[np.concatenate(rows)]) if rows else np.empty(0, np.int64)
        return Matches(start, start + 1)

    def _names(self, by: By) -> Sequence[str]:
        """(forms,): what each form counts as: the commonest spelling of its key, or its lemma."""
        if by == "lemma":
            return self.lemmas
        tokens = self.tokens
        often: dict[str, tuple[int, str]] = {}
        for key, written, count in zip(
            tokens.keys, tokens.written, tokens.counts.tolist(), strict=True
        ):
            often[key] = max(often.get(key, (-1, "")), (count, written))
        return [often[key][1] for key in tokens.keys]

    def _different(self, found: Matches) -> dict[str, int]:
        """What a query has found -> how often, the commonest first."""
        tokens = self.tokens
        counts = Counter(
            tuple(tokens.form[start:end].tolist())
            for start, end in zip(found.start.tolist(), found.end.tolist(), strict=True)
        )
        names: Counter[str] = Counter()
        for forms, count in counts.items():
            names[" ".join(tokens.written[one] or "…" for one in forms)] += count
        return dict(names.most_common())

    @cached_property
    def tokens(self) -> Tokens:
        """All words and signs of the corpus in the order of its texts, in memory.

        Raises:
            CorpusError: there are too many.
        """
        if self.manifest.words > rows_of_tokens.MOST_TOKENS:
            raise CorpusError(
                _(
                    "Queries are looked for in corpora of up to {most} words; this one has {count}. "
                    "Ask for a word or a phrase."
                ).format(
                    most=decimal(f"{rows_of_tokens.MOST_TOKENS:,}"),
                    count=decimal(f"{self.manifest.words:,}"),
                )
            )
        names = ("word", "written", *_PLACE, OFFSET)
        table = pa.Table.from_batches(
            batches(self._words, None, names, size=_ALL), _only_these(self._words, names)
        )
        pairs = pc.binary_join_element_wise(table["word"], table["written"], "\0")
        encoded = pairs.combine_chunks().dictionary_encode()
        both = [one.split("\0") for one in encoded.dictionary.to_pylist()]
        return rows_of_tokens.in_order(
            [word for word, _ in both],
            [written for _, written in both],
            encoded.indices.to_numpy().astype(np.int64),
            *(table[name].to_numpy().astype(np.int64) for name in (*_PLACE, OFFSET)),
        )

    @cached_property
    def lemmas(self) -> tuple[str, ...]:
        """(forms,): the lemma of each form of `tokens`.

        Raises:
            NotSupported: there is no dictionary of the corpus' language.
        """
        language = self.manifest.language
        return tuple(lemma(one, language) if one else "" for one in self.tokens.written)

    @cached_property
    def _shapes(self) -> tuple[npt.NDArray[np.int32], tuple[str, ...]]:
        """(tokens,): every word in the upper and lower case of its text, and all of these once.

        Nearly all words stand in a text as the corpus writes them, so that only those with a letter
        that lower case changes are cut out of it, one by one.
        """
        tokens = self.tokens
        numbers: dict[str, int] = {}
        of_form = [numbers.setdefault(one, len(numbers)) for one in tokens.written]
        shapes = np.array(of_form, np.int32)[tokens.form]
        text, begin = self._one_text()
        seen = np.zeros(len(text) + 1, np.int32)
        np.cumsum(_otherwise(text), out=seen[1:])
        place = np.zeros(self.manifest.next_sentence, np.int64)
        place[self._ids] = begin
        names = ("sentence", "start", "end", OFFSET)
        for batch in batches(self._words, None, names, size=_ALL):
            of, start, end, row = (batch.column(one).to_numpy().astype(np.int64) for one in names)
            start, end = start + place[of], end + place[of]
            own = np.flatnonzero(seen[end] > seen[start])
            shapes[tokens.of_rows[row[own]]] = [
                numbers.setdefault(text[i:j], len(numbers))
                for i, j in zip(start[own].tolist(), end[own].tolist(), strict=True)
            ]
        return shapes, tuple(numbers)

    def read_ahead(self) -> None:
        """Bring into memory what the first query needs, so that it takes no longer than those after it.

        Half a million words take .2 s for any query, and as long for one with upper and lower case.

        Raises:
            CorpusError: there are too many words for queries.
        """
        _ = self._shapes  # which needs `tokens`

    def _one_text(self) -> tuple[str, npt.NDArray[np.int64]]:
        """All sentences, one behind the other, and where each begins, in the order of `_ids`."""
        names = ("id", "text")
        schema = pa.schema([self._sentences.schema.field(name) for name in names])
        rows = pa.Table.from_batches(batches(self._sentences, None, names, size=_ALL), schema)
        texts = rows["text"].take(pc.sort_indices(rows["id"]))
        lengths = pc.utf8_length(texts).to_numpy().astype(np.int64)
        begin: npt.NDArray[np.int64] = np.cumsum(lengths) - lengths
        return "".join(texts.to_pylist()), begin

    @cached_property
    def _forms(self) -> Forms:
        return Forms(
            same=self._same,
            key=self.spelling.key,
            lemmas=lambda: self.lemmas,
            lemma=lambda word: lemma(word, self.manifest.language),
            shapes=lambda: self._shapes,
        )

    def _key(self, word: str) -> str | None:
        """The form under which a word is found; None for a word with a star."""
        word = unquoted(word)
        words = split(word)
        if words and has_star(word) and not is_phrase(word):
            return None
        if len(words) == 1 or self._is_together(word):
            return self.spelling.key("".join(one.text for one in words))
        self._refuse(word, [one.text for one in words if any(map(str.isalnum, one.text))])

    @staticmethod
    def _is_together(word: str) -> bool:
        """Whether it is one word of a script without spaces, which a dictionary may split in a text."""
        words = split(word)
        together = bool(words) and words[-1].end - words[0].start == sum(len(one.text) for one in words)
        return together and all(is_unspaced(one.text) for one in words)

    @staticmethod
    def _refuse(word: str, spoken: Sequence[str]) -> NoReturn:
        """Raise the error that says what can be searched for, and what this is."""
        named = ", ".join(_("“{word}”").format(word=beginning(one)) for one in spoken[:_NAMED])
        named += ", …" * (len(spoken) > _NAMED)
        said = [
            _(
                "A corpus is searched for one word, or for a phrase of up to {most} without a star."
            ).format(most=MOST_PHRASE)
        ]
        if len(spoken) > 1:
            said.append(
                _("“{word}” is {count} words: {named}.").format(
                    word=beginning(word), count=decimal(f"{len(spoken):,}"), named=named
                )
            )
        own = [one for one in spoken if not is_elided(one)]
        if len(own) == 1:
            said.append(_("Search for “{word}”.").format(word=beginning(own[0])))
        elif own:
            said.append(_("Search for some of them."))
        raise CorpusError(" ".join(said))

    @cached_property
    def _found(self) -> Callable[[str], str]:
        """Word -> the condition for its rows."""
        return cached()(self._rows_of)

    def _rows_of(self, word: str) -> str:
        key = self._key(word)
        if key is None:
            parts = unquoted(word).strip().split(STAR)
            like = "%".join(_literal(self.spelling.key(part)) if part else "" for part in parts)
            return f"word LIKE {quoted(like)}"
        return _is(*sorted(self._same(word)))

    def _same(self, word: str) -> set[str]:
        """The keys of the words that count as a word, those of the corpus; else its own."""
        key, word = self._key(word) or "", unquoted(word)
        loose = self.spelling.loose(word.strip())
        forms, key_of = {loose, *with_particles(loose)}, self.spelling.key
        others = forms | {key_of(one) for one in shapes(loose) if self.spelling.loose(one) == loose}
        if takes_particles(loose) and not loose.isascii():  # points may stand anywhere
            others |= {one for one, form in self._set_otherwise.items() if form in forms}
        # A word alone is asked for first: the rows of a common one are not read to the end.
        return self._those_of((key,)) | self._those_of(others - {key}) or {key}

    def _those_of(self, keys: Collection[str]) -> set[str]:
        """Those of some words that the corpus has."""
        there: set[str] = set()
        for batch in batches(self._words, _is(*keys), ("word",)) if keys else ():
            there.update(batch.column("word").to_pylist())
            if len(there) == len(keys):
                break
        return there

    @cached_property
    def _set_otherwise(self) -> dict[str, str]:
        """The words in other shapes or with points -> what they are without; by one scan."""
        there: set[str] = set()
        for batch in batches(self._words, f"regexp_like(word, {quoted(SET_OTHERWISE)})", ("word",)):
            there.update(batch.column("word").to_pylist())
        return {word: self.spelling.loose(word) for word in there}

    def _condition(self, word: str, where: str | None) -> str:
        own = self._found(word)
        return own if where is None else f"{own} AND {checked(self._words, where)}"

    def _rows(self, word: str, where: str | None, vectors: Sequence[str]) -> pa.Table:
        """The rows of a word in the order of the texts; those of one word with some vectors."""
        if (runs := self._runs(word, where)) is not None:
            return self._joined(word, runs)
        schema = pa.schema([*self._plain, *(self._words.schema.field(name) for name in vectors)])
        condition = self._condition(word, where)
        rows = pa.Table.from_batches(batches(self._words, condition, schema.names), schema)
        order = np.lexsort([rows["position"].to_numpy(), rows["sentence"].to_numpy()])
        # In a corpus of one run they are in order; taking them would copy all vectors.
        return rows if (np.diff(order) == 1).all() else rows.take(order)

    @cached_property
    def _plain(self) -> list[pa.Field]:
        vectors = {one.column for one in self.manifest.layers}
        return [one for one in self._words.schema if one.name not in vectors | {"hash"}]

    def _exact(self, query: Array, of: Layer, condition: str, k: int) -> tuple[pa.Table, list[float]]:
        """The k nearest rows of a condition, by exact cosines.

        Only vectors are read to compare; the other columns are read of the k rows alone.
        """
        cosines = Cosines(query)
        parts, places = [], []
        for batch in ahead(stretches(self._words, condition, of.column)):
            own = cosines(halves(batch.column(of.column), self.manifest.width))
            best = largest(own, k)
            parts.append(own[best])
            places.append(batch.column(OFFSET).to_numpy()[best])
        if not parts:
            return pa.schema(self._plain).empty_table(), []
        every, rows = np.concatenate(parts), np.concatenate(places)
        every, rows = every[(order := np.argsort(rows))], rows[order]  # equal ones by their place
        best = largest(every, k)
        names = [one.name for one in self._plain]
        return taken(self._words, rows[best], names), [float(one) for one in every[best]]

    def _all_words(
        self, query: Array, of: Layer, condition: str, k: int, *, exactly: bool = False
    ) -> tuple[pa.Table, list[float]]:
        """The k nearest rows over all words, by the index if there is one."""
        search: Any = self._words.search(query, vector_column_name=of.column)
        search = search.distance_type("cosine").limit(k)
        if exactly or of.layer not in self.manifest.indexed:
            search = search.bypass_vector_index()
        else:
            candidates = max(_LEAST, _REFINE * min(k, _FIRST_MORE), _MORE * k)
            search = search.nprobes(_PROBES).refine_factor(-(-candidates // k))
        if condition:
            search = search.where(condition, prefilter=True)
        try:
            rows = search.select([one.name for one in self._plain] + ["_distance"]).to_arrow()
        except (ValueError, RuntimeError, OSError) as error:
            raise read_error(error) from error
        cosines = [1 - float(one) for one in rows["_distance"].to_pylist()]
        return rows.drop_columns(["_distance"]), cosines

    @cached_property
    def _ids(self) -> npt.NDArray[np.int64]:
        """The numbers of all sentences, ascending: their offsets in the table."""
        schema = pa.schema([pa.field("id", pa.int64())])
        numbers: npt.NDArray[np.int64] = pa.Table.from_batches(
            batches(self._sentences, None, ("id",)), schema
        )["id"].to_numpy()
        return numbers

    def _texts(self, numbers: npt.NDArray[np.int64]) -> dict[int, str]:
        offsets = np.searchsorted(self._ids, np.unique(numbers))
        if not len(offsets):
            return {}
        try:
            query = self._sentences.take_offsets([int(one) for one in offsets])
            rows = query.select(["id", "text"]).to_arrow()
        except (ValueError, RuntimeError, OSError) as error:
            raise read_error(error) from error
        return dict(zip(rows["id"].to_pylist(), rows["text"].to_pylist(), strict=True))


def open(folder: Path | str) -> Corpus:
    """Open a published corpus.

    Raises:
        CorpusError: there is none, or its manifest is one that this Polysee does not read.
    """
    return Corpus(folder)


def _outside(
    search: Callable[[int], tuple[pa.Table, list[float]]], without: Collection[int], k: int
) -> tuple[pa.Table, list[float]]:
    """The k nearest rows outside some sentences: as many more are searched as lie inside.

    A condition that names them would be a text of half a megabyte for a frequent word.

    Args:
        search: returns so many nearest rows, or all that there are, and their cosines.
        without: the numbers of the sentences.
        k: how many.
    """
    if not without:
        return search(k)
    own = np.fromiter(without, np.int64, len(without))
    most = k + min(_ROWS_A_SENTENCE * len(own), _FIRST_MORE)
    while True:
        rows, cosines = search(most)
        outside = ~np.isin(rows["sentence"].to_numpy(), own)
        kept = np.flatnonzero(outside)[:k]
        if len(kept) == k or rows.num_rows < most:
            return rows.take(kept), [cosines[i] for i in kept]
        most *= _MORE


def _wide(column: pa.ChunkedArray, width: int) -> Array:
    """(rows, width) float32: a column of vectors, without first joining its pieces."""
    vectors = np.empty((len(column), width), np.float32)
    start = 0
    for piece in column.chunks:
        widened(halves(piece, width), vectors[start : start + len(piece)])
        start += len(piece)
    return vectors


def _otherwise(text: str) -> npt.NDArray[np.bool_]:
    """(characters,): which are not written so in lower case, or cannot be seen: see `name_of`."""
    of_code = np.zeros(sys.maxunicode + 1, bool)
    for sign in set(text):
        of_code[ord(sign)] = sign.lower() != sign or unicodedata.category(sign) == "Cf"
    parts = (text[i : i + _ALL] for i in range(0, len(text), _ALL))  # four bytes a character
    codes = (np.frombuffer(one.encode("utf-32-le", "surrogatepass"), np.uint32) for one in parts)
    found: npt.NDArray[np.bool_] = np.concatenate([np.empty(0, bool), *(of_code[one] for one in codes)])
    return found


def _is(*keys: str) -> str:
    """The condition that a row is of one of these words."""
    if len(keys) == 1:
        return f"word = {quoted(keys[0])}"
    return f"word IN ({', '.join(map(quoted, keys))})"


def _literal(part: str) -> str:
    """A part of a word for LIKE, in which % and _ stand for other characters."""
    return _SPECIAL.sub(r"\\\g<0>", part)


def _only(table: Any, of: Layer) -> pa.Schema:
    return pa.schema([table.schema.field(of.column)])


def _only_these(table: Any, names: Sequence[str]) -> pa.Schema:
    own = [one for one in names if one != OFFSET]
    return pa.schema([*(table.schema.field(name) for name in own), pa.field(OFFSET, pa.uint64())])
