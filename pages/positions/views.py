"""The views of the Positions page: three kinds of positions, the sum with words, padding, reach."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import pandas as pd
import streamlit as st

from core.figures import Picture
from core.localization import N_, _, gettext
from core.records.frozen import Array
from pages.positions import captions as say
from pages.positions import computed, own_angles, padding, pictures, python, reach, sums
from pages.positions import controls as chosen
from pages.positions.state import PositionsState
from ui import figure, files, layout, page, same_in_python
from ui.models.choice import choose_model
from ui.page import terms
from ui.state import slider

BASE = N_("10,000 in the paper. A larger base makes the slow waves slower.")
SMALL = 120  # numbers in a table that is written out


def sinusoidal(s: PositionsState) -> None:
    """Draw the table of sines and cosines, one of its waves, and three claims about it."""
    shown = st.container()  # the picture first; its sizes below it
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen.choose_preset(s)
        length = chosen.number(s.length, _("Positions"))
        about = _("The number of dimensions of each position.")
        width = chosen.number(s.width, "d_model", about=about)
        base = chosen.number(s.base, _("Base"), step=1000, about=gettext(BASE))
        position, dimension = _read_at(s, length, width)
    table = computed.waves(length, width, base)
    distances = computed.distances(table)
    left, right = shown.columns([3, 2], gap="medium")
    with left:
        st.markdown(_("**The table**: one row for each position"))
        _picture(pictures.waves_picture(table, position, dimension), "sinusoidal", table.table)
        if slow := say.slow(table):
            st.caption(slow)
        if length * width <= SMALL:
            st.table(pictures.small_table(table.table))
    with right:
        st.markdown(say.wave(table, dimension))
        _show(pictures.dimension_picture(table.table[:, dimension], position, dimension), "wave")
        st.markdown(_("**By distance**: the dot product of two positions"))
        _by_distance(distances, position, say.products(table, distances))
    with page.rest(_("Three claims about this table")):
        _claims(s, table, distances, position, dimension)
    same_in_python.show(s.python, partial(python.lines, s))


def _claims(
    s: PositionsState,
    table: pictures.Waves,
    distances: pictures.Distances,
    position: int,
    dimension: int,
) -> None:
    st.subheader(_("Three claims, measured on this table"), anchor=False)
    bounded, periodic, predictable = st.columns(3, gap="medium")
    with bounded:
        st.markdown(say.bounded(table))
        _show(pictures.bounded_picture(table), "bounded")
    with periodic:
        st.markdown(say.periodic(table, dimension))
        _show(pictures.periodic_picture(table, dimension), "periodic")
    with predictable:
        shown = st.container()
        step = chosen.number(s.step, _("Offset k"))
    moved = computed.moved(table, step)
    with shown:
        st.markdown(say.predictable(moved, table.table.shape[1]))
        if table.table.shape[1] > 1:
            _show(pictures.predicted_picture(moved, position), "predictable")
            st.markdown(say.matrix(table, dimension, step))
    st.caption(say.rounding(table, dimension, distances, moved))


def learned(s: PositionsState) -> None:
    """Draw the table that a model has learned, or say that it has none."""
    model = choose_model()
    if model is None:
        return
    table = computed.learned(model)
    if table is None:
        st.info(say.none_learned(model, rotates=computed.angles(model) is not None))
        return
    shown = st.container()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        position, dimension = _read_at(s, *table.shape)
    distances = computed.cosines(model)
    shown.markdown(say.learned(model, table, distances))
    left, right = shown.columns([3, 2], gap="medium")
    with left:
        st.markdown(_("**Every two rows compared**: their cosine similarity"))
        similar = pictures.similarity_picture(distances)
        _picture(similar, "learned-similarity", distances.products)
        terms.caption(gettext(say.STRIPES), "stripes")
        if apart := say.row_apart(distances.products):
            terms.caption(apart, "row apart")
    with right:
        st.markdown(_("**By distance**: the cosine similarity of two rows"))
        _by_distance(distances, position, gettext(say.NEIGHBOURS), cosine=True)
    left, right = st.columns([3, 2], gap="medium")
    with left:
        st.markdown(_("**The table itself**: one row for each position"))
        _picture(pictures.learned_picture(table, position, dimension), "learned-positions", table)
        terms.caption(f"{say.columns_are_curves(table)} {say.first_row(table)}".strip(), "first row")
    with right:
        st.markdown(say.learned_wave(table, dimension))
        _show(pictures.dimension_picture(table[:, dimension], position, dimension), "wave")
        st.caption(say.clearest(dimension, computed.clearest(model)))
    same_in_python.show(s.python, partial(python.lines, s, model), model)


def rotary(s: PositionsState) -> None:
    """Draw a query and a key, rotated by their positions, and their products at every two positions."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        m = slider(s.m, _("Query at m"), most=s.length.get() - 1, width=220)
        n = slider(s.n, _("Key at n"), most=s.length.get() - 1, width=220)
    shown = st.container()  # what it is computed from stands below it
    with st.container(horizontal=True, vertical_alignment="bottom"):
        length = chosen.number(s.length, _("Positions"))
        base = chosen.number(s.base, _("Base"), step=1000, about=gettext(BASE))
        query, key = chosen.vectors(s)
    turned = computed.turned(query, key, length, base)
    further = computed.turned(query, key, max(m, n) + pictures.MOVES, base)
    with shown, st.container(key="rotary pair"):
        st.markdown(say.pair(further, m, n))
    left, right = shown.columns([2, 3], gap="medium")
    with left:
        st.markdown(_("**Rotated by their positions**: the query q from m on, the key k from n on"))
        with st.container(width=round(pictures.ROOM * layout.scale())):
            _show(pictures.circles_picture(further, m, n), "rotary")
        st.caption(gettext(say.CIRCLES))
    with right:
        st.markdown(_("**Query · key** at any two positions"))
        _picture(pictures.products_picture(turned, m, n), "rotary-products", turned.products)
        terms.caption(say.diagonals(turned), "diagonals")
    own_angles.show(s)
    same_in_python.show(s.python, partial(python.lines, s))


def _read_at(s: PositionsState, length: int, width: int) -> tuple[int, int]:
    """Choose the position and the dimension that the pictures show."""
    position = chosen.number(
        s.position, _("Position p"), most=length - 1, about=_("A row of the table, from 0.")
    )
    dimension = chosen.number(
        s.dimension, _("Dimension"), most=width - 1, about=_("A column of the table, from 0.")
    )
    return position, dimension


def _show(picture: Picture, name: str, *saved_as: files.File) -> None:
    figure.show(picture, name, saved_as=saved_as, scale=layout.scale())


def _picture(picture: Picture, name: str, table: Array) -> None:
    _show(picture, name, files.csv(lambda: pd.DataFrame(table), name))


def _by_distance(
    distances: pictures.Distances, position: int, note: str, *, cosine: bool = False
) -> None:
    numbers = files.csv(partial(pictures.distance_table, distances), "by-distance")
    picture = pictures.distance_picture(distances, position, cosine=cosine)
    _show(picture, "by-distance", numbers)
    drawn = say.drawn(len(distances.mean), pictures.MOST_DISTANCES)
    lines = (
        _("Blue: pairs with position {position}. Grey: the mean of all pairs at that distance.").format(
            position=position
        )
        if pictures.beside(distances, cosine=cosine)
        else _(
            "The line is the mean of all pairs at that distance, the band from the smallest to the "
            "largest."
        )
    )
    terms.caption(f"{lines} {note} {drawn}".strip(), "by distance")


OF: Mapping[str, Callable[[PositionsState], None]] = {
    "sinusoidal": sinusoidal,
    "learned": learned,
    "rotary": rotary,
    "sum": sums.show,
    "padding": padding.show,
    "reach": reach.show,
}
