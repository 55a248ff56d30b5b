"""The fields of the Heads page, for one model or for two side by side.

Tokens are positions in the first model; the corresponding ones of the second are found by their
characters in the text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from core.examples.first_texts import HORSE
from core.examples.roles import ROLES
from core.figures import schema
from core.figures.attention.layer_state import start
from core.measures import PARTS, PATTERNS, AttentionBlock
from ui import formats, permalink
from ui.contributions.state import ON_HEADS
from ui.models import model_cache
from ui.sense_ends import ENDS
from ui.state import (
    MODEL,
    Choice,
    Field,
    Location,
    PageState,
    Reader,
    Real,
    SessionValue,
    Switch,
    Whole,
    thread,
)
from ui.state import layer as layer_state
from ui.state.thread import Strand

ALL, MEAN = "0", "mean"  # special values of a layer: all heads as maps, or a single mean of all
Numbers = tuple[int, ...]


_LAYER = formats.AsText(formats.Either(MEAN, MEAN, formats.Whole(0, 999)))
_NUMBERS = formats.Listed(formats.Whole(0, 9_999_999))


class Side(NamedTuple):
    """The choices for one of the models.

    Attributes:
        layer: `ALL`, `MEAN`, or the number of a layer, from 1.
        block: the attention block of an encoder–decoder, from 0.
        head: the open head, from 0, see `ui.state.layer`; None for the first.
        on: the heads that draw lines; None for all.
        masked: the positions, from 1, of the masked tokens.
        more: the ids of the tokens that the model has appended.
        causal: whether later tokens are hidden in an encoder, which was trained without a mask.
    """

    layer: Field[str]
    block: Whole
    head: Field[int | None]
    on: Field[Numbers | None]
    masked: Field[Numbers]
    more: Field[Numbers]
    causal: Switch


def _side(second: str) -> Side:
    def numbers(url: str, what: str) -> Field[Numbers]:
        key = f"heads {what}{second}"
        return Field(url + second, key, (), parse=_NUMBERS)

    return Side(
        Field(f"l{second}", f"heads layer{second}", ALL, parse=_LAYER),
        Whole(f"e{second}", f"heads block{second}", 0, 0, 2),
        layer_state.field("head", f"heads head{second}", url=second),
        layer_state.field("on", f"heads on{second}", url=second),
        numbers("mk", "masked"),
        numbers("g", "more"),
        Switch(f"c{second}", f"heads causal{second}"),
    )


@dataclass(frozen=True)
class Choices:
    """The choices for one panel, as plain values; tokens are positions in the first model.

    Attributes:
        side: the index of the panel, 0 or 1.
        layer: see `Side`.
        block: see `Side`.
        words: whether to count whole words instead of pieces.
        part: for a pair, one of `PARTS`; "" for all.
        maps: the choices in the picture of all heads, for `heads_of`.
        inside: the choices inside the picture of a layer, for `layer_of`.
    """

    side: int
    layer: str
    block: int
    words: bool
    part: str
    maps: Mapping[str, Any]
    inside: Mapping[str, Any]

    @property
    def head(self) -> int:
        """The open head, from 0; −1 for the mean of its layer."""
        return int(self.inside.get("head", 0))

    @property
    def query(self) -> int | None:
        """The position of the token of the chosen row."""
        if self.layer == ALL and self.maps["token"] is not None:
            return int(self.maps["token"])
        position: int | None = self.inside.get("query")
        return position

    def special(self, own: AttentionBlock | None = None) -> bool:
        """Whether special tokens are shown: by default, everywhere but in the lines of a layer.

        A first token that is the sink (`Trace.first_is_sink`) is left out by default.
        """
        lines = self.layer != ALL and self.inside.get("level", "lines") == "lines"
        return bool(self.inside.get("special", not (lines or (own is not None and own.first_is_sink))))

    def in_layer(self, first: AttentionBlock, own: AttentionBlock) -> dict[str, Any]:
        """The choices inside the picture of a layer, in that picture's format.

        Args:
            first: the content of the first panel.
            own: the content of this panel.
        """
        default = {"special": False} if own.first_is_sink else {}
        return _counted({**default, **self.inside}, first, own)

    def in_overview(self, first: AttentionBlock, own: AttentionBlock) -> dict[str, Any]:
        """The choices in the picture of all heads, in the format of `overview`; see `in_layer`."""
        token = self.maps["token"]
        if token is not None:
            token = _moved(token, first, own, int(self.maps["direction"] == "to"))
        return {**self.maps, "token": token}


class HeadsState(PageState):
    """Two models, the texts, the content of each panel, the predictions, the folded section."""

    model = MODEL
    other = Field("m2", "heads other", "", parse=formats.Name())
    text = Field("t", "heads text", HORSE, parse=str)
    second = Field("t2", "heads second", "", parse=str)
    sides = (_side(""), _side("2"))
    words = Switch("u", "heads words")
    part = Choice("n", "heads part", "", ("", *PARTS))  # for a pair
    token = Whole("x", "heads token", 0, 0, 99_999)  # from 1; 0 for none
    direction = Choice("y", "heads way", "to", schema.options("overview", "direction"))
    pattern = Choice("f", "heads pattern", "", ("", *PATTERNS))
    typical = Switch("us", "heads usual")
    threshold = Real("ge", "heads least", 0.0, 0.0, 1.0)
    # For the picture of a layer, shared by both models.
    shared: ClassVar[Mapping[str, Field[Any]]] = {
        what: field
        for what, field in layer_state.fields("heads").items()
        if what not in layer_state.OWN
    }
    ranked = Switch("ra", "heads ranked")
    ablated: ClassVar[Field[Numbers]] = Field(  # layer and head, from 1; () for none
        "ab", "heads ablated", (), parse=_NUMBERS
    )
    # On a long text: layer and head, from 1, and perhaps the cell of its small map; () for none.
    tile: ClassVar[Field[Numbers]] = Field("wt", "heads tile", (), parse=_NUMBERS)
    roles = Switch("ro", "heads roles")
    role = Choice("rr", "heads role", "pronoun-antecedent", ROLES)
    trained = Choice("ft", "heads trained", "difference", ("difference", "after", "before"))
    temperature = Real("tm", "temperature", 1.0, 0.1, 3.0)
    likeliest = Whole("tk", "top words", 10, 1, 50)
    ends = ENDS
    why = ON_HEADS

    @classmethod
    def examples(cls) -> permalink.Fields:
        """An example is about MiniLM only: what it shows does not hold for another model.

        Those of a decoder name no head, and leave the model as it is.
        """
        own = super().examples()
        return own if model_cache.is_decoder(cls.model.get()) else (cls.model, *own)

    @classmethod
    def thread(cls) -> Mapping[str, Strand]:
        """The first text, and the choices for the first model."""
        side = cls.sides[0]
        return {
            "sentence": thread.sentence(cls.text),
            "word": thread.token(
                (cls.token, cls.shared["query"]),
                lambda number, query: number - 1 if number else query,
            ),
            "layer": Strand(
                (side.layer,),
                lambda layer: None if layer in (ALL, MEAN) else int(layer),
                lambda layer: (str(layer),),
            ),
            "head": Strand(
                (side.head,),
                lambda head: None if head is None or head < 0 else head + 1,
                lambda head: (head - 1,),
            ),
        }

    @classmethod
    def locations(cls) -> Sequence[Location]:
        """All layers, or a level of zoom inside one."""
        layer, head = cls.sides[0].layer, cls.sides[0].head
        level = cls.shared["level"]
        return (
            Location("layer", when={level: (None, "lines")}, layer=layer, head=head),
            Location("score", when={level: ("product",)}, layer=layer, head=head),
            Location("head", layer=layer, head=head),
            Location("layers"),
        )

    def enter(self, along: Mapping[str, Any]) -> None:
        """Another sentence is read alone, without the choices for the previous one."""
        if along.get("sentence", self.text.get()) != self.text.get():
            self.second.set("")
            self.forget()
        super().enter(along)

    def choose_word(self, position: int) -> None:
        """Choose the token of the shared word, from 0."""
        if self.sides[0].layer.get() == ALL:
            self.token.set(position + 1)
        else:
            self.shared["query"].set(position)

    def choices(self, side: int, read: Reader = SessionValue.get) -> Choices:
        """The choices for one of the models.

        Args:
            side: the index of the model, 0 or 1.
            read: reads the fields; `ui.state.published()` for a file that is made after the page has
                run.
        """
        own = self.sides[side]
        token, pattern = read(self.token), read(self.pattern)
        inside = {what: read(field) for what, field in self._inside(side).items()}
        return Choices(
            side,
            read(own.layer),
            read(own.block),
            read(self.words),
            read(self.part),
            {
                "token": token - 1 if token else None,
                "direction": read(self.direction),
                "pattern": PATTERNS.index(pattern) if pattern else None,
                "typical": read(self.typical),
                "threshold": read(self.threshold),
            },
            {what: value for what, value in inside.items() if value is not None},
        )

    def _inside(self, side: int) -> dict[str, Field[Any]]:
        """The parts of the state of a layer's picture."""
        own = self.sides[side]
        return {**self.shared, "head": own.head, "on": own.on}

    def forget(self) -> None:
        """Forget what belongs to one text in one model, and has no meaning in another."""
        self.forget_tokens()
        self.tile.set(self.tile.get()[:2])
        for side in self.sides:
            for field in (side.masked, side.more):
                field.set(())

    def forget_tokens(self) -> None:
        """Forget positions, when counting changes between words and pieces."""
        permalink.outrank_pictures()
        self.token.set(0)
        for what in ("query", "key", "pin"):
            self.shared[what].set(None)

    def take_in_layer(
        self, side: int, state: Mapping[str, Any], first: AttentionBlock, own: AttentionBlock
    ) -> None:
        """Store the choices that a visitor made inside the picture of a layer.

        Args:
            side: the index of the panel.
            state: the state that the picture sent.
            first: the content of the first panel.
            own: the content of this panel.
        """
        fields = self._inside(side)
        counted = _counted(state, own, first)
        for what, value in layer_state.chosen(counted, self._layer_defaults(side, own)).items():
            fields[what].set(value)

    def take_in_overview(
        self, sent: Mapping[str, Any], first: AttentionBlock, own: AttentionBlock
    ) -> None:
        """Store the choices that a visitor made in the picture of all heads."""
        direction = "from" if sent.get("direction") == "from" else "to"
        token, pattern = sent.get("token"), sent.get("pattern")
        position = None if token is None else _moved(int(token), own, first, int(direction == "to"))
        self._keep_pair(position, direction)
        self.token.set(0 if position is None else position + 1)
        self.direction.set(direction)
        self.pattern.set("" if pattern is None else PATTERNS[int(pattern)])
        self.typical.set(bool(sent.get("typical")))
        self.threshold.set(float(sent.get("threshold") or 0))
        if (special := sent.get("special")) is not None:
            # True: shown in the lines too, where they are hidden by default.
            field = self.shared["special"]
            if own.first_is_sink:
                field.set(True if special else None)
            else:
                field.set((field.get() or None) if special else False)

    def _keep_pair(self, position: int | None, direction: str) -> None:
        """A token chosen among all heads is one of the two tokens of a weight: its row or its column.

        The other one stays, unless the same token has only turned from one into the other.
        """
        if position is None:
            return
        now, other = ("query", "key") if direction == "from" else ("key", "query")
        turned = direction != self.direction.get() and self.token.get() == position + 1
        if turned and self.shared[other].get() == position:
            self.shared[other].set(None)
        self.shared[now].set(position)

    def _layer_defaults(self, side: int, own: AttentionBlock) -> dict[str, Any]:
        layers, heads, queries, keys = own.attention.shape
        layer = self.sides[side].layer.get()
        gone: list[int] = []
        if layer not in (ALL, MEAN):
            gone = np.flatnonzero(own.absent[min(int(layer), layers) - 1]).tolist()
        default = start({}, heads, (queries, keys), gone)
        return {**default, "special": False} if own.first_is_sink else default

    def choose_query(self, position: int) -> None:
        """Choose the row of a token of the first model, from 0; for the callbacks of controls."""
        self.shared["query"].set(position)
        if self.token.get():
            self.token.set(position + 1)

    def choose_from(self, position: int) -> None:
        """Choose the token that attends, from 0, in the first model."""
        if self.direction.get() == "from":
            self.choose_query(position)
        else:
            self.shared["query"].set(position)

    def choose_to(self, position: int) -> None:
        """Choose the token that is attended to, from 0, in the first model."""
        self.shared["key"].set(position)
        if self.token.get() and self.direction.get() == "to":
            self.token.set(position + 1)

    def open_head(self, side: int, layer: int, head: int) -> None:
        """One zoom level down: this head of its layer, both from 0."""
        own = self.sides[side]
        own.layer.set(own.layer.parse(str(layer + 1)))  # anyone may have sent it
        own.head.set(head)
        self.shared["level"].set("head")

    def open_weight(self, layer: int, head: int, query: int, key: int) -> None:
        """This head of the first model, with one of its weights chosen; all from 0."""
        self.open_head(0, layer, head)
        self.shared["query"].set(query)
        self.shared["key"].set(key)

    def open_all(self, side: int) -> None:
        """Back to all heads."""
        self.sides[side].layer.set(ALL)


def _counted(
    state: Mapping[str, Any], counted: AttentionBlock, wanted: AttentionBlock
) -> dict[str, Any]:
    """The state with its tokens as positions in another block."""
    moved = dict(state)
    for axis, what in enumerate(("query", "key")):
        position = moved.get(what)
        if isinstance(position, int) and not isinstance(position, bool):
            moved[what] = _moved(position, counted, wanted, axis)
    return moved


def _moved(position: int, counted: AttentionBlock, wanted: AttentionBlock, axis: int) -> int | None:
    """The position in another block of a token of this block; None if it lacks the token."""
    marks = counted.marks[axis]
    if counted is wanted or not 0 <= position < len(marks):
        return position
    there = wanted.marks[axis]
    return there.index(marks[position]) if marks[position] in there else None
