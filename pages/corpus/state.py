"""The fields of the Corpus page."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from core.corpus.querying.collocates import MOST_WIDE
from core.figures import schema
from core.localization import N_
from core.measures.senses.clusters import MOST
from ui import permalink
from ui.corpora import examples, offered
from ui.corpora.offered import DOCS, WRITTEN
from ui.corpora.selection import MOST_CONDITIONS
from ui.session import SessionValue
from ui.state import Choice, Field, Location, PageState, Switch, Whole

CLUSTERS, DENSITY, SENSES, MARKS = "clusters", "density", "senses", "marks"
GROUPINGS = {
    CLUSTERS: N_("clusters (k-means)"),
    DENSITY: N_("density (HDBSCAN)"),
    SENSES: N_("two senses"),
    MARKS: N_("your marks"),
}
LINE, GROUP = "line", "group"
BESIDE_NOTHING, BESIDE_VALUES, BESIDE_CORPUS = WORDS_BESIDE = "nothing", "values", "corpus"
# The words with which the corpora that come with Polysee open: of all frequent words of the
# documentation, the lines of *case* separate best, into two clusters with a mean silhouette of .51, the
# same from either half. Of 70 words of the English by SmolLM2 that have two senses, those of *watch*:
# .45, the same from either half, and all 68 lines that begin with words of ours lie in the cluster of
# the sense that these were written for; *bear* has .45 too, and no word reaches .5. And the word of a
# link without one.
FIRST_WORDS = {WRITTEN: "watch", DOCS: "case"}
LINKED_WORD = "string"
MOST_SAMPLED = 50_000
SUGGESTED = 0  # clusters: as many as have the highest silhouette


class Opening(Field[str]):
    """A choice that opens with what this server has; a link that does not say it means `in_link`.

    What it has is looked up once for each link that is followed: the default is read many times a run.
    """

    def __init__(self, url: str, key: str, opens: Callable[[], str], *, in_link: str) -> None:
        super().__init__(url, key, in_link, parse=str, default_in_link=in_link)
        self._opens = opens
        self._opened = SessionValue[tuple[int, str] | None](f"{key} opens with", None)

    @property
    def default(self) -> str:
        """What the page opens with."""
        followed, opened = permalink.now().followed, self._opened.get()
        if opened is None or opened[0] != followed:
            opened = followed, self._opens()
            self._opened.set(opened)
        return opened[1]


def first_word() -> str:
    """The word with which the page opens: of an own corpus, one that is drawn out of it."""
    return word_of(examples.first_corpus())


def word_of(name: str) -> str:
    """The word with which a corpus opens; "" if it has none."""
    one = offered.every().get(name)
    if one is None or offered.is_supplied(one):
        return FIRST_WORDS.get(name, FIRST_WORDS[DOCS])
    return examples.first_word(one)


class CorpusState(PageState):
    """The corpus and the word, how its lines are grouped and sorted, the chosen line, the column."""

    # An operator's or visitor's own first, then English by SmolLM2; "" for Python's documentation.
    corpus = Opening("c", "corpus", examples.first_corpus, in_link=DOCS)
    word = Opening("w", "corpus word", first_word, in_link=LINKED_WORD)
    grouping = Choice("g", "corpus grouping", CLUSTERS, GROUPINGS)
    clusters = Whole("k", "corpus clusters", SUGGESTED, 0, MOST)
    low = Field("lo", "corpus low", "", parse=str)
    high = Field("hi", "corpus high", "", parse=str)
    layer = Field("l", "corpus layer", "", parse=str)  # from 1; "" for the best
    sort = Choice("s", "corpus sort", "meaning", schema.options("concordance", "sort"))
    sorted_by = Whole("sc", "corpus sorted by", 1, 1, 99)  # the column, from 1
    group = Whole("gr", "corpus group", 0, 0, MOST)  # from 1; 0 for all
    line = Whole("q", "corpus line", 0, 0, 99_999)  # from 1; 0 for none
    near = Choice("n", "corpus near", GROUP, (LINE, GROUP), default_in_link=LINE)
    column = Field("o", "corpus column", "", parse=str)  # "" for the first
    # The columns by which texts are chosen, each with its value: a text meets all of them.
    only = tuple(
        (
            Field(f"fo{number}", f"corpus only{number}", "", parse=str),
            Field(f"fv{number}", f"corpus only value{number}", "", parse=str),
        )
        for number in ("", *range(2, MOST_CONDITIONS + 1))
    )
    way = Choice("tk", "corpus way", "all", ("all", "random", "nth"))  # of lines
    size = Whole("tn", "corpus sample size", 100, 2, MOST_SAMPLED)
    counted_by = Field("qo", "corpus counted by", "", parse=str)  # the column of frequencies
    keys_by = Field("ko", "corpus keywords by", "", parse=str)  # and of key words; "" for the first
    key_lemmas = Switch("kl", "corpus keywords lemmas")
    value = Field("kv", "corpus keywords value", "", parse=str)  # of the column, "" for the first
    around = Switch("ar", "corpus around")
    frequency_open = Switch("ff", "corpus frequency open")
    keywords_open = Switch("fk", "corpus keywords open")
    marks_open = Switch("fa", "corpus marks open")
    marks_go_on = Switch("mn", "corpus marks go on")  # from a line that was marked to the next without
    surprise_open = Switch("fs", "corpus surprise open")
    near_open = Switch("fn", "corpus near open")
    beside_open = Switch("fb", "corpus beside open")
    left = Whole("wl", "corpus window left", 5, 0, MOST_WIDE)  # words beside the word
    right = Whole("wr", "corpus window right", 5, 0, MOST_WIDE)
    lemmas = Switch("lm", "corpus lemmas")
    against = Field("wx", "corpus against", "", parse=str)  # another word, beside whose collocates
    change_open = Switch("fc", "corpus change open")
    map_open = Switch("fm", "corpus map open")
    depth = Whole("ml", "corpus map layer", 0, 0, 999)  # of the kept layers, from 1; 0 for the page's
    # The map of all words: how it is placed and coloured, what is beside it, and what is chosen in it.
    words_open = Switch("fw", "corpus words open")
    words_how = Choice("wp", "corpus words placed", "umap", ("umap", "pca"))
    words_colour = Field("wk", "corpus words coloured by", "", parse=str)
    words_beside = Choice("wb", "corpus words beside", BESIDE_NOTHING, WORDS_BESIDE)
    words_column = Field("wc", "corpus words column", "", parse=str)
    words_first = Field("wa", "corpus words first", "", parse=str)
    words_second = Field("wz", "corpus words second", "", parse=str)
    words_corpus = Field("wo", "corpus words corpus", "", parse=str)
    words_found = Field("wq", "corpus words found", "", parse=str)
    words_lasso = Field("ws", "corpus words lasso", "", parse=str)
    words_side = Whole("wd", "corpus words side", 0, 0, 1)
    words_view = Field("wv", "corpus words view", "", parse=str)
    python = Switch("py", "corpus python")

    @classmethod
    def locations(cls) -> Sequence[Location]:
        """The word’s vectors, after one layer if one is chosen."""
        return (Location("vector", layer=cls.layer), Location("vector"))

    def complete(self) -> None:
        """A link to an own corpus that names no word opens with one that the corpus has."""
        name = self.corpus.get()
        if name != DOCS and permalink.leaves_out(self.word.url):
            self.word.set(word_of(name) or self.word.get())

    def forget_lines(self) -> None:
        """What was chosen among the lines of another word."""
        for field in (self.group, self.line, self.sorted_by, self.sort):
            field.set(field.default)  # type: ignore[arg-type]
