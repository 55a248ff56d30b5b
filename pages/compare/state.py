"""The fields of the Compare page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from core.examples.first_texts import OPENING
from core.localization import N_
from core.records.finding import occurrence_spans
from core.records.inflections import same_word
from core.records.spelling import Spelling
from core.records.words import split
from ui import permalink, sense_ends
from ui.contributions import state as why
from ui.models import model_cache
from ui.state import MODEL, Choice, Field, Location, PageState, Switch, Whole, thread
from ui.state.side import ANGLE, Side
from ui.state.thread import Strand
from ui.word_choice import WordFields

VIEWS = {"pca": N_("In 2-D"), "pca3": N_("In 3-D")}  # of the word in all directions at once


def _has(text: str, phrase: str, spelling: Spelling) -> bool:
    """Whether a text contains all words of a phrase, perhaps in other forms."""
    if occurrence_spans(text, phrase, spelling=spelling):
        return True
    there = [one.text for one in split(text)]
    return all(any(same_word(one, word.text, spelling) for one in there) for word in split(phrase))


class CompareState(PageState):
    """Two sentences, the word in each, its two ends; and the choices inside each fold below."""

    model = MODEL
    a = Field("a", "a", OPENING.text_a, parse=str)
    b = Field("b", "b", OPENING.text_b, parse=str)
    word = Field("w", "word", OPENING.word, parse=str)
    occurrence = Whole("o", "place", 1, 1, 9999)
    word_b = Field("w2", "word B", "", parse=str)
    occurrence_b = Whole("o2", "place B", 1, 1, 9999)
    low, high = sense_ends.ENDS
    own = sense_ends.OWN
    # "senses" is the picture above, between the two meanings
    view = Choice("p", "view", "senses", ("senses", *VIEWS))
    # In three dimensions: layers before the last, the camera angle, and the point, from 1.
    space_back = Whole("sb", "compare space layers back", 0, 0, 999)
    side = Field[Side | None]("sd", "compare side", None, parse=ANGLE)
    point = Whole("pt", "compare point", 0, 0, 99)
    why: ClassVar[Mapping[str, Field[Any]]] = {field.key: field for field in why.STATE}
    back = Whole("d", "layers back", 0, 0, 999)
    layer = Whole("l", "layer", 1, 0, 999)  # 0 for the mean of all
    head = Whole("h", "head", 1, 0, 999)
    special = Switch("s", "special")
    sure = Switch("fs", "fold sure")
    moved_by = Switch("fw", "fold words")
    what_if = Switch("fi", "fold if")
    attends = Switch("fa", "fold attention")
    directions = Switch("fd", "fold directions")
    numbers = Switch("fn", "fold numbers")
    python = Switch("py", "compare python")
    more = Switch("fm", "fold more")  # around `attends` and `directions`
    use = Switch("fu", "fold use")  # around `numbers` and `python`

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

    @classmethod
    def thread(cls) -> Mapping[str, Strand]:
        """Sentence A, its word, and where attention is looked at."""
        return {
            "sentence": thread.sentence(cls.a),
            "word": thread.word(cls.word, cls.occurrence),
            "layer": thread.counted(cls.layer),
            "head": thread.counted(cls.head),
        }

    @classmethod
    def locations(cls) -> Sequence[Location]:
        """The word’s vector."""
        return (Location("vector"),)

    def enter(self, along: Mapping[str, Any]) -> None:
        """Refuse a shared sentence or word that the two sentences would not have in common."""
        word, _ = along.get("word", (self.word.get(), 1))
        first = along.get("sentence", self.a.get())
        spelling = model_cache.spelling_if_loaded(self.model.get())
        if not all(_has(one, word, spelling) for one in (first, self.b.get())):
            along = {name: one for name, one in along.items() if name not in ("sentence", "word")}
        super().enter(along)

    @property
    def lesson(self) -> permalink.Fields:
        """The fields that an example sets: the sentences, the word and its ends."""
        return (*self.texts.values(), *self.words["A"], *self.words["B"], *sense_ends.ENDS, self.own)
