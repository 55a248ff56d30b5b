"""The ways of several words on a map in three dimensions, to be turned by hand and played by layer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from core.figures import style
from core.figures.word_ways import Way

HEIGHT = 480
_SYMBOLS = {"circle": "circle", "square": "square", "diamond": "diamond", "ring": "circle-open"}
_GRID = "#9AA0A8"  # without alpha, which the renderer lets fade away on white
_STEP = 700  # milliseconds
_SIDES = ("top center", "bottom center", "middle right", "middle left")  # of names, in turn


def ways_space(
    ways: Sequence[Way], *, depth: int, titles: Sequence[str], scale: float = 1.0
) -> go.Figure:
    """A line for each way up to `depth`, a mark for each depth; a button plays all depths.

    The frame of the picture is the same at every depth. Playing and hovering ask nobody.

    Args:
        ways: their places are (depths, 3).
        depth: how deep, from 0.
        titles: of the three directions.
        scale: how much larger than usual its height and letters are.
    """
    every = np.concatenate([way.places for way in ways])
    low, high = np.nanmin(every, axis=0), np.nanmax(every, axis=0)
    room = 0.06 * np.maximum(high - low, 1e-6)
    depths = len(ways[0].places)
    figure = go.Figure(
        data=_lines(ways, depth, scale),
        frames=[go.Frame(data=_lines(ways, d, scale), name=str(d)) for d in range(depths)],
    )
    figure.update_layout(
        **style.layout(
            height=round(HEIGHT * scale), dragmode="orbit", font={"size": round(14 * scale)}
        ),
        uirevision="kept",  # a turned picture stays turned when the layer changes
        updatemenus=[_play(depths)],
        scene={
            "aspectmode": "data",  # one scale for all three
            "camera": {"eye": {"x": 1.5, "y": 1.5, "z": 0.9}, "center": {"z": -0.12}},
            **{
                f"{axis}axis": {
                    "title": {"text": title},
                    "range": [float(low[i] - room[i]), float(high[i] + room[i])],
                    "showticklabels": False,
                    "showbackground": False,
                    "gridcolor": _GRID,
                    "showline": True,
                    "mirror": True,
                    "linecolor": style.LEARNED,
                    "zeroline": False,
                    "showspikes": False,
                }
                for i, (axis, title) in enumerate(zip("xyz", titles, strict=True))
            },
        },
    )
    return figure


def _lines(ways: Sequence[Way], depth: int, scale: float) -> list[go.Scatter3d]:
    begun: set[bytes] = set()  # two places of one word begin in one point, which is named once
    lines = []
    for i, way in enumerate(ways):
        start = np.round(way.places[0], 4).tobytes()
        lines.append(_line(way, depth, scale, _SIDES[i % len(_SIDES)], start not in begun))
        begun.add(start)
    return lines


def _line(way: Way, depth: int, scale: float, side: str, begins: bool) -> go.Scatter3d:
    """The way up to a depth; its first point, the learned vector, is grey and may be named."""
    start = f"{style.token_label(way.start)} learned" if begins else ""
    x, y, z = way.places[: depth + 1].T.astype(np.float32)
    name = style.token_label(way.name)
    return go.Scatter3d(
        x=x,
        y=y,
        z=z,
        name=name,
        mode="lines+markers+text",
        line={"color": way.colour, "width": 5},
        marker={
            "color": [style.LEARNED, *[way.colour] * depth],
            "symbol": ["diamond", *[_SYMBOLS[way.mark]] * depth],
            "size": [*[6, *[4] * depth][:depth], 7],
        },
        text=[*[start, *[""] * depth][:depth], f"<b>{name}</b>"],
        textposition=side,
        textfont={
            "color": [*[style.LEARNED, *[way.colour] * depth][:depth], way.colour],
            "size": round(15 * scale),
        },
        customdata=[style.depth_name(d) for d in range(depth + 1)],
        hovertemplate=f"<b>{name}</b>, %{{customdata}}: %{{x:.3f}}, %{{y:.3f}}, %{{z:.3f}}"
        "<extra></extra>",
    )


def _play(depths: int) -> dict[str, Any]:
    timed = {
        "frame": {"duration": _STEP, "redraw": True},
        "transition": {"duration": 0},
        "fromcurrent": False,
        "mode": "immediate",
    }
    names = [str(depth) for depth in range(depths)]
    return {
        "type": "buttons",
        "direction": "left",
        "x": 0,
        "xanchor": "left",
        "y": 1,
        "yanchor": "top",
        "showactive": False,
        "bgcolor": style.NO_PAPER,
        "bordercolor": style.GUIDE,
        "font": {"color": style.LEARNED},
        "buttons": [{"label": "Play", "method": "animate", "args": [names, timed]}],
    }
