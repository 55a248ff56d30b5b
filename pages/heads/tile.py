"""A head on a text that is too long for a trace: its map in small, and any part of it in full."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import numpy as np
import pandas as pd
import streamlit as st

from core.figures import Picture, heatmap, style
from core.figures.labels import label
from core.localization import _, decimal
from core.measures import HeadMap
from core.records.frozen import Array
from core.records.long_attention import LongAttention
from pages.heads.state import HeadsState
from ui import figure, files, layout, text
from ui.figure import Cell, Head

SIDE = 48  # tokens: as many as still have their names


class Tile(NamedTuple):
    """A head, and the cell of its small map that is shown in full; all from 0."""

    layer: int
    head: int
    row: int
    column: int

    def sides(self, found: LongAttention) -> tuple[slice, slice]:
        """The queries and the keys around the cell, at most `SIDE` of each."""
        n, most = len(found.tokens), max(SIDE, found.block)
        starts = (
            max(0, min(n - most, found.block * at - (most - found.block) // 2))
            for at in (self.row, self.column)
        )
        rows, columns = (slice(start, min(n, start + most)) for start in starts)
        return rows, columns


def chosen(found: LongAttention, numbers: tuple[int, ...]) -> Tile | None:
    """The tile that a link names, counted from 1; None if there is no such head.

    A head alone is opened where it links tokens most: off the diagonal, since nearly all heads attend
    to neighbours, and not to the first tokens, where attention rests that has nowhere to go.
    """
    layers, heads = found.grid
    if len(numbers) not in (2, 4) or not (1 <= numbers[0] <= layers and 1 <= numbers[1] <= heads):
        return None
    layer, head = numbers[0] - 1, numbers[1] - 1
    cells = found.largest.shape[2]
    if len(numbers) == 4 and 1 <= numbers[3] <= numbers[2] <= cells:
        return Tile(layer, head, numbers[2] - 1, numbers[3] - 1)
    links = np.tril(found.largest[layer, head], -1)
    links[:, 0] = 0
    row, column = np.unravel_index(int(links.argmax()), links.shape)
    return Tile(layer, head, int(row), int(column)) if links.any() else Tile(layer, head, cells - 1, 0)


def open_head(s: HeadsState, head: Head) -> None:
    """Choose a head of the picture of all heads."""
    s.tile.set((head.layer + 1, head.head + 1))


def show(s: HeadsState, found: LongAttention, number: int) -> None:
    """Draw the chosen head; one sentence where none is chosen."""
    tile = chosen(found, s.tile.get())
    if tile is None:
        st.caption(_("Choose a head above: its map opens here, and any part of it weight by weight."))
        return

    def take(cell: Cell) -> None:
        if cell.column <= cell.row:  # above the diagonal is nothing
            s.tile.set((tile.layer + 1, tile.head + 1, cell.row + 1, cell.column + 1))

    st.markdown(said(found, tile))
    left, right = st.columns([2, 3], gap="medium")
    with left:
        figure.show(small(found, tile), f"small map of {number}", on_cell=take, scale=layout.scale())
    with right:
        figure.show(
            picture(found, tile),
            f"tile of {number}",
            saved_as=[files.csv(partial(table, found, tile), "tile")],
            scale=layout.scale(),
        )


def said(found: LongAttention, tile: Tile) -> str:
    """What is open, and its largest weight (Markdown)."""
    rows, columns = tile.sides(found)
    weights = np.array(found.tile(tile.layer, tile.head, rows, columns))
    weights[:, : max(0, 1 - columns.start)] = 0
    query, key = np.unravel_index(int(weights.argmax()), weights.shape)
    one, other = (
        _("“{word}” (token {number})").format(
            word=text.plain(label(_names(found, side)[int(at)])), number=_n(side.start + int(at) + 1)
        )
        for side, at in ((rows, query), (columns, key))
    )
    largest = _("no weight: its queries all come before its keys")
    if weights.any():
        said = (
            _(
                "the largest weight, apart from those for the first token of the text, is {weight}, "
                "from {one} to {other}"
            )
            if columns.start == 0
            else _("the largest weight is {weight}, from {one} to {other}")
        )
        largest = said.format(weight=decimal(f"{weights.max():.3f}"), one=one, other=other)
    return _(
        "**{head}.** On the left its whole map, where a dot is the largest of {block} × {block} "
        "weights; choose one to open what is around it. On the right queries "
        "{first_query}–{last_query} and keys {first_key}–{last_key}, **weight by weight**, nothing "
        "pooled: {largest}."
    ).format(
        head=style.head_name(tile.layer, tile.head),
        block=found.block,
        first_query=_n(rows.start + 1),
        last_query=_n(rows.stop),
        first_key=_n(columns.start + 1),
        last_key=_n(columns.stop),
        largest=largest,
    )


def small(found: LongAttention, tile: Tile) -> Picture:
    """The whole map of the head, its cells named by the tokens that they hold."""
    n, block = len(found.tokens), found.block
    names = [_span(start, min(n, start + block)) for start in range(0, n, block)]
    cells = np.array(found.largest[tile.layer, tile.head])
    hidden = np.triu(np.ones(cells.shape, bool), 1)
    return heatmap(
        _map(names, names, cells, hidden),
        sentence=_(
            "{head} on {count} tokens; each cell is the largest of {block} × {block} weights."
        ).format(head=style.head_name(tile.layer, tile.head), count=_n(n), block=block),
        name="head-whole-text",
        marked=(tile.row,),
        against=(tile.column,),
        root=True,
        of=(_("tokens"), _("attend to"), _("largest weight")),
    )


def picture(found: LongAttention, tile: Tile) -> Picture:
    """The weights of the tile, token by token."""
    rows, columns = tile.sides(found)
    queries, keys = _names(found, rows), _names(found, columns)
    weights = found.tile(tile.layer, tile.head, rows, columns)
    hidden = np.arange(rows.start, rows.stop)[:, None] < np.arange(columns.start, columns.stop)
    return heatmap(
        _map(queries, keys, weights, hidden),
        sentence=_(
            "{head}: the weights of tokens {first_query} to {last_query} for tokens {first_key} to "
            "{last_key}."
        ).format(
            head=style.head_name(tile.layer, tile.head),
            first_query=_n(rows.start + 1),
            last_query=_n(rows.stop),
            first_key=_n(columns.start + 1),
            last_key=_n(columns.stop),
        ),
        name="tile",
        root=True,
        hidden=_("later tokens are not visible"),
    )


def table(found: LongAttention, tile: Tile) -> pd.DataFrame:
    """Each weight of the tile, with its two tokens, counted from 1."""
    rows, columns = tile.sides(found)
    weights = found.tile(tile.layer, tile.head, rows, columns)
    row, column = (grid.ravel() for grid in np.indices(weights.shape))
    at, to = rows.start + row, columns.start + column
    tokens = np.array(_names(found, slice(None)), object)
    return pd.DataFrame(
        {
            "query": at + 1,
            "query token": tokens[at],
            "key": to + 1,
            "key token": tokens[to],
            "weight": weights.ravel(),
        }
    )


def _names(found: LongAttention, side: slice) -> list[str]:
    """The tokens as they stand in the text, without the space that comes before most of them."""
    return [piece.strip() or piece for piece in found.pieces[side]]


def _n(count: int) -> str:
    """A whole number."""
    return decimal(f"{count:,}")


def _span(start: int, stop: int) -> str:
    return f"{start + 1}–{stop}" if stop > start + 1 else str(stop)


def _map(rows: list[str], columns: list[str], weights: Array, hidden: Array) -> HeadMap:
    """Weights of which a row is a part of a row: what goes to other keys is not said to be dropped."""
    none = np.zeros(len(rows), np.float32)
    mask = hidden if hidden.any() else None
    at = np.arange(len(columns))
    return HeadMap(tuple(rows), tuple(columns), weights, False, none, at, masked=mask)
