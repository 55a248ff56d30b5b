"""The three views of the page that goes step by step: a layer, attention without weights, what-ifs."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pages.step_by_step import ablations, code, one_step, own_share, records
from pages.step_by_step.records import Pass, Sentence
from pages.step_by_step.state import VECTORS, StepsState
from ui.layout import beside, choose_named
from ui.state import toggle

ROWS = 200  # pixels of the list of what attention without weights begins with
View = Callable[[StepsState, str | None, Sentence | None], None]


def layer(s: StepsState, model: str | None, read: Sentence | None) -> None:
    """All steps of one layer."""
    steps, controls = beside()
    with controls:
        if model is None or read is None:
            tiny_model = records.tiny(s.tiny_text.get(), s.edits.get())
            tokens = tiny_model.tokens
            head = one_step.choose_number(s.head, "Head", 2)
            made = records.of_tiny(tiny_model, head, s.causal.get())
            note = records.left_out(s.tiny_text.get())
            python = code.of_tiny(tiny_model, s.edits.get(), head, causal=s.causal.get())
        else:
            tokens, (n_layers, n_heads) = read.tokens, records.shape(model, read)
            at = one_step.choose_number(s.layer, "Layer", n_layers)
            head = one_step.choose_number(s.head, "Head", n_heads)
            made = records.of_model(model, read, at, head, s.block.get(), s.causal.get())
            note = _about(at, made)
            python = code.of_model(model, read, at, head)
        one_step.choose_token(s, tokens)
        if read is None or read.paper:
            toggle(s.causal, "Mask", about="Hides later tokens.")
    with steps:
        name = one_step.choose_step(s.step, {one.name: one.title for one in made.steps})
    with controls:
        one_step.choose_block(s, made.steps, name)
    one_step.show(s, made.steps, name, s.step, more=note, python=python)


def _about(layer: int, made: Pass) -> str:
    before = f"the output of layer {layer}" if layer else "the result of step 4"
    apart = f"differ by at most {made.apart:.1e}" if made.apart else "are equal to the last digit"
    last = f"the result of step {len(made.steps)} and our own pass through the whole model {apart}"
    return f"In layer {layer + 1}, x is {before}; {last}."


def plain(s: StepsState, model: str | None, read: Sentence | None) -> None:
    """Attention without weights, for one word."""
    steps_column, controls = beside()
    if model is None or read is None:
        tiny_model = records.tiny(s.tiny_text.get(), s.edits.get())
        vectors = records.tiny_vectors(tiny_model, s.vector.get())
        note = records.left_out(s.tiny_text.get())
        python = code.of_tiny(tiny_model, s.edits.get())
    else:
        python = code.of_model(model, read)
        vectors, note = records.vectors(model, read, s.vector.get()), ""
    with controls:
        token = one_step.choose_token(s, vectors.tokens)
        choose_named(s.vector, "Rows x", VECTORS, ROWS)
    steps = records.plain(vectors, token)
    with steps_column:
        name = one_step.choose_step(s.plain_step, {one.name: one.title for one in steps})
    python = python._replace(which=s.vector.get(), token=token)
    found = records.own_share(vectors, token)
    said = own_share.said(found, vectors.tokens)
    more = "\n\n".join(filter(None, (said, own_share.why(found), note)))
    one_step.show(s, steps, name, s.plain_step, more=more, python=python)


def what_if(s: StepsState, model: str | None, read: Sentence | None) -> None:
    """A part of the transformer left out."""
    shape = (1, 2) if model is None or read is None else records.shape(model, read)
    ablations.show(s, model, read, shape)


OF: Mapping[str, View] = {"layer": layer, "plain": plain, "what-if": what_if}
