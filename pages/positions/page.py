"""Positions: how a transformer knows where a word is: by sines, by a learned table, or by rotation."""

from __future__ import annotations

import streamlit as st

from core.localization import _, each, gettext
from pages.positions import captions, computed, views
from pages.positions.state import VIEWS, PositionsState
from ui import page
from ui.state import select


def positions(s: PositionsState) -> None:
    why = st.container(key="positions why", horizontal=True, vertical_alignment="center", gap="small")
    view = select(s.view, each(VIEWS), _("View"), style="segments")
    st.markdown(gettext(captions.POINTS[view]))
    views.OF[view](s)
    with why:  # at last, since a model may have to be loaded for its two numbers
        st.markdown(captions.why(*computed.in_two_orders()), width="content")
        no_order = {"p": "what-if", "wi": "no-position", "t": computed.ORDERS[0]}
        page.down(_("Try it step by step"), "step_by_step", no_order)
    page.down(_("Where is a position added to a word?"), "step_by_step", {"st": "position"})


page.run(__file__, PositionsState, positions, translated=True)
