"""The fields of the Corpus page."""

from __future__ import annotations

from collections.abc import Sequence

from core.figures import schema
from core.measures.senses.clusters import LEAST, MOST
from ui.state import Choice, Field, Location, PageState, Switch, Whole

CLUSTERS, SENSES = "clusters", "senses"
GROUPINGS = {CLUSTERS: "clusters", SENSES: "two senses"}
LINE, GROUP = "line", "group"
FIRST_WORD = "string"


class CorpusState(PageState):
    """The corpus and the word, how its lines are grouped and sorted, the chosen line, the column."""

    corpus = Field("c", "corpus", "", parse=str)  # "" for Python's documentation
    word = Field("w", "corpus word", FIRST_WORD, parse=str)
    grouping = Choice("g", "corpus grouping", CLUSTERS, GROUPINGS)
    clusters = Whole("k", "corpus clusters", 3, LEAST, MOST)
    low = Field("lo", "corpus low", "", parse=str)
    high = Field("hi", "corpus high", "", parse=str)
    layer = Field("l", "corpus layer", "", parse=str)  # from 1; "" for the best
    sort = Choice("s", "corpus sort", "meaning", schema.options("concordance", "sort"))
    sorted_by = Whole("sc", "corpus sorted by", 1, 1, 99)  # the column, from 1
    group = Whole("gr", "corpus group", 0, 0, MOST)  # from 1; 0 for all
    line = Whole("q", "corpus line", 0, 0, 99_999)  # from 1; 0 for none
    near = Choice("n", "corpus near", LINE, (LINE, GROUP))
    column = Field("o", "corpus column", "", parse=str)  # "" for the first
    depth = Whole("ml", "corpus map layer", 0, 0, 999)  # of the kept layers, from 1; 0 for the page's
    python = Switch("py", "corpus python")

    @classmethod
    def locations(cls) -> Sequence[Location]:
        """The word’s vectors, after one layer if one is chosen."""
        return (Location("vector", layer=cls.layer), Location("vector"))

    def forget_lines(self) -> None:
        """What was chosen among the lines of another word."""
        for field in (self.group, self.line, self.sorted_by, self.sort):
            field.set(field.default)  # type: ignore[arg-type]
