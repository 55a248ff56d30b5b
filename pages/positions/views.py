"""The three views of the page of positions: sinusoidal, learned, rotary."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import pandas as pd
import streamlit as st

from core.figures import Picture
from core.records.frozen import Array
from pages.positions import captions as say
from pages.positions import controls as chosen
from pages.positions import pictures
from pages.positions import records as kept
from pages.positions.state import BASE, DIMENSION, KEY, LENGTH, PLACE, QUERY, STEP, TABLE, WIDTH, M, N
from ui import figure, layout, widgets
from ui.stored import hold

SMALL = 120  # numbers of a table that is written out


def sinusoidal() -> None:
    """The table of sines and cosines, one of its waves, and three claims about it."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen.choose_preset(*TABLE)
        length = chosen.number("Positions", LENGTH, 1, 512)
        width = chosen.number("d_model", WIDTH, 1, 1024, about="How many numbers a position has.")
        base = chosen.number("Base", BASE, 2, 1_000_000, step=1000)
        place, dimension = _read_at(length, width)
    table = kept.waves(length, width, base)
    found = kept.distances(table)
    left, right = st.columns([3, 2], gap="medium")
    with left:
        st.markdown("**The table**: a row for each position")
        _picture(pictures.waves_picture(table, place, dimension), "sinusoidal", table.table)
        if length * width <= SMALL:
            st.table(pictures.small_table(table.table))
    with right:
        st.markdown(say.wave(table, dimension))
        _show(pictures.wave_picture(table.table[:, dimension], place, dimension), "wave")
        st.markdown("**By distance**: the dot product of two positions")
        _by_distance(found, place, "dot product", say.products(table, found))
    _claims(table, place, dimension)


def _claims(table: pictures.Waves, place: int, dimension: int) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.subheader("Three claims, measured on this table", anchor=False)
        step = chosen.number("Places on, k", STEP, 1, 512)
    bounded, periodic, predictable = st.columns(3, gap="medium")
    with bounded:
        st.markdown(say.bounded(table))
        _show(pictures.bounded_picture(table), "bounded")
    with periodic:
        st.markdown(say.periodic(table, dimension))
        _show(pictures.periodic_picture(table, dimension), "periodic")
    with predictable:
        found = kept.moved(table, step)
        st.markdown(say.predictable(found, table.table.shape[1]))
        if table.table.shape[1] > 1:
            _show(pictures.predicted_picture(found, place), "predictable")
            st.markdown(say.matrix(table, dimension, step))


def learned() -> None:
    """The table that a model has learned, or that it has none."""
    model = widgets.choose_model()
    table = kept.learned(model) if model else None
    if model is None or table is None:
        hold(PLACE, DIMENSION)
        if model:
            st.info(say.none_learned(model))
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        place, dimension = _read_at(*table.shape)
    found = kept.cosines(model)
    st.markdown(say.learned(model, table, found))
    left, right = st.columns([3, 2], gap="medium")
    with left:
        _picture(pictures.learned_picture(table, place, dimension), "learned-positions", table)
        st.caption(say.first_row(table))
    with right:
        st.markdown(say.learned_wave(table, dimension))
        _show(pictures.wave_picture(table[:, dimension], place, dimension), "wave")
        st.markdown("**By distance**: the cosine similarity of two rows")
        _by_distance(found, place, "cosine similarity", say.NEIGHBOURS)


def rotary() -> None:
    """A query and a key, turned by their places, and their products at every two places."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        length = chosen.number("Positions", LENGTH, 1, 512)
        base = chosen.number("Base", BASE, 2, 1_000_000, step=1000)
        m, n = chosen.place("Query at m", M, length - 1), chosen.place("Key at n", N, length - 1)
        query, key = chosen.vectors(QUERY, KEY)
    found = kept.turned(query, key, length, base)
    further = kept.turned(query, key, max(m, n) + pictures.MOVES, base)
    st.markdown(say.pair(further, m, n))
    left, right = st.columns([2, 3], gap="medium")
    with left:
        st.markdown("**Turned by their places**: q from m on, k from n on")
        with st.container(width=round(pictures.ROOM * layout.scale())):
            _show(pictures.circles_picture(further, m, n), "rotary")
        st.caption(say.CIRCLES)
    with right:
        st.markdown("**Query · key** at every two places")
        _picture(pictures.products_picture(found, m, n), "rotary-products", found.products)
        st.caption(say.diagonals(found))


def _read_at(length: int, width: int) -> tuple[int, int]:
    """The position and the dimension that the pictures are read at."""
    place = chosen.number("Position p", PLACE, 0, length - 1)
    return place, chosen.number("Dimension", DIMENSION, 0, width - 1)


def _show(picture: Picture, name: str) -> None:
    figure.show(picture, name, scale=layout.scale())


def _picture(picture: Picture, name: str, table: Array) -> None:
    _show(picture, name)
    layout.csv(lambda: pd.DataFrame(table), name)


def _by_distance(found: pictures.Distances, place: int, what: str, said: str) -> None:
    _show(pictures.distance_picture(found, place, what), "by-distance")
    drawn = say.drawn(len(found.mean), pictures.MOST_DISTANCES)
    st.caption(f"{said} {drawn}".strip())
    layout.csv(partial(pictures.distance_table, found), "by-distance")


OF: Mapping[str, Callable[[], None]] = {"sinusoidal": sinusoidal, "learned": learned, "rotary": rotary}
