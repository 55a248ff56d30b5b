"""The paths of a word along three principal components, to be turned by hand."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from ...measures import Projection
from .. import style

HEIGHT = 380
_LOOKS = (
    (style.SENTENCE_A, "circle"),
    (style.SENTENCE_B, "square"),
    (style.LEARNED, "circle-open"),
    (style.LEARNED, "square-open"),
)


def word_space(found: Projection, names: Sequence[str], *, scale: float = 1.0) -> go.Figure:
    """A line for each path, from the learned vector to the last layer, a mark for each depth.

    Args:
        found: three components of at most four paths; the first two are the word in A and in B.
        names: of the paths.
        scale: how much larger than usual its height and letters are.
    """
    figure = go.Figure()
    last = found.coordinates.shape[1] - 1
    for name, path, (colour, symbol) in zip(names, found.coordinates, _LOOKS, strict=False):
        x, y, z = path.T
        figure.add_scatter3d(
            x=x,
            y=y,
            z=z,
            name=name,
            mode="lines+markers+text",
            line={"color": colour, "width": 5},
            marker={"color": colour, "symbol": symbol, "size": 5},
            text=[
                "" if depth < last else f"<b>{style.token_label(name)}</b>" for depth in range(last + 1)
            ],
            textfont={"color": colour, "size": round(15 * scale)},
            customdata=[style.depth_name(depth) for depth in range(last + 1)],
            hovertemplate=f"<b>{style.token_label(name)}</b>, %{{customdata}}: "
            "%{x:.3f}, %{y:.3f}, %{z:.3f}<extra></extra>",
        )
    # One learned vector, or those of two different words.
    starts = np.unique(np.round(found.coordinates[:2, 0], 4), axis=0)
    x, y, z = starts.T
    figure.add_scatter3d(
        x=x,
        y=y,
        z=z,
        name="learned",
        mode="markers",
        marker={"color": style.LEARNED, "symbol": "diamond", "size": 7},
        hovertemplate="learned: %{x:.3f}, %{y:.3f}, %{z:.3f}<extra></extra>",
    )
    figure.update_layout(
        **style.layout(
            height=round(HEIGHT * scale), dragmode="orbit", font={"size": round(14 * scale)}
        ),
        scene={
            f"{axis}axis": {
                "title": {"text": f"{i + 1}: {100 * float(share):.0f} %"},
                "showticklabels": False,
                "showbackground": False,
                "gridcolor": style.GUIDE,
                "zeroline": False,
                "showspikes": False,
            }
            for i, (axis, share) in enumerate(zip("xyz", found.shares, strict=True))
        },
    )
    return figure
