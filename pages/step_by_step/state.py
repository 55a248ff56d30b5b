"""The fields of the page Step by step, in the session and in the link."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from core.examples import first_texts
from core.figures import schema
from core.localization import N_
from core.walkthroughs.part_names import PARTS
from core.walkthroughs.steps.descriptions import ALONE, CROSS, PLAIN, RECORDED, STEPS
from core.walkthroughs.tiny_numbers import N_HEADS, NAMES, read_edits
from ui.state import MODEL, Choice, Field, Location, OwnModel, PageState, Switch, Whole, thread
from ui.state.location import Part, Stack
from ui.state.thread import Strand

VIEWS = {
    "layer": N_("One layer"),
    "plain": N_("Without weights"),
    "what-if": N_("What if …"),
    "tokens": N_("Words into tokens"),
}
SIZES = {
    "0": N_("of a trained model"),
    "1": N_("of a tiny model"),
    "paper": N_("of the paper's size, untrained"),
}
HALVES = {"encoder": N_("Encoder"), "decoder": N_("Decoder")}
WHAT_IFS = {
    "no-scale": N_("there were no ÷ √d"),
    "no-position": N_("there were no positions"),
    "one-head": N_("there were only one head"),
    "depth": N_("every layer lacked …"),
    "parts": N_("it had the paper’s part"),
}
_STEPS = {**STEPS, **CROSS, **RECORDED, **ALONE}
STACKS = ("own", "fresh")
MEASURES = {
    "similarity": N_("cosine similarity"),
    "difference": N_("difference from the mean"),
}
# The steps that belong to a narrower part of the transformer than a layer.
_SCORES = ("scores", "capped", "uncapped", "bias", "scale", "mask", "weights")
_IN_A_HEAD = ("query", "key", "value", "turn-query", "turn-key", "mix")
_PARTS: Mapping[Part, Sequence[str]] = {
    "tokens": ("pieces",),
    "embedding": ("learned", "root"),
    "position": ("position",),
    "score": (*_SCORES, *(step for step in CROSS if step.removeprefix("cross-") in _SCORES)),
    "head": (*_IN_A_HEAD, *(step for step in CROSS if step.removeprefix("cross-") in _IN_A_HEAD)),
}
# The step that each of them opens in the page's own models.
_OPENED: Mapping[Part, str] = {
    "tokens": "pieces",
    "embedding": "learned",
    "position": "position",
    "head": "query",
    "score": "scores",
}
VECTORS = {"embedded": N_("input of layer 1"), "learned": N_("learned vectors")}


def _edits(typed: str) -> str:
    """Text that `read_edits` can parse; anything else is refused."""
    read_edits(typed)
    return typed


class StepsState(PageState):
    """The texts, the model's size and numbers, the view, the step, and the chosen cell."""

    model = MODEL
    text = Field("t", "steps text", first_texts.STEP_BY_STEP, parse=str)
    order = Field("t2", "steps order", "the mouse ate the cat", parse=str)
    tiny_text = Field("tt", "steps tiny text", first_texts.TINY, parse=str)
    source = Field("ts", "steps source", first_texts.STEP_BY_STEP_SOURCE, parse=str)
    half = Choice("hf", "steps half", "encoder", HALVES)  # for the paper's size
    # The page opens with the tiny model at its first step; a link that does not name the size means a
    # trained one.
    size = Choice("ti", "steps size", "1", SIZES, default_in_link="0")
    causal = Switch("c", "steps causal")
    edits = Field("ed", "steps edits", "", parse=_edits)
    matrix = Choice("mx", "steps matrix", "W_Q", NAMES)  # the first of the products
    view = Choice("p", "steps view", "layer", VIEWS)
    step = Choice("st", "steps step", "pieces", _STEPS, default_in_link="query")
    zoom = Choice(
        "zl", "steps zoom", "layer", schema.options("forward", "level"), default_in_link="matrix"
    )
    plain_step = Choice("ps", "steps plain", "plain-scores", PLAIN)
    subwords = Field("bt", "steps subwords", first_texts.SUBWORDS, parse=str)
    merges = Whole("bm", "steps merges", 5, 0, 1_999)
    subword = Whole("bw", "steps subword", 11, 0, 59)
    what_if = Choice("wi", "steps what-if", "no-scale", WHAT_IFS)
    part = Choice("wp", "steps part", PARTS[1], PARTS[1:])
    vector = Choice("x", "steps vectors", "embedded", VECTORS)
    no_residual = Switch("nr", "steps no residual", True)
    no_norm = Switch("nn", "steps no norm")
    no_positions = Switch("np", "steps no positions")
    no_scale = Switch("ns", "steps no scale")
    one_head = Switch("nh", "steps one head")
    stack = Choice("sk", "steps stack", "own", STACKS)
    depth = Whole("n", "steps depth", 12, 2, 48)
    measure = Choice("ms", "steps measure", "similarity", MEASURES)
    log = Switch("lg", "steps log")
    norm_first = Switch("nf", "steps norm first")
    layer = Whole("l", "steps layer", 1, 1, 999)
    head = Whole("h", "steps head", 1, 1, 999)
    token = Whole("q", "steps token", 2, 0, 999)
    column = Whole("k", "steps column", 0, 0, 99_999)
    block = Whole("bl", "steps block", 0, 0, 9_999)
    python = Switch("py", "steps python")

    @classmethod
    def thread(cls) -> Mapping[str, Strand]:
        """The text of a trained model; the tiny one has its own words."""
        return {
            "sentence": thread.sentence(cls.text),
            "word": thread.token((cls.token,), lambda position: position),
            "layer": thread.counted(cls.layer),
            "head": thread.counted(cls.head),
        }

    @classmethod
    def locations(cls) -> Sequence[Location]:
        """The part to which the step belongs, in the tiny model or in a layer of another."""
        layer, head = cls.layer, cls.head

        def at(part: Part, when: Mapping[Field[Any], Sequence[str]]) -> tuple[Location, ...]:
            inside = None if part == "layer" else head
            tiny = {**when, cls.size: ("1",)}
            if part in ("tokens", "embedding", "position"):  # before the first layer
                return Location(part, tiny, tiny=True), Location(part, when)
            paper = {**when, cls.size: ("paper",)}
            return (
                Location(part, tiny, None, inside, tiny=True),
                Location(part, {**paper, cls.half: ("decoder",)}, layer, inside, stack="decoder"),
                Location(part, paper, layer, inside, stack="encoder"),
                Location(part, when, layer, inside),
            )

        return (
            Location("tokens", {cls.view: ("tokens",)}),
            *at("score", {cls.view: ("plain",)}),
            *(one for part, steps in _PARTS.items() for one in at(part, {cls.step: steps})),
            *at("layer", {}),
        )

    def on_map(self) -> OwnModel | None:
        """The tiny model or the paper's, for the drawing in the sidebar; None for a trained one."""
        if self.view.get() == "tokens" or self.size.get() == "0":
            return None
        opened: dict[Part, Mapping[str, str]] = {
            part: {self.view.url: "layer", self.step.url: step} for part, step in _OPENED.items()
        }
        opened["layer"] = {self.view.url: "layer", self.zoom.url: "layer"}
        if self.size.get() == "1":
            return OwnModel({"": 1}, N_HEADS, self.half, self.layer, self.head, opened=opened)
        from core.transformer import TransformerConfig

        paper = TransformerConfig.paper()
        stacks: dict[Stack, int] = {
            "encoder": paper.n_encoder_layers,
            "decoder": paper.n_decoder_layers,
        }
        return OwnModel(stacks, paper.n_heads, self.half, self.layer, self.head, opened=opened)

    def enter(self, along: Mapping[str, Any]) -> None:
        """A visitor's own sentence goes through a trained model: the tiny one knows five words."""
        super().enter(along)
        if "sentence" in along:
            self.size.set("0")

    def complete(self) -> None:
        """A logarithmic scale needs positive numbers: a link that asks for it means the difference."""
        if self.log.get():
            self.measure.set("difference")
