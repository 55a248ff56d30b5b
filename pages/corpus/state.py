"""The fields of the Corpus page."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from core.corpus.querying.collocates import MOST_WIDE
from core.figures import schema
from core.measures.senses.clusters import MOST
from ui import permalink
from ui.corpora import examples, offered
from ui.corpora.offered import DOCS
from ui.session import SessionValue
from ui.state import Choice, Field, Location, PageState, Switch, Whole

CLUSTERS, SENSES = "clusters", "senses"
GROUPINGS = {CLUSTERS: "clusters", SENSES: "two senses"}
LINE, GROUP = "line", "group"
# The word with which the page opens: of all frequent words of the documentation, its lines separate
# best, into two clusters with a mean silhouette of .51, the same from either half. And that of a link
# without a word.
FIRST_WORD, LINKED_WORD = "case", "string"
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
    name = examples.first_corpus()
    return FIRST_WORD if name == DOCS else examples.first_word(offered.every()[name])


class CorpusState(PageState):
    """The corpus and the word, how its lines are grouped and sorted, the chosen line, the column."""

    # An operator's or visitor's own first; "" for Python's documentation.
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
    near_open = Switch("fn", "corpus near open")
    beside_open = Switch("fb", "corpus beside open")
    left = Whole("wl", "corpus window left", 5, 0, MOST_WIDE)  # words beside the word
    right = Whole("wr", "corpus window right", 5, 0, MOST_WIDE)
    lemmas = Switch("lm", "corpus lemmas")
    change_open = Switch("fc", "corpus change open")
    map_open = Switch("fm", "corpus map open")
    depth = Whole("ml", "corpus map layer", 0, 0, 999)  # of the kept layers, from 1; 0 for the page's
    python = Switch("py", "corpus python")

    @classmethod
    def locations(cls) -> Sequence[Location]:
        """The word’s vectors, after one layer if one is chosen."""
        return (Location("vector", layer=cls.layer), Location("vector"))

    def complete(self) -> None:
        """A link to an own corpus that names no word opens with one that the corpus has."""
        name = self.corpus.get()
        if name != DOCS and permalink.leaves_out(self.word.url) and name in (every := offered.every()):
            self.word.set(examples.first_word(every[name]) or self.word.get())

    def forget_lines(self) -> None:
        """What was chosen among the lines of another word."""
        for field in (self.group, self.line, self.sorted_by, self.sort):
            field.set(field.default)  # type: ignore[arg-type]
