"""The fields of the Embeddings page."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from core.examples.analogies import ANALOGIES
from core.examples.first_texts import AMBIGUOUS_WORD, TWO_BANKS
from core.localization import N_
from core.tasks.languages.senses import SENSES
from ui import formats
from ui.state import MODEL, Choice, Field, Location, PageState, Switch, Whole, thread
from ui.state.side import ANGLE, Side
from ui.state.thread import Strand, WordAt

VIEWS = {
    "path": N_("The path of a word"),
    "words": N_("Words of a text"),
    "sentences": N_("Whole sentences"),
    "analogy": N_("Analogies"),
    "trained": N_("Trained"),
}
# How the path of a word is shown: between two senses, or on a map of all its points.
FRAMED = {"senses": N_("Two senses"), "panels": N_("Before | after")}
MAPS = {"pca": N_("PCA"), "umap": "UMAP", "tsne": "t-SNE"}
LEARNED = "learned"
DEPTH = formats.Either(LEARNED, LEARNED, formats.AsText(formats.Whole(0, 999)))
FRAME = "the {} ."  # around each word of an analogy
SHOWN = NEAREST = 8  # bars of the words nearest to a sum, and to a word of a trained table
# The first two say much the same and share no word; by all three measures of MiniLM they are nearest.
SENTENCES = (
    "She withdrew money from the bank.",
    "He took cash out of his account.",
    "They went fishing on the river bank.",
    "The boat lay at the shore of the lake.",
    "The cat ate the mouse.",
)


def _first_word(typed: str) -> WordAt | None:
    """The first of the words in a link: "bank:2, river" or "bank; river"."""
    word, _, number = re.split("[,;]", typed)[0].strip().partition(":")
    try:
        return WordAt(word, formats.Whole(1, 9999)(number)) if word else None
    except ValueError:
        return WordAt(word, 1)


class EmbeddingsState(PageState):
    """The view, the texts, the vectors to compare, and how trajectories are shown."""

    model = MODEL
    view = Choice("p", "embeddings view", "path", VIEWS)
    text = Field("t", "embeddings text", TWO_BANKS, parse=str)
    lines = Field("ln", "embeddings lines", "\n".join(SENTENCES), parse=str)
    depth = Field("l", "embeddings depth", LEARNED, parse=DEPTH)
    special = Switch("sp", "embeddings special")
    row = Whole("q", "embeddings row", 6, 0, 999)
    column = Whole("k", "embeddings column", 14, 0, 999)
    sentence_row = Whole("sq", "embeddings sentence row", 0, 0, 999)
    sentence_column = Whole("sk", "embeddings sentence column", 1, 0, 999)
    second = Field("t2", "embeddings second", "", parse=str)
    words = Field("w", "embeddings words", "bank, bank:2", parse=str)
    space = Choice("f", "embeddings space", "senses", (*FRAMED, *MAPS))
    solid = Switch("s3", "embeddings solid")
    # None for the usual angle
    side = Field[Side | None]("sd", "embeddings side", None, parse=ANGLE)
    point = Whole("pt", "embeddings point", 0, 0, 9999)  # of a three-dimensional map; 0 for none
    back = Whole("d", "embeddings layers back", 0, 0, 999)
    sum = Field("an", "embeddings sum", ANALOGIES[0].sum, parse=str)
    leave_out = Switch("ao", "embeddings leave out", True)
    ambiguous = Choice("gk", "embeddings ambiguous", AMBIGUOUS_WORD, tuple(SENSES))
    window = Whole("gw", "embeddings window", 5, 1, 10)
    low = Field("lo", "embeddings low anchors", "", parse=str)
    high = Field("hi", "embeddings high anchors", "", parse=str)
    python = Switch("py", "embeddings python")

    @classmethod
    def thread(cls) -> Mapping[str, Strand]:
        """The text, the word whose path is shown, and the layer after which vectors are compared."""
        return {
            "sentence": thread.sentence(cls.text),
            "word": Strand((cls.words,), _first_word, lambda at: (f"{at.word}:{at.number}",)),
            "layer": Strand(
                (cls.depth,),
                lambda depth: None if depth in (LEARNED, "0") else int(depth),
                lambda layer: (str(layer),),
            ),
        }

    @classmethod
    def locations(cls) -> Sequence[Location]:
        """The words’ vectors, learned or after a layer; those of sentences, after the last."""
        return (
            Location("vector", when={cls.view: ("sentences",)}),
            Location("vector", layer=cls.depth),
            Location("vector", when={cls.view: ("path",)}),
            Location("embedding"),
        )

    def enter(self, along: Mapping[str, Any]) -> None:
        """In the same text, another word takes the place of the first one alone."""
        rest = [] if "sentence" in along else re.split("(?=[,;])", self.words.get())[1:]
        super().enter(along)
        if "word" in along:
            self.words.set(self.words.get() + "".join(rest))
