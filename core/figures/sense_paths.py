"""The sense axis over depth: where one word of two sentences starts, and where it goes."""

from __future__ import annotations

import plotly.graph_objects as go

from core.figures import style
from core.trace import Array


def sense_paths(places_a: Array, places_b: Array, *, low: str, high: str) -> go.Figure:
    """One line a sentence, left to right through the layers, up and down between two senses.

    Args:
        places_a: where the word of sentence A stands at every depth, (depths,), from
            `SenseAxis.place`.
        places_b: the same for sentence B.
        low: the name of the anchor group at −1.
        high: the name of the anchor group at +1.
    """
    depths = list(range(len(places_a)))
    figure = go.Figure()
    for place in (-1, 1):
        figure.add_hline(y=place, line={"color": style.GUIDE, "width": 1})
    figure.add_hline(y=0, line={"color": style.GUIDE, "width": 1, "dash": "dot"})
    sentences = (
        ("A", places_a, style.SENTENCE_A, "circle"),
        ("B", places_b, style.SENTENCE_B, "square"),
    )
    for name, places, colour, symbol in sentences:
        figure.add_scatter(
            x=depths,
            y=places,
            name=f"Sentence {name}",
            mode="lines+markers",
            line={"color": colour, "width": 3},
            marker={"symbol": symbol, "size": 10},
            customdata=[[style.depth_name(d), style.signed(p, 3)] for d, p in enumerate(places)],
            hovertemplate="<b>Sentence "
            + name
            + "</b>, %{customdata[0]}: %{customdata[1]}<extra></extra>",
        )
    if abs(places_a[0] - places_b[0]) < 5e-4:  # one word: both sentences start from one vector
        figure.add_scatter(
            x=[0],
            y=[places_a[0]],
            name="Learned",
            mode="markers",
            marker={"color": style.LEARNED, "size": 14, "symbol": "diamond"},
            hovertemplate="learned, the same in both: "
            + style.signed(places_a[0], 3)
            + "<extra></extra>",
        )
    span = [min(-1.15, *places_a, *places_b) - 0.05, max(1.15, *places_a, *places_b) + 0.05]
    # A label is about 20 of the picture's 270 pixels high.
    close = abs(places_a[-1] - places_b[-1]) < 0.075 * (span[1] - span[0])
    _end_labels(figure, float(places_a[-1]), float(places_b[-1]), depths[-1], apart=bool(close))
    figure.update_layout(
        **style.layout(height=330, margin={"l": 8, "r": 64, "t": 8, "b": 8}),
        xaxis={
            "tickmode": "array",
            "tickvals": depths,
            "ticktext": ["◆", "+pos", *(str(d - 1) for d in depths[2:])],
            "tickangle": 0,
            "title": {"text": "after layer"},
            "showgrid": False,
            "zeroline": False,
            "fixedrange": True,
        },
        yaxis={
            "range": span,
            "tickmode": "array",
            "tickvals": [-1, -0.5, 0, 0.5, 1],
            "ticktext": [
                f"{style.token_label(style.short(low))} −1",
                "−.5",
                "halfway 0",
                ".5",
                f"{style.token_label(style.short(high))} +1",
            ],
            "showgrid": False,
            "zeroline": False,
            "fixedrange": True,
        },
    )
    return figure


def _end_labels(figure: go.Figure, a: float, b: float, x: int, *, apart: bool) -> None:
    """Name each line at its end; where they end together, the labels step `apart`."""
    for name, place, colour, up in (
        ("A", a, style.SENTENCE_A, a >= b),
        ("B", b, style.SENTENCE_B, a < b),
    ):
        figure.add_annotation(
            x=x,
            y=place,
            text=f"<b>{name} {style.signed(place)}</b>",
            font={"color": colour, "size": 15},
            showarrow=False,
            xanchor="left",
            xshift=10,
            yshift=(9 if up else -9) if apart else 0,
        )
