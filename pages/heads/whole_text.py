"""All heads on the whole of a text that is too long for a trace: their maps in small.

The picture above shows as much of a text as this server has memory for, with every weight. Here is the
rest of it, up to the model's window: a dot is the largest weight of a block of tokens. A head that is
chosen opens (`pages.heads.tile`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from core.figures import Picture
from core.figures.attention.overview import MOST_BYTES, MOST_CELLS, AllHeads, overview
from core.localization import N_, _, decimal, gettext
from core.memory import cached
from core.records.long_attention import BIASES, LongAttention
from pages.heads import tile
from pages.heads.displayed import Panel, first_of
from pages.heads.state import HeadsState
from ui import figure, layout, text
from ui.models import answers, model_cache
from ui.models.attempt import attempt
from ui.models.long_texts import turn

TITLE = N_("The whole text")


def show(s: HeadsState, panels: Sequence[Panel]) -> None:
    """Draw each panel's heads on its whole text; nothing where the picture above shows all of it."""
    for number, panel in enumerate(panels):
        query = panel.text_query
        model = model_cache.model(query.model)
        plain = not (query.second or query.causal or query.masked or query.more)
        decoder = model.scratch_decoder
        if decoder is None or decoder.config.positions in BIASES:  # then `long_attention` has nothing
            continue
        if not plain or not model_cache.ends_early(query.model):
            continue
        seen = first_of(answers.answer(query))
        if seen.left_out is None:
            continue
        st.subheader(gettext(TITLE), anchor=False)
        found = attempt(whole, query.model, query.text)
        if found is None:
            continue
        st.markdown(said(found, len(seen.tokens)))
        opened = tile.chosen(found, s.tile.get())
        figure.show(
            picture(found, opened),
            f"whole text of {number}",
            on_head=partial(tile.open_head, s),
            scale=layout.scale(),
        )
        tile.show(s, found, number)


def whole(model: str, typed: str) -> LongAttention:
    """The attention of the whole text, cached. Raises the errors of `Model.long_attention`."""
    model_cache.model(model)
    return _whole(model, typed)


@cached()
def _whole(model: str, typed: str) -> LongAttention:
    loaded = model_cache.model(model)
    maps = loaded.shape.n_layers * loaded.shape.n_heads
    cells = max(1, min(MOST_CELLS, int((MOST_BYTES / maps) ** 0.5)))  # what the picture draws
    with turn(typed):
        return loaded.long_attention(typed, cells=cells)


def picture(found: LongAttention, opened: tile.Tile | None = None) -> Picture:
    """Every head as a small map of the whole text; the one that is open is framed."""
    layers, heads = found.grid
    made = overview(
        AllHeads(found.largest),
        sentence=_(
            "All {layers} × {heads} heads on {count} tokens: rows are queries, columns are keys, and a "
            "dot is the largest of {block} × {block} weights."
        ).format(layers=layers, heads=heads, count=_n(len(found.tokens)), block=found.block),
        name="heads-whole-text",
        chosen=None if opened is None else (opened.layer, opened.head),
        root=True,
    )
    blocks = {"block": (found.block, found.block), "queries": len(found.tokens)}
    return Picture(made.module, {**made.header, **blocks}, made.payload, made.complete)


def said(found: LongAttention, shown: int) -> str:
    """What the picture is of, and what it leaves out (Markdown)."""
    n, block = len(found.tokens), found.block
    parts = [
        _(
            "The pictures above show the first {shown} tokens, since the weights of all {count} would "
            "not fit into this server’s memory. Here are all of them, pooled: of each **{block} × "
            "{block} weights, the largest** is drawn (of more, where the maps are small on your "
            "screen; the line below them says of how many). So single links stay visible, and look "
            "wider than they are."
        ).format(shown=_n(shown), count=_n(n), block=block)
    ]
    if found.left_out is not None:
        parts.append(
            _("The model accepts no more, and the text goes on: it has read {count} tokens.").format(
                count=_n(n)
            )
        )
    parts.append(
        _(
            "In Python, `model.long_attention(text).tile(layer, head, rows, columns)` gives any part "
            "of a map of **{model}**, weight by weight."
        ).format(model=text.plain(model_cache.title(found.model)))
    )
    return " ".join(parts)


def _n(count: int) -> str:
    return decimal(f"{count:,}")
