"""The fields of the Senses page, in the session and in the link."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from core.examples import labelled, words
from core.examples.first_texts import AMBIGUOUS_WORD
from core.localization import N_
from core.measures.senses.clusters import MOST
from core.reading import Choices, encodings
from core.reading.tables import delimited
from ui.state import MODEL, Choice, Field, Location, PageState, Switch, Whole
from ui.state.side import ANGLE, Side
from ui.state.thread import Strand, WordAt

OWN = "own"  # the visitor's own sentences, typed
FILE = "file"  # or uploaded
SPACES = {"pca": "PCA", "umap": "UMAP", "tsne": "t-SNE"}  # the method of the map
LABEL, CLUSTER = "label", "cluster"
COLOURS = {LABEL: N_("by label"), CLUSTER: N_("by found cluster")}


def lines_of(word: str) -> str:
    """Our own labelled sentences of a word, as a visitor would type them."""
    return "\n".join(f"{one.sense} | {one.text}" for one in labelled(word))


YES, NO = "yes", "no"
RUNNING, ONE = "running", "one"
NONE = "-"  # no column
DELIMITERS = {name: sign for sign, name in delimited.DELIMITERS.items()} | {NONE: ""}


def encoding_named(text: str) -> str:
    """An encoding out of a link. Raises ValueError if there is none of this name."""
    if text and text not in encodings.NAMES:
        raise ValueError(text)
    return text


class SensesState(PageState):
    """The word and its sentences, the depth, the occurrence, and the method of the map."""

    model = MODEL
    preset = Choice("p", "senses preset", AMBIGUOUS_WORD, (OWN, FILE, *words()))
    word = Field("w", "senses word", AMBIGUOUS_WORD, parse=str)
    lines = Field("ln", "senses lines", lines_of(AMBIGUOUS_WORD), parse=str)
    depth = Whole("d", "senses depth", 0, 0, 999)  # layers before the last
    sentence = Whole("q", "senses sentence", 1, 1, 99_999)
    colour = Choice("c", "senses colour", LABEL, COLOURS)
    clusters = Whole("k", "senses clusters", 0, 0, MOST)  # 0 for the best number
    space = Choice("f", "senses space", "pca", SPACES)
    solid = Switch("s3", "senses solid")
    side = Field[Side | None]("sd", "senses side", None, parse=ANGLE)  # None for the usual angle
    # How sentences are read; "" where the reader guesses.
    encoding = Field("en", "senses encoding", "", parse=encoding_named)
    delimiter = Choice("de", "senses delimiter", "", ("", *DELIMITERS))
    header = Choice("he", "senses header", "", ("", YES, NO))
    texts = Field("tc", "senses texts", "", parse=str)  # the name of a column
    labels = Field("lc", "senses labels", "", parse=str)
    units = Choice("ru", "senses units", "", ("", RUNNING, ONE))
    python = Switch("py", "senses python")

    def reading(self) -> Choices:
        """How sentences are to be read."""
        delimiter, labels = self.delimiter.get(), self.labels.get()
        return Choices(
            encoding=self.encoding.get() or None,
            delimiter=DELIMITERS[delimiter] if delimiter else None,
            header={YES: True, NO: False}.get(self.header.get()),
            text=self.texts.get() or None,
            label="" if labels == NONE else labels or None,
            running={RUNNING: True, ONE: False}.get(self.units.get()),
        )

    def forget_reading(self) -> None:
        """What was chosen for another file."""
        for field in (
            self.encoding,
            self.delimiter,
            self.header,
            self.texts,
            self.labels,
            self.units,
        ):
            field.set("")

    @classmethod
    def thread(cls) -> Mapping[str, Strand]:
        """The shared word, if we have sentences for it."""
        return {
            "word": Strand(
                (cls.preset, cls.word, cls.lines),
                lambda preset, word, lines: WordAt(word, 1) if word else None,
                lambda at: (at.word, at.word, lines_of(at.word)) if at.word in words() else (),
            )
        }

    @classmethod
    def locations(cls) -> Sequence[Location]:
        """The word’s vectors."""
        return (Location("vector"),)

    def enter(self, along: Mapping[str, Any]) -> None:
        """A visitor's own sentences stay, with their word: another word would bring ours."""
        if self.preset.get() not in (OWN, FILE):
            super().enter(along)
