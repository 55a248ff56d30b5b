"""One head as a heatmap: rows look, columns are looked at."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from core.figures import style
from core.measures import HeadMap

_TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)
_ROOT_TICKS = (0.0, 0.01, 0.1, 0.25, 0.5, 1.0)


def head_heatmap(head: HeadMap, *, marked: tuple[int, ...] = (), colour: str, root: bool) -> go.Figure:
    """The weights of one head on one colour scale from 0 to 1.

    Args:
        head: the weights, (queries, keys).
        marked: row and column indices of the word that the page is about; their labels stand bold in
            `colour`, and a frame is drawn around the word's row.
        colour: the colour of the sentence.
        root: colour by the square root of the weight (numbers stay the weights).
    """
    n_queries, n_keys = head.weights.shape
    shown = np.sqrt(head.weights) if root else head.weights
    ticks = _ROOT_TICKS if root else _TICKS
    few = max(n_queries, n_keys) <= style.MOST_LABELS
    figure = go.Figure(
        go.Heatmap(
            z=shown.astype(np.float32),
            zmin=0,
            zmax=1,
            colorscale=style.WEIGHT_SCALE,
            xgap=1 if few else 0,
            ygap=1 if few else 0,
            customdata=head.weights,
            # Labels for every cell are worth their bytes only where a person can read them.
            text=_names(head) if few else None,
            hovertemplate=(
                ("%{text}" if few else "token %{y} → token %{x}")
                + ": <b>%{customdata:.4f}</b><extra></extra>"
            ),
            colorbar={
                "title": {
                    "text": "weight (square-root colours)" if root else "weight",
                    "side": "right",
                },
                "tickmode": "array",
                "tickvals": [t**0.5 if root else t for t in ticks],
                "ticktext": [f"{t:g}" for t in ticks],
                "thickness": 10,
                "outlinewidth": 0,
            },
        )
    )
    if marked:
        figure.add_shape(
            type="rect",
            x0=-0.5,
            x1=n_keys - 0.5,
            y0=min(marked) - 0.5,
            y1=max(marked) + 0.5,
            line={"color": colour, "width": 2},
        )
    figure.update_layout(
        **style.layout(height=420, margin={"l": 80, "r": 8, "t": 84, "b": 8}),
        xaxis=_axis(head.keys, marked, colour) | {"side": "top", "tickangle": -60},
        yaxis=_axis(head.queries, marked, colour) | {"range": [n_queries - 0.5, -0.5]},
    )
    return figure


def _names(head: HeadMap) -> list[list[str]]:
    """For each cell, who looks at whom."""
    keys = [style.token_label(token) for token in head.keys]
    return [[f"{style.token_label(token)} → {key}" for key in keys] for token in head.queries]


def _axis(tokens: tuple[str, ...], marked: tuple[int, ...], colour: str) -> dict[str, object]:
    """Numeric, because equal tokens would fall together on an axis of categories."""
    first = set(marked[: style.MOST_LABELS - 1])
    room = style.MOST_LABELS - (len(first) if len(tokens) > style.MOST_LABELS else 0)
    shown = sorted({*range(0, len(tokens), -(-len(tokens) // room)), *first})
    return {
        "tickmode": "array",
        "tickvals": shown,
        "ticktext": [
            f'<b><span style="color:{colour}">{style.token_label(tokens[i])}</span></b>'
            if i in marked
            else style.token_label(tokens[i])
            for i in shown
        ],
        "showgrid": False,
        "zeroline": False,
        "range": [-0.5, len(tokens) - 0.5],
        "fixedrange": True,
    }
