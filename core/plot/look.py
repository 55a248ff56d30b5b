"""The look of a figure on paper: a Plotly template, and texts without markup."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from typing import Any

import plotly.graph_objects as go

INK, GRID = "#262a30", "#e3e6ea"
WIDTH = 700  # pixels: two columns of a paper; one column is half of it
PLAIN = "sans-serif"

TEMPLATE = go.layout.Template(
    layout={
        "font": {"family": PLAIN, "size": 13, "color": INK},
        "paper_bgcolor": "white",
        "plot_bgcolor": "white",
        "hoverlabel": {"font": {"family": PLAIN}},
        "legend": {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
        "margin": {"l": 60, "r": 30, "t": 40, "b": 50},
        "xaxis": {"automargin": True, "gridcolor": GRID, "linecolor": INK, "zeroline": False},
        "yaxis": {"automargin": True, "gridcolor": GRID, "linecolor": INK, "zeroline": False},
        "scene": {
            axis: {"gridcolor": GRID, "backgroundcolor": "white", "zeroline": False}
            for axis in ("xaxis", "yaxis", "zaxis")
        },
    }
)


def figure(
    traces: Sequence[Any], header: Mapping[str, Any], *, height: int, **layout: Any
) -> go.Figure:
    """A figure of these traces; its `meta` holds the picture's sentence and file name.

    Args:
        traces: Plotly's traces.
        header: the header of the picture.
        height: in pixels.
        **layout: further parts of the layout.
    """
    meta = {"sentence": header["sentence"], "file": header["file"]}
    return go.Figure(
        traces, {"template": TEMPLATE, "width": WIDTH, "height": height, "meta": meta, **layout}
    )


def literal(text: str) -> str:
    """A text in which Plotly finds no markup: tokens like "<s>" stay as they are."""
    return html.escape(text, quote=False)


def colour(parts: Sequence[int]) -> str:
    """Red, green and blue as CSS."""
    return f"rgb({', '.join(str(int(part)) for part in parts)})"


def named_axis(names: Sequence[str], *, most: int = 64) -> dict[str, Any]:
    """An axis of named items, one per unit: by their names, Plotly would merge equal ones.

    Above `most` names, it shows only every second, third … one.
    """
    step = -(-len(names) // most)
    at = range(0, len(names), step)
    return {"tickmode": "array", "tickvals": list(at), "ticktext": [literal(names[i]) for i in at]}
