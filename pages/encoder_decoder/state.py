"""The fields of the Encoder–decoder page: sentence, step, forced words, and the view of the attention.

In the link, steps count from 1, as on the screen: step 1 writes the first word.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from core.examples import first_texts
from core.figures.attention.layer_state import start
from core.localization import N_
from core.tasks.languages.vocabulary import START
from ui import formats
from ui.state import Choice, Field, Location, PageState, Real, Switch, Whole
from ui.state import layer as layer_state

SHIPPED = "shipped"  # the shipped model; there is another for the other direction
TO_ENGLISH = "shipped-to-english"
# The directions of the two shipped models.
DIRECTIONS = {"to-french": N_("English → French"), "to-english": N_("French → English")}
BLOCKS = ("encoder", "decoder", "cross")  # the names of `core.measures.attention.blocks`
# What two sources exchange (the blocks of `core.records.patching`).
EXCHANGED = {
    "encoder": N_("States of the encoder"),
    "decoder": N_("States of the decoder"),
    "cross": N_("Heads across"),
}
DEEPEST = 99  # the depth of a link that names none: the last one
VIEWS = {"layer": N_("Which token attends to which"), "softmax": N_("Before and after softmax")}
_MOST_FORCED = 64
_PAIR = formats.Dotted((formats.Whole(0, 999), formats.Whole(0, 999)))


def read_forced(typed: str) -> dict[int, str]:
    """Step, from 0 -> the word chosen there, from "2.une,3.voiture".

    Raises:
        ValueError: if it is not such a list.
    """
    forced = {}
    for part in typed.split(",") if typed else ():
        number, _, word = part.partition(".")
        if not word or word == START:
            raise ValueError(typed)
        forced[formats.Whole(1, _MOST_FORCED)(number) - 1] = word
    return forced


def write_forced(forced: Mapping[int, str]) -> str:
    """The same as text for a link."""
    return ",".join(f"{step + 1}.{forced[step]}" for step in sorted(forced))


def _forced(typed: str) -> str:
    return write_forced(read_forced(typed))


def _index(value: object) -> int | None:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    whole = isinstance(value, int) and not isinstance(value, bool)
    return value if whole and 0 <= value < _MOST_FORCED else None  # type: ignore[operator, return-value]


class TranslationState(PageState):
    """The model, the direction, the sentence, the step, forced words, and the view of the attention."""

    model = Field("tm", "translator model", SHIPPED, parse=str, scope="app")  # examples do not set it
    direction = Choice("d", "translate direction", "to-french", DIRECTIONS)
    text = Field("t", "translate text", first_texts.TRANSLATION, parse=str)
    step = Whole("st", "translate step", 3, 1, _MOST_FORCED)
    forced = Field("fw", "translate forced", "", parse=_forced)
    temperature = Real("te", "translate temperature", 1.0, 0.1, 5.0)
    block = Choice("e", "translate block", "cross", BLOCKS)
    view = Choice("p", "translate view", "layer", VIEWS)
    layer = Whole("l", "translate layer", 1, 1, 99)
    mask = Switch("c", "translate mask", True)
    why = Switch("wy", "translate why")
    without = Whole("wo", "translate without", 0, 0, 999)  # a token of the source, from 1; 0: none
    # What each layer of the decoder would write, and which of its depths is chosen (0: the input).
    lens = Switch("ln", "translate lens")
    depth = Whole("ld", "translate lens layer", DEEPEST, 0, DEEPEST)
    # Another source, what its run gives this one, and the chosen cell (depth and position).
    patch = Switch("pa", "translate patch")
    other = Field("t2", "translate other", "", parse=str)  # "" for the one that the page proposes
    exchanged = Choice("pb", "translate exchanged", "encoder", EXCHANGED)
    cell = Field[tuple[int, ...]]("pc", "translate cell", (), parse=formats.Either("", (), _PAIR))
    python = Switch("py", "translate python")
    # For the picture of a layer. In the decoder's blocks, a row is a step, so that `step` is its query.
    picture: ClassVar[Mapping[str, Field[Any]]] = layer_state.fields("translate picture")

    @classmethod
    def locations(cls) -> Sequence[Location]:
        """The layer whose attention is shown; what attends across is in the decoder."""
        return (
            Location("layer", when={cls.block: ("encoder",)}, layer=cls.layer, stack="encoder"),
            Location("layer", layer=cls.layer, stack="decoder"),
        )

    def translate(self, sentence: str) -> None:
        """Translate this sentence."""
        self.text.set(sentence)
        self.forget()

    def forget(self) -> None:
        """Forget what belongs to one sentence, and has no meaning in another."""
        self.forced.set("")
        self.step.set(1)
        self.without.set(0)
        self.other.set("")
        self.cell.set(())
        self.forget_cell()

    def forget_cell(self) -> None:
        """Forget the chosen column, and the row whose lines alone are drawn."""
        for what in ("query", "key", "pin"):
            self.picture[what].set(None)

    def row(self) -> int:
        """The chosen step, from 0: the row of the decoder."""
        return self.step.get() - 1

    def words(self) -> dict[int, str]:
        """Step, from 0 -> the word that a visitor chose there."""
        return read_forced(self.forced.get())

    def write_instead(self, step: int, word: str, likeliest: str) -> None:
        """Write this word at a step; words chosen at later steps are forgotten."""
        earlier = {at: other for at, other in self.words().items() if at < step}
        self.forced.set(write_forced(earlier if word == likeliest else {**earlier, step: word}))

    def take_back(self) -> None:
        """Forget the last chosen word."""
        forced = self.words()
        if forced:
            del forced[max(forced)]
        self.forced.set(write_forced(forced))

    def own_words(self) -> None:
        """Forget all chosen words."""
        self.forced.set("")

    def head(self) -> int:
        """The open head, from 0; −1 for the mean."""
        return int(self.picture["head"].get() or 0)

    def picture_state(self, block: str) -> dict[str, Any]:
        """The state inside the picture of a layer, in that picture's format."""
        fields = {what: field.get() for what, field in self.picture.items()}
        chosen = {what: value for what, value in fields.items() if value is not None}
        return chosen if block == "encoder" else {**chosen, "query": self.row()}

    def take_picture(self, block: str, shape: tuple[int, int, int], sent: Mapping[str, Any]) -> None:
        """Store the choices that a visitor made inside the picture. They come from a browser.

        Args:
            block: one of `BLOCKS`.
            shape: the numbers of its heads, rows and columns.
            sent: the state that `layer_view` sent.
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
        """Store the cell of a matrix that a visitor chose. It comes from a browser."""
        row, column = (_index(sent.get(axis)) for axis in ("row", "column"))
        if row is not None and block == "encoder":
            self.picture["query"].set(row)
        elif row is not None:
            self.step.set(row + 1)
        if column is not None:
            self.picture["key"].set(column)
