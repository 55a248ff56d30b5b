"""What each layer of the decoder would write: its states, read by the output layer."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import pandas as pd
import streamlit as st

from core.figures import Picture, lens_grid
from core.figures.labels import spelled
from core.figures.lens import cell_of, depth_name
from core.localization import N_, _, gettext
from core.memory import cached
from core.records.lens import LensGrid
from core.sentences import percent
from pages.encoder_decoder import translator
from pages.encoder_decoder.published import Published
from pages.encoder_decoder.state import DEEPEST, TranslationState
from pages.encoder_decoder.translator import TranslationQuery
from ui import figure, files, layout, text
from ui.models import long_texts
from ui.models.attempt import attempt
from ui.state import toggle

if TYPE_CHECKING:
    from core.tasks import Decoding

TITLE = N_("What would each layer of the decoder write?")
ONE_LAYER = N_("What would the decoder write before its one layer?")
MOST_NAMED = 3
MOST_SPELLED = 6  # layers whose rows are named in words: "after layer 2"


def show(s: TranslationState, query: TranslationQuery, decoding: Decoding, step: int) -> None:
    """Draw the folded section; nothing is computed before it is opened. `step`: from 0."""
    hidden = decoding.trace.decoder.hidden
    one = hidden is not None and len(hidden) == 1
    if not toggle(s.lens, gettext(ONE_LAYER if one else TITLE)):
        return
    grid = attempt(read, query)
    if grid is None:
        return
    depth, column = min(s.depth.get(), grid.n_layers), min(step, len(grid.positions) - 1)
    st.markdown(said(grid, depth, column, decoding.tokens[step]))
    figure.show(
        drawn(grid, (depth, column)),
        "translate lens",
        on_bar=partial(_choose, s, grid),
        saved_as=[files.csv(partial(_table, query), "decoder-layers")],
        scale=layout.scale(),
    )
    st.caption(how(decoding.trace.decoder.final is not None))


def drawn(grid: LensGrid, chosen: tuple[int, int]) -> Picture:
    """The grid, its rows named in words if they are few."""
    made = lens_grid(
        grid,
        sentence=_(
            "What the decoder would write at each of {steps} steps, after each of its {layers} layers."
        ).format(steps=len(grid.positions), layers=grid.n_layers),
        name="decoder-layers",
        chosen=chosen,
    )
    if grid.n_layers > MOST_SPELLED:
        return made
    return replace(made, header={**made.header, "rows": made.header["rowNames"]})


def how(normed: bool) -> str:
    """What the picture is (Markdown).

    Args:
        normed: whether the decoder has a final norm.
    """
    if normed:
        return _(
            "Each column is a step, named by the word just read. Each state goes through the final "
            "norm and the output layer, as the last state does: the **logit lens** (nostalgebraist "
            "2020). The top row is the prediction; the model itself never reads out a row below it."
        )
    return _(
        "Each column is a step, named by the word just read. Each state goes through the output layer, "
        "as the last state does: the **logit lens** (nostalgebraist 2020). The top row is the "
        "prediction; the model itself never reads out a row below it."
    )


def said(grid: LensGrid, depth: int, column: int, written: str) -> str:
    """The chosen state in words (Markdown).

    Args:
        grid: the decoder's states.
        depth: of the chosen one, 0 for the input.
        column: its step, from 0.
        written: the word that was written there.
    """
    best = zip(grid.likeliest[depth, column], grid.probabilities[depth, column], strict=True)
    named = ", ".join(
        f"*{_named(grid, int(one))}* {percent(float(p))}" for one, p in [*best][:MOST_NAMED]
    )
    where = depth_name(depth)
    since = grid.since(column)
    own = _named(grid, int(grid.likeliest[-1, column, 0]))
    first = (
        _("from the {input} on").format(input=depth_name(0))
        if since == 0
        else _("from layer {layer} on").format(layer=since)
    )
    if since == grid.n_layers:
        first = (
            _("only after the last of {count} layers").format(count=grid.n_layers)
            if grid.n_layers > 1
            else _("only after its one layer")
        )
    return _(
        "**{where}, at the step that wrote {written}:** {named}. *{own}* is likeliest {first}."
    ).format(
        where=f"{where[0].upper()}{where[1:]}",
        written=text.plain(written),
        named=named,
        own=own,
        first=first,
    )


def _named(grid: LensGrid, number: int) -> str:
    name = grid.names[number]
    return text.plain(spelled(name.strip(" ") or name))


def _choose(s: TranslationState, grid: LensGrid, index: int) -> None:
    """Take the cell that a visitor has chosen: its step, and its depth."""
    depth, column = cell_of(grid, index)
    s.step.set(column + 1)
    s.depth.set(DEEPEST if depth == grid.n_layers else depth)


def _table(query: TranslationQuery) -> pd.DataFrame:
    return read(query).to_frame()


def read(query: TranslationQuery) -> LensGrid:
    """What every state of the decoder reads as, behind a source and what was written.

    Raises:
        PolyseeError: see `translator.decoding`; NotSupported for a model that ours does not run.
    """
    translator.model(query.name)  # raises an error if the model is gone
    return _read(query)


@cached()
def _read(query: TranslationQuery) -> LensGrid:
    model, decoding = translator.model(query.name), translator.decoding(query)
    written = decoding.ids[:-1]  # the last is predicted, and not read
    with long_texts.turn(query.text):
        if isinstance(model, Published):
            return model.lens(query.text, written)
        return model.pair_lens(query.text, written)
