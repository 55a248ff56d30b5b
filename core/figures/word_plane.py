"""The move: from the learned vector to the two contextual ones, among the anchor words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from core.figures import style
from core.trace import Array


@dataclass(frozen=True)
class Plane:
    """What the picture shows. Every array is (depths, 2), from `core.measures.plane`.

    Attributes:
        a: the word in sentence A.
        b: the word in sentence B.
        alone: the word in the anchor frame, without a sentence.
        low: the anchor words of the group at −1.
        high: the anchor words of the group at +1.
    """

    a: Array
    b: Array
    alone: Array
    low: Mapping[str, Array]
    high: Mapping[str, Array]


def word_plane(shown: Plane, *, depth: int) -> go.Figure:
    """Arrows from where the word starts (depth 0) to where it stands at `depth` in A and in B.

    x is the place on the sense axis of that depth; y is one direction across it, fitted to the anchor
    words at the last layer. The frame of the picture is the same at every depth.
    """
    figure = go.Figure()
    figure.add_vline(x=0, line={"color": style.GUIDE, "width": 1, "dash": "dot"})
    for group, side in ((shown.low, "left"), (shown.high, "right")):
        for word, places in group.items():
            mark = {"color": style.LEARNED, "symbol": f"triangle-{side}-open", "size": 8}
            _point(figure, style.token_label(style.short(word)), places[depth], mark, f"middle {side}")
    for name, place, symbol, text_at in (
        ("alone", shown.alone[depth], "circle-open", "middle left"),
        ("learned", shown.a[0], "diamond", "bottom center"),
    ):
        _point(figure, name, place, {"color": style.LEARNED, "symbol": symbol, "size": 13}, text_at)
    for name, places, colour, symbol in (
        ("A", shown.a, style.SENTENCE_A, "circle"),
        ("B", shown.b, style.SENTENCE_B, "square"),
    ):
        figure.add_annotation(
            x=places[depth, 0],
            y=places[depth, 1],
            ax=places[0, 0],
            ay=places[0, 1],
            axref="x",
            ayref="y",
            arrowhead=2,
            arrowwidth=2.5,
            arrowcolor=colour,
            text="",
            visible=bool(np.linalg.norm(places[depth] - places[0]) > 0.02),
        )
        mark = {"color": colour, "symbol": symbol, "size": 13}
        _point(figure, f"<b>{name}</b>", places[depth], mark, "top center")
    ends = np.concatenate([p for p in (*shown.low.values(), *shown.high.values(), shown.a, shown.b)])
    low, high = (style.token_label(style.short(next(iter(group)))) for group in (shown.low, shown.high))
    figure.update_layout(
        **style.layout(height=330),
        xaxis=_axis(ends[:, 0], [-1, 0, 1], [f"{low} −1", "0", f"{high} +1"]),
        yaxis=_axis(ends[:, 1], [], []),
    )
    return figure


def _point(figure: go.Figure, name: str, place: Array, mark: dict[str, object], text_at: str) -> None:
    x, y = (float(number) for number in place)
    figure.add_scatter(
        x=[x],
        y=[y],
        mode="markers+text",
        marker=mark,
        text=[f" {name} "],
        textposition=text_at,
        textfont={"color": mark["color"], "size": 13},
        name=name,
        hovertemplate=f"{name}: {style.signed(x, 3)} along, {style.signed(y, 3)} across<extra></extra>",
    )


def _axis(numbers: Array, values: list[int], names: list[str]) -> dict[str, object]:
    least, most = float(np.nanmin(numbers)), float(np.nanmax(numbers))
    room = 0.18 * (most - least)  # for the words beside the outermost marks
    return {
        "range": [least - room, most + room],
        "tickmode": "array",
        "tickvals": values,
        "ticktext": names,
        "showgrid": False,
        "zeroline": False,
        "fixedrange": True,
    }
