"""Padding: a text padded to the length of a longer one, and the mask that hides the padding."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from core.figures import Picture, heatmap, step_view, style
from core.localization import _, decimal, each
from core.measures import HeadMap
from core.records.frozen import Array
from core.walkthroughs import word_and_position as numbers
from pages.positions import computed, python, sums
from pages.positions.computed import Batch
from pages.positions.state import NUMBERS, PositionsState
from ui import figure, files, layout, same_in_python
from ui.layout import choose_named, row
from ui.models import model_cache
from ui.models.attempt import attempt, can_ask
from ui.models.choice import choose_model
from ui.state import select, text, toggle

WORD = 80  # pixels of a list of numbers
HEIGHT = 430


def show(s: PositionsState) -> None:
    """Draw the text's numbers or a model's, with and without the mask."""
    if select(s.whose, each(NUMBERS), _("Numbers"), style="segments") == "text":
        _of_the_text(s)
    else:
        model = choose_model()
        if model is not None:
            _of_a_model(s, model)


def _mask(s: PositionsState) -> bool:
    about = _("Hides the padding by setting its scores to −∞.")
    return toggle(s.masked, _("Padding mask"), about=about)


def _of_the_text(s: PositionsState) -> None:
    lengths = {i: str(i) for i in range(s.padded.least, s.padded.most + 1)}
    found = numbers.padded(sums.tables(s), s.padded.get(), masked=s.masked.get())
    by_name = {step.name: step for step in found.steps}
    name = s.padding_step.get() if s.padding_step.get() in by_name else "weights"
    with row():
        choose_named(s.padded, _("Padded to"), lengths, WORD)
        _mask(s)
    step, names = by_name[name], [*by_name]
    at = names.index(name)
    st.markdown(f"**{at + 1}. {step.title}:** $\\displaystyle {step.formula}$ — {step.why}")
    table = partial(_step_table, name, s.edits.get(), s.padded.get(), s.masked.get())
    picture = step_view(
        step,
        sentence=_("{title}: five words and {count} of padding.").format(
            title=step.title, count=s.padded.get() - numbers.N_WORDS
        ),
        name=f"padding-{name}",
        titles=[one.title for one in found.steps],
        at=at,
        state={"step": at, "row": s.row.get(), "column": s.column.get()},
        height=HEIGHT,
    )
    figure.show(
        picture,
        "padding",
        on_state=partial(_take, s, tuple(names)),
        saved_as=[files.csv(table, f"padding-{name}")],
        scale=layout.scale(),
    )
    st.markdown(_verdict(found.apart, found.on_padding, found.on_padding, s.masked.get()))
    sums.edit(s, ("E", "PAD", "P"), s.padded.get())
    same_in_python.show(s.python, partial(python.lines, s))


def _take(s: PositionsState, names: tuple[str, ...], sent: Mapping[str, int]) -> None:
    if sent["step"] < len(names):
        s.padding_step.set(names[sent["step"]])
    sums.take(s, sent)


def _step_table(name: str, edits: str, length: int, masked: bool) -> pd.DataFrame:
    current = numbers.TABLES.changed(numbers.TABLES.read(edits))
    (step,) = (one for one in numbers.padded(current, length, masked=masked).steps if one.name == name)
    of = step.result
    values = (
        of.values if of.hidden is None or name != "mask" else np.where(of.hidden, -np.inf, of.values)
    )
    return pd.DataFrame(values, pd.Index(of.rows, name=of.name), of.columns)


def _of_a_model(s: PositionsState, model: str) -> None:
    if model_cache.is_decoder(model):
        st.info(
            _(
                "{name} reads from left to right: padding behind a text comes later than all its "
                "words, and the causal mask already hides it. This view is about models that read "
                "both ways; choose MiniLM, another BERT or DistilBERT."
            ).format(name=model_cache.markdown_title(model))
        )
        return
    left, right = st.columns(2, gap="medium")
    with left:
        one = text(s.shorter, _("One text"))  # whichever is shorter is filled up
    with right:
        other = text(s.longer, _("Another text"))
    if not (can_ask(one, _("The first text")) and can_ask(other, _("The second text"))):
        return
    found = attempt(computed.batch, model, one, other)
    if found is None:
        return
    if not found.padding:
        st.info(
            _(
                "Both texts have {count} tokens, and neither needs padding. Make one of them longer."
            ).format(count=len(found.tokens))
        )
        return
    n_layers, n_heads = found.masked.weights.shape[:2]
    with row():
        layer = choose_named(s.layer, _("Layer"), _numbered(n_layers), WORD) - 1
        head = choose_named(s.head, _("Head"), _numbered(n_heads), WORD) - 1
        masked = _mask(s)
    run = found.masked if masked else found.unmasked
    shown = _head_map(found, layer, head, masked=masked)
    table = partial(_head_table, model, (one, other), (layer, head), masked)
    figure.show(
        _picture(shown, layer, head),
        "padding of a model",
        saved_as=[files.csv(table, "padding-weights")],
        scale=layout.scale(),
    )
    st.markdown(
        _(
            "In one batch with the longer text, the shorter one has **{own}** tokens of its own and "
            "**{padding}** of padding. "
        ).format(own=len(found.tokens), padding=found.padding)
        + _verdict(float(run.apart[-1]), run.on_padding, run.on_padding[layer, head], masked)
    )
    st.caption(
        _(
            "Largest difference after each layer, with the mask: {masked}. Without it: {unmasked}. "
            "Rows are the shorter text’s own tokens; those of the padding are discarded."
        ).format(masked=_every(found.masked.apart), unmasked=_every(found.unmasked.apart))
    )
    same_in_python.show(s.python, partial(python.lines, s, model), model)


def _numbered(count: int) -> dict[int, str]:
    return {i: str(i) for i in range(1, count + 1)}


def _head_map(found: Batch, layer: int, head: int, *, masked: bool) -> HeadMap:
    run = found.masked if masked else found.unmasked
    columns = len(found.tokens) + found.padding
    hidden = np.zeros((len(found.tokens), columns), bool)
    hidden[:, len(found.tokens) :] = True
    return HeadMap(
        found.tokens,
        (*found.tokens, *[found.pad] * found.padding),
        run.weights[layer, head],
        renormalised=False,
        dropped=np.zeros(len(found.tokens)),
        tokens=np.arange(columns),
        masked=hidden if masked else None,
    )


def _picture(shown: HeadMap, layer: int, head: int) -> Picture:
    return heatmap(
        shown,
        sentence=_(
            "Attention of layer {layer}, head {head}: rows are the shorter text’s tokens, columns are "
            "the same tokens and its padding."
        ).format(layer=layer + 1, head=head + 1),
        name="padding-weights",
    )


def _head_table(model: str, texts: tuple[str, str], at: tuple[int, int], masked: bool) -> pd.DataFrame:
    found = computed.batch(model, *texts)
    shown = _head_map(found, *at, masked=masked)
    return pd.DataFrame(shown.weights, pd.Index(shown.queries, name="token"), shown.keys)


def _verdict(apart: float, on_padding: Array, here: Array, masked: bool) -> str:
    """What the mask does, or what goes wrong without it (Markdown).

    Args:
        apart: the largest difference of the vectors from those without padding.
        on_padding: the share of each row that goes to padding.
        here: the shares of the head shown.
        masked: whether there is a mask.
    """
    most = float(on_padding.max())
    if masked:
        if apart == 0:
            said = _(
                "With the mask, the weight on padding is {weight} in every row, and the words’ new "
                "vectors do not differ from those without any padding."
            )
        elif apart < 1e-4:
            said = _(
                "With the mask, the weight on padding is {weight} in every row, and the words’ new "
                "vectors differ from those without any padding by at most **{apart}**, which is "
                "rounding."
            )
        else:
            said = _(
                "With the mask, the weight on padding is {weight} in every row, and the words’ new "
                "vectors differ from those without any padding by at most **{apart}**."
            )
        return said.format(weight=_weight(most), apart=_small(apart))
    return _(
        "Without the mask, padding takes **{mean} %** of a row on average here, and {most} % at most "
        "anywhere. The words’ new vectors differ from those without any padding by up to **{apart}**: "
        "the same text gives other numbers in another batch."
    ).format(
        mean=decimal(f"{100 * float(here.mean()):.1f}"),
        most=decimal(f"{100 * most:.1f}"),
        apart=_small(apart),
    )


def _weight(value: float) -> str:
    if value == 0:
        return _("exactly **0**")
    return _("at most **{value}**").format(value=style.scientific(value, 0))


def _small(value: float) -> str:
    return style.scientific(value, 0) if value < 1e-3 else style.signed(value, 3)


def _every(values: Array) -> str:
    apart = ", " if decimal(".") == "." else "; "  # a comma before decimals separates nothing
    return apart.join(_small(float(value)) for value in values)
