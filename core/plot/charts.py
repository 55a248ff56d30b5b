"""Bars and curves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from ..figures import Picture, style
from ..figures import bars as figure_of_bars
from ..language import Sampling, shaped
from ..records.frozen import Array
from . import look

_ROW, _AROUND = 26, 110  # pixels: the height of a bar, and the margin around all of them
_HEIGHT = 380
_SYMBOLS = {"circle": "circle", "square": "square", "diamond": "diamond", "none": None}


def bars(picture: Picture) -> go.Figure:
    """Horizontal bars in the order of the picture, from top to bottom."""
    header = picture.header
    labels, names = header["labels"], header["names"] or ("",)
    values = np.frombuffer(picture.payload, "<f4").reshape(-1, len(labels))
    digits = header["number"]["digits"]
    signed = header["kind"] == "signed"
    below, above = (look.colour(pair) for pair in header["signed"]["light"])
    hue = look.colour(header["hue"])
    traces = []
    for i, (row, name) in enumerate(zip(values, names, strict=False)):
        colours = [below if value < 0 else above for value in row] if signed else hue
        outline = {"color": "rgba(0,0,0,0)", "line": {"color": look.INK, "width": 1}}
        traces.append(
            go.Bar(
                x=row,
                y=np.arange(len(labels)),
                orientation="h",
                name=look.literal(name),
                text=[style.signed(float(value), digits, plus=signed) for value in row],
                textposition="outside" if i == 0 else "none",
                cliponaxis=False,
                customdata=[*map(look.literal, labels)],
                hovertemplate="%{customdata}: %{x:.4g}<extra></extra>",
                marker=outline if i else {"color": colours},
            )
        )
    return look.figure(
        traces,
        header,
        height=_ROW * len(labels) + _AROUND,
        barmode="overlay",
        bargap=0.25,
        showlegend=len(traces) > 1,
        xaxis={
            "title": {"text": look.literal(header["unit"])},
            "range": _around(values),
            "zeroline": True,
            "zerolinecolor": look.INK,
        },
        yaxis={**look.named_axis(labels), "autorange": "reversed", "showgrid": False},
    )


def next_word(picture: Picture) -> go.Figure:
    """The likeliest next tokens and all others, as the picture's temperature and cuts leave them."""
    header, state = picture.header, picture.state
    shown = int(header["shown"])
    logits = np.frombuffer(picture.payload, "<f4")
    way = Sampling(
        float(state["temperature"]),
        int(state["topK"]) or None,
        float(state["topP"]),
        float(state["minP"]) or None,
    )
    found = shaped(logits, way)
    left = np.zeros(len(logits))
    left[: found.kept] = found.drawable  # the logits are in descending order already
    others = len(logits) - shown
    values = [*left[:shown], *([left[shown:].sum()] if others else [])]
    labels = [*header["labels"][:shown], *([f"{others:,} others"] if others else [])]
    return bars(
        figure_of_bars(
            values,
            labels,
            unit="probability",
            sentence=header["sentence"],
            name=header["file"].removeprefix("polysee-"),
        )
    )


def lines(picture: Picture) -> go.Figure:
    """Curves over named steps, with the guides as thin lines."""
    header = picture.header
    steps = header["steps"]
    values = np.frombuffer(picture.payload, "<f4").reshape(-1, len(steps)).astype(float)
    guides = [(at, text) for at, text in header["guides"]]
    bounds = header["bounds"]
    if header["log"]:
        values = 10.0**values
    traces: list[Any] = []
    if header["band"] is not None:
        low, high = values[-2:]
        at = np.arange(len(steps))
        edge = {"mode": "lines", "line": {"width": 0}, "hoverinfo": "skip"}
        traces = [
            go.Scatter(x=at, y=low, showlegend=False, **edge),
            go.Scatter(x=at, y=high, fill="tonexty", name=look.literal(header["band"]), **edge),
        ]
    traces += [curve(line, row, steps) for line, row in zip(header["lines"], values, strict=False)]
    return look.figure(
        traces,
        header,
        height=_HEIGHT,
        xaxis={**look.named_axis(header["ticks"]), "title": {"text": look.literal(header["axis"])}},
        yaxis={
            "title": {"text": look.literal(header["unit"])},
            "range": _range(bounds),
            **({"type": "log"} if header["log"] else _guided(guides)),
        },
    )


def trajectory(picture: Picture) -> go.Figure:
    """The position of a word between two senses after each layer, a curve for each sentence."""
    header = picture.header
    ends, sides = header["ends"], header["sides"]
    steps = [style.layer_name(layer) for layer in range(header["layers"])]
    traces = [
        curve(
            {
                "name": f"{side['name']}: {''.join(side['parts'])}",
                "colour": side["colour"],
                "mark": side["shape"],
            },
            side["position"],
            steps,
        )
        for side in sides
    ]
    every = [float(at) for side in sides for at in side["position"]]
    guides = [(-1, f"{ends['low']} −1"), (0, "halfway 0"), (1, f"{ends['high']} +1")]
    return look.figure(
        traces,
        header,
        height=_HEIGHT,
        legend={"orientation": "v"},
        xaxis={
            **look.named_axis([str(layer + 1) for layer in range(len(steps))]),
            "title": {"text": "after layer"},
        },
        yaxis={**_guided(guides), "range": _range((min(-1.15, *every), max(1.15, *every)))},
    )


def curve(line: Mapping[str, Any], values: Any, steps: Sequence[str]) -> go.Scatter:
    """One curve, with a mark at each step.

    Args:
        line: its name, colour and mark.
        values: (steps,).
        steps: their names, under the pointer.
    """
    symbol = _SYMBOLS[line["mark"]]
    return go.Scatter(
        x=np.arange(len(steps)),
        y=np.asarray(values, float),
        name=look.literal(line["name"]),
        mode="lines" if symbol is None else "lines+markers",
        line={"color": line["colour"], "width": 2},
        marker={"symbol": symbol, "size": 8},
        customdata=[*map(look.literal, steps)],
        hovertemplate="%{customdata}: %{y:.4g}<extra>%{fullData.name}</extra>",
    )


def _guided(guides: Sequence[tuple[float, str]]) -> dict[str, Any]:
    """The part of an axis that labels these values, if there are any."""
    if not guides:
        return {}
    texts = [look.literal(text) for _, text in guides]
    return {"tickmode": "array", "tickvals": [at for at, _ in guides], "ticktext": texts}


def _around(values: Array) -> list[float]:
    """A range from 0 with room for the number at the end of each bar."""
    low, high = min(0.0, float(values.min())), max(0.0, float(values.max()))
    room = 0.12 * ((high - low) or 1)
    return [low - room * (low < 0), high + room * (high > 0)]


def _range(bounds: Sequence[float]) -> list[float]:
    """A range with a little room at both ends."""
    low, high = bounds
    room = 0.04 * (high - low)
    return [low - room, high + room]
