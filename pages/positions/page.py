"""Positions: how a transformer knows where a word is, in three ways."""

from __future__ import annotations

from pages.positions import views
from pages.positions.state import VIEWS, PositionsState
from ui import page
from ui.state import select


def positions(s: PositionsState) -> None:
    views.OF[select(s.view, VIEWS, "View", style="segments")](s)
    page.down("Where is a position added to a word?", "step_by_step", {"st": "position"})


page.run(__file__, PositionsState, positions)
