"""Heatmaps."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from ..figures import Picture, style
from ..records.frozen import Array
from . import look

_CELL, _AROUND = 26, 190  # pixels
_STEPS = 17  # of a colour scale that is not linear
_GREY = "#d9dce0"  # behind cells without a number


def heatmap(picture: Picture) -> go.Figure:
    """A matrix with its numbers under the pointer; masked and missing cells are grey."""
    header = picture.header
    rows, columns = header["rows"], header["columns"]
    values = np.frombuffer(picture.payload, "<f4").reshape(len(rows), len(columns)).copy()
    scale, names = header["scale"], header["names"]
    values[_masked(scale, values.shape)] = np.nan
    cells = go.Heatmap(
        z=values,
        customdata=_pairs(rows, columns),
        hovertemplate=(
            f"{look.literal(names[0])} %{{customdata[0]}}<br>{look.literal(names[1])} "
            f"%{{customdata[1]}}<br>{look.literal(names[2])} %{{z:.4f}}<extra></extra>"
        ),
        colorbar={"title": {"text": look.literal(names[2]), "side": "right"}, "thickness": 14},
        **colours(scale),
    )
    high = min(24 * _CELL, _CELL * len(rows)) + _AROUND
    return look.figure(
        [cells],
        header,
        height=high,
        plot_bgcolor=_GREY,
        xaxis={
            **look.named_axis(columns),
            "side": "top",
            "tickangle": -60,
            "showgrid": False,
            "constrain": "domain",
        },
        yaxis={**look.named_axis(rows), "autorange": "reversed", "showgrid": False},
    )


def colours(scale: Mapping[str, Any]) -> dict[str, Any]:
    """The colours of a heatmap on white paper, with the range that they cover."""
    if scale["kind"] == "signed":
        below, above = (look.colour(pair) for pair in scale["light"])
        bound = scale["bound"]
        return {
            "colorscale": [[0, below], [0.5, "white"], [1, above]],
            "zmin": -bound,
            "zmax": bound,
        }
    hue = look.colour(scale.get("hue", style.WEIGHT_HUE))
    linear = [[0, "white"], [1, hue]]
    if scale.get("root"):
        at = np.linspace(0, 1, _STEPS)
        linear = [[float(x), _between(scale["hue"], float(np.sqrt(x)))] for x in at]
    return {"colorscale": linear, "zmin": 0, "zmax": scale.get("most", 1)}


def _between(hue: Sequence[int], share: float) -> str:
    return look.colour([round(255 + (part - 255) * share) for part in hue])


def _pairs(rows: Sequence[str], columns: Sequence[str]) -> Array:
    """(rows, columns, 2): the names of each cell."""
    across, down = np.meshgrid([*map(look.literal, columns)], [*map(look.literal, rows)])
    pairs: Array = np.stack([down, across], axis=-1)
    return pairs


def _masked(scale: Mapping[str, Any], shape: tuple[int, ...]) -> Array:
    """(rows, columns) bool: the cells that the header says are masked."""
    masked = np.zeros(shape, bool)
    sent = scale.get("masked")
    if not sent:
        return masked
    mask, (n, m) = sent["mask"], shape
    if sent["causal"]:
        return np.triu(~masked, k=1 + m - n)
    if mask is None:
        return masked
    if "bits" in mask:
        bits = np.frombuffer(base64.b64decode(mask["bits"]), np.uint8)
        hidden: Array = np.unpackbits(bits, count=n * m, bitorder="little").reshape(n, m).astype(bool)
        return hidden
    at, first, end = (np.asarray(part) for part in (range(m), mask["from"], mask["to"]))
    return (at < first[:, None]) | (at >= end[:, None])
