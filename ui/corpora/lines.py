"""The lines of a word and what follows from them, cached for all visitors, read only.

Each is computed once, whoever asks; the least recently used are dropped. A key names the corpus and its
version: after a build or a deletion, nothing old is shown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice
from threading import Lock
from typing import NamedTuple, TypeVar

from core.corpus import Corpus, Near
from core.corpus.marking import Place
from core.corpus.querying import concordance as of
from core.corpus.querying.beginning import beginning
from core.corpus.querying.collocate_difference import CollocateDifference
from core.corpus.querying.collocates import By, Collocates, Keywords
from core.corpus.querying.concordance import Groups, Lines
from core.corpus.querying.frequencies import Frequencies, WordFrequencies
from core.corpus.storage.columns import Value
from core.corpus.storage.filters import is_value, quoted
from core.corpus.storage.layers import Layer
from core.dictionary import lemma
from core.errors import CorpusError, PolyseeError
from core.localization import _, decimal, ngettext
from core.measures.senses.drift import LEAST, Drift, drift
from core.measures.senses.occurrences import projected
from core.measures.senses.separation import Separation
from core.measures.senses.shares import (
    Share,
    Steps,
    in_order,
    is_time,
    shares,
    steps_of,
    years_of,
)
from core.measures.senses.variety import Variety, variety
from core.memory import Cache, cached
from core.records.frozen import Array
from core.records.inflections import same_word
from core.records.words import split
from ui.corpora.offered import Offered, opened
from ui.corpora.selection import EVERY, Selection
from ui.models import model_cache
from ui.models.derived import Results
from ui.models.unknown_words import unknown_words
from ui.state import MODEL

NEAREST = 20
_REPEATED = 10  # times as many are searched where a text repeats the sentences that are left out
MOST_DIGITS = 4  # of the number of a layer
_MOST_FORMS = 20
_ENGLISH = "en"
T = TypeVar("T")


class WordQuery(NamedTuple):
    """A word in a corpus.

    Attributes:
        corpus: the name of the corpus.
        version: its version; see `ui.corpora.offered.version`.
        word: the word as it was typed.
        layer: the layer, from 0.
        selection: of which texts, and which of these lines.
    """

    corpus: str
    version: str
    word: str
    layer: int
    selection: Selection = EVERY


class CachedWord:
    """The lines of a word, and what is derived from them.

    Attributes:
        query: the query.
        corpus: the corpus that answered it.
        lines: its lines.
    """

    def __init__(self, query: WordQuery, corpus: Corpus, lines: Lines) -> None:
        self.query, self.corpus, self.lines = query, corpus, lines
        self._results = Results()

    def once(self, key: Hashable, make: Callable[[], T]) -> T:
        """The result of `make`, cached under this key."""
        return self._results.once(key, make)

    def clusters(self, k: int) -> Groups:
        """See `core.corpus.querying.concordance.by_clusters`."""
        return self.once(("clusters", k), lambda: of.by_clusters(self.lines, k))

    def dense(self) -> Groups:
        """See `core.corpus.querying.concordance.by_density`."""
        return self.once("dense", lambda: of.by_density(self.lines))

    def marked(self, marks: Sequence[str]) -> Groups:
        """See `core.corpus.querying.concordance.by_marks`; not cached, since marks change.

        Raises:
            CorpusError: no line is marked.
        """
        return of.by_marks(self.lines, marks)

    def places(self) -> list[Place]:
        """(lines,): where each line stands, as marks name it."""

        def make() -> list[Place]:
            positions = self.lines.rows["position"].to_pylist()
            return [*map(Place, self.lines.sentences, positions)]

        return self.once("places", make)

    def separation(self, groups: Groups) -> Separation | None:
        """See `core.corpus.querying.concordance.separates`."""
        return self.once(("separation", groups.digest), lambda: of.separates(self.lines, groups))

    def unrelated(self) -> float | None:
        """See `Corpus.unrelated`: what is less similar is not near."""
        query = self.query
        return _unrelated((query.corpus, query.version, query.layer), self.corpus)

    def senses(self, low: tuple[str, ...], high: tuple[str, ...], names: tuple[str, str]) -> Groups:
        """See `core.corpus.querying.concordance.by_axis`; the model must be the corpus's own.

        Raises:
            PolyseeError: the model is not here, has other weights, or finds no such axis.
        """

        def make() -> Groups:
            manifest = self.corpus.manifest
            model = model_cache.model(manifest.model)
            self.corpus.require_model(model)
            axis = model.sense_axis(self.corpus.commonest(self.lines.word), low, high)
            return of.by_axis(self.lines, axis, names)

        return self.once(("senses", low, high, names), make)

    def absent(self, words: tuple[str, ...]) -> tuple[str, ...]:
        """Those of some single words that the corpus does not have."""
        single = tuple(word for word in words if len(split(word)) == 1)
        return self.once(
            ("absent", single), lambda: tuple(word for word in single if not self.corpus.count(word))
        )

    def near_line(self, line: int) -> list[Near]:
        """The nearest occurrences of other words to a line, in other sentences."""

        def make() -> list[Near]:
            return self._near(self.lines.vectors[line], [self.lines.sentences[line]])

        return self.once(("near", line), make)

    def near_group(self, groups: Groups, group: int) -> list[Near]:
        """The nearest occurrences of other words to the mean of a group, outside its own sentences.

        Raises:
            CorpusError: the group is empty.
        """
        members = groups.of == group
        if not members.any():
            raise CorpusError(_("This group is empty."))
        mean = self.lines.vectors[members].mean(axis=0)

        def make() -> list[Near]:
            return self._near(mean, self.lines.rows["sentence"].to_numpy()[members].tolist())

        return self.once(("near", mean.tobytes()), make)

    def collocates(self, groups: Groups, left: int, right: int, by: By) -> Collocates:
        """See `Corpus.collocates`: of these lines, by their groups.

        Raises:
            PolyseeError: the corpus is too large, or has no dictionary of its language.
        """

        def make() -> Collocates:
            return self.corpus.collocates(
                self.query.word,
                left=left,
                right=right,
                by=by,
                where=self.lines.where,
                which=self.lines.picked,
                groups=groups.of,
            )

        return self.once(("collocates", groups.digest, left, right, by), make)

    def collocate_difference(self, other: str, left: int, right: int, by: By) -> CollocateDifference:
        """See `Corpus.collocate_difference`: of all lines of the chosen texts, not of a sample.

        Raises:
            PolyseeError: the other word does not occur there, or as `collocates`.
        """
        word, where = self.query.word, self.lines.condition
        return self.once(
            ("difference", other, left, right, by),
            lambda: self.corpus.collocate_difference(
                word, other, left=left, right=right, by=by, where=where
            ),
        )

    def frequency(self, column: str) -> Frequencies:
        """See `Corpus.frequency`, of the texts that are chosen.

        Raises:
            CorpusError: the corpus is too large.
        """
        word, where = self.query.word, self.lines.condition
        return self.once(
            ("frequency", column), lambda: self.corpus.frequency(word, column, where=where)
        )

    def word_frequencies(self, column: str) -> WordFrequencies:
        """See `Corpus.word_frequencies`, of the texts that are chosen.

        Raises:
            CorpusError: the corpus is too large.
        """
        word, where = self.query.word, self.lines.condition
        return self.once(
            ("word frequencies", column),
            lambda: self.corpus.word_frequencies(word, column, where=where),
        )

    def drift(self, column: str) -> tuple[Drift, ...]:
        """See `core.measures.senses.drift.drift`: from the first step of time, or `drift_start`."""

        def make() -> tuple[Drift, ...]:
            start = self.drift_start(column)
            return drift(self.lines.vectors, self.steps(column).values, start=start)

        return self.once(("drift", column), make)

    def drift_start(self, column: str) -> str | int | float | None:
        """From which value distances are measured: the earliest with enough lines, or the commonest."""
        often = Counter(one for one in self.steps(column).values if one is not None)
        enough = [one for one, count in often.items() if count >= LEAST]
        if self.is_numeric(column):
            return min(enough, default=None)
        return max(enough, key=lambda one: (often[one], str(one)), default=None)

    def words_of_texts(self) -> int:
        """How many words the chosen texts have."""
        return self.once("size", lambda: self.corpus.size(self.lines.condition))

    def around(self, line: int) -> tuple[list[str], list[str]]:
        """The sentences before and after a line in its file; see `Corpus.around`."""
        return self.once(("around", line), lambda: self.corpus.around(self.lines.sentences[line]))

    def words(self) -> dict[str, int]:
        """The different words that were found -> how often each occurs: several for "key*"."""
        where = self.lines.condition
        return self.once("words", lambda: self.corpus.words(self.lines.word, where=where))

    def unknown(self) -> list[str]:
        """Those of the words that were found which the model does not know.

        Empty if the model of the corpus is not at hand, or has other weights.
        """

        def make() -> list[str]:
            name = self.corpus.manifest.model
            model = model_cache.model(name) if name == MODEL.default else model_cache.if_loaded(name)
            if model is None:
                return []
            try:
                self.corpus.require_model(model)
            except PolyseeError:
                return []
            return unknown_words(model, self.lines.parts())

        return self.once("unknown", make)

    def forms(self) -> tuple[str, ...]:
        """The forms of the word that the corpus has, itself first: key, keys, keyed."""

        def make() -> tuple[str, ...]:
            forms = filter(self._is_form, self.corpus.frequent())
            return tuple(islice(dict.fromkeys((*self.words(), *forms)), 1 + _MOST_FORMS))

        return self.once("forms", make)

    def _is_form(self, word: str) -> bool:
        """Whether a word is a form of this one; in an English corpus, also an inflection of it."""
        own = self.lines.word
        if same_word(word, own, self.corpus.spelling):
            return True
        return self.corpus.manifest.language == _ENGLISH and lemma(word) == lemma(own)

    def _near(self, vector: Array, own: Sequence[int]) -> list[Near]:
        """The nearest to a vector among other words, outside some sentences and their copies."""
        keys = dict.fromkeys(map(self.corpus.spelling.key, self.forms()))
        others = f"word NOT IN ({', '.join(map(quoted, keys))})"
        texts = {self.lines.texts[number] for number in own}
        elsewhere: list[Near] = []
        for k in (NEAREST, _REPEATED * NEAREST):
            near = self.corpus.nearest(
                vector, k=k, layer=self.lines.layer, where=others, without=dict.fromkeys(own)
            )
            # Of a large corpus, `forms` has only a part.
            elsewhere = [
                one
                for one in near
                if one.occurrence.text not in texts and not self._is_form(one.occurrence.word)
            ]
            if len(elsewhere) >= NEAREST or len(near) < k:
                break
        return elsewhere[:NEAREST]

    def similarities(self, line: int) -> Array:
        """The cosines of all lines with a line."""
        return self.once(("similar", line), lambda: of.similarities(self.lines, line))

    def is_numeric(self, column: str) -> bool:
        """Whether a column of the texts holds numbers, or dates, which count by their years."""
        return self._values(column)[1]

    def steps(self, column: str) -> Steps:
        """The values of a column, as lines are counted by them."""
        values, numeric = self._values(column)
        return self.once(("steps", column), lambda: steps_of(values, numeric=numeric))

    def is_time(self, column: str) -> bool:
        """Whether a column of the texts holds years or dates."""
        values, numeric = self._values(column)
        return numeric and is_time(column, values)

    def _values(self, column: str) -> tuple[Sequence[Value], bool]:
        """The values of a column, dates as their years; and whether they are numbers."""

        def make() -> tuple[Sequence[Value], bool]:
            values = self.lines.column(column)
            years = years_of(values)
            if years is not None:
                return years, True
            return values, self.corpus.manifest.columns.get(column, "text") != "text"

        return self.once(("values", column), make)

    def shares(self, groups: Groups, column: str) -> tuple[Share, ...]:
        """The share of each group for each value of a column, in the order of these values."""

        def make() -> tuple[Share, ...]:
            found = shares(groups.of.tolist(), self.steps(column).values)
            return in_order(found, numeric=self.is_numeric(column))

        return self.once(("shares", groups.digest, column), make)

    def variety(self, groups: Groups, column: str) -> tuple[Variety, ...]:
        """Over how many groups the lines of each value of a column are spread; see `variety`."""

        def make() -> tuple[Variety, ...]:
            rest = groups.left_over
            of = [-1 if one == rest else one for one in groups.of.tolist()]
            return variety(of, self.steps(column).values)

        return self.once(("variety", groups.digest, column), make)

    def map(self) -> tuple[Array, Array, Array]:
        """The lines on the map, (points,); their coordinates, (points, layers, 2); shares of variance.

        Raises:
            NotSupported: there is only one line.
        """

        def make() -> tuple[Array, Array, Array]:
            which = of.sample(len(self.lines))
            vectors = of.vectors_of_layers(self.corpus, self.lines, which)
            return which, *projected(vectors)

        return self.once("map", make)


_recalls: Cache[Hashable, Future[float]] = Cache()
_recall_lock = Lock()
_measuring = ThreadPoolExecutor(1, "polysee recall")


def get(corpus: Offered, word: str, layer: str, selection: Selection = EVERY) -> CachedWord:
    """A word's lines in a corpus as it is published now.

    Args:
        corpus: the corpus.
        word: the word.
        layer: the number of the layer from 1, `best` or `last`; "" for the best.
        selection: of which texts, and which of these lines.

    Raises:
        CorpusError: the corpus cannot be read; it is not one word, or does not occur.
    """
    found, version = opened(corpus)
    kept = layer_of(found, layer)
    return _get(WordQuery(corpus.name, version, word, kept.layer, selection), found)


def layer_of(corpus: Corpus, layer: str) -> Layer:
    """A layer as a link names it: its number from 1, `best` or `last`; "" for the best.

    Raises:
        CorpusError: the corpus does not keep it.
    """
    if layer.isascii() and layer.isdecimal() and len(layer) < MOST_DIGITS:
        return corpus.layer(int(layer) - 1)
    return corpus.layer(layer or None)


@cached(key=lambda query, corpus: query, weigh=lambda word: word.lines.nbytes)
def _get(query: WordQuery, corpus: Corpus) -> CachedWord:
    own = query.selection
    where = own.where(corpus.manifest)
    if where is not None and not corpus.count(query.word, where=where) and corpus.count(query.word):
        raise _empty(query, corpus, where)
    lines = of.read(corpus, query.word, layer=query.layer, where=where, pick=own.pick)
    return CachedWord(query, corpus, lines)


def _empty(query: WordQuery, corpus: Corpus, where: str) -> CorpusError:
    """Why a word has no line in the chosen texts, and which condition leaves none."""
    own, word = query.selection, beginning(query.word)
    said, words = own.quoted(), corpus.size(where)
    if not words:
        without = _("This corpus has no text where {chosen}.").format(chosen=said)
    else:
        without = ngettext(
            "“{word}” does not occur where {chosen}: these texts have {count} word.",
            "“{word}” does not occur where {chosen}: these texts have {count} words.",
            words,
        ).format(word=word, chosen=said, count=decimal(f"{words:,}"))
    if len(own.conditions) < 2:
        count = corpus.count(query.word)
        in_all = ngettext(
            "“{word}” occurs {count} time in all texts.",
            "“{word}” occurs {count} times in all texts.",
            count,
        ).format(word=word, count=decimal(f"{count:,}"))
        return CorpusError(f"{without} {in_all}")
    counts = []
    for number, (column, _value) in enumerate(own.conditions):
        fewer = own._replace(conditions=own.conditions[:number] + own.conditions[number + 1 :])
        count = corpus.count(query.word, where=fewer.where(corpus.manifest))
        counts.append(
            _("{count} without that of “{column}”").format(count=decimal(f"{count:,}"), column=column)
        )
    lines = _("Lines of “{word}”: {counts}.").format(word=word, counts=", ".join(counts))
    return CorpusError(f"{without} {lines}")


def keywords(corpus: Offered, column: str, value: Value, by: By) -> Keywords:
    """The words of the texts that have a value in a column against those of all others.

    Raises:
        CorpusError: all texts have it, or none; or the corpus is too large or cannot be read.
    """
    found, version = opened(corpus)
    return _keywords((corpus.name, version, column, value, by), found)


@cached(key=lambda key, corpus: key)
def _keywords(key: tuple[str, str, str, Value, By], corpus: Corpus) -> Keywords:
    _, _, column, value, by = key
    where = is_value(column, value)
    return corpus.keywords(where, by=by)


@cached(key=lambda key, corpus: key)
def _unrelated(key: tuple[str, str, int], corpus: Corpus) -> float | None:
    return corpus.unrelated(layer=key[2])


def recall(word: CachedWord) -> Future[float]:
    """The measured recall of a search over all words; measured once, in the background.

    See `Corpus.recall`: it compares 50 searches with exact ones, which takes seconds in a large corpus.
    """
    query, corpus = word.query, word.corpus
    with _recall_lock:
        key = (query.corpus, query.version, query.layer)
        if key not in _recalls:
            _recalls[key] = _measuring.submit(corpus.recall, layer=query.layer)
        return _recalls[key]


def forget() -> None:
    """Empty the cache, as in a new server."""
    _get.cache_clear()
    _unrelated.cache_clear()
    _keywords.cache_clear()
    _recalls.clear()
