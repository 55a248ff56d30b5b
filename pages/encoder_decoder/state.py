"""What is chosen on the page of the encoder–decoder: sentence, step, other words, where to look.

Steps count from 1 in the link, as on the screen: step 1 writes the first word.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from core.examples import first_texts
from core.figures.attention.layer_state import start
from core.tasks.languages.vocabulary import START
from ui import permalink
from ui.state import Choice, Field, PageState, Real, Switch, Whole
from ui.state import layer as layer_state

SHIPPED = "shipped"  # the model that comes with Polysee; it has one more, for the other direction
TO_ENGLISH = "shipped-to-english"
# Of these two, which one translates.
DIRECTIONS = {"to-french": "English → French", "to-english": "French → English"}
BLOCKS = ("encoder", "decoder", "cross")  # as `core.measures.attention.blocks` has them
VIEWS = {"layer": "Which token attends to which", "softmax": "Before and after softmax"}
_MOST_FORCED = 64


def read_forced(typed: str) -> dict[int, str]:
    """Step, from 0 -> the word that was chosen there, of "2.une,3.voiture".

    Raises:
        ValueError: it is no such list.
    """
    forced = {}
    for part in typed.split(",") if typed else ():
        number, _, word = part.partition(".")
        if not word or word == START:
            raise ValueError(typed)
        forced[permalink.whole(1, _MOST_FORCED)(number) - 1] = word
    return forced


def write_forced(forced: Mapping[int, str]) -> str:
    """The same as it stands in a link."""
    return ",".join(f"{step + 1}.{forced[step]}" for step in sorted(forced))


def _forced(typed: str) -> str:
    return write_forced(read_forced(typed))


def _index(value: object) -> int | None:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    whole = isinstance(value, int) and not isinstance(value, bool)
    return value if whole and 0 <= value < _MOST_FORCED else None  # type: ignore[operator, return-value]


class TranslationState(PageState):
    """The model, the direction, the sentence, the step, words that were chosen, where to look, how."""

    model = Field("tm", "translator model", SHIPPED, parse=str, scope="app")  # examples leave it
    direction = Choice("d", "translate direction", "to-french", DIRECTIONS)
    text = Field("t", "translate text", first_texts.TRANSLATION, parse=str)
    step = Whole("st", "translate step", 3, 1, _MOST_FORCED)
    forced = Field("fw", "translate forced", "", parse=_forced)
    temperature = Real("te", "translate temperature", 1.0, 0.1, 5.0)
    block = Choice("e", "translate block", "cross", BLOCKS)
    view = Choice("p", "translate view", "layer", VIEWS)
    layer = Whole("l", "translate layer", 1, 1, 99)
    mask = Switch("c", "translate mask", True)
    python = Switch("py", "translate python")
    # Of the picture of a layer. In the decoder's blocks a row is a step, so that `step` is its query.
    picture: ClassVar[Mapping[str, Field[Any]]] = layer_state.fields("translate picture")

    def translate(self, sentence: str) -> None:
        """Translate this one."""
        self.text.set(sentence)
        self.forget()

    def forget(self) -> None:
        """What belongs to one sentence, and means nothing in another."""
        self.forced.set("")
        self.step.set(1)
        self.forget_cell()

    def forget_cell(self) -> None:
        """Which column is attended to, and of which row alone lines are drawn."""
        for what in ("query", "key", "pin"):
            self.picture[what].set(None)

    def row(self) -> int:
        """The step that is chosen, from 0: the row of the decoder."""
        return self.step.get() - 1

    def words(self) -> dict[int, str]:
        """Step, from 0 -> the word that a visitor chose there."""
        return read_forced(self.forced.get())

    def write_instead(self, step: int, word: str, likeliest: str) -> None:
        """Write this word at a step; what was chosen behind it is forgotten."""
        earlier = {at: other for at, other in self.words().items() if at < step}
        self.forced.set(write_forced(earlier if word == likeliest else {**earlier, step: word}))

    def take_back(self) -> None:
        """Forget the last word that was chosen."""
        forced = self.words()
        if forced:
            del forced[max(forced)]
        self.forced.set(write_forced(forced))

    def own_words(self) -> None:
        """Forget all words that were chosen."""
        self.forced.set("")

    def head(self) -> int:
        """The head that is open, from 0; −1 for the mean."""
        return int(self.picture["head"].get() or 0)

    def picture_state(self, block: str) -> dict[str, Any]:
        """What is chosen inside the picture of a layer, as that picture takes it."""
        fields = {what: field.get() for what, field in self.picture.items()}
        chosen = {what: value for what, value in fields.items() if value is not None}
        return chosen if block == "encoder" else {**chosen, "query": self.row()}

    def take_picture(self, block: str, shape: tuple[int, int, int], sent: Mapping[str, Any]) -> None:
        """Choose what a visitor chose inside the picture. It came from a browser.

        Args:
            block: which of `BLOCKS`.
            shape: its heads, rows and columns.
            sent: as `layer_view` sends it.
        """
        heads, rows, columns = shape
        defaults = start({}, heads, (rows, columns))
        state = start(sent, heads, (rows, columns))
        for what, value in layer_state.chosen(state, defaults).items():
            self.picture[what].set(value)
        if block != "encoder":
            self.picture["query"].set(None)
            if state["query"] is not None:
                self.step.set(state["query"] + 1)

    def take_cell(self, block: str, sent: Mapping[str, Any]) -> None:
        """Choose the cell of a matrix that a visitor chose. It came from a browser."""
        row, column = (_index(sent.get(axis)) for axis in ("row", "column"))
        if row is not None and block == "encoder":
            self.picture["query"].set(row)
        elif row is not None:
            self.step.set(row + 1)
        if column is not None:
            self.picture["key"].set(column)
