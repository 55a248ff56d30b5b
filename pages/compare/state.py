"""What is chosen on the page that compares a word in two sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from core.examples.first_texts import OPENING, POEM, POEM_B
from ui import permalink, sense_ends
from ui.contributions import state as why
from ui.state import MODEL, Choice, Field, PageState, Switch, Whole
from ui.state.side import Side
from ui.word_choice import WordFields

VIEWS = {"pca": "In 2-D", "pca3": "In 3-D"}  # of the word in all directions at once


class CompareState(PageState):
    """Two sentences, the word in each, its two ends; and what is chosen in each fold below."""

    model = MODEL
    a = Field("a", "a", OPENING.text_a, parse=str, default_in_v1=POEM)
    b = Field("b", "b", OPENING.text_b, parse=str, default_in_v1=POEM_B)
    word = Field("w", "word", OPENING.word, parse=str)
    occurrence = Whole("o", "place", 1, 1, 9999)
    word_b = Field("w2", "word B", "", parse=str)
    occurrence_b = Whole("o2", "place B", 1, 1, 9999)
    low, high = sense_ends.ENDS
    # "senses" is what older links say of the picture that now stands above.
    view = Choice("p", "view", "senses", ("senses", *VIEWS))
    # In three dimensions: layers before the last, the side, and the point, from 1.
    space_back = Whole("sb", "compare space layers back", 0, 0, 999)
    side = Field[Side | None]("sd", "compare side", None, parse=Side.read)
    point = Whole("pt", "compare point", 0, 0, 99)
    why: ClassVar[Mapping[str, Field[Any]]] = {field.key: field for field in why.STATE}
    back = Whole("d", "layers back", 0, 0, 999)
    layer = Whole("l", "layer", 1, 0, 999)  # 0: the mean of all
    head = Whole("h", "head", 1, 0, 999)
    special = Switch("s", "special")
    sure = Switch("fs", "fold sure")
    moved_by = Switch("fw", "fold words")
    what_if = Switch("fi", "fold if")
    attends = Switch("fa", "fold attention")
    directions = Switch("fd", "fold directions")
    numbers = Switch("fn", "fold numbers")
    python = Switch("py", "compare python")

    @property
    def texts(self) -> dict[str, Field[str]]:
        """The two sentences."""
        return {"A": self.a, "B": self.b}

    @property
    def words(self) -> dict[str, WordFields]:
        """The word in each sentence."""
        return {
            "A": WordFields(self.word, self.occurrence),
            "B": WordFields(self.word_b, self.occurrence_b),
        }

    @property
    def lesson(self) -> permalink.Fields:
        """What an example sets: the sentences, the word and its ends."""
        return (*self.texts.values(), *self.words["A"], *self.words["B"], *sense_ends.ENDS)
