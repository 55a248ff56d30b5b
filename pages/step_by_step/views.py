"""The three views of the page Step by step: a layer, attention without weights, what-ifs."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
import streamlit as st

from core.figures import TinyNumbers, style
from core.localization import N_, _, decimal, each, gettext
from core.sentences import sentence
from core.walkthroughs.steps.record import Step
from core.walkthroughs.steps.spoken import spoken
from pages.step_by_step import ablations, code, computed, forward, on_device, own_share, shown_step
from pages.step_by_step.code import Code
from pages.step_by_step.computed import Pass, Sentence
from pages.step_by_step.sentence import most
from pages.step_by_step.state import VECTORS, StepsState
from ui import device, page
from ui.layout import beside, choose_named
from ui.lessons import reveal
from ui.models import model_cache
from ui.state import LESSON, toggle
from ui.text import end_of
from ui.text import plain as plain_text

PICTURE = "picture-steps-step"  # as a lesson names it
BEFORE_LAYERS = ("pieces", "learned")  # steps of a trained model
ROWS = 200  # pixels of the list of inputs of attention without weights
LARGE = 100  # from here on, a difference is said with the size of what it is in
View = Callable[[StepsState, str | None, Sentence | None], None]


class Shown(NamedTuple):
    """One layer as shown on the page.

    Attributes:
        made: its steps.
        tokens: the rows.
        note: the caption below the picture.
        python: returns the Python code; None if there is none.
        tiny: the numbers of the tiny model, if it is the one that is shown.
    """

    made: Pass
    tokens: tuple[str, ...]
    note: str
    python: Code | None
    tiny: TinyNumbers | None = None


def layer(s: StepsState, model: str | None, read: Sentence | None) -> None:
    """Draw all steps of one layer."""
    steps, controls = beside(name="steps")
    with controls:
        if model is None or read is None:
            shown = _of_tiny(s)
        elif read.paper and s.half.get() == "decoder":
            shown = _of_decoder(s, model, read)
        else:
            shown = _of_model(s, model, read)
        if not reveal.is_hidden(PICTURE):  # the list says how many tokens there are, and which
            shown_step.choose_token(s, shown.tokens)
        masks = not _precedes_layers(s)
        if masks and shown.made.own_mask:
            _own_mask(shown.made.own_mask)
        elif masks and shown.made.maskable:
            about = MASK if read is None or read.paper else MASK_OF_TRAINED
            toggle(s.causal, _("Mask"), about=gettext(about))
    every = _spoken(shown.made.steps, read)
    with steps:
        name = shown_step.choose_step(s.step, {one.name: one.title for one in every})
    with controls:
        shown_step.choose_block(s, every, name)
    note = f"{gettext(STANDS_FOR)} {shown.note}" if name == "mask" else shown.note
    if shown.tiny is None and LESSON.get() is None:
        note = f"{note} {gettext(NOT_DRAGGED)}"
    of = []
    if model is not None and read is not None and not read.paper:
        step = [one.name for one in every].index(name)
        device.line(model, partial(on_device.context, s, model, step), device.BOTH)
        of = [s.text.get()]
    forward.show(s, every, name, more=note.strip(), python=shown.python, tiny=shown.tiny, of=of)
    if read is not None and not read.paper and not _precedes_layers(s):
        at = {"l": s.layer.get(), "h": s.head.get(), "q": s.token.get() + 1, "r": "head"}
        page.down(sentence("steps.heads"), "heads", {"t": s.text.get(), **at})


def _precedes_layers(s: StepsState) -> bool:
    """Whether a lesson shows what comes before all layers, and so needs no layer, head or mask."""
    return LESSON.get() is not None and s.step.get() in BEFORE_LAYERS


def _spoken(steps: Sequence[Step], read: Sentence | None) -> tuple[Step, ...]:
    """The steps in the language of the screen, with the origins of the tokens in it."""
    return tuple(spoken(one, () if read is None else read.notes) for one in steps)


NOT_DRAGGED = N_(
    "You can drag numbers only in the tiny model, because your browser computes it itself."
)
# As `core.transformer.masks` has it; the lines of Python print it.
STANDS_FOR = N_(
    "In the code, the lowest number stands for −∞: about −3.4·10³⁸ with 32 bits. *e* to that power "
    "is 0 as well, and a row in which everything is hidden does not become undefined."
)
MASK = N_("Hides later tokens.")
MASK_OF_TRAINED = N_(
    "Hides later tokens, in this layer and in every layer before it. This model was trained without a "
    "mask."
)


def _own_mask(why: str) -> None:
    """The switch of a model whose mask cannot be removed."""
    st.toggle(_("Mask"), True, key=f"steps mask: {why}", help=gettext(why), disabled=True)


def _of_tiny(s: StepsState) -> Shown:
    tiny_model = computed.tiny(s.tiny_text.get(), s.edits.get())
    head = shown_step.choose_number(s.head, _("Head"), 2)
    made = computed.of_tiny(tiny_model, head, s.causal.get())
    python = code.of_tiny(tiny_model, s.edits.get(), head, causal=s.causal.get())
    tiny = forward.tiny_numbers_of(tiny_model, head, causal=s.causal.get())
    return Shown(made, tiny_model.tokens, computed.left_out(s.tiny_text.get()), python, tiny)


def _of_decoder(s: StepsState, model: str, read: Sentence) -> Shown:
    """The decoder of the paper's size: the text is its target."""
    source = computed.sentence(model, s.source.get(), paper=True)
    n_layers, n_heads = computed.shape(model, read)
    at = shown_step.choose_number(s.layer, _("Layer"), n_layers)
    head = shown_step.choose_number(s.head, _("Head"), n_heads)
    made = computed.of_decoder(model, read, source, at, head, s.block.get())
    python = code.of_decoder(model, read, source, at, head)
    note = f"{_about(at, made)} {_cut(source)}"
    return Shown(made, read.tokens, note.strip(), python)


def _cut(source: Sentence) -> str:
    """Say that a source was truncated; "" if it was not."""
    if not source.cut:
        return ""
    cut = _("The source is cut after {end}.").format(end=end_of(source.text))
    return f"{most(source)} {cut}"


def _of_model(s: StepsState, model: str, read: Sentence) -> Shown:
    """A trained model, or the encoder of the paper's size."""
    n_layers, n_heads = computed.shape(model, read)
    if _precedes_layers(s):
        at, head = min(s.layer.get(), n_layers) - 1, min(s.head.get(), n_heads) - 1
    else:
        at = shown_step.choose_number(s.layer, _("Layer"), n_layers)
        head = shown_step.choose_number(s.head, _("Head"), n_heads)
    causal = s.causal.get()
    if not read.paper and computed.decoder_alone(model) is not None:
        made = computed.of_decoder_alone(model, read, at, head, s.block.get())
        note, lines = _about_decoder(n_layers, at, made), code.of_decoder_alone(model, read, at, head)
        return Shown(made, read.tokens, note, lines)
    if not read.paper and computed.only_recorded(model):
        made = computed.recorded(model, read, at, head)
        python = None
        if computed.usual_scores(made):
            masked = any(one.name == "mask" for one in made.steps)
            python = code.recorded(model, read, at, head, masked=masked)
        return Shown(made, read.tokens, _about_recorded(model, made), python)
    made = computed.of_model(model, read, at, head, s.block.get(), causal)
    python = code.of_model(model, read, at, head, causal=causal)
    note = _about(at, made, masked=causal)
    if causal and not read.paper:
        title = plain_text(model_cache.title(model))
        note = f"{_of_masked(at).format(model=title, layer=at + 1, before=at)} {note}"
    return Shown(made, read.tokens, note, python)


def _of_masked(layer: int) -> str:
    """Where later tokens are hidden from a model that was trained without a mask, to be filled in."""
    if not layer:
        return _("{model} was trained without a mask. Here later tokens are hidden in layer {layer}.")
    if layer == 1:
        return _(
            "{model} was trained without a mask. Here later tokens are hidden in layer {layer} and in "
            "layer 1 before it."
        )
    return _(
        "{model} was trained without a mask. Here later tokens are hidden in layer {layer} and in "
        "layers 1 to {before} before it."
    )


def _about(layer: int, made: Pass, *, masked: bool = False) -> str:
    """What x is, and how exact the steps are; "" in a lesson, where both would come too early."""
    if LESSON.get() is not None:
        return ""
    found = {"layer": str(layer + 1), "step": str(len(made.steps)), "apart": _apart(made)}
    check = (
        _(
            "As a check, the whole model also ran at once, with the same mask: what its layer {layer} "
            "returns and the result of step {step} {apart}."
        ).format(**found)
        if masked
        else sentence("steps.check", **found)
    )
    return f"{_x_is(layer, 4)} {check}"


def _x_is(layer: int, step: int) -> str:
    """What a layer reads: the output of the one before, or the result of a step."""
    said = (
        _("In layer {layer}, x is the output of layer {before}.")
        if layer
        else _("In layer {layer}, x is the result of step {step}.")
    )
    return said.format(layer=layer + 1, before=layer, step=step)


def _about_decoder(n_layers: int, layer: int, made: Pass) -> str:
    """What stands where among the steps of a decoder alone; "" in a lesson."""
    if LESSON.get() is not None:
        return ""
    names = [one.name for one in made.steps]
    first, last = names.index("pre-norm"), names.index("residual2") + 1
    end = (
        _("Step {step} reads it: this is the last layer.")
        if layer == n_layers - 1
        else _("Step {step} reads the output of layer {layer}, the last one.")
    )
    apart = _apart(made, last - 1)
    check = sentence("steps.check", layer=str(layer + 1), step=str(last), apart=apart)
    return f"{_x_is(layer, first)} {check} {end.format(step=last + 1, layer=n_layers)}"


def _apart(made: Pass, result: int = -1) -> str:
    """How far the result of a step is from the model's own; a large one by how large it is."""
    if not made.apart:
        return sentence("steps.equal")
    most = style.scientific(made.apart)
    largest = float(np.abs(made.steps[result].result.values).max())
    if not LARGE <= largest < np.inf:
        return sentence("steps.apart", most=most)
    return sentence("steps.apart-large", most=most, largest=decimal(f"{math.ceil(largest):,}"))


def _about_recorded(model: str, made: Pass) -> str:
    return _(
        "{model} does not run in our own transformer. This page shows its attention, from the queries, "
        "keys and values that were recorded while it ran; how they are computed, and what comes after "
        "the heads, is not recorded. The softmax of these scores and the weights of the model itself "
        "{apart}. “Without weights” and the paper’s size show all their steps with every model."
    ).format(model=plain_text(model_cache.title(model)), apart=_apart(made))


def plain(s: StepsState, model: str | None, read: Sentence | None) -> None:
    """Draw attention without weights for one word."""
    steps_column, controls = beside()
    if model is None or read is None:
        tiny_model = computed.tiny(s.tiny_text.get(), s.edits.get())
        vectors = computed.tiny_vectors(tiny_model, s.vector.get())
        note = computed.left_out(s.tiny_text.get())
        python = code.of_tiny(tiny_model, s.edits.get())
    else:
        python = code.of_model(model, read)
        vectors, note = computed.vectors(model, read, s.vector.get()), ""
    with controls:
        token = shown_step.choose_token(s, vectors.tokens)
        if model is None or read is None or computed.adds_positions(model, read):
            choose_named(s.vector, _("Rows x"), each(VECTORS), ROWS)
    steps = _spoken(computed.plain(vectors, token), None)
    with steps_column:
        name = shown_step.choose_step(s.plain_step, {one.name: one.title for one in steps})
    python = python._replace(which=s.vector.get(), token=token)
    found = computed.own_share(vectors, token)
    said = own_share.said(found, vectors.tokens)
    more = "\n\n".join(filter(None, (said, own_share.why(found), note)))
    shown_step.show(s, steps, name, s.plain_step, more=more, python=python)


def what_if(s: StepsState, model: str | None, read: Sentence | None) -> None:
    """Draw the view in which a part of the transformer is omitted."""
    shape = (1, 2) if model is None or read is None else computed.shape(model, read)
    ablations.show(s, model, read, shape)


OF: Mapping[str, View] = {"layer": layer, "plain": plain, "what-if": what_if}
